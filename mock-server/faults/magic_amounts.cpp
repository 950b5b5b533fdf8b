#include "mock-server/faults/magic_amounts.h"

#include <array>

namespace mockbank {

namespace magic_table {

constexpr std::array magics{
    MagicAmount{51, "before_commit:decline(decline_code=insufficient_funds)", false, "Insufficient funds",
                "the bank declines and remembers it: the same key is declined again, the card keeps its money"},
    MagicAmount{54, "before_commit:decline(decline_code=expired_card)", false, "Expired card",
                "the bank declines and remembers it; another card is another sale"},
    MagicAmount{68, "unread:hold", true, "Request lost",
                "the first try never reaches the bank; the next one charges, once"},
    MagicAmount{69, "after_commit:hold", true, "Answer lost",
                "the first try charges and its answer is lost; the next one is answered with the first result"},
    MagicAmount{70, "before_commit:restart(ms=1500)", true, "Crash midway",
                "the bank crashes after it has claimed the key and before it charges, and is back 1.5 s later"},
    MagicAmount{9, "before_commit:busy(ms=1000)", true, "409 once",
                "the first try finds its own key at work: 409, to be asked again; never a failed payment"},
    MagicAmount{91, "unread:status(code=503,retry_after=2)", false, "Bank unavailable",
                "503 at every try: nothing is charged, and only an inquiry or a void may say so"},
};

QByteArray threeDigits(int number)
{
    return QByteArray::number(number).rightJustified(3, '0');
}

} // namespace magic_table

using namespace magic_table;

std::span<const MagicAmount> magicAmounts()
{
    return magics;
}

QByteArray magicRuleId(const MagicAmount &magic)
{
    return "magic-" + threeDigits(magic.lastDigits);
}

QJsonArray magicLegend()
{
    QJsonArray legend;
    for (const MagicAmount &magic : magics) {
        legend.append(QJsonObject{
            {QStringLiteral("ends_in"), QString::fromLatin1(threeDigits(magic.lastDigits))},
            {QStringLiteral("spec"), QString::fromLatin1(magic.spec)},
            {QStringLiteral("attempts"), magic.firstAttemptOnly ? QStringLiteral("first") : QStringLiteral("every")},
            {QStringLiteral("title"), QString::fromLatin1(magic.title)},
            {QStringLiteral("meaning"), QString::fromLatin1(magic.meaning)}});
    }
    return legend;
}

} // namespace mockbank
