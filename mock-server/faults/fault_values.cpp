#include "mock-server/faults/fault_values.h"

#include <QtCore/QDateTime>
#include <QtCore/QUrl>

namespace mockbank::fault_values {

using namespace fault_words;

namespace {

bool isDigits(QByteArrayView text, qsizetype most)
{
    return !text.isEmpty() && text.size() <= most &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

FaultError error(const QString &member, const QString &detail)
{
    return {member, detail};
}

FaultError error(QLatin1StringView member, const QString &detail)
{
    return {member, detail};
}

QString unknown(const QByteArray &name, const QString &known)
{
    return QStringLiteral("%1 is not known; offered: %2")
        .arg(name.isEmpty() ? QStringLiteral("(nothing)") : shown(name), known);
}

Wrong readInteger(const Raw &raw, const QString &member, qint64 low, qint64 high, qint64 *value)
{
    const bool negative = low < 0 && raw.text.startsWith('-');
    const QByteArrayView digits = QByteArrayView(raw.text).sliced(negative ? 1 : 0);
    if (isDigits(digits, 16) && raw.form != Form::JsonString) {
        const qint64 number = raw.text.toLongLong();
        if (number >= low && number <= high) {
            *value = number;
            return std::nullopt;
        }
    }
    return error(member,
                 QStringLiteral("must be an integer from %1 to %2, not %3").arg(low).arg(high).arg(shown(raw.text)));
}

Wrong readDecimal(const Raw &raw, const QString &member, int decimals, qint64 low, qint64 high, qint64 *value)
{
    qint64 one = 1;
    for (int i = 0; i < decimals; ++i)
        one *= 10;
    const qsizetype dot = raw.text.indexOf('.');
    const QByteArray whole = dot < 0 ? raw.text : raw.text.first(dot);
    const QByteArray fraction = dot < 0 ? QByteArray("0") : raw.text.sliced(dot + 1);
    if (isDigits(whole, 12) && isDigits(fraction, decimals) && raw.form != Form::JsonString) {
        const qint64 number = whole.toLongLong() * one + fraction.leftJustified(decimals, '0').toLongLong();
        if (number >= low && number <= high) {
            *value = number;
            return std::nullopt;
        }
    }
    const auto plain = [one](qint64 number) {
        return QString::number(static_cast<double>(number) / static_cast<double>(one));
    };
    return error(member, QStringLiteral("must be a number from %1 to %2 with at most %3 decimals, not %4")
                             .arg(plain(low), plain(high))
                             .arg(decimals)
                             .arg(shown(raw.text)));
}

Wrong readHeaderText(const Raw &raw, const QString &member, qsizetype longest, QByteArray *value)
{
    const bool fits = !raw.text.isEmpty() && raw.text.size() <= longest &&
                      std::ranges::all_of(raw.text, [](char c) { return c >= 0x20 && c <= 0x7e; }) &&
                      raw.text.trimmed() == raw.text;
    if (!fits)
        return error(member, QStringLiteral("must be 1 to %1 visible ASCII characters").arg(longest));
    *value = raw.text;
    return std::nullopt;
}

Wrong readName(const Raw &raw, const QString &member, std::optional<QString> *value)
{
    const QString text = QString::fromUtf8(raw.text);
    const bool fits = raw.form != Form::JsonNumber && !text.isEmpty() && text.size() <= maxNameLength &&
                      text.toUtf8() == raw.text &&
                      std::ranges::none_of(text, [](QChar c) { return c.category() == QChar::Other_Control; });
    if (!fits)
        return error(member, QStringLiteral("must be a text of 1 to %1 characters").arg(maxNameLength));
    *value = text;
    return std::nullopt;
}

Wrong readKey(const Raw &raw, const QString &member, std::optional<QByteArray> *value)
{
    const bool fits = raw.form != Form::JsonNumber && !raw.text.isEmpty() && raw.text.size() <= maxNameLength &&
                      std::ranges::all_of(raw.text, [](char c) { return c > 0x20 && c < 0x7f; });
    if (!fits)
        return error(member, QStringLiteral("must be a key: 1 to %1 visible ASCII characters").arg(maxNameLength));
    *value = raw.text;
    return std::nullopt;
}

Wrong readUntil(const Raw &raw, const QString &member, std::optional<qint64> *value)
{
    const QString text = QString::fromLatin1(raw.text);
    const QDateTime at = QDateTime::fromString(text, Qt::ISODateWithMs);
    // Without an offset it would be some machine's local time.
    const bool fits = raw.form != Form::JsonNumber && at.isValid() && at.timeSpec() != Qt::LocalTime &&
                      text.contains(QLatin1Char('T')) && at.toMSecsSinceEpoch() > 0 && at.date().year() < 10'000;
    if (!fits) {
        return error(member, QStringLiteral("must be a time as in 2030-01-31T12:00:00Z, in quotes in a spec, not %1")
                                 .arg(shown(raw.text)));
    }
    *value = at.toMSecsSinceEpoch();
    return std::nullopt;
}

Wrong readTo(const Raw &raw, const QString &member, QByteArray *value)
{
    const QUrl url(QString::fromLatin1(raw.text), QUrl::StrictMode);
    const bool fits = raw.form != Form::JsonNumber && raw.text.size() <= maxNameLength && url.isValid() &&
                      url.scheme() == QLatin1StringView("http") && !url.host().isEmpty() &&
                      url.path(QUrl::FullyEncoded).isEmpty() && !url.hasQuery() && !url.hasFragment() &&
                      url.userInfo().isEmpty() && raw.text == url.toEncoded();
    if (!fits)
        return error(member, QStringLiteral("must be http://host:port, not %1").arg(shown(raw.text)));
    *value = raw.text;
    return std::nullopt;
}

Wrong readCutPoint(const Raw &raw, const QString &member, CutPoint *at)
{
    if (const auto place = find(cutPlaces, raw.text)) {
        *at = CutPoint{*place, 0, 0};
        return std::nullopt;
    }
    const FaultError wrong =
        error(member, QStringLiteral("must be a byte count, a fraction from 0.0 to below 1, or one of %1, not %2")
                          .arg(wordList(cutPlaces), shown(raw.text)));
    CutPoint read{CutPoint::Kind::Bytes, 0, 0};
    qint64 millionths = 0;
    if (!raw.text.contains('.')) {
        if (readInteger(raw, member, 0, maxCount, &read.bytes))
            return wrong;
    } else {
        if (readDecimal(raw, member, 6, 0, 999'999, &millionths))
            return wrong;
        if (millionths > 0)
            read = {CutPoint::Kind::Fraction, 0, static_cast<int>(millionths)};
    }
    *at = read;
    return std::nullopt;
}

Wrong readDeclineCode(const Raw &raw, const QString &member, QByteArray *value)
{
    const bool fits = raw.form != Form::JsonNumber && !raw.text.isEmpty() && raw.text.size() <= 40 &&
                      std::ranges::all_of(raw.text, [](char c) {
                          return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
                      });
    if (!fits)
        return error(member, QStringLiteral("must be 1 to 40 of a-z, 0-9 and _, not %1").arg(shown(raw.text)));
    *value = raw.text;
    return std::nullopt;
}

} // namespace mockbank::fault_values
