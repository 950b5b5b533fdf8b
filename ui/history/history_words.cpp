#include "ui/history/history_words.h"

#include "ui/cashier/outcome_words.h"
#include "ui/i18n/store_time.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDateTime>
#include <QtCore/QLocale>

#include <algorithm>

namespace ikkai {

namespace {

struct HistoryWords {
    Q_DECLARE_TR_FUNCTIONS(HistoryWords)
};

SettledBy settledByOf(const QString &word)
{
    if (word == QLatin1StringView("replay"))
        return SettledBy::Replay;
    if (word == QLatin1StringView("inquiry"))
        return SettledBy::Inquiry;
    if (word == QLatin1StringView("void"))
        return SettledBy::Void;
    return SettledBy::Answer;
}

State stateOf(const HistoryRow &row)
{
    const SettledBy by = settledByOf(row.settledBy);
    const auto is = [&row](const char *word) { return row.state == QLatin1StringView(word); };
    if (is("approved"))
        return state::Approved{by, {}, row.attempts};
    if (is("declined"))
        return state::Declined{by, {}};
    if (is("refused"))
        return state::Refused{};
    if (is("not_sent"))
        return state::NotSent{};
    if (is("voided"))
        return state::Voided{by, VoidResult::Prevented};
    if (is("written_off"))
        return state::WrittenOff{state::WrittenOff::Why::Mismatch, row.supervisorReason};
    if (is("key_mismatch"))
        return state::KeyMismatch{};
    if (is("voiding"))
        return state::Voiding{};
    if (is("void_pending"))
        return state::VoidPending{};
    if (is("sending"))
        return state::Sending{row.attempts};
    if (is("waiting"))
        return state::Waiting{row.attempts + 1, 0, state::Waiting::Why::NoAnswer};
    return state::Unknown{}; // also a word of a later version: it claims nothing
}

} // namespace

Checkout checkoutOf(const HistoryRow &row)
{
    const auto source = SourceId::parse(row.source);
    const Stamp startedAt{row.createdWallMs, 0, 0};
    const std::optional<Contradiction> contradiction =
        row.contradiction.isEmpty() ? std::nullopt : std::optional(Contradiction{row.contradiction, row.updatedWallMs});
    Checkout made{row.key,
                  row.order,
                  row.money,
                  source ? *source : SourceId::parse(u"-").value(),
                  row.terminalId,
                  {},
                  {},
                  {},
                  startedAt,
                  {},
                  row.replaces,
                  {},
                  {},
                  0,
                  {},
                  {},
                  false,
                  {},
                  {},
                  contradiction,
                  {},
                  row.settledWallMs,
                  true,
                  1,
                  row.updatedWallMs,
                  stateOf(row)};
    for (int n = 1; n <= std::min(row.attempts, 2); ++n) // whether there was one or more is all that the words ask
        made.attempts.push_back({n, made.startedAt, std::nullopt, n == 1 ? row.wireSends : 0, 0});
    return made;
}

RowWords rowWordsOf(const Checkout &checkout)
{
    const Outcome outcome = outcomeOf(checkout, true, Stamp{});
    return {shortWordOf(checkout), outcome.icon, outcome.role};
}

std::vector<StateChip> stateChips()
{
    using icons::Icon;
    using theme::Role;
    const auto words = [](std::initializer_list<const char *> list) {
        QStringList all;
        for (const char *word : list)
            all << QString::fromLatin1(word);
        return all;
    };
    return {
        {QStringLiteral("all"), HistoryWords::tr("All"), Icon::None, Role::Neu, {}},
        {QStringLiteral("paid"), HistoryWords::tr("Paid"), Icon::Paid, Role::Ok, words({"approved"})},
        {QStringLiteral("unknown"), HistoryWords::tr("Not known yet"), Icon::Unknown, Role::Unk,
         words({"unknown", "key_mismatch", "voiding", "void_pending", "sending", "waiting"})},
        {QStringLiteral("voided"), HistoryWords::tr("Voided"), Icon::Voided, Role::Neu, words({"voided"})},
        {QStringLiteral("declined"), HistoryWords::tr("Declined"), Icon::Refused, Role::Bad,
         words({"declined", "refused"})},
        {QStringLiteral("other"), HistoryWords::tr("Other"), Icon::NotSent, Role::Neu,
         words({"not_sent", "written_off"})},
    };
}

QString sourceWord(const SourceId &source)
{
    if (source.text() == QLatin1StringView("card_ok"))
        return HistoryWords::tr("Card (OK)");
    if (source.text() == QLatin1StringView("card_low"))
        return HistoryWords::tr("Card (low funds)");
    if (source.text() == QLatin1StringView("card_decline"))
        return HistoryWords::tr("Card (declines)");
    return source.text();
}

QString rowTimeText(qint64 wallMs, const QDate &today)
{
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(wallMs, store::calendar().zone);
    if (moment.date() == today)
        return moment.toString(QStringLiteral("HH:mm:ss"));
    return moment.toString(moment.date().year() == today.year() ? QStringLiteral("MM-dd HH:mm")
                                                                : QStringLiteral("yyyy-MM-dd"));
}

QString exactTimeText(qint64 wallMs)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs, store::calendar().zone).toString(QStringLiteral("HH:mm:ss.zzz"));
}

QString momentText(qint64 wallMs)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs, store::calendar().zone)
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString dayText(const QDate &day, const QDate &today)
{
    const QLocale locale(dayLanguage());
    return locale.toString(day, day.year() == today.year()
                                    ? HistoryWords::tr("ddd d MMM", "how a day of this year is written")
                                    : HistoryWords::tr("ddd d MMM yyyy", "how a day of another year is written"));
}

QString dayLanguage()
{
    return HistoryWords::tr("en", "language of the names of days and months");
}

QString countText(qint64 count)
{
    return QLocale(QLocale::English).toString(count);
}

} // namespace ikkai
