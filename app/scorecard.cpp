#include "app/scorecard.h"

#include "app/checkout_player.h"
#include "core/training/control_client.h"
#include "core/training/event_receiver.h"
#include "mock-server/faults/fault_table.h"
#include "mock-server/mock_server.h"

#include <QtCore/QTimer>

#include <algorithm>

namespace ikkai::app {

namespace {

// Short enough that a table ends, long enough that a busy machine makes no time-outs of its own: one of those would be
// a second charge of an unsafe strategy that the fault of the row did not make.
constexpr qint64 deadlineMs = 1'000;
constexpr qint64 longerThanATryMs = 1'500;
constexpr int checkoutPatienceMs = 60'000;
constexpr int pollMs = 25;
constexpr qint64 outboxPatienceMs = 5'000;
constexpr qint64 cardBalanceMinor = 1'000'000'000'000;

RetryPolicy policy()
{
    RetryPolicy policy;
    policy.attemptDeadlineMs = deadlineMs;
    policy.maxAttempts = 4;
    policy.budgetMs = 10'000;
    policy.backoffBaseMs = 60;
    policy.backoffCapMs = 500;
    policy.conflictBudgetMs = 1'500;
    policy.ceilingMs = 15'000;
    return policy;
}

/// Parameters under which a fault shows what it does within a row's time.
mockbank::Manifestation tellingManifestation(mockbank::ManifestationKind kind)
{
    using enum mockbank::ManifestationKind;
    mockbank::Manifestation manifestation;
    manifestation.kind = kind;
    switch (kind) {
    case Delay:
        manifestation.delay.ms = int(longerThanATryMs);
        break;
    case Decline:
        manifestation.declineCode = "insufficient_funds";
        break;
    case Garbage:
        manifestation.bytes = 64;
        break;
    case Dribble: // an answer has some 600 bytes
        manifestation.bytes = 4;
        manifestation.durationMs = 20;
        break;
    case Bandwidth:
        manifestation.bytesPerSecond = 200;
        break;
    case Busy:
        manifestation.durationMs = 300;
        break;
    case Status:
        manifestation.code = 503;
        break;
    case Redirect:
        manifestation.code = 302;
        manifestation.location = "/elsewhere";
        break;
    case ClockSkew:
        manifestation.skewS = 3'600;
        break;
    case Restart:
    case Refuse:
        manifestation.durationMs = 60;
        break;
    default:
        break;
    }
    return manifestation;
}

qint64 settleMsOf(mockbank::ManifestationKind kind)
{
    return kind == mockbank::ManifestationKind::Delay ? longerThanATryMs + 500 : 0;
}

QJsonObject stateMember(const BankState &state, const char *first, const char *second)
{
    return state.data.value(QLatin1String(first)).toObject().value(QLatin1String(second)).toObject();
}

} // namespace

std::vector<ScorecardFault> scorecardFaults()
{
    std::vector<ScorecardFault> faults{{QStringLiteral("none"), {}}};
    for (const mockbank::FaultTruth &truth : mockbank::faultTable()) {
        // What a client sees of an accident half way changes nothing in what the strategy forgets: one row tells it.
        using enum mockbank::ManifestationKind;
        if (truth.placement == mockbank::Placement::HalfWay && truth.kind != Restart && truth.kind != RedisLostWrite)
            continue;
        mockbank::Fault fault;
        fault.placement = truth.placement;
        fault.manifestation = tellingManifestation(truth.kind);
        const QString name = QString::fromLatin1(mockbank::placementName(truth.placement)) + QLatin1Char(':') +
                             QString::fromLatin1(mockbank::manifestationName(truth.kind));
        ScorecardFault row{name, QString::fromLatin1(mockbank::printFault(fault))};
        row.settleMs = settleMsOf(truth.kind);
        faults.push_back(row);
    }
    ScorecardFault slow{QStringLiteral("slow_work"), {}};
    slow.processingMs = longerThanATryMs;
    slow.settleMs = 2 * longerThanATryMs;
    faults.push_back(slow);
    ScorecardFault shortLock{QStringLiteral("lock_ends_before_work"), {}};
    shortLock.processingMs = 2'500;
    shortLock.lockS = 1;
    shortLock.settleMs = 3'000;
    faults.push_back(shortLock);
    return faults;
}

/// One bank and one terminal that pay one order after the other.
class ScorecardRun::Lane : public QObject {
public:
    Lane(const Job &job, int checkouts, const QString &journal)
        : m_job(job)
        , m_left(checkouts)
    {
        m_options.journal = journal;
        m_options.terminalId = QStringLiteral("till-1");
        m_options.policy = policy();
        m_patience.setSingleShot(true);
        m_patience.setInterval(checkoutPatienceMs);
        connect(&m_patience, &QTimer::timeout, this, [this] {
            end(QStringLiteral("%1 under %2: a checkout did not come to rest").arg(m_job.strategy, m_job.fault.name));
        });
    }

    /// Empty where the lane runs, else why it cannot.
    QString begin(std::function<void()> ended)
    {
        m_ended = std::move(ended);
        mockbank::MockServerOptions bank;
        bank.bank.strategy = m_job.strategy;
        bank.bank.accounts = {{QStringLiteral("card_ok"), cardBalanceMinor, false}};
        bank.bank.processing = std::chrono::milliseconds(m_job.fault.processingMs);
        bank.bank.redisLock = std::chrono::seconds(m_job.fault.lockS);
        bank.webhook.url = QUrl(m_receiver.url());
        auto engine = Engine::open(m_options, bank);
        if (!engine)
            return engine.error().line;
        m_engine = std::move(engine).value();
        m_player = std::make_unique<CheckoutPlayer>(*m_engine);
        m_control =
            std::make_unique<ControlClient>(ControlClientSettings{m_engine->bankUrl(), m_engine->controlToken()});
        connect(m_player.get(), &CheckoutPlayer::rested, this, &Lane::rest);
        connect(m_player.get(), &CheckoutPlayer::failed, this, &Lane::end);
        connect(m_control.get(), &ControlClient::faultArmed, this, &Lane::pay);
        connect(m_control.get(), &ControlClient::faultsListed, this, &Lane::noteFired);
        connect(m_control.get(), &ControlClient::allFaultsDisarmed, this, &Lane::next);
        connect(m_control.get(), &ControlClient::clockMoved, this, [this] { m_player->tryAgain(); });
        connect(m_control.get(), &ControlClient::stateRead, this, &Lane::waitForQuiet);
        connect(m_control.get(), &ControlClient::outboxRead, this, &Lane::waitForEvents);
        connect(m_control.get(), &ControlClient::ledgerRead, this, &Lane::takeLedger);
        connect(m_control.get(), &ControlClient::failed, this, &Lane::controlFailed);
        // The bank is asked who it is before anything is armed, so that no fault strikes that question.
        connect(&m_engine->service(), &CheckoutService::bankLinkChanged, this, [this](BankLink link) {
            if (link == BankLink::Online && !std::exchange(m_begun, true))
                next();
        });
        m_engine->recover();
        return {};
    }

    void addTo(ScorecardRow &row, double &seconds) const
    {
        const QHash<QString, int> told = m_receiver.eventsByOrder();
        row.checkouts += int(m_beliefs.size());
        row.notFired += m_notFired;
        for (auto it = m_beliefs.begin(); it != m_beliefs.end(); ++it) {
            const int charges = m_charges.value(it.key());
            const int events = told.value(it.key());
            const bool approved = std::holds_alternative<state::Approved>(it->state);
            const bool final = isFinal(it->state);
            row.chargedTwice += charges > 1 ? 1 : 0;
            row.lost += final && approved != (charges > 0) ? 1 : 0;
            row.eventsLost += std::max(0, charges - events);
            row.eventsPhantom += std::max(0, events - charges);
            row.unknown += final ? 0 : 1;
            if (final)
                seconds += double(it->ms) / 1'000;
        }
    }

    [[nodiscard]] QString trouble() const { return m_trouble; }
    [[nodiscard]] std::optional<QString> refusal() const { return m_refusal; }

private:
    void next()
    {
        if (m_left == 0) {
            QTimer::singleShot(std::chrono::milliseconds(m_job.fault.settleMs), this,
                               [this] { m_control->readState(); });
            return;
        }
        --m_left;
        ++m_number;
        if (m_job.fault.spec.isEmpty())
            pay();
        else
            arm();
    }

    void arm()
    {
        // A closed port does not see who knocks: that fault counts time, not tries.
        const bool counts = m_job.fault.name != QLatin1String("connect:refuse");
        m_control->armFault(m_job.fault.spec + (counts ? QStringLiteral(":next=1") : QString()));
    }

    void pay()
    {
        m_tries = 0;
        m_patience.start();
        const auto order = OrderId::parse(QStringLiteral("A-%1").arg(m_number));
        const auto money = Money::ofMinor(100, *Currency::parse(QStringLiteral("JPY")));
        m_player->play({*order, *money, *SourceId::parse(QStringLiteral("card_ok"))});
    }

    /// What a cashier does who asks nobody: after a while tries again, with the same key. That has to be safe, too.
    void rest(const Checkout &checkout)
    {
        if (!isFinal(checkout.state) && m_tries < 3) {
            ++m_tries;
            // "After a while" is on the bank's clock: longer than its leases and locks last.
            m_control->advanceClock((m_job.fault.lockS + 1) * 1'000);
            return;
        }
        m_patience.stop();
        if (m_beliefs.contains(checkout.order.text()))
            return;
        m_beliefs.insert(checkout.order.text(), {checkout.state, m_player->msSincePress()});
        if (m_job.fault.spec.isEmpty())
            next();
        else
            m_control->listFaults();
    }

    void noteFired(quint64, const QList<FaultStatus> &faults)
    {
        const bool fired = std::any_of(faults.begin(), faults.end(), [this](const FaultStatus &fault) {
            return fault.fired > 0 && !m_seen.contains(fault.id);
        });
        for (const FaultStatus &fault : faults)
            m_seen.insert(fault.id);
        m_notFired += fired ? 0 : 1;
        m_control->disarmAllFaults();
    }

    void waitForQuiet(quint64, const BankState &state)
    {
        if (stateMember(state, "counters", "bank").value(QLatin1String("running")).toInt() > 0) {
            QTimer::singleShot(pollMs, this, [this] { m_control->readState(); });
            return;
        }
        m_sinceQuiet.start();
        m_control->readOutbox();
    }

    void waitForEvents(quint64, const OutboxCount &count)
    {
        if (count.pending > 0 && m_sinceQuiet.elapsed() < outboxPatienceMs)
            QTimer::singleShot(pollMs, this, [this] { m_control->readOutbox(); });
        else
            m_control->readLedger();
    }

    void takeLedger(quint64, const LedgerPage &page)
    {
        for (const LedgerMovement &movement : page.movements)
            m_charges[movement.orderId] += movement.kind == LedgerMovement::Kind::Charge ? 1 : 0;
        if (page.next)
            m_control->readLedger(*page.next);
        else
            end({});
    }

    void controlFailed(quint64, const ControlError &error)
    {
        // A strategy without such a place says so when the first fault is to be armed.
        if (error.kind == ControlError::Kind::NotAccepted && m_beliefs.isEmpty()) {
            m_refusal = error.detail;
            end({});
            return;
        }
        end(QStringLiteral("%1 under %2: %3").arg(m_job.strategy, m_job.fault.name, describe(error)));
    }

    void end(const QString &trouble)
    {
        if (std::exchange(m_over, true))
            return;
        m_patience.stop();
        m_trouble = trouble;
        // Not from within a signal of what is destroyed.
        QMetaObject::invokeMethod(
            this, [this] { m_ended(); }, Qt::QueuedConnection);
    }

    struct Belief {
        State state;
        qint64 ms = 0;
    };

    Job m_job;
    int m_left;
    int m_number = 0;
    Options m_options;
    std::function<void()> m_ended;
    EventReceiver m_receiver;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<CheckoutPlayer> m_player;
    std::unique_ptr<ControlClient> m_control;
    QTimer m_patience;
    QElapsedTimer m_sinceQuiet;
    bool m_begun = false;
    int m_tries = 0;
    int m_notFired = 0;
    bool m_over = false;
    QSet<QString> m_seen;
    QHash<QString, Belief> m_beliefs; ///< by order
    QHash<QString, int> m_charges;    ///< by order
    QString m_trouble;
    std::optional<QString> m_refusal;
};

ScorecardRun::ScorecardRun(const Options &options, QObject *parent)
    : QObject(parent)
    , m_options(options)
{
    QStringList strategies = options.strategies;
    if (strategies.isEmpty()) {
        strategies = {QStringLiteral("naive"), QStringLiteral("check_then_act"), QStringLiteral("redis_lock"),
                      QStringLiteral("atomic")};
    }
    for (const QString &strategy : std::as_const(strategies)) {
        for (const ScorecardFault &fault : scorecardFaults()) {
            const bool wanted = options.onlyFaults.isEmpty() ||
                                std::any_of(options.onlyFaults.begin(), options.onlyFaults.end(),
                                            [&](const QString &prefix) { return fault.name.startsWith(prefix); });
            if (wanted)
                m_jobs.push_back({strategy, fault});
        }
    }
}

ScorecardRun::~ScorecardRun() = default;

void ScorecardRun::begin()
{
    if (!m_folder.isValid()) {
        Q_EMIT failed(QStringLiteral("no temporary folder: ") + m_folder.errorString());
        return;
    }
    nextJob();
}

void ScorecardRun::nextJob()
{
    if (m_job == m_jobs.size()) {
        Q_EMIT ended();
        return;
    }
    const int lanes = std::min(m_options.lanes, m_options.checkouts);
    m_lanesEnded = 0;
    for (int i = 0; i < lanes; ++i) {
        const int share = m_options.checkouts / lanes + (i < m_options.checkouts % lanes ? 1 : 0);
        const QString journal = m_folder.filePath(QStringLiteral("%1-%2/terminal.sqlite").arg(m_job).arg(i));
        m_lanes.push_back(std::make_unique<Lane>(m_jobs[m_job], share, journal));
    }
    for (const auto &lane : m_lanes) {
        const QString trouble = lane->begin([this, running = lane.get()] { laneEnded(running); });
        if (!trouble.isEmpty()) {
            Q_EMIT failed(trouble);
            return;
        }
    }
}

void ScorecardRun::laneEnded(Lane *lane)
{
    if (!lane->trouble().isEmpty()) {
        Q_EMIT failed(lane->trouble());
        return;
    }
    if (++m_lanesEnded == m_lanes.size()) {
        // Not from within a call of a lane: all of them are destroyed now.
        QMetaObject::invokeMethod(this, &ScorecardRun::endJob, Qt::QueuedConnection);
    }
}

void ScorecardRun::endJob()
{
    const Job &job = m_jobs[m_job];
    if (const auto refusal = m_lanes.front()->refusal()) {
        m_scorecard.gaps.push_back({job.strategy, job.fault.name, *refusal});
        Q_EMIT gapFound(m_scorecard.gaps.back());
    } else {
        ScorecardRow row;
        row.strategy = job.strategy;
        row.fault = job.fault.name;
        double seconds = 0;
        for (const auto &lane : m_lanes)
            lane->addTo(row, seconds);
        if (row.unknown < row.checkouts)
            row.secondsToKnown = seconds / (row.checkouts - row.unknown);
        m_scorecard.rows.push_back(row);
        Q_EMIT rowEnded(row);
    }
    m_lanes.clear();
    ++m_job;
    nextJob();
}

} // namespace ikkai::app
