#include "core/closing/reconciliation_codec.h"

#include "core/closing/store_time.h"
#include "core/domain/csv.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QStringList>

namespace ikkai {

namespace reconciliation_codec {

QJsonObject oursJson(const OurRow &row, const QString &zone)
{
    return {{QStringLiteral("key"), row.key},
            {QStringLiteral("order_id"), row.orderId},
            {QStringLiteral("amount_minor"), row.amountMinor},
            {QStringLiteral("currency"), row.currency},
            {QStringLiteral("state"), row.state},
            {QStringLiteral("started_ms"), row.createdWallMs},
            {QStringLiteral("started_at"), storeTime(row.createdWallMs, zone)}};
}

QJsonObject bankJson(const BankChargeRow &row, const QString &zone)
{
    return {{QStringLiteral("id"), row.chargeId},
            {QStringLiteral("status"), row.status},
            {QStringLiteral("reversed"), row.reversed},
            {QStringLiteral("key"), row.key},
            {QStringLiteral("order_id"), row.orderId},
            {QStringLiteral("amount_minor"), row.amountMinor},
            {QStringLiteral("currency"), row.currency},
            {QStringLiteral("terminal_id"), row.terminalId},
            {QStringLiteral("created_ms"), row.createdWallMs},
            {QStringLiteral("created_at"), storeTime(row.createdWallMs, zone)}};
}

QJsonObject differenceJson(const Difference &difference, const QString &zone)
{
    QJsonArray theirs;
    for (const BankChargeRow &row : difference.theirs)
        theirs.append(bankJson(row, zone));
    return {{QStringLiteral("kind"), wordOf(difference.kind)},
            {QStringLiteral("key"), difference.key},
            {QStringLiteral("order_id"), difference.orderId},
            {QStringLiteral("here"), difference.ours ? QJsonValue(oursJson(*difference.ours, zone)) : QJsonValue()},
            {QStringLiteral("bank"), theirs},
            {QStringLiteral("currency"), difference.currency.code()},
            {QStringLiteral("bank_minus_here_minor"), difference.bankMinusHereMinor},
            {QStringLiteral("confirmation"), wordOf(difference.confirmation)},
            {QStringLiteral("would_settle_as"), difference.wouldSettleAs}};
}

QByteArray differenceRow(const Difference &difference, const QString &zone)
{
    CsvRow row;
    row.text(wordOf(difference.kind)).text(difference.orderId).text(difference.key);
    if (const auto &ours = difference.ours)
        row.text(ours->state).number(ours->amountMinor).text(ours->currency).text(storeTime(ours->createdWallMs, zone));
    else
        row.empty().empty().empty().empty();
    qint64 chargedMinor = 0;
    QStringList ids;
    QStringList statuses;
    QStringList terminals;
    for (const BankChargeRow &theirs : difference.theirs) {
        ids << theirs.chargeId;
        statuses << (theirs.reversed ? QStringLiteral("reversed") : theirs.status);
        terminals << theirs.terminalId;
        if (theirs.status == QLatin1String("approved") && !theirs.reversed &&
            theirs.currency == difference.currency.code())
            chargedMinor += theirs.amountMinor;
    }
    const qint64 bankMs = difference.theirs.empty() ? 0 : difference.theirs.front().createdWallMs;
    const QString space = QStringLiteral(" ");
    row.text(statuses.join(space)).number(chargedMinor).text(storeTime(bankMs, zone));
    row.text(terminals.join(space)).text(ids.join(space));
    row.number(difference.bankMinusHereMinor).text(difference.currency.code());
    row.text(wordOf(difference.confirmation)).text(difference.wouldSettleAs);
    return row.bytes();
}

} // namespace reconciliation_codec

QString wordOf(DifferenceKind kind)
{
    switch (kind) {
    case DifferenceKind::ChargedTwice:
        return QStringLiteral("charged_twice");
    case DifferenceKind::PaidAfterVoid:
        return QStringLiteral("paid_after_void");
    case DifferenceKind::PaidAfterRefused:
        return QStringLiteral("paid_after_refused");
    case DifferenceKind::DifferentAmount:
        return QStringLiteral("different_amount");
    case DifferenceKind::TwoTerminals:
        return QStringLiteral("two_terminals");
    case DifferenceKind::NotAtBank:
        return QStringLiteral("not_at_bank");
    case DifferenceKind::OpenHere:
        return QStringLiteral("open_here");
    case DifferenceKind::VoidUnderWay:
        return QStringLiteral("void_under_way");
    case DifferenceKind::UnknownOrigin:
        return QStringLiteral("unknown_origin");
    }
    return {};
}

QString wordOf(Confirmation confirmation)
{
    switch (confirmation) {
    case Confirmation::ByInquiry:
        return QStringLiteral("by_inquiry");
    case Confirmation::NotOffered:
        return QStringLiteral("not_offered");
    case Confirmation::NoAnswer:
        return QStringLiteral("no_answer");
    }
    return {};
}

QByteArray reconciliationJson(const Reconciliation &reconciliation, const QString &zone)
{
    QJsonArray differences;
    for (const Difference &difference : reconciliation.differences)
        differences.append(reconciliation_codec::differenceJson(difference, zone));
    QJsonArray sums;
    for (const auto &[currency, amountMinor] : reconciliation.agreeSums)
        sums.append(
            QJsonObject{{QStringLiteral("currency"), currency.code()}, {QStringLiteral("sum_minor"), amountMinor}});
    const QJsonObject object{
        {QStringLiteral("from_ms"), reconciliation.fromWallMs},
        {QStringLiteral("from"), storeTime(reconciliation.fromWallMs, zone)},
        {QStringLiteral("to_ms"), reconciliation.toWallMs},
        {QStringLiteral("to"), storeTime(reconciliation.toWallMs, zone)},
        {QStringLiteral("checked_ms"), reconciliation.checkedWallMs},
        {QStringLiteral("checked_at"), storeTime(reconciliation.checkedWallMs, zone)},
        {QStringLiteral("took_ms"), reconciliation.tookMs},
        {QStringLiteral("bank_rows"), reconciliation.bankRows},
        {QStringLiteral("our_rows"), reconciliation.ourRows},
        {QStringLiteral("agree"), reconciliation.agreeCount},
        {QStringLiteral("agree_sums"), sums},
        {QStringLiteral("held_back"), reconciliation.heldBack},
        {QStringLiteral("differences"), differences},
    };
    return QJsonDocument(object).toJson();
}

QByteArray reconciliationCsv(const Reconciliation &reconciliation, const QString &zone)
{
    CsvRow head;
    for (const char *column :
         {"difference", "order", "key", "here", "here_amount_minor", "here_currency", "here_started_at", "bank",
          "bank_amount_minor", "bank_created_at", "bank_terminal", "bank_charge_ids", "bank_minus_here_minor",
          "currency", "confirmation", "would_settle_as"})
        head.text(QString::fromLatin1(column));
    QByteArray bytes = csvByteOrderMark + head.bytes();
    for (const Difference &difference : reconciliation.differences)
        bytes += reconciliation_codec::differenceRow(difference, zone);
    return bytes;
}

} // namespace ikkai
