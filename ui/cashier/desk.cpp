#include "ui/cashier/desk.h"

#include <algorithm>

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
    connect(service, &CheckoutService::checkoutChanged, this, &Desk::takeCheckout, Qt::QueuedConnection);
    connect(service, &CheckoutService::openChanged, this, &Desk::takeOpen, Qt::QueuedConnection);
    connect(service, &CheckoutService::startRejected, this, &Desk::takeRejection, Qt::QueuedConnection);
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
    if (m_shown && isOpen(m_shown->state))
        return ShutReason{isAutomatic(m_shown->state) ? Shut::Running : Shut::ChooseFirst, m_shown->order.text(), true};
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
    m_news.reset();
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

void Desk::tick()
{
    m_lastTickMs = m_clock.now().monotonicMs;
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
    m_shown = checkout;
    m_shownIsRecorded = recorded;
    if (other)
        m_screenSinceMs = m_clock.now().monotonicMs;
    Q_EMIT changed();
}

void Desk::takeCheckout(const Checkout &checkout, bool recorded)
{
    if (m_asked && *m_asked == checkout.key)
        m_asked.reset();
    if (recorded)
        m_journalError.reset();
    // "Settle this one first" is over once it is settled.
    if (isFinal(checkout.state) && m_rejection && m_rejection->why == StartRejection::Why::OrderIsOpen &&
        m_rejection->existing && m_rejection->existing->key == checkout.key)
        m_rejection.reset();
    for (Checkout &each : m_open) {
        if (each.key == checkout.key)
            each = checkout;
    }
    const bool isNew = m_starting && checkout.order == m_starting->order && isAutomatic(checkout.state) &&
                       checkout.attempts.size() <= 1;
    if (isNew) {
        m_starting.reset();
        m_news.reset();
        put(checkout, recorded);
        Q_EMIT started(checkout);
        return;
    }
    if (m_shown && m_shown->key == checkout.key) {
        put(checkout, recorded);
        return;
    }
    if (isFinal(checkout.state)) {
        const bool parked = m_parked && *m_parked == checkout.key;
        if (parked)
            m_parked.reset();
        if (parked && !m_shown && !m_starting) {
            m_leftOpen.reset();
            put(checkout, recorded);
        } else {
            m_news = checkout;
            Q_EMIT changed();
        }
    }
}

void Desk::takeOpen(const QList<Checkout> &open)
{
    m_open = open;
    std::stable_sort(m_open.begin(), m_open.end(),
                     [](const Checkout &a, const Checkout &b) { return a.startedAt.wallMs < b.startedAt.wallMs; });
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
