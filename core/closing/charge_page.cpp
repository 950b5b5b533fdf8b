#include "core/closing/charge_page.h"

#include "core/checkout/strict_json.h"
#include "core/domain/money.h"

#include <QtCore/QDate>
#include <QtCore/QDateTime>
#include <QtCore/QUrl>

#include <utility>

namespace ikkai {

namespace charge_page {

QByteArray momentText(qint64 wallMs)
{
    // Qt::UTC ends in Z, a zone of UTC in +00:00, whose plus a query takes for a space.
    return QDateTime::fromMSecsSinceEpoch(wallMs, Qt::UTC).toString(Qt::ISODateWithMs).toLatin1();
}

ChargeListError notAPage(const QString &why)
{
    return {ChargeListError::Kind::NotUnderstood, 200, {}, QStringLiteral("The bank's list of charges %1.").arg(why)};
}

ChargeListError wrong(const QString &member, const QString &how)
{
    return {ChargeListError::Kind::NotUnderstood, 200, member,
            QStringLiteral("The bank's list of charges is not as it must be: %1 %2.").arg(member, how)};
}

/// Takes the rows of a page one after the other, and keeps the first thing that is wrong.
class RowReader {
public:
    explicit RowReader(const ChargePageQuery &query)
        : m_query(query)
        , m_lastMovement(query.after)
    {
        m_rows.reserve(query.limit);
    }

    bool take(const json::Object &object)
    {
        if (m_rows.size() >= m_query.limit) {
            m_error = wrong(QStringLiteral("charges"), QStringLiteral("has more rows than were asked for"));
            return false;
        }
        BankChargeRow row;
        qint64 movement = 0;
        const bool read = number(object, u"movement", &movement) && text(object, u"id", &row.chargeId) &&
                          text(object, u"status", &row.status) && text(object, u"idempotency_key", &row.key) &&
                          text(object, u"order_id", &row.orderId) && number(object, u"amount", &row.amountMinor) &&
                          text(object, u"currency", &row.currency) && terminal(object, &row.terminalId) &&
                          moment(object, u"created_at", &row.createdWallMs) && reversal(object, &row.reversed);
        if (!read || !fits(row, movement))
            return false;
        m_lastMovement = movement;
        m_rows.push_back(std::move(row));
        return true;
    }

    [[nodiscard]] const std::optional<ChargeListError> &error() const { return m_error; }
    [[nodiscard]] qint64 lastMovement() const { return m_lastMovement; }
    [[nodiscard]] QList<BankChargeRow> rows() && { return std::move(m_rows); }

private:
    bool flaw(QStringView member, const QString &how)
    {
        m_error = wrong(QStringLiteral("charges[%1].%2").arg(m_rows.size()).arg(member), how);
        return false;
    }

    const json::Value *find(const json::Object &object, QStringView name)
    {
        const json::Member *member = object.find(name);
        if (!member)
            flaw(name, QStringLiteral("is missing"));
        return member ? &member->value : nullptr;
    }

    bool text(const json::Object &object, QStringView name, QString *into)
    {
        const json::Value *value = find(object, name);
        if (!value)
            return false;
        const QString *string = std::get_if<QString>(value);
        if (!string || string->isEmpty())
            return flaw(name, QStringLiteral("is not a text, or an empty one"));
        *into = *string;
        return true;
    }

    bool number(const json::Object &object, QStringView name, qint64 *into)
    {
        const json::Value *value = find(object, name);
        if (!value)
            return false;
        const qint64 *integer = std::get_if<qint64>(value);
        if (!integer || *integer < 1)
            return flaw(name, QStringLiteral("is not an integer above 0"));
        *into = *integer;
        return true;
    }

    /// Null where the charge did not say from which terminal it came.
    bool terminal(const json::Object &object, QString *into)
    {
        const json::Value *value = find(object, u"terminal_id");
        if (!value)
            return false;
        return std::holds_alternative<json::Null>(*value) || text(object, u"terminal_id", into);
    }

    bool moment(const json::Object &object, QStringView name, qint64 *into)
    {
        QString string;
        if (!text(object, name, &string))
            return false;
        const std::optional<qint64> ms = momentMs(string);
        if (!ms)
            return flaw(name, QStringLiteral("is not a time as in 2026-04-01T00:00:00.000Z"));
        *into = *ms;
        return true;
    }

    bool reversal(const json::Object &object, bool *into)
    {
        const json::Value *value = find(object, u"reversal");
        if (!value)
            return false;
        *into = std::holds_alternative<json::Object>(*value);
        return *into || std::holds_alternative<json::Null>(*value) ||
               flaw(u"reversal", QStringLiteral("is neither null nor an object"));
    }

    bool fits(const BankChargeRow &row, qint64 movement)
    {
        if (movement <= m_lastMovement)
            return flaw(u"movement", QStringLiteral("does not come after the one before it"));
        if (row.status != u"approved" && row.status != u"declined" && row.status != u"voided")
            return flaw(u"status", QStringLiteral("is none that is known here"));
        if (row.amountMinor > Money::maxMinor)
            return flaw(u"amount", QStringLiteral("is above %1").arg(Money::maxMinor));
        const Result<Currency, FieldError> currency = Currency::parse(row.currency);
        if (!currency || currency->code() != row.currency)
            return flaw(u"currency", QStringLiteral("is none that is known here"));
        if (!m_query.terminalId.isEmpty() && row.terminalId != m_query.terminalId)
            return flaw(u"terminal_id", QStringLiteral("is not the one that was asked for"));
        const bool tooEarly = m_query.fromWallMs != 0 && row.createdWallMs < m_query.fromWallMs;
        const bool tooLate = m_query.toWallMs != 0 && row.createdWallMs >= m_query.toWallMs;
        if (tooEarly || tooLate)
            return flaw(u"created_at", QStringLiteral("lies outside the time that was asked for"));
        return true;
    }

    const ChargePageQuery &m_query;
    QList<BankChargeRow> m_rows;
    qint64 m_lastMovement = 0;
    std::optional<ChargeListError> m_error;
};

/// Digits [from, from + count) as a number; -1 where one of them is none.
int digitsAt(QStringView text, qsizetype from, qsizetype count)
{
    int value = 0;
    for (qsizetype at = from; at < from + count; ++at) {
        const char16_t c = text[at].unicode();
        if (c < u'0' || c > u'9')
            return -1;
        value = value * 10 + (c - u'0');
    }
    return value;
}

/// What stands behind the seconds: `Z`, `+09:00`. Minutes east of UTC.
std::optional<int> offsetMinutes(QStringView text)
{
    if (text == u"Z" || text == u"z")
        return 0;
    const bool shaped = text.size() == 6 && (text[0] == u'+' || text[0] == u'-') && text[3] == u':';
    if (!shaped)
        return {};
    const int hours = digitsAt(text, 1, 2);
    const int minutes = digitsAt(text, 4, 2);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59)
        return {};
    return (text[0] == u'-' ? -1 : 1) * (hours * 60 + minutes);
}

} // namespace charge_page

QByteArray encode(const ChargePageQuery &query)
{
    QByteArray text = "after=" + QByteArray::number(query.after) + "&limit=" + QByteArray::number(query.limit);
    if (!query.terminalId.isEmpty())
        text += "&terminal_id=" + QUrl::toPercentEncoding(query.terminalId);
    if (query.fromWallMs != 0)
        text += "&from=" + charge_page::momentText(query.fromWallMs);
    if (query.toWallMs != 0)
        text += "&to=" + charge_page::momentText(query.toWallMs);
    return text;
}

Result<ChargePage, ChargeListError> readChargePage(const HttpAnswer &answer, const ChargePageQuery &query)
{
    using namespace charge_page;
    if (answer.header("content-type").split(';').first().trimmed().toLower() != "application/json")
        return notAPage(QStringLiteral("came as something else than application/json"));
    RowReader reader(query);
    const std::optional<json::Object> page =
        json::parseObject(answer.body, u"charges", [&](json::Object &&object) { return reader.take(object); });
    if (reader.error())
        return *reader.error();
    if (!page)
        return notAPage(QStringLiteral("is not one JSON object with a list of objects"));
    const json::Member *charges = page->find(u"charges");
    if (!charges || !std::holds_alternative<json::Array>(charges->value))
        return wrong(QStringLiteral("charges"), QStringLiteral("is missing, or not a list"));

    const json::Member *next = page->find(u"next");
    if (!next)
        return wrong(QStringLiteral("next"), QStringLiteral("is missing"));
    ChargePage read{std::move(reader).rows(), {}};
    if (std::holds_alternative<json::Null>(next->value))
        return read;
    const qint64 *cursor = std::get_if<qint64>(&next->value);
    // Else the same page would come for ever, or rows would be left out.
    if (!cursor || *cursor <= query.after || *cursor < reader.lastMovement())
        return wrong(QStringLiteral("next"), QStringLiteral("is neither null nor a cursor that moves on"));
    read.next = *cursor;
    return read;
}

// QDateTime reads these too, at a hundred times the price of all else in a row.
std::optional<qint64> momentMs(QStringView text)
{
    using namespace charge_page;
    constexpr qsizetype secondsEnd = 19; // 2026-04-01T00:00:00
    constexpr qint64 dayMs = 86'400'000;
    const auto is = [&](qsizetype at, QStringView oneOf) { return oneOf.contains(text[at]); };
    if (text.size() <= secondsEnd || !is(4, u"-") || !is(7, u"-") || !is(10, u"Tt") || !is(13, u":") || !is(16, u":"))
        return {};
    const int year = digitsAt(text, 0, 4);
    const QDate date(year, digitsAt(text, 5, 2), digitsAt(text, 8, 2));
    const int hour = digitsAt(text, 11, 2);
    const int minute = digitsAt(text, 14, 2);
    const int second = digitsAt(text, 17, 2);
    if (year < 1 || !date.isValid() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
        return {};

    QStringView rest = text.sliced(secondsEnd);
    int millis = 0;
    if (rest.startsWith(u'.')) {
        qsizetype digits = 0;
        while (digits + 1 < rest.size() && digitsAt(rest, digits + 1, 1) >= 0)
            ++digits;
        if (digits < 1 || digits > 9)
            return {};
        for (qsizetype at = 1; at <= 3; ++at)
            millis = millis * 10 + (at <= digits ? digitsAt(rest, at, 1) : 0);
        rest = rest.sliced(digits + 1);
    }
    const std::optional<int> offset = offsetMinutes(rest);
    if (!offset)
        return {};
    const qint64 days = QDate(1970, 1, 1).daysTo(date);
    return days * dayMs + ((hour * 60LL + minute - *offset) * 60 + second) * 1'000 + millis;
}

} // namespace ikkai
