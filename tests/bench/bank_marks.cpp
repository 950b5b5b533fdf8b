#include "tests/bench/bank_marks.h"

#include "mock-server/mock_server.h"
#include "tests/bench/load_generator.h"
#include "tests/bench/process_facts.h"
#include "tests/bench/raw_socket.h"
#include "tests/bench/sqlite_peer.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QVariant>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

namespace ikkai::bench {

namespace {

constexpr qint64 startBalanceMinor = 1'000'000'000'000;
constexpr std::array connectionCounts{1, 8, 64};
// Bank and peer take turns, because a disk and a busy machine change their pace from one moment to the next.
constexpr int rounds = 4;
// The peer's turns may differ by this much before the line is marked as noisy.
constexpr double steadiness = 1.5;

enum class Keys { New, Replayed };

class BankRun {
public:
    BankRun(const Settings &settings, SqlitePeer &peer, int connections)
        : m_settings(settings)
        , m_peer(peer)
        , m_connections(connections)
        , m_file(QStringLiteral("%1/bank-%2.sqlite").arg(settings.folder).arg(connections))
    {
    }

    [[nodiscard]] bool run() { return start() && mark(Keys::New) && mark(Keys::Replayed) && stopAndCount(); }

private:
    bool fail(const QString &why)
    {
        std::fprintf(stderr, "ikkai-bench: bank, %d connections: %s\n", m_connections, qPrintable(why));
        return false;
    }

    bool start()
    {
        mockbank::MockServerOptions options;
        options.bank.store = QStringLiteral("sqlite:") + m_file;
        options.bank.accounts = {{QStringLiteral("card_ok"), startBalanceMinor, false}};
        const auto started = m_server.start(options);
        if (const auto *error = std::get_if<mockbank::StartError>(&started))
            return fail(error->detail);
        m_running = std::get<mockbank::RunningServer>(started);
        return true;
    }

    [[nodiscard]] std::optional<qint64> commits()
    {
        const QByteArray state = httpGet(m_running.port, "/control/state", m_running.controlToken);
        const QJsonValue commits = QJsonDocument::fromJson(state)
                                       .object()[QLatin1String("counters")][QLatin1String("bank")]
                                       .toObject()[QLatin1String("commits")];
        return commits.isDouble() ? std::optional(commits.toInteger()) : std::nullopt;
    }

    [[nodiscard]] double peerPerSecond(Keys keys)
    {
        const auto time = m_settings.perMark / (4 * rounds);
        return keys == Keys::New ? m_peer.chargesPerSecond(time, m_connections)
                                 : m_peer.lookUpsPerSecond(time, m_connections);
    }

    /// What all rounds came to.
    struct Mark {
        LoadResult load;
        double peakMiB = 0;
        double peerSum = 0;
        double peerLeast = 0;
        double peerMost = 0;
        qint64 commits = 0;
    };

    bool mark(Keys keys)
    {
        Mark mark;
        const quint64 known = m_charged;
        for (int i = 0; i < rounds; ++i) {
            if (!round(keys, known, mark))
                return false;
        }
        if (mark.load.measured == 0)
            return fail(QStringLiteral("there was no time to measure anything"));
        print(keys, mark);
        return true;
    }

    bool round(Keys keys, quint64 known, Mark &mark)
    {
        LoadPlan plan;
        plan.port = m_running.port;
        plan.ledgerId = m_running.ledgerId.toLatin1();
        plan.connections = m_connections;
        plan.warmUp = m_settings.perMark / (8 * rounds);
        plan.duration = m_settings.perMark / rounds;
        plan.firstKey = keys == Keys::New ? m_charged : 0;
        plan.keyCount = keys == Keys::New ? 0 : known;

        const double peer = peerPerSecond(keys);
        const std::optional<qint64> before = commits();
        forgetPeak();
        const LoadResult load = runLoad(plan);
        mark.peakMiB = std::max(mark.peakMiB, peakResidentMiB());
        const std::optional<qint64> after = commits();
        if (!load.flaw.isEmpty())
            return fail(load.flaw);
        if (!m_peer.flaw().isEmpty())
            return fail(m_peer.flaw());
        if (!before || !after)
            return fail(QStringLiteral("/control/state does not tell the commits"));
        if (keys == Keys::New)
            m_charged += load.answered;
        mark.load.add(load);
        mark.commits += *after - *before;
        mark.peerSum += peer;
        mark.peerLeast = mark.peerLeast > 0 ? std::min(mark.peerLeast, peer) : peer;
        mark.peerMost = std::max(mark.peerMost, peer);
        return true;
    }

    void print(Keys keys, const Mark &mark) const
    {
        const LoadResult &load = mark.load;
        const double count = static_cast<double>(load.measured);
        const double perSecond = count * 1e9 / static_cast<double>(load.measuredNs);
        const double peer = mark.peerSum / rounds;
        std::printf("%-9s %5d %11.0f %9.2f %9.2f %12.3f %11.1f %9.1f %10.0f%s %7.2f\n",
                    keys == Keys::New ? "new" : "replayed", m_connections, perSecond, load.latencies.percentileMs(50),
                    load.latencies.percentileMs(99),
                    static_cast<double>(mark.commits) / static_cast<double>(load.answered),
                    static_cast<double>(load.allCpuNs - load.cpuNs) / 1e3 / count, mark.peakMiB, peer,
                    mark.peerMost > steadiness * mark.peerLeast ? "~" : " ", perSecond / peer);
        std::fflush(stdout);
    }

    /// Reads the file itself: the bank is the one being measured, so it does not get to say whether it was right.
    bool stopAndCount()
    {
        m_server.stop();
        qint64 rows = -1;
        qint64 keys = -1;
        qint64 balance = -1;
        const QString connection = QStringLiteral("bench-count");
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), connection);
            database.setDatabaseName(m_file);
            QSqlQuery query(database.open() ? database : QSqlDatabase());
            if (query.exec(QStringLiteral("SELECT count(*), count(DISTINCT key), (SELECT balance FROM account WHERE "
                                          "source = 'card_ok') FROM movement WHERE kind = 'charge'")) &&
                query.next()) {
                rows = query.value(0).toLongLong();
                keys = query.value(1).toLongLong();
                balance = query.value(2).toLongLong();
            }
        }
        QSqlDatabase::removeDatabase(connection);
        const auto charged = static_cast<qint64>(m_charged);
        if (rows != charged || keys != charged || balance != startBalanceMinor - charged) {
            return fail(
                QStringLiteral("%1 charges were answered, but the ledger has %2 rows of %3 keys and the account "
                               "lost %4")
                    .arg(charged)
                    .arg(rows)
                    .arg(keys)
                    .arg(startBalanceMinor - balance));
        }
        std::printf("          %lld charges answered == %lld ledger rows == %lld keys == money gone\n",
                    static_cast<long long>(charged), static_cast<long long>(rows), static_cast<long long>(keys));
        return true;
    }

    const Settings &m_settings;
    SqlitePeer &m_peer;
    const int m_connections;
    const QString m_file;
    mockbank::MockServer m_server;
    mockbank::RunningServer m_running;
    quint64 m_charged = 0;
};

} // namespace

bool printBankMarks(const Settings &settings)
{
    std::printf(
        "Bank: POST /v1/charges over loopback, keep-alive; SQLite store on %s, WAL, synchronous=FULL\n"
        "CPU without the load generator; peak of the whole process, generator and peer included;\n"
        "peer: the same rows (or look-ups) in a bare SQLite loop, as many to a commit as connections, in turns with\n"
        "the bank; ~ noisy\n\n"
        "%-9s %5s %11s %9s %9s %12s %11s %9s %10s  %7s\n",
        qPrintable(fileSystemOf(settings.folder)), "keys", "conn.", "charges/s", "p50 ms", "p99 ms", "commits/ch.",
        "CPU us/ch.", "peak MiB", "peer/s", "ratio");
    SqlitePeer peer(settings.folder + QStringLiteral("/peer.sqlite"));
    for (const int connections : connectionCounts) {
        if (!BankRun(settings, peer, connections).run())
            return false;
    }
    std::printf("\n");
    return true;
}

} // namespace ikkai::bench
