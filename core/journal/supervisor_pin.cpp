#include "core/journal/supervisor_pin.h"

#include "core/domain/digits.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QRandomGenerator>
#include <QtNetwork/QPasswordDigestor>

namespace ikkai {

namespace supervisor_pin {

constexpr int saltBytes = 16;
constexpr int hashBytes = 32;
constexpr int fewestDigits = 4;
constexpr int mostDigits = 12;
constexpr int fewestIterations = 100'000;  ///< a record that asks for less was not made here
constexpr int mostIterations = 10'000'000; ///< some ten seconds

/// ASCII digits of what was typed, full-width ones included; null where there is anything else.
QString asciiDigits(const QString &typed)
{
    QString digits = QLatin1String("");
    for (const QChar c : typed) {
        const int digit = digitValue(c);
        if (digit < 0)
            return {};
        digits += QChar(u'0' + digit);
    }
    return digits;
}

QByteArray derive(const QString &pin, const QByteArray &salt, int rounds)
{
    return QPasswordDigestor::deriveKeyPbkdf2(QCryptographicHash::Sha512, pin.toUtf8(), salt, rounds, hashBytes);
}

bool areEqual(const QByteArray &a, const QByteArray &b)
{
    if (a.size() != b.size())
        return false;
    int different = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        different |= a.at(i) ^ b.at(i);
    return different == 0;
}

} // namespace supervisor_pin

Result<PinRecord, QString> makePin(const QString &pin, qint64 nowWallMs, int iterations)
{
    using namespace supervisor_pin;
    const QString digits = asciiDigits(pin);
    if (digits.isNull() || digits.size() < fewestDigits || digits.size() > mostDigits)
        return QStringLiteral("a PIN has %1 to %2 digits and nothing else").arg(fewestDigits).arg(mostDigits);
    QByteArray salt(saltBytes, Qt::Uninitialized);
    QRandomGenerator::system()->generate(salt.begin(), salt.end());
    return PinRecord{salt, iterations, derive(digits, salt, iterations), 0, nowWallMs};
}

bool isPin(const PinRecord &record, const QString &pin)
{
    using namespace supervisor_pin;
    const QString digits = asciiDigits(pin);
    // An empty record must not fit an empty PIN, and a damaged one must not hang the till.
    if (digits.size() < fewestDigits || digits.size() > mostDigits || record.hash.size() != hashBytes ||
        record.salt.size() != saltBytes || record.iterations < fewestIterations || record.iterations > mostIterations)
        return false;
    return areEqual(derive(digits, record.salt, record.iterations), record.hash);
}

} // namespace ikkai
