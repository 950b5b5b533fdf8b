#include "tests/bench/closing_marks.h"

#include "core/closing/closing_service.h"
#include "core/closing/reconcile.h"
#include "core/domain/key_generator.h"
#include "core/journal/sqlite_connection.h"
#include "tests/bench/samples.h"

#include <QtCore/QEventLoop>
#include <QtCore/QTimer>
#include <QtSql/QSqlQuery>

#include <cstdio>

namespace ikkai::bench {

namespace {

constexpr quint64 sinceMs = 1'778'720'400'000;

bool failClosing(const QString &why)
{
    std::fprintf(stderr, "ikkai-bench: closing: %s\n", qPrintable(why));
    return false;
}

struct Sales {
    std::vector<OurRow> here;
    std::vector<BankChargeRow> there;
    int differences = 0;
};

/// Every thousandth sale is missing at the bank.
Sales sell(int count)
{
    Sales sales;
    for (int i = 0; i < count; ++i) {
        const QString key =
            uuidV7Text(sinceMs + static_cast<quint64>(i) * 10, 0, static_cast<quint64>(i) * 0x9E3779B97F4A7C15);
        const QString order = QStringLiteral("A-%1").arg(i);
        const qint64 atMs = static_cast<qint64>(sinceMs) + i * 10LL;
        sales.here.push_back({key, order, 1'200 + i, QStringLiteral("JPY"), QStringLiteral("approved"), atMs});
        if (i % 1'000 == 0) {
            ++sales.differences;
            continue;
        }
        sales.there.push_back({QStringLiteral("ch_%1").arg(i), QStringLiteral("approved"), key, order, 1'200 + i,
                               QStringLiteral("JPY"), QStringLiteral("till-1"), atMs + 5, false});
    }
    return sales;
}

std::optional<JournalError> store(const QString &file, const Sales &sales)
{
    SqliteConnection database(file, JournalAccess::Write);
    if (auto error = database.open())
        return error;
    return database.transact([&]() -> std::optional<JournalError> {
        for (const OurRow &row : sales.here) {
            if (auto error = database.run(
                    QStringLiteral("INSERT INTO checkout (key, order_id, amount, currency, source, state, settled_by, "
                                   "open, attempts, wire_sends, created_ms, updated_ms, terminal_id, ledger_id) VALUES "
                                   "(?, ?, ?, ?, 'card_ok', ?, 'answer', 0, 1, 1, ?, ?, 'till-1', 'led_1')"),
                    {row.key, row.orderId, row.amountMinor, row.currency, row.state, row.createdWallMs,
                     row.createdWallMs}))
                return error;
        }
        return std::nullopt;
    });
}

/// A bank's list that is in memory already; what is measured begins when its last page is told for the first time.
class ListInMemory final : public ChargeList {
public:
    explicit ListInMemory(const Sales &sales)
        : m_sales(sales)
    {
    }
    [[nodiscard]] std::int64_t downloadedNs() const { return m_downloadedNs; }

    void read(const ChargeListRequest &request) override
    {
        QTimer::singleShot(0, this, [this, request] { tell(request); });
    }
    void inquire(const QString &key, const QString &) override
    {
        QTimer::singleShot(0, this, [this, key] {
            KeyInquiry told;
            told.key = key;
            told.what = KeyInquiry::What::NeverSeen;
            Q_EMIT inquired(told);
        });
    }
    void cancel() override {}

private:
    void tell(const ChargeListRequest &request)
    {
        constexpr qsizetype pageRows = 500;
        QList<BankChargeRow> page;
        qint64 told = 0;
        for (const BankChargeRow &row : m_sales.there) {
            if (request.toWallMs != 0 &&
                (row.createdWallMs < request.fromWallMs || row.createdWallMs >= request.toWallMs))
                continue;
            page.append(row);
            ++told;
            if (page.size() == pageRows) {
                Q_EMIT pageRead(page, told);
                page.clear();
            }
        }
        Q_EMIT pageRead(page, told);
        if (m_downloadedNs == 0)
            m_downloadedNs = nowNs();
        Q_EMIT finished({QStringLiteral("led_1"), told, 0});
    }

    const Sales &m_sales;
    std::int64_t m_downloadedNs = 0;
};

} // namespace

bool printClosingMarks(const Settings &settings)
{
    const bool isQuick = settings.perMark < std::chrono::seconds(1);
    const int count = isQuick ? 2'000 : 100'000;
    const Sales sales = sell(count);
    const QString file = settings.folder + QStringLiteral("/closing.sqlite");
    if (const auto error = store(file, sales))
        return failClosing(describe(*error));

    ReconcileSettings comparison;
    comparison.terminalId = QStringLiteral("till-1");
    comparison.nowWallMs = SystemClock().now().wallMs;
    const std::int64_t began = nowNs();
    const Reconciliation compared = reconcile(sales.here, sales.there, comparison);
    const std::int64_t comparedNs = nowNs() - began;
    if (compared.differences.size() != sales.differences)
        return failClosing(QStringLiteral("%1 differences were found").arg(compared.differences.size()));

    const SystemClock clock;
    auto list = std::make_unique<ListInMemory>(sales);
    const ListInMemory &told = *list;
    ClosingService service({file, {}, QStringLiteral("till-1")}, clock, std::move(list));
    QEventLoop loop;
    std::optional<Reconciliation> whole;
    QString why = QStringLiteral("no result within a minute");
    QObject::connect(&service, &ClosingDesk::reconciled, &loop, [&](const Reconciliation &result) {
        whole = result;
        loop.quit();
    });
    QObject::connect(&service, &ClosingDesk::failed, &loop, [&](const QString &what) {
        why = what;
        loop.quit();
    });
    QTimer::singleShot(60'000, &loop, &QEventLoop::quit);
    service.reconcile({1, 0});
    loop.exec();
    if (!whole)
        return failClosing(why);
    const std::int64_t wholeNs = nowNs() - told.downloadedNs();
    if (whole->differences.size() != sales.differences || whole->agreeCount != count - sales.differences)
        return failClosing(QStringLiteral("%1 differences were found").arg(whole->differences.size()));

    std::printf("\nClosing: %d checkouts here, %zu charges at the bank, %d differences\n", count, sales.there.size(),
                sales.differences);
    std::printf("  %-58s %8.1f ms\n", "compared", static_cast<double>(comparedNs) / 1e6);
    std::printf("  %-58s %8.1f ms\n", "from the last row of the list to the result, journal read",
                static_cast<double>(wholeNs) / 1e6);
    return true;
}

} // namespace ikkai::bench
