#include "core/closing/day_book.h"

#include "core/closing/day_report_codec.h"
#include "core/journal/sqlite_connection.h"

#include <QtCore/QVariant>
#include <QtSql/QSqlError>

namespace ikkai {

/// Where the last report ended.
struct DayBook::Last {
    int number = 0;
    qint64 uptoN = 0;
    QSet<QString> carried; ///< keys
};

/// A day that could be closed, and the newest outcome it counts.
struct DayBook::Day {
    DayReport report;
    int number = 1;
    qint64 uptoN = 0;
};

DayBook::DayBook(SqliteConnection &database, BusinessCalendar calendar, QString terminalId)
    : m_database(database)
    , m_calendar(std::move(calendar))
    , m_terminalId(std::move(terminalId))
{
}

JournalError DayBook::corrupt(const QString &what) const
{
    return {JournalError::Kind::Corrupt, m_database.file(), what};
}

Result<DayBook::Last, JournalError> DayBook::last()
{
    const auto asked =
        m_database.ask(QStringLiteral("SELECT number, upto_n FROM day_report ORDER BY number DESC LIMIT 1"));
    if (!asked)
        return asked.error();
    Last last;
    if ((*asked)->next()) {
        last.number = (*asked)->value(0).toInt();
        last.uptoN = (*asked)->value(1).toLongLong();
    }
    (*asked)->finish();
    if (last.number == 0)
        return last;
    const auto newest = report(last.number);
    if (!newest)
        return newest.error();
    if (newest.value()) {
        for (const DayLine &line : newest.value()->carried)
            last.carried.insert(line.key.text());
    }
    return last;
}

/// All rows of the projection that fit.
std::optional<JournalError> DayBook::readRows(const QString &condition, const QVariantList &values,
                                              std::vector<DayRow> &rows)
{
    const auto asked =
        m_database.ask(QStringLiteral("SELECT key, order_id, amount, currency, state, open, created_ms, contradiction, "
                                      "supervisor_reason FROM checkout WHERE %1")
                           .arg(condition),
                       values);
    if (!asked)
        return asked.error();
    QSqlQuery &query = **asked;
    std::optional<JournalError> error;
    while (!error && query.next()) {
        const auto key = IdempotencyKey::parse(query.value(0).toString());
        const auto order = OrderId::parse(query.value(1).toString());
        const auto currency = Currency::parse(query.value(3).toString());
        if (!key || !order || !currency) {
            error = corrupt(QStringLiteral("the row of checkout %1 cannot be read").arg(query.value(0).toString()));
            break;
        }
        const auto money = Money::ofMinor(query.value(2).toLongLong(), currency.value());
        if (!money) {
            error = corrupt(QStringLiteral("the amount of checkout %1 cannot be").arg(key->text()));
            break;
        }
        rows.push_back({key.value(), order.value(), money.value(), query.value(4).toString(), query.value(5).toBool(),
                        query.value(6).toLongLong(), query.value(7).toString(), query.value(8).toString()});
    }
    if (!error && query.lastError().isValid())
        error = journalErrorOf(query.lastError(), m_database.file());
    query.finish();
    return error;
}

std::optional<JournalError> DayBook::readUnsettled(qint64 uptoN, const QDate &day, DayRows &rows)
{
    if (auto error = readRows(QStringLiteral("open = 1"), {}, rows.unsettled))
        return error;
    const qint64 dayEndsMs = businessDayStartMs(m_calendar, day.addDays(1));
    if (auto error = readRows(QStringLiteral("settled_n > ? AND created_ms < ?"), {uptoN, dayEndsMs}, rows.unsettled))
        return error;
    // What was carried before stays, wherever a clock once put its beginning.
    QSet<QString> missing = rows.carriedBefore;
    for (const std::vector<DayRow> *found : {&rows.settled, &rows.unsettled}) {
        for (const DayRow &row : *found)
            missing.remove(row.key.text());
    }
    for (const QString &key : std::as_const(missing)) {
        if (auto error = readRows(QStringLiteral("key = ? AND settled_n > ?"), {key, uptoN}, rows.unsettled))
            return error;
    }
    return std::nullopt;
}

Result<DayBook::Day, JournalError> DayBook::nextDay(qint64 nowWallMs)
{
    const auto before = last();
    if (!before)
        return before.error();
    const QDate today = businessDayOf(m_calendar, nowWallMs);
    Day next;
    next.number = before->number + 1;
    next.uptoN = before->uptoN;

    // The first outcome that is not counted says which day it is; the first of another day ends it.
    QDate day = today;
    const auto asked = m_database.ask(
        QStringLiteral("SELECT settled_n, business_day FROM checkout WHERE settled_n > ? ORDER BY settled_n"),
        {before->uptoN});
    if (!asked)
        return asked.error();
    QSqlQuery &query = **asked;
    QString word;
    while (query.next()) {
        const QString here = query.value(1).toString();
        if (word.isEmpty())
            word = here;
        if (here != word)
            break;
        next.uptoN = query.value(0).toLongLong();
    }
    const QSqlError failed = query.lastError();
    query.finish();
    if (failed.isValid())
        return journalErrorOf(failed, m_database.file());
    if (!word.isEmpty()) {
        day = QDate::fromString(word, Qt::ISODate);
        if (!day.isValid())
            return corrupt(QStringLiteral("\"%1\" is no business day").arg(word));
    }

    DayRows rows;
    rows.carriedBefore = before->carried;
    if (auto error =
            readRows(QStringLiteral("settled_n > ? AND settled_n <= ?"), {before->uptoN, next.uptoN}, rows.settled))
        return *error;
    if (auto error = readUnsettled(next.uptoN, day, rows))
        return *error;
    // What was settled in an earlier report and contradicted after it, so that no report has said it yet.
    if (auto error =
            readRows(QStringLiteral("contradiction IS NOT NULL AND settled_n <= ? AND NOT EXISTS (SELECT 1 FROM "
                                    "day_report, json_each(day_report.report, '$.remarks') AS remark WHERE "
                                    "json_extract(remark.value, '$.key') = checkout.key AND "
                                    "json_extract(remark.value, '$.note') = contradiction)"),
                     {before->uptoN}, rows.contradicted))
        return *error;
    next.report = dayReportOf(rows, day, today, m_calendar, m_terminalId);
    return next;
}

Result<DayReport, JournalError> DayBook::preview(qint64 nowWallMs)
{
    DayReport report;
    const auto error = m_database.snapshot([&]() -> std::optional<JournalError> {
        auto day = nextDay(nowWallMs);
        if (!day)
            return day.error();
        report = std::move(day).value().report;
        return std::nullopt;
    });
    if (error)
        return *error;
    return report;
}

Result<DayReport, JournalError> DayBook::close(qint64 nowWallMs)
{
    DayReport report;
    const auto error = m_database.transact([&]() -> std::optional<JournalError> {
        auto day = nextDay(nowWallMs);
        if (!day)
            return day.error();
        report = day->report;
        report.number = day->number;
        report.closedWallMs = nowWallMs;
        return m_database.run(QStringLiteral("INSERT INTO day_report (number, business_day, closed_ms, upto_n, report) "
                                             "VALUES (?, ?, ?, ?, ?)"),
                              {report.number, report.businessDay.toString(Qt::ISODate), nowWallMs, day->uptoN,
                               QString::fromUtf8(dayReportJson(report))});
    });
    if (error)
        return *error;
    return report;
}

Result<QList<DayReportHead>, JournalError> DayBook::heads()
{
    const auto asked = m_database.ask(QStringLiteral(
        "SELECT number, business_day, closed_ms, json_array_length(report, '$.carried'), (SELECT "
        "coalesce(sum(json_extract(value, '$.count')), 0) FROM json_each(report, '$.totals')) FROM day_report "
        "ORDER BY number DESC"));
    if (!asked)
        return asked.error();
    QList<DayReportHead> heads;
    QSqlQuery &query = **asked;
    while (query.next()) {
        heads.append({query.value(0).toInt(), QDate::fromString(query.value(1).toString(), Qt::ISODate),
                      query.value(2).toLongLong(), query.value(4).toInt(), query.value(3).toInt()});
    }
    const QSqlError failed = query.lastError();
    query.finish();
    if (failed.isValid())
        return journalErrorOf(failed, m_database.file());
    return heads;
}

Result<std::optional<DayReport>, JournalError> DayBook::report(int number)
{
    const auto asked = m_database.ask(QStringLiteral("SELECT report FROM day_report WHERE number = ?"), {number});
    if (!asked)
        return asked.error();
    const bool isThere = (*asked)->next();
    const QByteArray json = isThere ? (*asked)->value(0).toString().toUtf8() : QByteArray();
    (*asked)->finish();
    if (!isThere)
        return std::optional<DayReport>();
    const auto report = readDayReport(json);
    if (!report)
        return corrupt(QStringLiteral("closed day %1: %2").arg(number).arg(report.error()));
    return std::optional(report.value());
}

} // namespace ikkai
