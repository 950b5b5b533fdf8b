#include "app/charge_command.h"

#include "app/engine.h"
#include "app/event_lines.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QJsonDocument>

#include <cstdio>

namespace ikkai::app {

namespace {

enum class Print { Sentences, Json };

void printLine(const QString &line)
{
    std::printf("%s\n", qUtf8Printable(line));
    std::fflush(stdout);
}

void printLine(const QJsonObject &line)
{
    std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    std::fflush(stdout);
}

int complain(const Stop &stop)
{
    std::fprintf(stderr, "payment-terminal: %s\n", qUtf8Printable(stop.line));
    return stop.exitCode;
}

Result<StartRequest, Stop> readRequest(const Options &options)
{
    const auto wrong = [](const FieldError &error) { return Stop{2, QStringLiteral("charge: ") + describe(error)}; };
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

/// One checkout, told as it happens. Lives on the main thread.
class ChargeStory : public QObject
{
public:
    ChargeStory(Engine &engine, StartRequest request, Print print)
        : m_engine(engine)
        , m_request(std::move(request))
        , m_print(print)
    {
        CheckoutService &service = m_engine.service();
        connect(&service, &CheckoutService::eventRecorded, this, &ChargeStory::tell);
        connect(&service, &CheckoutService::startRejected, this, &ChargeStory::reject);
        connect(&service, &CheckoutService::journalFailed, this, [this](const JournalError &error) {
            if (!m_started) // once something is on the wire, its outcome is told whatever the disk does
                end(complain({3, describe(error)}));
        });
        connect(&service, &CheckoutService::checkoutChanged, this, &ChargeStory::conclude);
    }

    void begin()
    {
        m_engine.recover();
        start();
    }

private:
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

    void conclude(const Checkout &checkout, bool recorded)
    {
        if (m_started != checkout.key || isAutomatic(checkout.state))
            return;
        if (!recorded)
            std::fprintf(stderr, "payment-terminal: the journal has not taken the last event yet; trying again\n");
        else
            tellOutcome(checkout);
    }

    void tellOutcome(const Checkout &checkout)
    {
        if (m_print == Print::Json) {
            printLine(outcomeLine(checkout));
        } else {
            printLine(QString());
            printLine(outcomeSentence(checkout));
        }
        end(exitCode(checkout.state));
    }

    void reject(const StartRejection &rejection)
    {
        switch (rejection.why) {
        case StartRejection::Why::OrderIsOpen:
            std::fprintf(stderr, "payment-terminal: %s is open for %s; it has to be settled first. Nothing was sent.\n",
                         qUtf8Printable(rejection.request.order.text()),
                         qUtf8Printable(format(rejection.existing->money)));
            tellOutcome(*rejection.existing);
            end(12);
            return;
        case StartRejection::Why::AlreadyPaid:
            std::fprintf(stderr, "payment-terminal: warning: %s was paid before (%s); this is a second sale\n",
                         qUtf8Printable(rejection.request.order.text()),
                         qUtf8Printable(format(rejection.existing->money)));
            m_request.secondSale = SecondSale::Confirmed;
            start();
            return;
        case StartRejection::Why::CannotRecord:
            end(complain({3, QStringLiteral("cannot record, so cannot charge: ") + rejection.detail}));
            return;
        case StartRejection::Why::ApiKeyRefused:
            end(complain({14, QStringLiteral("the bank does not accept this terminal's API key; nothing was sent")}));
            return;
        }
    }

    void end(int code)
    {
        if (!m_ended)
            QCoreApplication::exit(code);
        m_ended = true;
    }

    Engine &m_engine;
    StartRequest m_request;
    Print m_print;
    std::optional<IdempotencyKey> m_started;
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
    ChargeStory story(**engine, *request, options.json ? Print::Json : Print::Sentences);
    QMetaObject::invokeMethod(&story, [&story] { story.begin(); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace ikkai::app
