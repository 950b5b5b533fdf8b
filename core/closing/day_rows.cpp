#include "core/closing/day_rows.h"

#include <QtCore/QMap>

#include <algorithm>
#include <tuple>

namespace ikkai {

namespace day_rows {

DayLine lineOf(const DayRow &row, const QString &note)
{
    return {row.key, row.order, row.money, row.state, row.startedWallMs, note};
}

/// One for each thing that is out of the ordinary.
void addRemarks(QList<DayLine> &remarks, const DayRow &row)
{
    if (!row.supervisorReason.isEmpty())
        remarks.append(lineOf(row, row.supervisorReason));
    if (!row.contradiction.isEmpty())
        remarks.append(lineOf(row, row.contradiction));
}

void oldestFirst(QList<DayLine> &lines)
{
    std::sort(lines.begin(), lines.end(), [](const DayLine &a, const DayLine &b) {
        return std::tie(a.startedWallMs, a.key.text(), a.note) < std::tie(b.startedWallMs, b.key.text(), b.note);
    });
}

QList<DayTotal> totalsOf(const std::vector<DayRow> &rows)
{
    QMap<std::pair<QString, QString>, DayTotal> totals;
    for (const DayRow &row : rows) {
        const Currency currency = row.money.currency();
        DayTotal &total = totals[{row.state, currency.code()}];
        total.outcome = row.state;
        total.currency = currency;
        ++total.count;
        total.sumMinor += row.money.amountMinor();
    }
    return totals.values();
}

} // namespace day_rows

DayReport dayReportOf(const DayRows &rows, const QDate &businessDay, const QDate &today,
                      const BusinessCalendar &calendar, const QString &terminalId)
{
    using namespace day_rows;
    DayReport report;
    report.businessDay = businessDay;
    report.terminalId = terminalId;
    report.zone = QString::fromUtf8(calendar.zone.id());
    report.dayStartsAtMinute = calendar.startsAtMinute;
    report.totals = totalsOf(rows.settled);
    for (const DayRow &row : rows.settled) {
        if (rows.carriedBefore.contains(row.key.text()))
            report.carriedIn.append(lineOf(row, row.supervisorReason));
        addRemarks(report.remarks, row);
    }
    for (const DayRow &row : rows.unsettled) {
        const bool startedByThen = businessDayOf(calendar, row.startedWallMs) <= businessDay;
        if (startedByThen || rows.carriedBefore.contains(row.key.text()) || (row.isOpen && businessDay >= today))
            report.carried.append(lineOf(row, row.supervisorReason));
    }
    for (const DayRow &row : rows.contradicted)
        report.remarks.append(lineOf(row, row.contradiction));
    oldestFirst(report.carriedIn);
    oldestFirst(report.carried);
    oldestFirst(report.remarks);
    return report;
}

} // namespace ikkai
