#include "app/scenario_command.h"

#include "app/checkout_player.h"
#include "app/event_lines.h"
#include "app/print.h"
#include "core/training/control_client.h"
#include "core/training/scenario.h"
#include "mock-server/mock_server.h"
#include "mock-server/options.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDateTime>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include <algorithm>
#include <deque>

namespace ikkai::app {

namespace {

constexpr int notAsExpected = 20;

mockbank::MockServerOptions bankOf(const Scenario &scenario)
{
    mockbank::MockServerOptions options;
    options.bank.accounts = mockbank::defaultAccounts();
    const auto take = [&](const char *name, auto set) {
        const QJsonValue value = scenario.bankAtStart.value(QLatin1String(name));
        if (value.isDouble())
            set(value.toInteger());
    };
    take("processing_ms", [&](qint64 ms) { options.bank.processing = std::chrono::milliseconds(ms); });
    take("lease_ms", [&](qint64 ms) { options.bank.lease = std::chrono::milliseconds(ms); });
    take("lock_s", [&](qint64 s) { options.bank.redisLock = std::chrono::seconds(s); });
    take("key_ttl_s", [&](qint64 s) { options.bank.keyTtl = std::chrono::seconds(s); });
    return options;
}

/// What the bank says of itself, as one sentence of the sequence.
QString bankSentence(const BankLogEntry &entry)
{
    QStringList words{entry.kind};
    for (const char *name :
         {"light", "spec", "order_id", "attempt", "status", "replayed", "money_moved", "written", "how", "down_ms"}) {
        const QJsonValue value = entry.data.value(QLatin1String(name));
        if (value.isUndefined() || value.isNull())
            continue;
        const QString text = value.isBool()     ? (value.toBool() ? QStringLiteral("yes") : QStringLiteral("no"))
                             : value.isDouble() ? QString::number(value.toInteger())
                                                : value.toString();
        words.append(QString::fromLatin1(name) + QLatin1Char('=') + text);
    }
    return QDateTime::fromMSecsSinceEpoch(entry.atMs).toString(QStringLiteral("HH:mm:ss.zzz")) +
           QStringLiteral("      bank: ") + words.join(QLatin1Char(' '));
}

/// One run of a scenario. Lives on the main thread.
class ScenarioStory : public QObject {
public:
    ScenarioStory(Engine &engine, Scenario scenario, QString file, Print print)
        : m_player(engine)
        , m_engine(engine)
        , m_control({engine.bankUrl(), engine.controlToken()})
        , m_scenario(std::move(scenario))
        , m_file(std::move(file))
        , m_print(print)
        , m_acts(m_scenario.onUnknown.begin(), m_scenario.onUnknown.end())
    {
        connect(&m_control, &ControlClient::linkChanged, this, [this](ControlLink link) {
            // The sequence begins with the bank's first word, so whoever arms waits until it can be heard.
            if (link == ControlLink::Following && !m_asked) {
                m_asked = true;
                m_control.playScenario(m_scenario.forBank);
            }
        });
        connect(&m_control, &ControlClient::happened, this, &ScenarioStory::tellBank);
        connect(&m_control, &ControlClient::scenarioPlaying, this, &ScenarioStory::playNext);
        connect(&m_control, &ControlClient::ledgerRead, this, &ScenarioStory::countCharges);
        connect(&m_control, &ControlClient::scenarioStopped, this, [this] { conclude(); });
        connect(&m_control, &ControlClient::failed, this,
                [this](quint64, const ControlError &error) { refuse(error); });
        connect(&m_player, &CheckoutPlayer::happened, this, &ScenarioStory::tellTerminal);
        connect(&m_player, &CheckoutPlayer::rested, this, &ScenarioStory::rest);
        connect(&m_player, &CheckoutPlayer::failed, this, [this](const QString &why) {
            end(complain({1, QStringLiteral("run-scenario: ") + why}));
        });
    }

    void begin()
    {
        m_engine.recover();
        m_control.follow(EventFollower::From::Now);
    }

private:
    void refuse(const ControlError &error)
    {
        if (error.kind == ControlError::Kind::NotAccepted && !error.member.isEmpty()) {
            // The bank's detail begins with the member it names.
            QString detail = error.detail;
            if (detail.startsWith(error.member + QLatin1Char(' ')))
                detail.remove(0, error.member.size() + 1);
            end(complain({2, describe(m_scenario.lines.flaw(error.member, detail), m_file)}));
            return;
        }
        end(complain({error.kind == ControlError::Kind::NotAccepted ? 2 : 14,
                      QStringLiteral("run-scenario: ") + describe(error)}));
    }

    void playNext()
    {
        if (m_next == m_scenario.checkouts.size()) {
            m_control.readLedger();
            return;
        }
        const ScenarioCheckout &checkout = m_scenario.checkouts[m_next++];
        m_acts.assign(m_scenario.onUnknown.begin(), m_scenario.onUnknown.end());
        m_player.play({checkout.order, checkout.money, checkout.source});
    }

    void rest(const Checkout &checkout)
    {
        if (!isFinal(checkout.state) && !m_acts.empty()) {
            const CashierAct act = m_acts.front();
            m_acts.pop_front();
            if (act == CashierAct::CheckNow)
                m_player.checkNow();
            else
                m_player.tryAgain();
            return;
        }
        if (!m_settled.empty() && m_settled.back().checkout.key == checkout.key)
            return;
        m_settled.push_back({checkout, m_player.msSincePress()});
        if (m_print == Print::Json)
            printLine(outcomeLine(checkout));
        else
            printLine(outcomeSentence(checkout));
        playNext();
    }

    void countCharges(quint64, const LedgerPage &page)
    {
        for (const LedgerMovement &movement : page.movements)
            m_charges[movement.orderId] += movement.kind == LedgerMovement::Kind::Charge ? 1 : -1;
        if (page.next)
            m_control.readLedger(*page.next);
        else
            m_control.stopScenario();
    }

    void conclude()
    {
        const ScenarioExpectation &expect = m_scenario.expect;
        for (const Settled &settled : m_settled) {
            const Checkout &checkout = settled.checkout;
            const QString order = checkout.order.text();
            const QJsonObject outcome = outcomeLine(checkout);
            const auto hold = [&](const QString &member, bool asExpected, const QString &wanted, const QString &found) {
                if (!asExpected)
                    m_broken.append({m_scenario.lines.lineOf(member), member,
                                     QStringLiteral("expected %1 for %2, found %3").arg(wanted, order, found)});
            };
            if (expect.chargesPerOrder) {
                hold(QStringLiteral("expect.charges_per_order"), m_charges.value(order) == *expect.chargesPerOrder,
                     QString::number(*expect.chargesPerOrder), QString::number(m_charges.value(order)));
            }
            if (expect.outcome) {
                hold(QStringLiteral("expect.outcome"), outcomeWord(checkout.state) == *expect.outcome, *expect.outcome,
                     outcomeWord(checkout.state));
            }
            if (expect.replayed) {
                const bool replayed = outcome.value(QLatin1String("replayed")).toBool();
                hold(QStringLiteral("expect.replayed"), replayed == *expect.replayed,
                     *expect.replayed ? QStringLiteral("a replay") : QStringLiteral("no replay"),
                     replayed ? QStringLiteral("one") : QStringLiteral("none"));
            }
            if (expect.maxWireSends) {
                hold(QStringLiteral("expect.max_wire_sends"), totalWireSends(checkout) <= *expect.maxWireSends,
                     QStringLiteral("at most %1").arg(*expect.maxWireSends), QString::number(totalWireSends(checkout)));
            }
            if (expect.maxSeconds) {
                hold(QStringLiteral("expect.max_seconds"), settled.ms <= *expect.maxSeconds * 1'000,
                     QStringLiteral("at most %1 s").arg(*expect.maxSeconds), QStringLiteral("%1 ms").arg(settled.ms));
            }
        }
        for (const FileFlaw &broken : m_broken)
            std::fprintf(stderr, "payment-terminal: %s\n", qUtf8Printable(harmless(describe(broken, m_file))));
        if (m_print == Print::Json) {
            printLine(QJsonObject{{QStringLiteral("event"), QStringLiteral("scenario")},
                                  {QStringLiteral("name"), m_scenario.name},
                                  {QStringLiteral("as_expected"), m_broken.isEmpty()}});
        } else {
            printLine(m_broken.isEmpty() ? QStringLiteral("%1: as expected.").arg(m_scenario.name)
                                         : QStringLiteral("%1: not as expected.").arg(m_scenario.name));
        }
        end(m_broken.isEmpty() ? 0 : notAsExpected);
    }

    void tellBank(const BankLogEntry &entry)
    {
        if (m_print == Print::Json)
            printLine(entry.data);
        else
            printLine(bankSentence(entry));
    }

    void tellTerminal(const Event &event, const Checkout &after)
    {
        if (m_print == Print::Json)
            printLine(eventLine(event, after));
        else
            printLine(eventSentence(event, after));
    }

    void end(int code)
    {
        if (!m_ended)
            QCoreApplication::exit(code);
        m_ended = true;
    }

    struct Settled {
        Checkout checkout;
        qint64 ms = 0;
    };

    CheckoutPlayer m_player;
    Engine &m_engine;
    ControlClient m_control;
    Scenario m_scenario;
    QString m_file;
    Print m_print;
    bool m_asked = false;
    size_t m_next = 0;
    std::deque<CashierAct> m_acts;
    std::vector<Settled> m_settled;
    QHash<QString, int> m_charges;
    QList<FileFlaw> m_broken;
    bool m_ended = false;
};

} // namespace

int runScenario(const Options &options)
{
    QFile file(options.scenarioFile);
    if (!file.open(QIODevice::ReadOnly)) {
        return complain(
            {2, QStringLiteral("run-scenario: cannot read %1: %2").arg(options.scenarioFile, file.errorString())});
    }
    auto scenario = readScenario(file.readAll());
    if (!scenario)
        return complain({2, describe(scenario.error(), options.scenarioFile)});
    if (!options.server.isEmpty() && !scenario->bankAtStart.isEmpty()) {
        const QString member = QStringLiteral("bank.") + scenario->bankAtStart.keys().constFirst();
        return complain(
            {2, describe(scenario->lines.flaw(member, QStringLiteral("is set when a bank starts; the one at "
                                                                     "--server runs already")),
                         options.scenarioFile)});
    }
    // A scenario is not the till's business: it has a journal of its own, gone with it.
    const QTemporaryDir folder;
    if (!folder.isValid())
        return complain({1, QStringLiteral("run-scenario: no temporary folder: ") + folder.errorString()});
    Options own = options;
    own.journal = folder.filePath(QStringLiteral("terminal.sqlite"));
    own.policy = scenario->policy;
    const auto engine = Engine::open(own, bankOf(*scenario));
    if (!engine)
        return complain(engine.error());
    ScenarioStory story(**engine, std::move(scenario).value(), options.scenarioFile,
                        options.json ? Print::Json : Print::Sentences);
    QMetaObject::invokeMethod(
        &story, [&story] { story.begin(); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace ikkai::app
