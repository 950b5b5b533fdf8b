#include "ui/closing/day_paper.h"

#include "ui/closing/closing_client.h"
#include "ui/closing/closing_words.h"
#include "ui/closing/report_rows.h"
#include "ui/closing/report_view.h"
#include "ui/i18n/store_time.h"

#include <QtCore/QCoreApplication>

namespace ikkai {

namespace {

struct DayPaper {
    Q_DECLARE_TR_FUNCTIONS(DayPaper)
};

/// "A-1009 Not known yet": whatever the list on the screen says of one payment.
Receipt::Line paperLineOf(const ReportRow &row)
{
    QString name = row.text + QLatin1Char(' ') + row.sign.word;
    if (!row.note.isEmpty())
        name += QStringLiteral(" (") + row.note + QLatin1Char(')');
    return {name, row.amount};
}

} // namespace

Receipt dayPaperOf(const DayReport &report)
{
    const bool isClosed = report.number > 0;
    Receipt paper;
    paper.kind = Receipt::Kind::DayReport;
    paper.title =
        isClosed ? DayPaper::tr("Day report no. %1").arg(countWords(report.number)) : DayPaper::tr("Not closed yet");
    paper.headline = store::day(report.businessDay, report.closedWallMs);
    SumsByCurrency paid;
    for (const DayTotal &total : report.totals) {
        if (total.outcome == QLatin1StringView("approved"))
            paid.add(total.currency, total.sumMinor);
    }
    paper.amount = sumsWords(paid.all());
    paper.words << coverageWords(report);
    if (isClosed)
        paper.words << DayPaper::tr("Closed at %1").arg(store::dayAndClock(report.closedWallMs));
    for (const DayTotal &total : report.totals) {
        paper.lines.push_back({DayPaper::tr("%1, %2").arg(outcomeSign(total.outcome).word, countWords(total.count)),
                               formatMinorUnits(total.sumMinor, total.currency)});
    }
    for (const ReportRow &row : lineRows(report)) {
        if (row.kind == ReportRow::Kind::Line)
            paper.lines.push_back(paperLineOf(row));
        else
            paper.lines.push_back({row.text, {}});
    }
    paper.foot = report.terminalId;
    return paper;
}

QString dayFileStem(const DayReport &report)
{
    const QString day = report.businessDay.toString(Qt::ISODate);
    return report.number > 0 ? QStringLiteral("day-%1-%2").arg(day).arg(report.number)
                             : QStringLiteral("day-%1-open").arg(day);
}

QString dayPaperFile(const DayReport &report)
{
    return dayFileStem(report) + QStringLiteral(".pdf");
}

} // namespace ikkai
