#include "ui/closing/closing_words.h"

#include "ui/closing/closing_client.h"
#include "ui/i18n/store_time.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>
#include <QtCore/QStringList>

#include <algorithm>

namespace ikkai {

namespace {

using icons::Icon;
using theme::Role;

/// Where every word of closing and reconciliation is translated.
struct ClosingWords {
    Q_DECLARE_TR_FUNCTIONS(ClosingWords)
};

struct KindWords {
    QString word;
    QString sentence;
};

bool hasOneKey(const std::vector<BankChargeRow> &rows)
{
    return std::all_of(rows.begin(), rows.end(), [&rows](const BankChargeRow &row) { return row.key == rows[0].key; });
}

KindWords openWords(const Difference &difference)
{
    const QString &outcome = difference.wouldSettleAs;
    if (outcome == QLatin1StringView("approved"))
        return {ClosingWords::tr("Open here, paid there"), ClosingWords::tr("answer was lost")};
    if (outcome == QLatin1StringView("declined"))
        return {ClosingWords::tr("Open here, declined there"), ClosingWords::tr("answer was lost")};
    if (outcome == QLatin1StringView("voided"))
        return {ClosingWords::tr("Open here, voided there"), ClosingWords::tr("answer was lost")};
    return {ClosingWords::tr("Open here"), ClosingWords::tr("the bank has given no answer yet")};
}

KindWords kindWords(const Difference &difference)
{
    switch (difference.kind) {
    case DifferenceKind::ChargedTwice:
        return {ClosingWords::tr("Charged twice"), hasOneKey(difference.theirs)
                                                       ? ClosingWords::tr("one payment, two charges")
                                                       : ClosingWords::tr("more charges than payments here")};
    case DifferenceKind::PaidAfterVoid:
        return {ClosingWords::tr("Paid after void"), ClosingWords::tr("void was shown as done")};
    case DifferenceKind::PaidAfterRefused:
        return {ClosingWords::tr("Charged after all"), ClosingWords::tr("was shown as not charged")};
    case DifferenceKind::DifferentAmount:
        return {ClosingWords::tr("Different amount"), ClosingWords::tr("same payment on both sides")};
    case DifferenceKind::TwoTerminals:
        return {ClosingWords::tr("Two terminals"), ClosingWords::tr("both charged this order")};
    case DifferenceKind::NotAtBank:
        return {ClosingWords::tr("Not at the bank"), ClosingWords::tr("was shown as paid")};
    case DifferenceKind::OpenHere:
        return openWords(difference);
    case DifferenceKind::VoidUnderWay:
        return {ClosingWords::tr("Being cancelled"), ClosingWords::tr("settles by itself")};
    case DifferenceKind::UnknownOrigin:
        break;
    }
    return {ClosingWords::tr("Unknown origin"), ClosingWords::tr("no till of this shop")};
}

QString withAmount(const QString &word, qint64 amountMinor, const Currency &currency)
{
    return word + QLatin1Char(' ') + formatMinorUnits(amountMinor, currency);
}

Currency currencyOf(const QString &code, const Currency &otherwise)
{
    const auto parsed = Currency::parse(code);
    return parsed ? *parsed : otherwise;
}

bool movesMoney(const BankChargeRow &row)
{
    return row.status == QLatin1StringView("approved") && !row.reversed;
}

QString hereWords(const Difference &difference, const Settling *settling)
{
    if (!difference.ours)
        return ClosingWords::tr("nothing");
    const OurRow &ours = *difference.ours;
    const bool isSettled = settling && settling->state == Settling::State::Settled;
    const QString &state = isSettled ? settling->outcome : ours.state;
    const QString word = outcomeSign(state).word;
    if (state != QLatin1StringView("approved"))
        return word;
    return withAmount(word, ours.amountMinor, currencyOf(ours.currency, difference.currency));
}

QString bankWords(const Difference &difference)
{
    if (difference.theirs.empty()) {
        const bool wasVoided = difference.wouldSettleAs == QLatin1StringView("voided");
        return wasVoided ? ClosingWords::tr("Voided", "at the bank") : ClosingWords::tr("nothing");
    }
    const BankChargeRow &first = difference.theirs.front();
    const Currency currency = currencyOf(first.currency, difference.currency);
    if (difference.theirs.size() > 1) {
        qint64 sumMinor = 0;
        for (const BankChargeRow &row : difference.theirs)
            sumMinor += movesMoney(row) ? row.amountMinor : 0;
        return ClosingWords::tr("%1 charges, %2")
            .arg(countWords(static_cast<qint64>(difference.theirs.size())), formatMinorUnits(sumMinor, currency));
    }
    if (movesMoney(first))
        return withAmount(ClosingWords::tr("Approved", "at the bank"), first.amountMinor, currency);
    if (first.status == QLatin1StringView("declined"))
        return ClosingWords::tr("Declined", "at the bank");
    return withAmount(ClosingWords::tr("Voided", "at the bank"), first.amountMinor, currency);
}

void addSettleAction(DifferenceWords &words, const Difference &difference, const Settling *settling)
{
    words.action = DifferenceWords::Action::Settle;
    words.actionLabel = ClosingWords::tr("Ask the bank");
    if (difference.wouldSettleAs == QLatin1StringView("approved"))
        words.actionLabel = ClosingWords::tr("Settle as Paid");
    else if (difference.wouldSettleAs == QLatin1StringView("declined"))
        words.actionLabel = ClosingWords::tr("Settle as Declined");
    else if (difference.wouldSettleAs == QLatin1StringView("voided"))
        words.actionLabel = ClosingWords::tr("Settle as Voided");
    if (!settling)
        return;
    switch (settling->state) {
    case Settling::State::Asking:
        words.action = DifferenceWords::Action::Nothing;
        words.actionLabel = ClosingWords::tr("asking the bank…");
        break;
    case Settling::State::NoWordYet:
        words.sentence = ClosingWords::tr("the bank gave no answer at %1").arg(store::clock(settling->atWallMs));
        words.actionLabel = ClosingWords::tr("Ask once more");
        break;
    case Settling::State::Settled: {
        const OutcomeSign sign = outcomeSign(settling->outcome);
        words.word = ClosingWords::tr("Settled: %1").arg(sign.word);
        words.sentence = ClosingWords::tr("by the bank's own answer at %1").arg(store::clock(settling->atWallMs));
        words.icon = Icon::Paid;
        words.role = Role::Ok;
        words.action = DifferenceWords::Action::ShowRecord;
        words.actionLabel = ClosingWords::tr("Details");
        if (settling->outcome == difference.wouldSettleAs)
            words.bankMinusHere = signedAmount(0, difference.currency); // both sides say the same now
        break;
    }
    }
}

} // namespace

OutcomeSign outcomeSign(const QString &outcome)
{
    const auto is = [&outcome](const char *word) { return outcome == QLatin1StringView(word); };
    if (is("approved"))
        return {ClosingWords::tr("Paid"), Icon::Paid, Role::Ok};
    if (is("declined"))
        return {ClosingWords::tr("Declined"), Icon::Refused, Role::Bad};
    if (is("refused"))
        return {ClosingWords::tr("Not accepted"), Icon::Refused, Role::Bad};
    if (is("not_sent"))
        return {ClosingWords::tr("Not sent"), Icon::NotSent, Role::Neu};
    if (is("voided"))
        return {ClosingWords::tr("Voided"), Icon::Voided, Role::Neu};
    if (is("written_off"))
        return {ClosingWords::tr("Never known"), Icon::Unknown, Role::Neu};
    if (is("key_mismatch"))
        return {ClosingWords::tr("Other details"), Icon::Contradiction, Role::Bad};
    if (is("voiding") || is("void_pending"))
        return {ClosingWords::tr("Being cancelled"), Icon::Voided, Role::Wrk};
    if (is("sending") || is("waiting"))
        return {ClosingWords::tr("With the bank"), Icon::Half, Role::Wrk};
    return {ClosingWords::tr("Not known yet"), Icon::Unknown, Role::Unk};
}

DifferenceGroup groupOf(DifferenceKind kind)
{
    switch (kind) {
    case DifferenceKind::ChargedTwice:
    case DifferenceKind::PaidAfterVoid:
    case DifferenceKind::PaidAfterRefused:
    case DifferenceKind::DifferentAmount:
    case DifferenceKind::TwoTerminals:
    case DifferenceKind::NotAtBank:
        return DifferenceGroup::NeedsPerson;
    case DifferenceKind::OpenHere:
        return DifferenceGroup::CanBeSettled;
    case DifferenceKind::VoidUnderWay:
        return DifferenceGroup::SettlesItself;
    case DifferenceKind::UnknownOrigin:
        break;
    }
    return DifferenceGroup::NotFromHere;
}

DifferenceWords differenceWords(const Difference &difference, const Settling *settling)
{
    const KindWords kind = kindWords(difference);
    DifferenceWords words;
    words.word = kind.word;
    words.sentence = kind.sentence;
    words.here = hereWords(difference, settling);
    words.atBank = bankWords(difference);
    words.bankMinusHere = signedAmount(difference.bankMinusHereMinor, difference.currency);
    words.action = difference.ours ? DifferenceWords::Action::ShowRecord : DifferenceWords::Action::ShowBankCharges;
    words.actionLabel = ClosingWords::tr("Details");
    switch (groupOf(difference.kind)) {
    case DifferenceGroup::NeedsPerson:
        words.icon = Icon::Refused;
        words.role = Role::Bad;
        break;
    case DifferenceGroup::CanBeSettled:
        words.icon = Icon::Unknown;
        words.role = Role::Unk;
        addSettleAction(words, difference, settling);
        break;
    case DifferenceGroup::SettlesItself:
        words.icon = Icon::Voided;
        words.role = Role::Wrk;
        break;
    case DifferenceGroup::NotFromHere:
        words.icon = Icon::NotSent;
        words.role = Role::Neu;
        break;
    }
    return words;
}

QString countWords(qint64 count)
{
    return QLocale(QLocale::English).toString(count);
}

QString signedAmount(qint64 amountMinor, const Currency &currency)
{
    if (amountMinor == 0)
        return formatMinorUnits(0, currency);
    const QChar sign = amountMinor < 0 ? QChar(u'−') : QChar(u'+');
    return sign + formatMinorUnits(qAbs(amountMinor), currency);
}

QString sumsWords(const QList<std::pair<Currency, qint64>> &sums)
{
    QStringList words;
    for (const auto &[currency, sumMinor] : sums)
        words << formatMinorUnits(sumMinor, currency);
    return words.join(QStringLiteral(" · "));
}

} // namespace ikkai
