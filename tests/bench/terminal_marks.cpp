#include "tests/bench/terminal_marks.h"

#include "core/checkout/checkout_service.h"
#include "core/checkout/qt_scheduler.h"
#include "core/gateway/http_gateway.h"
#include "core/journal/sqlite_journal.h"
#include "tests/bench/answering_bank.h"
#include "tests/bench/process_facts.h"
#include "tests/bench/samples.h"
#include "tests/bench/sqlite_peer.h"

#include <QtCore/QEventLoop>
#include <QtCore/QTimer>
#include <QtCore/QUuid>

#include <cstdio>

namespace ikkai::bench {

namespace {

constexpr int stuckMs = 20'000;

bool failTerminal(const QString &why)
{
    std::fprintf(stderr, "ikkai-bench: terminal: %s\n", qPrintable(why));
    return false;
}

/// The real journal, and what was written into it.
class KeepingJournal final : public Journal {
public:
    struct Entry {
        int seq = 0;
        Event event;
        Checkout after;
    };

    explicit KeepingJournal(Journal &journal)
        : m_journal(journal)
    {
    }
    Result<Done, JournalError> append(int seq, const Event &event, const Checkout &after) override
    {
        if (m_kept.empty() || m_kept.front().after.key == after.key)
            m_kept.push_back({seq, event, after});
        ++m_appends;
        return m_journal.append(seq, event, after);
    }
    Result<std::vector<Event>, JournalError> events(const IdempotencyKey &key) override
    {
        return m_journal.events(key);
    }
    Result<std::vector<IdempotencyKey>, JournalError> openKeys() override { return m_journal.openKeys(); }
    Result<std::vector<IdempotencyKey>, JournalError> keysOfOrder(const OrderId &order) override
    {
        return m_journal.keysOfOrder(order);
    }
    Result<std::optional<IdempotencyKey>, JournalError> newestKey() override { return m_journal.newestKey(); }
    Result<std::optional<PinRecord>, JournalError> supervisorPin() override { return m_journal.supervisorPin(); }
    Result<Done, JournalError> storeSupervisorPin(const PinRecord &record) override
    {
        return m_journal.storeSupervisorPin(record);
    }

    /// Of the first checkout.
    [[nodiscard]] const std::vector<Entry> &kept() const { return m_kept; }
    [[nodiscard]] std::uint64_t appends() const { return m_appends; }

private:
    Journal &m_journal;
    std::vector<Entry> m_kept;
    std::uint64_t m_appends = 0;
};

struct CheckoutMarks {
    Samples pressToFirstByte;
    Samples answerToSignal;
    Samples barePress;
    Samples bareCommit;
    std::uint64_t checkouts = 0;
    std::uint64_t appends = 0;
    std::vector<KeepingJournal::Entry> oneCheckout;
};

/// One checkout after the other, each started as soon as the one before it is on the screen. The peer takes its turn
/// between any two, because a disk changes its pace from one moment to the next.
class Cashier {
public:
    Cashier(const Settings &settings, Journal &journal, AnsweringBank &bank, SqlitePeer &peer)
        : m_journal(journal)
        , m_peer(peer)
        , m_bank(bank)
        , m_gateway(HttpGatewaySettings{QUrl(QStringLiteral("http://127.0.0.1:%1").arg(bank.port())), {}, {}})
        , m_scheduler(m_clock)
        , m_service(m_journal, m_gateway, m_clock, m_random, m_scheduler, {})
        , m_until(nowNs() + std::chrono::nanoseconds(settings.perMark).count())
    {
        QObject::connect(&m_service, &CheckoutService::checkoutChanged, &m_service,
                         [this](const Checkout &checkout) { shown(checkout); });
        QObject::connect(&m_service, &CheckoutService::startRejected, &m_service,
                         [this] { fail(QStringLiteral("a checkout was not started")); });
    }

    /// Empty `flaw` where all went well.
    CheckoutMarks work(QString *flaw)
    {
        QTimer watch;
        QObject::connect(&watch, &QTimer::timeout, &m_service, [this] { fail(QStringLiteral("a checkout hangs")); });
        watch.start(stuckMs + static_cast<int>((m_until - nowNs()) / 1'000'000));
        m_service.recover();
        press();
        m_loop.exec();
        *flaw = m_flaw;
        m_marks.appends = m_journal.appends();
        m_marks.oneCheckout = m_journal.kept();
        return std::move(m_marks);
    }

private:
    void fail(const QString &flaw)
    {
        m_flaw = flaw;
        m_loop.quit();
    }

    void press()
    {
        const auto order = OrderId::parse(QStringLiteral("B-%1").arg(++m_orders));
        const auto money = Money::ofMinor(1'200, Currency::jpy());
        const auto source = SourceId::parse(QStringLiteral("card_ok"));
        const StartRequest request{*order, *money, *source};
        m_chargesBefore = m_bank.charges();
        m_pressedNs = nowNs();
        m_service.start(request);
    }

    void shown(const Checkout &checkout)
    {
        if (!isFinal(checkout.state))
            return;
        const std::int64_t now = nowNs();
        if (!std::holds_alternative<state::Approved>(checkout.state) || m_bank.charges() != m_chargesBefore + 1) {
            fail(QStringLiteral("checkout %1 ended as %2 after %3 transmissions")
                     .arg(m_orders)
                     .arg(outcomeWord(checkout.state))
                     .arg(m_bank.charges() - m_chargesBefore));
            return;
        }
        // The first one also learns the bank.
        if (m_orders > 1) {
            m_marks.pressToFirstByte.add(m_bank.firstByteReadNs() - m_pressedNs);
            m_marks.answerToSignal.add(now - m_bank.lastByteWrittenNs());
        }
        ++m_marks.checkouts;
        QMetaObject::invokeMethod(
            &m_service, [this] { next(); }, Qt::QueuedConnection);
    }

    void next()
    {
        const std::int64_t from = nowNs();
        m_peer.commitEvent();
        m_marks.bareCommit.add(nowNs() - from);
        if (!pressBare())
            fail(QStringLiteral("the peer's own request failed"));
        else if (nowNs() >= m_until)
            m_loop.quit();
        else
            press();
    }

    /// What a terminal cannot do without before its first byte: one durable row, a connection, a send.
    [[nodiscard]] bool pressBare()
    {
        const QByteArray body = R"({"order_id":"P","amount":1,"currency":"JPY","source":"card_ok"})";
        const QByteArray request = "POST /v1/charges HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: peer\r\n"
                                   "Content-Length: " +
                                   QByteArray::number(body.size()) + "\r\n\r\n" + body;
        const std::uint64_t before = m_bank.charges();
        const std::int64_t from = nowNs();
        m_peer.commitEvent();
        const Socket socket = connectTo(m_bank.port());
        if (!socket.isOpen() || !sendAll(socket, request))
            return false;
        while (m_bank.charges() == before) {
            if (nowNs() > from + 1'000'000LL * stuckMs)
                return false;
            std::this_thread::yield();
        }
        m_marks.barePress.add(m_bank.firstByteReadNs() - from);
        return true;
    }

    KeepingJournal m_journal;
    SqlitePeer &m_peer;
    AnsweringBank &m_bank;
    SystemClock m_clock;
    SystemRandom m_random;
    HttpGateway m_gateway;
    QtScheduler m_scheduler;
    CheckoutService m_service;
    QEventLoop m_loop;
    const std::int64_t m_until;
    std::int64_t m_pressedNs = 0;
    std::uint64_t m_chargesBefore = 0;
    int m_orders = 0;
    QString m_flaw;
    CheckoutMarks m_marks;
};

struct AppendMarks {
    Samples appends;
    Samples bareCommits;
};

/// Events written as the service writes them, those of one real checkout again and again under new keys; the peer takes
/// its turn after each.
AppendMarks measureAppends(const Settings &settings, const std::vector<KeepingJournal::Entry> &oneCheckout,
                           SqlitePeer &peer, QString *flaw)
{
    AppendMarks marks;
    auto opened = SqliteJournal::open(settings.folder + QStringLiteral("/appends.sqlite"));
    if (!opened) {
        *flaw = describe(opened.error());
        return marks;
    }
    Journal &journal = **opened;
    KeyGenerator keys({});
    const SystemClock clock;
    SystemRandom random;
    const std::int64_t until = nowNs() + std::chrono::nanoseconds(settings.perMark).count();
    while (nowNs() < until) {
        const IdempotencyKey key = keys.next(clock.now().wallMs, random.next64(), random.next64());
        for (const KeepingJournal::Entry &entry : oneCheckout) {
            Event event = entry.event;
            Checkout after = entry.after;
            after.key = key;
            if (auto *started = std::get_if<event::CheckoutStarted>(&event.body))
                started->key = key;
            const std::int64_t from = nowNs();
            const auto done = journal.append(entry.seq, event, after);
            const std::int64_t between = nowNs();
            peer.commitEvent();
            marks.appends.add(between - from);
            marks.bareCommits.add(nowNs() - between);
            if (!done) {
                *flaw = describe(done.error());
                return marks;
            }
        }
    }
    return marks;
}

template <class F>
double callsPerSecond(std::chrono::milliseconds duration, F call)
{
    constexpr int atOnce = 256;
    std::uint64_t calls = 0;
    const std::int64_t from = nowNs();
    const std::int64_t until = from + std::chrono::nanoseconds(duration).count();
    while (nowNs() < until) {
        for (int i = 0; i < atOnce; ++i)
            call();
        calls += atOnce;
    }
    return static_cast<double>(calls) * 1e9 / static_cast<double>(nowNs() - from);
}

void printTimes(const char *name, const Samples &mark, const char *peerName, const Samples &peer)
{
    const double peerMs = peer.percentileMs(50);
    std::printf("%-34s %8.2f %8.2f ms    %8.2f  %-34s %6.2f\n", name, mark.percentileMs(50), mark.percentileMs(99),
                peerMs, peerName, peerMs > 0 ? mark.percentileMs(50) / peerMs : 0);
    std::fflush(stdout);
}

void printRate(const char *name, double perSecond, const char *peerName, double peerPerSecond)
{
    std::printf("%-34s %11.0f /s         %8.0f  %-34s %6.2f\n", name, perSecond, peerPerSecond, peerName,
                perSecond / peerPerSecond);
    std::fflush(stdout);
}

void printKeyRate(const Settings &settings)
{
    KeyGenerator keys({});
    const SystemClock clock;
    SystemRandom random;
    qsizetype made = 0;
    const double rate = callsPerSecond(settings.perMark / 4, [&] {
        made += keys.next(clock.now().wallMs, random.next64(), random.next64()).text().size();
    });
    const double peerRate = callsPerSecond(settings.perMark / 4,
                                           [&] { made += QUuid::createUuid().toString(QUuid::WithoutBraces).size(); });
    if (made > 0)
        printRate("keys made (UUIDv7, rising)", rate, "QUuid::createUuid (v4)", peerRate);
}

} // namespace

bool printTerminalMarks(const Settings &settings)
{
    AnsweringBank bank;
    if (!bank.isListening())
        return failTerminal(QStringLiteral("no port to listen on"));
    auto journal = SqliteJournal::open(settings.folder + QStringLiteral("/journal.sqlite"));
    if (!journal)
        return failTerminal(describe(journal.error()));

    SqlitePeer peer(settings.folder + QStringLiteral("/terminal-peer.sqlite"));
    QString flaw;
    const CheckoutMarks marks = Cashier(settings, **journal, bank, peer).work(&flaw);
    AppendMarks appends;
    if (flaw.isEmpty())
        appends = measureAppends(settings, marks.oneCheckout, peer, &flaw);
    if (!flaw.isEmpty() || !peer.flaw().isEmpty())
        return failTerminal(flaw + peer.flaw());

    std::printf("Terminal: CheckoutService, SqliteJournal on %s, HttpGateway; a bank that answers at once;\n"
                "%llu checkouts, %.2f journalled events each\n\n"
                "%-34s %8s %8s       %8s  %-34s %6s\n",
                qPrintable(fileSystemOf(settings.folder)), static_cast<unsigned long long>(marks.checkouts),
                static_cast<double>(marks.appends) / static_cast<double>(marks.checkouts), "", "p50", "p99", "peer",
                "which is", "ratio");
    printTimes("press to first byte at the bank", marks.pressToFirstByte, "bare commit, connect, send",
               marks.barePress);
    printTimes("answer written to checkoutChanged", marks.answerToSignal, "bare commit", marks.bareCommit);
    printTimes("journal append", appends.appends, "bare commit", appends.bareCommits);
    printRate("journal appends", appends.appends.perSecond(), "bare commits", appends.bareCommits.perSecond());
    printKeyRate(settings);
    std::printf("\n");
    return true;
}

} // namespace ikkai::bench
