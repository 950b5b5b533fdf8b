#pragma once

#include "mock-server/faults/fault_words.h"

/// One value of a fault as it was written, checked and read. Each says nothing where the value is good, and leaves the
/// target alone where it is not.
namespace mockbank::fault_values {

using Wrong = std::optional<FaultError>;

inline constexpr qint64 maxCount = 1'000'000;
inline constexpr qsizetype maxNameLength = 255;

[[nodiscard]] FaultError error(const QString &member, const QString &detail);
[[nodiscard]] FaultError error(QLatin1StringView member, const QString &detail);
[[nodiscard]] QString unknown(const QByteArray &name, const QString &known);

[[nodiscard]] Wrong readInteger(const fault_words::Raw &raw, const QString &member, qint64 low, qint64 high,
                                qint64 *value);

template <typename Integer>
[[nodiscard]] Wrong readInteger(const fault_words::Raw &raw, const QString &member, qint64 low, qint64 high,
                                Integer *value)
{
    qint64 number = 0;
    if (auto wrong = readInteger(raw, member, low, high, &number))
        return wrong;
    *value = static_cast<Integer>(number);
    return std::nullopt;
}

/// A decimal number as an integer of its smallest part: three decimals make thousandths.
[[nodiscard]] Wrong readDecimal(const fault_words::Raw &raw, const QString &member, int decimals, qint64 low,
                                qint64 high, qint64 *value);

template <typename Value, std::size_t N>
[[nodiscard]] Wrong readWord(const fault_words::Raw &raw, const QString &member,
                             const std::array<fault_words::Word<Value>, N> &table, Value *value)
{
    const auto word = fault_words::find(table, raw.text);
    if (!word || raw.form == fault_words::Form::JsonNumber)
        return error(member, unknown(raw.text, fault_words::wordList(table)));
    *value = *word;
    return std::nullopt;
}

/// What may stand in a header line: malformed dates on purpose, but never a line break, which would add headers.
[[nodiscard]] Wrong readHeaderText(const fault_words::Raw &raw, const QString &member, qsizetype longest,
                                   QByteArray *value);
[[nodiscard]] Wrong readName(const fault_words::Raw &raw, const QString &member, std::optional<QString> *value);
[[nodiscard]] Wrong readKey(const fault_words::Raw &raw, const QString &member, std::optional<QByteArray> *value);
[[nodiscard]] Wrong readUntil(const fault_words::Raw &raw, const QString &member, std::optional<qint64> *value);
[[nodiscard]] Wrong readTo(const fault_words::Raw &raw, const QString &member, QByteArray *value);
[[nodiscard]] Wrong readCutPoint(const fault_words::Raw &raw, const QString &member, CutPoint *at);
[[nodiscard]] Wrong readDeclineCode(const fault_words::Raw &raw, const QString &member, QByteArray *value);

} // namespace mockbank::fault_values
