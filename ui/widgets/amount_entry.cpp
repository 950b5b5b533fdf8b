#include "ui/widgets/amount_entry.h"

#include "core/domain/digits.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QStringList>

namespace ikkai {

namespace {

QString normalised(const QString &text)
{
    QString made;
    for (const QChar c : text) {
        if (const int digit = digitValue(c); digit >= 0)
            made += QChar(u'0' + digit);
        else if (c == u'，')
            made += QLatin1Char(',');
        else if (c == u'．')
            made += QLatin1Char('.');
        else if (c == u'￥')
            made += QChar(u'¥');
        else if (!c.isSpace())
            made += c;
    }
    return made;
}

QString withoutCurrency(QString text, const Currency &currency)
{
    QStringList marks{currency.code()};
    if (currency.code() == QLatin1StringView("JPY"))
        marks << QStringLiteral("¥") << QStringLiteral("円");
    else if (currency.code() == QLatin1StringView("USD"))
        marks << QStringLiteral("$");
    else if (currency.code() == QLatin1StringView("EUR"))
        marks << QStringLiteral("€");
    else if (currency.code() == QLatin1StringView("GBP"))
        marks << QStringLiteral("£");
    for (const QString &mark : marks) {
        if (text.startsWith(mark, Qt::CaseInsensitive))
            return text.mid(mark.size());
        if (text.endsWith(mark, Qt::CaseInsensitive))
            return text.chopped(mark.size());
    }
    return text;
}

} // namespace

AmountEntry::AmountEntry(Currency currency)
    : m_currency(currency)
{
}

bool AmountEntry::type(QStringView digits)
{
    qint64 next = m_minor;
    for (const QChar c : digits) {
        const int digit = digitValue(c);
        if (digit < 0)
            return false;
        next = next * 10 + digit; // cannot overflow: bounded after every digit
        if (next > Money::maxMinor)
            return false;
    }
    m_minor = next;
    return true;
}

void AmountEntry::backspace()
{
    m_minor /= 10;
}

void AmountEntry::clear()
{
    m_minor = 0;
}

bool AmountEntry::paste(const QString &text)
{
    const auto read = readPastedAmount(text, m_currency);
    if (!read)
        return false;
    m_minor = *read;
    return true;
}

void AmountEntry::setMinor(qint64 amountMinor)
{
    m_minor = qBound(qint64{0}, amountMinor, Money::maxMinor);
}

QString AmountEntry::shown() const
{
    return formatMinorUnits(m_minor, m_currency);
}

std::optional<qint64> readPastedAmount(const QString &text, const Currency &currency)
{
    static const QRegularExpression plain(QStringLiteral("^[0-9]{1,12}$"));
    static const QRegularExpression grouped(QStringLiteral("^[0-9]{1,3}(,[0-9]{3})+$"));
    QString amount = withoutCurrency(normalised(text), currency);
    const int decimals = currency.exponent();
    if (decimals > 0) {
        const QRegularExpression exact(
            QStringLiteral("^([0-9]{1,9}|[0-9]{1,3}(,[0-9]{3})+)\\.[0-9]{%1}$").arg(decimals));
        if (exact.match(amount).hasMatch())
            amount.remove(QLatin1Char(',')).remove(QLatin1Char('.'));
        else if (!plain.match(amount).hasMatch())
            return std::nullopt;
    } else if (grouped.match(amount).hasMatch()) {
        amount.remove(QLatin1Char(','));
    } else if (!plain.match(amount).hasMatch()) {
        return std::nullopt;
    }
    const auto minor = parseMinorUnits(amount);
    if (!minor)
        return std::nullopt;
    return minor.value();
}

} // namespace ikkai
