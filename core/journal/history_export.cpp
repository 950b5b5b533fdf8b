#include "core/journal/history_export.h"

#include "core/domain/csv.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

namespace ikkai {

namespace history_export {

QString timeText(qint64 wallMs, const QTimeZone &zone)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs, zone).toString(Qt::ISODateWithMs);
}

/// Digits and a point, as programs read it: no sign of the currency, no groups.
QString amountText(const Money &money)
{
    const int exponent = money.currency().exponent();
    QString digits = QString::number(money.amountMinor()).rightJustified(exponent + 1, QLatin1Char('0'));
    if (exponent > 0)
        digits.insert(digits.size() - exponent, QLatin1Char('.'));
    return digits;
}

QByteArray csvOf(const HistoryRow &row, const QTimeZone &zone)
{
    CsvRow csv;
    csv.text(row.key.text())
        .text(row.order.text())
        .number(row.money.amountMinor())
        .text(amountText(row.money))
        .text(row.money.currency().code())
        .text(row.source)
        .text(row.state)
        .text(row.settledBy)
        .number(row.attempts)
        .number(row.wireSends)
        .text(timeText(row.createdWallMs, zone))
        .text(row.settledWallMs ? timeText(*row.settledWallMs, zone) : QString())
        .text(row.terminalId)
        .text(row.contradiction)
        .text(row.supervisorReason)
        .text(row.replaces ? row.replaces->text() : QString());
    return csv.bytes();
}

QJsonValue textOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QByteArray jsonOf(const HistoryRow &row, const QTimeZone &zone)
{
    const QJsonObject object{
        {QStringLiteral("reference"), row.key.text()},
        {QStringLiteral("order_id"), row.order.text()},
        {QStringLiteral("amount_minor"), row.money.amountMinor()},
        {QStringLiteral("amount"), amountText(row.money)},
        {QStringLiteral("currency"), row.money.currency().code()},
        {QStringLiteral("source"), row.source},
        {QStringLiteral("state"), row.state},
        {QStringLiteral("settled_by"), textOrNull(row.settledBy)},
        {QStringLiteral("attempts"), row.attempts},
        {QStringLiteral("wire_sends"), row.wireSends},
        {QStringLiteral("started_at"), timeText(row.createdWallMs, zone)},
        {QStringLiteral("settled_at"), textOrNull(row.settledWallMs ? timeText(*row.settledWallMs, zone) : QString())},
        {QStringLiteral("terminal_id"), row.terminalId},
        {QStringLiteral("contradiction"), textOrNull(row.contradiction)},
        {QStringLiteral("supervisor_reason"), textOrNull(row.supervisorReason)},
        {QStringLiteral("replaces"), textOrNull(row.replaces ? row.replaces->text() : QString())},
    };
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

} // namespace history_export

QByteArray exportHead(ExportFormat format)
{
    if (format == ExportFormat::Json)
        return "[";
    CsvRow names;
    for (const char *name :
         {"reference", "order_id", "amount_minor", "amount", "currency", "source", "state", "settled_by", "attempts",
          "wire_sends", "started_at", "settled_at", "terminal_id", "contradiction", "supervisor_reason", "replaces"})
        names.text(QString::fromLatin1(name));
    return csvByteOrderMark + names.bytes();
}

QByteArray exportRow(ExportFormat format, const HistoryRow &row, bool isFirst, const QTimeZone &zone)
{
    if (format == ExportFormat::Csv)
        return history_export::csvOf(row, zone);
    return (isFirst ? "\n" : ",\n") + history_export::jsonOf(row, zone);
}

QByteArray exportFoot(ExportFormat format)
{
    return format == ExportFormat::Json ? "\n]\n" : QByteArray();
}

} // namespace ikkai
