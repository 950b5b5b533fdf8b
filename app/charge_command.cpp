#include "app/charge_command.h"

#include "app/engine.h"
#include "app/event_lines.h"
#include "app/print.h"
#include "core/training/control_client.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QTimer>

#include <algorithm>
#include <cstdio>

namespace ikkai::app {

namespace {

Result<StartRequest, Stop> readRequest(const Options &options)
{
    const auto wrong = [](const FieldError &error) { return Stop{2, QStringLiteral("charge: --") + describe(error)}; };
    const auto order = OrderId::parse(options.order);
    if (!order)
        return wrong(order.error());
    const auto currency = Currency::parse(options.currency);
    if (!currency)
        return wrong(currency.error());
    const auto minor = parseMinorUnits(options.amount);
    if (!minor)
        return wrong(minor.error());
    const auto money = Money::ofMinor(*minor, *currency);
    if (!money)
        return wrong(money.error());
    const auto source = SourceId::parse(options.source);
    if (!source)
        return wrong(source.error());
    return StartRequest{*order, *money, *source};
}

ControlClientSettings controlOf(const Engine &engine)
{
    ControlClientSettings settings;
    settings.baseUrl = engine.bankUrl();
    settings.token = engine.controlToken();
    settings.authorities = engine.authorities();
    return settings;
}

/// One checkout, told as it happens. Lives on the main thread.
class ChargeStory : public QObject {
public:
    ChargeStory(Engine &engine, StartRequest request, const Options &options)
        : m_engine(engine)
        , m_control(controlOf(engine))
        , m_request(std::move(request))
        , m_faultsToArm(options.faults)
        , m_readsLedger(!m_faultsToArm.isEmpty())
        , m_secondSaleIsMeant(options.secondSale)
        , m_print(options.json ? Print::Json : Print::Sentences)
        , m_patienceMs(options.policy.budgetMs)
    {
        CheckoutService &service = m_engine.service();
        connect(&service, &CheckoutService::eventRecorded, this, &ChargeStory::tell);
        connect(&service, &CheckoutService::startRejected, this, &ChargeStory::reject);
        connect(&service, &CheckoutService::journalFailed, this, [this](const JournalError &error) {
            if (!m_started)
                return end(complain({3, describe(error)}));
            if (!m_patience.isActive()) {
                // What is on the wire goes on being asked for; only for so long, because a script waits.
                complain({3, describe(error) + QStringLiteral("; trying again")});
                m_patience.start(std::chrono::milliseconds(m_patienceMs));
            }
        });
        connect(&service, &CheckoutService::checkoutChanged, this, &ChargeStory::conclude);
        connect(&service, &CheckoutService::settledMeanwhile, this, &ChargeStory::tellMeanwhile);
        m_patience.setSingleShot(true);
        connect(&m_patience, &QTimer::timeout, this, [this] {
            end(complain(
                {3, QStringLiteral("the journal did not take what happened; the checkout stays open, and it may "
                                   "have been charged")}));
        });
        connect(&m_control, &ControlClient::faultArmed, this, [this](quint64, const FaultStatus &fault) {
            m_armed.append(fault.id);
            armNext();
        });
        connect(&m_control, &ControlClient::faultDisarmed, this, &ChargeStory::disarmNext);
        connect(&m_control, &ControlClient::ledgerRead, this, &ChargeStory::countCharges);
        connect(&m_control, &ControlClient::failed, this, [this](quint64, const ControlError &error) {
            if (m_settled)
                return tellOutcome(); // the outcome is known; only the look into the ledger failed
            if (m_leavingWith)
                return disarmNext();
            const bool isOurFault =
                error.kind == ControlError::Kind::NotAccepted || error.kind == ControlError::Kind::TokenRefused;
            leaveUnsent(
                complain({isOurFault ? 2 : 14, QStringLiteral("--fault %1: %2").arg(m_arming, describe(error))}));
        });
    }

    void begin()
    {
        m_engine.recover();
        armNext();
    }

private:
    void armNext()
    {
        if (m_faultsToArm.isEmpty())
            return start();
        m_arming = m_faultsToArm.takeFirst();
        m_control.armFault(m_arming);
    }

    /// Nothing was sent: what this command armed must not strike somebody else's payment.
    void leaveUnsent(int code)
    {
        m_leavingWith = code;
        disarmNext();
    }

    void disarmNext()
    {
        if (m_armed.isEmpty())
            return end(m_leavingWith.value_or(1));
        m_control.disarmFault(m_armed.takeLast());
    }

    void start()
    {
        QMetaObject::invokeMethod(&m_engine.service(),
                                  [&service = m_engine.service(), request = m_request] { service.start(request); });
    }

    void tell(const Event &event, const Checkout &after)
    {
        if (std::holds_alternative<event::CheckoutStarted>(event.body)) {
            m_started = after.key;
        } else if (m_started != after.key) {
            return; // a checkout of an earlier time, folded at start
        }
        if (m_print == Print::Json)
            printLine(eventLine(event, after));
        else
            printLine(eventSentence(event, after));
    }

    /// Every start asks the bank about what is open. Whoever waits for that outcome is told, too.
    void tellMeanwhile(const Checkout &checkout)
    {
        if (m_settled || m_leavingWith)
            return;
        if (m_print == Print::Json) {
            QJsonObject line = outcomeLine(checkout);
            line.insert(QStringLiteral("event"), QStringLiteral("settled_meanwhile"));
            printLine(line);
        } else {
            printLine(QStringLiteral("Meanwhile %1 %2 (ref %3): %4")
                          .arg(checkout.order.text(), format(checkout.money), checkout.key.lastFour(),
                               outcomeSentence(checkout)));
        }
    }

    void conclude(const Checkout &checkout, bool recorded)
    {
        if (m_started != checkout.key || isAutomatic(checkout.state))
            return;
        if (!recorded)
            std::fprintf(stderr, "payment-terminal: the journal has not taken the last event yet; trying again\n");
        else
            settle(checkout);
    }

    void settle(const Checkout &checkout)
    {
        if (m_settled)
            return;
        m_patience.stop();
        m_settled = checkout;
        if (m_readsLedger)
            m_control.readLedger();
        else
            tellOutcome();
    }

    void countCharges(quint64, const LedgerPage &page)
    {
        if (!m_settled)
            return;
        m_ledgerCharges =
            m_ledgerCharges.value_or(0) +
            int(std::count_if(page.movements.begin(), page.movements.end(), [this](const LedgerMovement &movement) {
                return movement.kind == LedgerMovement::Kind::Charge && movement.key == m_settled->key.text();
            }));
        if (page.next)
            m_control.readLedger(*page.next);
        else
            tellOutcome();
    }

    void tellOutcome()
    {
        if (m_print == Print::Json) {
            QJsonObject line = outcomeLine(*m_settled);
            if (m_request.secondSale == SecondSale::Confirmed)
                line.insert(QStringLiteral("second_sale"), true);
            if (m_alreadyPaid)
                line.insert(QStringLiteral("already_paid"), true);
            if (m_ledgerCharges)
                line.insert(QStringLiteral("ledger_charges"), *m_ledgerCharges);
            printLine(line);
        } else {
            printLine(QString());
            printLine(outcomeSentence(*m_settled));
            if (m_ledgerCharges)
                printLine(QStringLiteral("Charges under this key in the bank's ledger: %1.").arg(*m_ledgerCharges));
        }
        if (std::ferror(stdout))
            return end(complain({1, QStringLiteral("the outcome could not be written to standard output")}));
        if (m_openAlready || m_alreadyPaid)
            return leaveUnsent(exitCode(m_settled->state));
        const auto *notSent = std::get_if<state::NotSent>(&m_settled->state);
        if (notSent && notSent->why == verdict::NotSent::Why::OtherLedger)
            return leaveUnsent(complain({3, QStringLiteral("another ledger answers at the bank than the one at which "
                                                           "an order is open here; nothing was sent. Settle that "
                                                           "order there first: payment-terminal recover")}));
        end(exitCode(m_settled->state));
    }

    void reject(const StartRejection &rejection)
    {
        switch (rejection.why) {
        case StartRejection::Why::OrderIsOpen:
            std::fprintf(stderr,
                         "payment-terminal: %s is open for %s; nothing was sent. Settle it first: payment-terminal "
                         "recover, or resolve --key %s\n",
                         qUtf8Printable(rejection.request.order.text()),
                         qUtf8Printable(format(rejection.existing->money)),
                         qUtf8Printable(rejection.existing->key.text()));
            m_readsLedger = false;
            m_openAlready = true;
            settle(*rejection.existing);
            return;
        case StartRejection::Why::AlreadyPaid:
            return meetPaidOrder(*rejection.existing);
        case StartRejection::Why::CannotRecord:
            leaveUnsent(complain({3, QStringLiteral("cannot record, so cannot charge: ") + rejection.detail}));
            return;
        case StartRejection::Why::OtherLedger:
            leaveUnsent(complain({3, QStringLiteral("another ledger answers at the bank than the one at which %1 is "
                                                    "open; nothing was sent. Settle it there first.")
                                         .arg(rejection.existing->order.text())}));
            return;
        case StartRejection::Why::ApiKeyRefused:
            leaveUnsent(
                complain({14, QStringLiteral("the bank does not accept this terminal's API key; nothing was sent")}));
            return;
        }
    }

    /// A script that repeats an order may only have missed its outcome: the same sale is paid, and not charged again.
    void meetPaidOrder(const Checkout &paid)
    {
        const QString order = m_request.order.text();
        if (m_secondSaleIsMeant) {
            std::fprintf(stderr, "payment-terminal: warning: %s was paid before (%s); this is a second sale\n",
                         qUtf8Printable(order), qUtf8Printable(format(paid.money)));
            m_request.secondSale = SecondSale::Confirmed;
            start();
            return;
        }
        if (paid.money != m_request.money) {
            leaveUnsent(complain({11, QStringLiteral("%1 is paid already, for %2; you asked for %3. Nothing was sent; "
                                                     "--second-sale charges it as another sale")
                                          .arg(order, format(paid.money), format(m_request.money))}));
            return;
        }
        complain({0, QStringLiteral("%1 is paid already (%2); nothing was sent. --second-sale charges it once more")
                         .arg(order, format(paid.money))});
        m_readsLedger = false;
        m_alreadyPaid = true;
        settle(paid);
    }

    void end(int code)
    {
        if (!m_ended)
            QCoreApplication::exit(code);
        m_ended = true;
    }

    Engine &m_engine;
    ControlClient m_control;
    StartRequest m_request;
    QStringList m_faultsToArm;
    QString m_arming;
    bool m_readsLedger; ///< whoever arms faults wants to see that money moved once
    bool m_secondSaleIsMeant;
    Print m_print;
    std::optional<IdempotencyKey> m_started;
    std::optional<Checkout> m_settled;
    std::optional<int> m_ledgerCharges;
    QStringList m_armed; ///< ids of the faults that were armed here
    std::optional<int> m_leavingWith;
    bool m_openAlready = false;
    bool m_alreadyPaid = false;
    QTimer m_patience;
    qint64 m_patienceMs;
    bool m_ended = false;
};

} // namespace

int runCharge(const Options &options)
{
    const auto request = readRequest(options);
    if (!request)
        return complain(request.error());
    const auto engine = Engine::open(options);
    if (!engine)
        return complain(engine.error());
    ChargeStory story(**engine, *request, options);
    QMetaObject::invokeMethod(
        &story, [&story] { story.begin(); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace ikkai::app
