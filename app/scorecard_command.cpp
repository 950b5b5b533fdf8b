#include "app/scorecard_command.h"

#include "app/print.h"
#include "core/domain/output_file.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QJsonArray>
#include <QtCore/QSaveFile>

namespace ikkai::app {

namespace {

QString secondsText(const ScorecardRow &row)
{
    return row.secondsToKnown ? QString::number(*row.secondsToKnown, 'f', 2) : QStringLiteral("-");
}

QString textRow(const QString &strategy, const QString &fault, const QStringList &numbers)
{
    QString line = strategy.leftJustified(16) + fault.leftJustified(32);
    for (const QString &number : numbers)
        line += number.rightJustified(12);
    return line;
}

QStringList numbersOf(const ScorecardRow &row)
{
    return {QString::number(row.checkouts),
            QString::number(row.chargedTwice),
            QString::number(row.lost),
            QString::number(row.eventsLost),
            QString::number(row.eventsPhantom),
            QString::number(row.unknown),
            secondsText(row)};
}

const QStringList &columns()
{
    static const QStringList columns{
        QStringLiteral("checkouts"),  QStringLiteral("twice"),   QStringLiteral("lost"),     QStringLiteral("ev.lost"),
        QStringLiteral("ev.phantom"), QStringLiteral("unknown"), QStringLiteral("s to know")};
    return columns;
}

QString htmlRow(const QString &cell, const QStringList &cells, const QString &kind)
{
    QString row = QStringLiteral("<tr class=\"%1\">").arg(kind);
    for (const QString &text : cells)
        row += QStringLiteral("<%1>%2</%1>").arg(cell, text.toHtmlEscaped());
    return row + QStringLiteral("</tr>\n");
}

bool writePage(const QString &file, const Scorecard &scorecard, QString *error)
{
    if (const auto why = whyNotReplaced(file)) {
        *error = *why;
        return false;
    }
    QSaveFile page(file);
    const QByteArray html = toHtml(scorecard);
    const bool written = page.open(QIODevice::WriteOnly) && page.write(html) == html.size() && page.commit();
    if (!written)
        *error = page.errorString();
    return written;
}

} // namespace

QJsonObject toJson(const Scorecard &scorecard)
{
    QJsonArray rows;
    for (const ScorecardRow &row : scorecard.rows) {
        rows.append(QJsonObject{
            {QStringLiteral("strategy"), row.strategy},
            {QStringLiteral("fault"), row.fault},
            {QStringLiteral("checkouts"), row.checkouts},
            {QStringLiteral("charged_twice"), row.chargedTwice},
            {QStringLiteral("lost"), row.lost},
            {QStringLiteral("events_lost"), row.eventsLost},
            {QStringLiteral("events_phantom"), row.eventsPhantom},
            {QStringLiteral("unknown"), row.unknown},
            {QStringLiteral("not_fired"), row.notFired},
            {QStringLiteral("seconds_to_known"),
             row.secondsToKnown ? QJsonValue(*row.secondsToKnown) : QJsonValue(QJsonValue::Null)},
        });
    }
    QJsonArray gaps;
    for (const ScorecardGap &gap : scorecard.gaps) {
        gaps.append(QJsonObject{{QStringLiteral("strategy"), gap.strategy},
                                {QStringLiteral("fault"), gap.fault},
                                {QStringLiteral("why"), gap.why}});
    }
    return {{QStringLiteral("rows"), rows}, {QStringLiteral("not_offered"), gaps}};
}

QByteArray toHtml(const Scorecard &scorecard)
{
    QString page = QStringLiteral(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Scorecard</title>\n<style>\n"
        "body{font:15px/1.5 Inter,'Noto Sans',sans-serif;color:#1c2430;margin:32px}\n"
        "table{border-collapse:collapse}th,td{padding:4px 12px;text-align:right;border-bottom:1px solid #d8dde6}\n"
        "th:nth-child(-n+2),td:nth-child(-n+2){text-align:left}\n"
        "tr.harm td{background:#fdeceb;font-weight:600}\n</style></head><body>\n"
        "<h1>Scorecard</h1>\n<p>How each way of handling keys stood each fault. <em>Twice</em>: orders charged more "
        "than once. <em>Lost</em>: the terminal believed something final that the ledger contradicts. Tinted rows did "
        "harm.</p>\n<table>\n");
    page += htmlRow(QStringLiteral("th"), QStringList{QStringLiteral("strategy"), QStringLiteral("fault")} + columns(),
                    QStringLiteral("head"));
    for (const ScorecardRow &row : scorecard.rows) {
        page += htmlRow(QStringLiteral("td"), QStringList{row.strategy, row.fault} + numbersOf(row),
                        row.chargedTwice + row.lost > 0 ? QStringLiteral("harm") : QStringLiteral("calm"));
    }
    page += QStringLiteral("</table>\n");
    for (const ScorecardGap &gap : scorecard.gaps) {
        page += QStringLiteral("<p>%1, %2: %3.</p>\n")
                    .arg(gap.strategy.toHtmlEscaped(), gap.fault.toHtmlEscaped(), gap.why.toHtmlEscaped());
    }
    return (page + QStringLiteral("</body></html>\n")).toUtf8();
}

int runScorecard(const Options &options)
{
    ScorecardRun run(options);
    if (run.isEmpty()) {
        return complain({2, QStringLiteral("--only: no fault begins with \"%1\"")
                                .arg(options.onlyFaults.join(QStringLiteral("\" or \"")))});
    }
    QString trouble;
    const bool text = !options.json;
    if (text)
        printLine(textRow(QStringLiteral("strategy"), QStringLiteral("fault"), columns()));
    QObject::connect(&run, &ScorecardRun::rowEnded, &run, [text](const ScorecardRow &row) {
        if (text)
            printLine(textRow(row.strategy, row.fault, numbersOf(row)));
    });
    QObject::connect(&run, &ScorecardRun::gapFound, &run, [text](const ScorecardGap &gap) {
        if (text)
            printLine(
                QStringLiteral("%1%2%3").arg(gap.strategy.leftJustified(16), gap.fault.leftJustified(32), gap.why));
    });
    QObject::connect(&run, &ScorecardRun::ended, &run, [] { QCoreApplication::exit(0); });
    QObject::connect(&run, &ScorecardRun::failed, &run, [&trouble](const QString &why) {
        trouble = why;
        QCoreApplication::exit(1);
    });
    QMetaObject::invokeMethod(
        &run, [&run] { run.begin(); }, Qt::QueuedConnection);
    const int code = QCoreApplication::exec();
    if (code != 0)
        return complain({code, QStringLiteral("scorecard: ") + trouble});
    if (options.json)
        printLine(toJson(run.scorecard()));
    if (QString error; !options.htmlFile.isEmpty() && !writePage(options.htmlFile, run.scorecard(), &error))
        return complain({1, QStringLiteral("--html: cannot write %1: %2").arg(options.htmlFile, error)});
    return 0;
}

} // namespace ikkai::app
