#include "core/closing/day_report_codec.h"

#include "core/closing/store_time.h"
#include "core/domain/csv.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <functional>

namespace ikkai {

namespace day_report_codec {

QJsonArray totalsJson(const QList<DayTotal> &totals)
{
    QJsonArray all;
    for (const DayTotal &total : totals) {
        all.append(QJsonObject{{QStringLiteral("outcome"), total.outcome},
                               {QStringLiteral("currency"), total.currency.code()},
                               {QStringLiteral("count"), total.count},
                               {QStringLiteral("sum_minor"), total.sumMinor}});
    }
    return all;
}

QJsonArray linesJson(const QList<DayLine> &lines, const QString &zone)
{
    QJsonArray all;
    for (const DayLine &line : lines) {
        all.append(QJsonObject{{QStringLiteral("key"), line.key.text()},
                               {QStringLiteral("order_id"), line.order.text()},
                               {QStringLiteral("amount_minor"), line.money.amountMinor()},
                               {QStringLiteral("currency"), line.money.currency().code()},
                               {QStringLiteral("state"), line.state},
                               {QStringLiteral("started_ms"), line.startedWallMs},
                               {QStringLiteral("started_at"), storeTime(line.startedWallMs, zone)},
                               {QStringLiteral("note"), line.note}});
    }
    return all;
}

/// Takes members out of an object and remembers the first that is not as it should be.
class Members {
public:
    Members(QJsonObject object, QString path, QString &problem)
        : m_object(std::move(object))
        , m_path(std::move(path))
        , m_problem(problem)
    {
    }

    QString text(const char *name)
    {
        const QJsonValue value = take(name);
        if (!value.isString())
            complain(name);
        return value.toString();
    }
    qint64 integer(const char *name)
    {
        const QJsonValue value = take(name);
        constexpr qint64 none = std::numeric_limits<qint64>::min();
        const qint64 number = value.toInteger(none);
        if (number == none)
            complain(name);
        return number;
    }
    int smallInteger(const char *name)
    {
        const qint64 number = integer(name);
        if (number < 0 || number > std::numeric_limits<int>::max())
            complain(name);
        return static_cast<int>(number);
    }
    QDate date(const char *name)
    {
        const QDate date = QDate::fromString(text(name), Qt::ISODate);
        if (!date.isValid())
            complain(name);
        return date;
    }
    Currency currency(const char *name)
    {
        const auto currency = Currency::parse(text(name));
        if (!currency)
            complain(name);
        return currency ? currency.value() : Currency::jpy();
    }
    void each(const char *name, const std::function<void(Members &)> &use)
    {
        const QJsonValue value = take(name);
        if (!value.isArray())
            complain(name);
        const QJsonArray array = value.toArray();
        for (qsizetype i = 0; i < array.size() && m_problem.isEmpty(); ++i) {
            const QString path = QStringLiteral("%1%2[%3].").arg(m_path, QLatin1String(name)).arg(i);
            Members members(array.at(i).toObject(), path, m_problem);
            use(members);
        }
    }
    void complain(const char *name)
    {
        if (m_problem.isEmpty())
            m_problem = m_path + QLatin1String(name);
    }
    [[nodiscard]] bool isGood() const { return m_problem.isEmpty(); }

private:
    [[nodiscard]] QJsonValue take(const char *name) const { return m_object.value(QLatin1String(name)); }

    QJsonObject m_object;
    QString m_path;
    QString &m_problem;
};

void readTotals(Members &members, QList<DayTotal> &totals)
{
    members.each("totals", [&totals](Members &total) {
        totals.append({total.text("outcome"), total.currency("currency"), total.smallInteger("count"),
                       total.integer("sum_minor")});
    });
}

void readLines(Members &members, const char *name, QList<DayLine> &lines)
{
    members.each(name, [&lines](Members &line) {
        const auto key = IdempotencyKey::parse(line.text("key"));
        const auto order = OrderId::parse(line.text("order_id"));
        const auto money = Money::ofMinor(line.integer("amount_minor"), line.currency("currency"));
        if (!key)
            line.complain("key");
        if (!order)
            line.complain("order_id");
        if (!money)
            line.complain("amount_minor");
        const QString state = line.text("state");
        const qint64 startedMs = line.integer("started_ms");
        const QString note = line.text("note");
        if (line.isGood())
            lines.append({key.value(), order.value(), money.value(), state, startedMs, note});
    });
}

class Table {
public:
    explicit Table(const DayReport &report)
        : m_report(report)
        , m_bytes(csvByteOrderMark)
    {
        CsvRow head;
        for (const char *column : {"report", "business_day", "closed_at", "terminal", "section", "outcome", "currency",
                                   "count", "amount_minor", "order", "key", "started_at", "note"})
            head.text(QString::fromLatin1(column));
        m_bytes += head.bytes();
    }

    void day()
    {
        qint64 settled = 0;
        for (const DayTotal &total : m_report.totals)
            settled += total.count;
        CsvRow row = begin(u"day");
        row.empty().empty().number(settled).empty().empty().empty().empty().empty();
        m_bytes += row.bytes();
    }
    void total(const DayTotal &total)
    {
        CsvRow row = begin(u"total");
        row.text(total.outcome).text(total.currency.code()).number(total.count).number(total.sumMinor);
        row.empty().empty().empty().empty();
        m_bytes += row.bytes();
    }
    void lines(QStringView section, const QList<DayLine> &lines)
    {
        for (const DayLine &line : lines) {
            CsvRow row = begin(section);
            row.text(line.state).text(line.money.currency().code()).number(1).number(line.money.amountMinor());
            row.text(line.order.text()).text(line.key.text());
            row.text(storeTime(line.startedWallMs, m_report.zone)).text(line.note);
            m_bytes += row.bytes();
        }
    }
    [[nodiscard]] const QByteArray &bytes() const { return m_bytes; }

private:
    [[nodiscard]] CsvRow begin(QStringView section) const
    {
        CsvRow row;
        row.number(m_report.number).text(m_report.businessDay.toString(Qt::ISODate));
        row.text(storeTime(m_report.closedWallMs, m_report.zone)).text(m_report.terminalId).text(section);
        return row;
    }

    const DayReport &m_report;
    QByteArray m_bytes;
};

} // namespace day_report_codec

QByteArray dayReportJson(const DayReport &report)
{
    using namespace day_report_codec;
    const QJsonObject object{
        {QStringLiteral("number"), report.number},
        {QStringLiteral("business_day"), report.businessDay.toString(Qt::ISODate)},
        {QStringLiteral("terminal_id"), report.terminalId},
        {QStringLiteral("zone"), report.zone},
        {QStringLiteral("day_starts_at_minute"), report.dayStartsAtMinute},
        {QStringLiteral("closed_ms"), report.closedWallMs},
        {QStringLiteral("closed_at"), storeTime(report.closedWallMs, report.zone)},
        {QStringLiteral("totals"), totalsJson(report.totals)},
        {QStringLiteral("carried_in"), linesJson(report.carriedIn, report.zone)},
        {QStringLiteral("carried"), linesJson(report.carried, report.zone)},
        {QStringLiteral("remarks"), linesJson(report.remarks, report.zone)},
    };
    return QJsonDocument(object).toJson();
}

Result<DayReport, QString> readDayReport(const QByteArray &json)
{
    using namespace day_report_codec;
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (!document.isObject())
        return QStringLiteral("it is no JSON object (%1)").arg(error.errorString());
    QString problem;
    Members members(document.object(), {}, problem);
    DayReport report;
    report.number = members.smallInteger("number");
    report.businessDay = members.date("business_day");
    report.terminalId = members.text("terminal_id");
    report.zone = members.text("zone");
    report.dayStartsAtMinute = members.smallInteger("day_starts_at_minute");
    report.closedWallMs = members.integer("closed_ms");
    readTotals(members, report.totals);
    readLines(members, "carried_in", report.carriedIn);
    readLines(members, "carried", report.carried);
    readLines(members, "remarks", report.remarks);
    if (!problem.isEmpty())
        return QStringLiteral("its member %1 cannot be read").arg(problem);
    return report;
}

QByteArray dayReportCsv(const DayReport &report)
{
    day_report_codec::Table table(report);
    table.day();
    for (const DayTotal &total : report.totals)
        table.total(total);
    table.lines(u"carried_in", report.carriedIn);
    table.lines(u"carried", report.carried);
    table.lines(u"remark", report.remarks);
    return table.bytes();
}

} // namespace ikkai
