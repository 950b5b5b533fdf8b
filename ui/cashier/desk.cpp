#include "ui/cashier/desk.h"

#include "ui/cashier/journal_words.h"

#include <algorithm>
#include <utility>

namespace ikkai {

namespace {

constexpr qint64 frozenAfterMs = 700; ///< seven missed beats of the window's heart

} // namespace

Desk::Desk(CheckoutService *service, const Clock &clock, QObject *parent)
    : QObject(parent)
    , m_clock(clock)
{
    m_lastTickMs = m_clock.now().monotonicMs;
    m_screenSinceMs = m_lastTickMs;
    // Queued always, also where both live on one thread: the same order of things in the till and in its tests.
    connect(this, &Desk::startWanted, service, &CheckoutService::start, Qt::QueuedConnection);
    connect(this, &Desk::tryAgainWanted, service, &CheckoutService::tryAgain, Qt::QueuedConnection);
    connect(this, &Desk::checkWanted, service, &CheckoutService::checkNow, Qt::QueuedConnection);
    connect(this, &Desk::leaveOpenWanted, service, &CheckoutService::leaveOpen, Qt::QueuedConnection);
    connect(this, &Desk::voidWanted, service, &CheckoutService::voidSafely, Qt::QueuedConnection);
    connect(this, &Desk::overrideWanted, service, &CheckoutService::overrideOpen, Qt::QueuedConnection);
    connect(this, &Desk::writeOffWanted, service, &CheckoutService::writeOff, Qt::QueuedConnection);
    listen(service);
}

void Desk::listen(const CheckoutService *service)
{
    connect(service, &CheckoutService::checkoutChanged, this, &Desk::takeCheckout, Qt::QueuedConnection);
    connect(service, &CheckoutService::openChanged, this, &Desk::takeOpen, Qt::QueuedConnection);
    connect(service, &CheckoutService::startRejected, this, &Desk::takeRejection, Qt::QueuedConnection);
    connect(service, &CheckoutService::recovered, this, &Desk::takeRecovered, Qt::QueuedConnection);
    connect(service, &CheckoutService::inquiryPlanned, this, &Desk::takePlan, Qt::QueuedConnection);
    connect(service, &CheckoutService::supervisorAnswered, this, &Desk::takeSupervisorAnswer, Qt::QueuedConnection);
    connect(
        service, &CheckoutService::eventRecorded, this,
        [this](const Event &event, const Checkout &after) {
            m_journalError.reset(); // the disk takes again what it is given
            m_log.take(event, after);
        },
        Qt::QueuedConnection);
    connect(
        service, &CheckoutService::bankLinkChanged, this,
        [this](BankLink link) {
            m_link = link;
            Q_EMIT changed();
        },
        Qt::QueuedConnection);
    connect(
        service, &CheckoutService::journalFailed, this,
        [this](const JournalError &error) {
            m_journalError = error;
            Q_EMIT changed();
        },
        Qt::QueuedConnection);
}

std::optional<Desk::ShutReason> Desk::shut() const
{
    if (m_starting)
        return ShutReason{Shut::Starting, m_starting->order.text(), false};
    const auto running = std::find_if(m_open.begin(), m_open.end(),
                                      [](const Checkout &checkout) { return isAutomatic(checkout.state); });
    if (running != m_open.end()) {
        const bool onScreen = m_shown && m_shown->key == running->key;
        return ShutReason{Shut::Running, running->order.text(),
                          onScreen && (running->attempts.size() > 1 || running->attempts.front().verdict)};
    }
    // One that is being cancelled settles by itself: the next customer can be served beside it.
    if (m_shown && isOpen(m_shown->state) && !isVoiding(m_shown->state))
        return ShutReason{isAutomatic(m_shown->state) ? Shut::Running : Shut::ChooseFirst, m_shown->order.text(), true};
    if (m_supervisor)
        return ShutReason{Shut::Supervisor, m_supervisor->checkout.order.text(), false};
    if (m_journalError && needsRestart(*m_journalError))
        return ShutReason{Shut::Journal, {}, false};
    return std::nullopt;
}

qint64 Desk::screenAgeMs() const
{
    return m_clock.now().monotonicMs - m_screenSinceMs;
}

bool Desk::isFresh() const
{
    return m_clock.now().monotonicMs - m_lastTickMs < frozenAfterMs;
}

bool Desk::moneyMayMove() const
{
    return isFresh() && !m_starting && !m_asked;
}

bool Desk::charge(const StartRequest &request)
{
    if (!moneyMayMove() || shut())
        return false;
    m_starting = request;
    forget();
    Q_EMIT changed();
    Q_EMIT startWanted(request);
    return true;
}

void Desk::tryAgain()
{
    if (!m_shown || !moneyMayMove() || !std::holds_alternative<state::Unknown>(m_shown->state))
        return;
    m_asked = m_shown->key;
    forget();
    Q_EMIT tryAgainWanted(m_shown->key);
    Q_EMIT changed();
}

void Desk::checkNow()
{
    if (!m_shown || m_shown->inquiryUnderWay || isFinal(m_shown->state) || isAutomatic(m_shown->state))
        return;
    forget();
    Q_EMIT checkWanted(m_shown->key);
    Q_EMIT changed();
}

void Desk::voidSafely()
{
    if (!m_shown || !moneyMayMove() || !std::holds_alternative<state::Unknown>(m_shown->state))
        return;
    m_asked = m_shown->key;
    forget();
    Q_EMIT voidWanted(m_shown->key);
    Q_EMIT changed();
}

SupervisorAsk::What Desk::supervisorsWay() const
{
    const bool startsAnew = m_shown && m_rejection && m_rejection->why == StartRejection::Why::OrderIsOpen &&
                            m_rejection->existing && m_rejection->existing->key == m_shown->key;
    if (!startsAnew || circumstancesOf(*m_shown).otherLedgerAnswers)
        return SupervisorAsk::What::WriteOff;
    return SupervisorAsk::What::Override;
}

void Desk::callSupervisor()
{
    if (!m_shown || isFinal(m_shown->state) || isAutomatic(m_shown->state) || m_supervisor)
        return;
    const SupervisorAsk::What what = supervisorsWay();
    SupervisorAsk ask{what, *m_shown, std::nullopt, false, std::nullopt};
    if (what == SupervisorAsk::What::Override)
        ask.next = m_rejection->request;
    m_supervisor = ask;
    Q_EMIT changed();
}

void Desk::dismissSupervisor()
{
    if (!m_supervisor || m_supervisor->underWay)
        return;
    m_supervisor.reset();
    Q_EMIT changed();
}

void Desk::askSupervisor(const QString &pin, const QString &reason)
{
    if (!m_supervisor || m_supervisor->underWay || !moneyMayMove())
        return;
    m_supervisor->underWay = true;
    m_supervisor->answer.reset();
    const IdempotencyKey key = m_supervisor->checkout.key;
    if (m_supervisor->what == SupervisorAsk::What::Override) {
        m_starting = m_supervisor->next;
        m_overriding = key;
        Q_EMIT changed();
        Q_EMIT overrideWanted({key, pin, reason, *m_supervisor->next});
    } else {
        Q_EMIT changed();
        Q_EMIT writeOffWanted({key, pin, reason});
    }
}

void Desk::takeSupervisorAnswer(const SupervisorAnswer &answer)
{
    const bool done = answer.what == SupervisorAnswer::What::Done;
    if (m_overriding && *m_overriding == answer.key) {
        m_overriding.reset();
        if (!done)
            m_starting.reset(); // also where the panel has gone meanwhile
        Q_EMIT changed();
    }
    if (!m_supervisor || m_supervisor->checkout.key != answer.key)
        return;
    if (done) {
        m_supervisor.reset();
        forget();
    } else {
        m_supervisor->underWay = false;
        m_supervisor->answer = answer;
    }
    Q_EMIT changed();
}

void Desk::leaveOpen()
{
    if (!m_shown || isFinal(m_shown->state))
        return;
    const IdempotencyKey key = m_shown->key;
    forget();
    m_leftOpen = m_shown->order;
    m_parked = key;
    // The copy in the list stops counting as a run at once: the next customer is already standing there.
    Q_EMIT leaveOpenWanted(key);
    put(std::nullopt, true);
}

void Desk::newSale()
{
    forget();
    put(std::nullopt, true);
}

void Desk::show(const IdempotencyKey &key)
{
    const auto found =
        std::find_if(m_open.begin(), m_open.end(), [&key](const Checkout &checkout) { return checkout.key == key; });
    if (found == m_open.end())
        return;
    forget();
    put(*found, true);
}

void Desk::showNews()
{
    if (m_news.items().empty())
        return;
    forget();
    const Checkout oldest = m_news.items().front().checkout;
    put(oldest, true);
}

void Desk::tick()
{
    m_lastTickMs = m_clock.now().monotonicMs;
    Q_EMIT ticked();
}

void Desk::forget()
{
    m_rejection.reset();
    m_leftOpen.reset();
}

void Desk::put(const std::optional<Checkout> &checkout, bool recorded)
{
    const bool other = m_shown.has_value() != checkout.has_value() ||
                       (checkout && (m_shown->key != checkout->key || m_shown->state != checkout->state));
    const bool panelIsOver = m_supervisor && (!checkout || checkout->key != m_supervisor->checkout.key ||
                                              isFinal(checkout->state) || isAutomatic(checkout->state));
    if (panelIsOver)
        m_supervisor.reset();
    m_shown = checkout;
    m_shownIsRecorded = recorded;
    if (checkout) {
        m_news.see(*checkout);
        m_openFromBefore = 0;
    }
    if (other)
        m_screenSinceMs = m_clock.now().monotonicMs;
    Q_EMIT changed();
}

void Desk::takeCheckout(const Checkout &checkout, bool recorded)
{
    if (m_asked && *m_asked == checkout.key)
        m_asked.reset();
    // "Settle this one first" is over once it is settled.
    if (isFinal(checkout.state) && m_rejection && m_rejection->why == StartRejection::Why::OrderIsOpen &&
        m_rejection->existing && m_rejection->existing->key == checkout.key)
        m_rejection.reset();
    for (Checkout &each : m_open) {
        if (each.key == checkout.key)
            each = checkout;
    }
    if (!m_recovered && !(m_starting && m_starting->order == checkout.order))
        m_fromBefore.insert(checkout.key);
    const bool isNew = m_starting && checkout.order == m_starting->order && isAutomatic(checkout.state) &&
                       checkout.attempts.size() <= 1;
    if (isNew) {
        m_starting.reset();
        m_parked.reset(); // what is settled from now on must not push this one's screen away
        put(checkout, recorded);
        Q_EMIT started(checkout);
        return;
    }
    if (m_shown && m_shown->key == checkout.key) {
        put(checkout, recorded);
        return;
    }
    if (isFinal(checkout.state))
        takeSettledElsewhere(checkout, recorded);
    else
        Q_EMIT changed();
}

void Desk::takeSettledElsewhere(const Checkout &checkout, bool recorded)
{
    const bool parked = m_parked && *m_parked == checkout.key;
    if (parked)
        m_parked.reset();
    if (parked && !m_shown && !m_starting) {
        m_leftOpen.reset();
        put(checkout, recorded);
        return;
    }
    m_news.take(checkout, m_fromBefore.contains(checkout.key));
    Q_EMIT changed();
}

void Desk::takeRecovered()
{
    m_recovered = true;
    for (const Checkout &checkout : std::as_const(m_open))
        m_fromBefore.insert(checkout.key);
    if (!m_shown)
        m_openFromBefore = static_cast<int>(m_open.size());
    Q_EMIT changed();
}

void Desk::takePlan(const InquiryPlan &plan)
{
    m_plans.insert_or_assign(plan.key, plan);
    m_log.take(plan);
    Q_EMIT changed();
}

Circumstances Desk::circumstancesOf(const Checkout &checkout) const
{
    Circumstances beside;
    const auto plan = m_plans.find(checkout.key);
    if (plan != m_plans.end())
        beside.plan = plan->second;
    beside.bankCannotVoid =
        std::any_of(m_open.begin(), m_open.end(), [](const Checkout &each) { return saidItCannotVoid(each); });
    const bool rejectedForIt = m_rejection && m_rejection->why == StartRejection::Why::OtherLedger &&
                               m_rejection->existing && m_rejection->existing->key == checkout.key;
    beside.otherLedgerAnswers =
        rejectedForIt || m_link == BankLink::OtherLedger || saidByOtherLedger(checkout, beside.plan);
    return beside;
}

void Desk::takeOpen(const QList<Checkout> &open)
{
    m_open = open;
    std::stable_sort(m_open.begin(), m_open.end(),
                     [](const Checkout &a, const Checkout &b) { return a.startedAt.wallMs < b.startedAt.wallMs; });
    std::erase_if(m_plans, [this](const auto &entry) {
        return std::none_of(m_open.begin(), m_open.end(),
                            [&](const Checkout &each) { return each.key == entry.first; });
    });
    Q_EMIT changed();
}

void Desk::takeRejection(const StartRejection &rejection)
{
    m_starting.reset();
    m_rejection = rejection;
    if (rejection.existing)
        put(*rejection.existing, true);
    else
        put(std::nullopt, true);
    Q_EMIT rejected(rejection);
}

} // namespace ikkai
