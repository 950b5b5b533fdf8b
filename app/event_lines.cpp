#include "app/event_lines.h"

#include "core/journal/event_codec.h"
#include "core/journal/state_words.h"
#include "core/journal/verdict_fields.h"

#include <QtCore/QDateTime>
#include <QtCore/QJsonDocument>
#include <QtCore/QTimeZone>

#include <algorithm>

namespace ikkai::app {

namespace {

/// The words of the journal, so that a line here and a row there say the same.
template <journal_json::Worded E>
QString word(E value)
{
    return QString::fromLatin1(wordOf(value));
}

QString word(state::Unknown::Why why)
{
    using Why = state::Unknown::Why;
    switch (why) {
    case Why::TriesRanOut:
        return QStringLiteral("tries_ran_out");
    case Why::BudgetRanOut:
        return QStringLiteral("budget_ran_out");
    case Why::RetryAfterTooLong:
        return QStringLiteral("retry_after_too_long");
    case Why::KeyTooOld:
        return QStringLiteral("key_too_old");
    case Why::StoredFailure:
        return QStringLiteral("stored_failure");
    case Why::RefusedAfterUnanswered:
        return QStringLiteral("refused_after_unanswered");
    case Why::NotTheBanksAnswer:
        return QStringLiteral("not_the_banks_answer");
    case Why::AnswerExpired:
        return QStringLiteral("answer_expired");
    case Why::OtherLedger:
        return QStringLiteral("other_ledger");
    case Why::LeftOpen:
        return QStringLiteral("left_open");
    case Why::AnotherStarted:
        return QStringLiteral("another_started");
    case Why::Restarted:
        return QStringLiteral("restarted");
    }
    Q_UNREACHABLE();
}

/// What a script has no use for, or finds under a shorter name.
constexpr const char *leftOut[] = {"v", "at", "body", "boot_id", "jitter_draw", "key", "policy", "bank_date_ms"};

/// {"verdict":{"kind":"approved","by":"replay","details":{...}}} -> result, settled_by, replayed and the details, flat.
void flattenVerdict(QJsonObject &line)
{
    const QJsonObject verdict = line.take(QStringLiteral("verdict")).toObject();
    for (auto member = verdict.begin(); member != verdict.end(); ++member) {
        if (member.key() == QStringLiteral("kind")) {
            line.insert(QStringLiteral("result"), member.value());
        } else if (member.key() == QStringLiteral("by")) {
            line.insert(QStringLiteral("settled_by"), member.value());
            line.insert(QStringLiteral("replayed"), member.value().toString() == word(SettledBy::Replay));
        } else if (member.key() == QStringLiteral("details")) {
            const QJsonObject details = member.value().toObject();
            for (auto detail = details.begin(); detail != details.end(); ++detail)
                line.insert(detail.key(), detail.value());
        } else {
            line.insert(member.key(), member.value());
        }
    }
    for (const QString &name : line.keys()) {
        if (line.value(name) == QJsonValue(QString()))
            line.remove(name);
    }
}

/// CheckoutStarted -> checkout_started.
QString snakeCase(const QString &name)
{
    QString snake;
    for (const QChar letter : name) {
        if (letter.isUpper() && !snake.isEmpty())
            snake += QLatin1Char('_');
        snake += letter.toLower();
    }
    return snake;
}

QString seconds(qint64 ms)
{
    return QStringLiteral("%1.%2 s").arg(ms / 1'000).arg(ms % 1'000 / 100);
}

QString plain(QString words)
{
    if (words == QLatin1String("tls_failed")) // the one whose words are not its name
        return QStringLiteral("TLS handshake failed");
    return words.replace(QLatin1Char('_'), QLatin1Char(' '));
}

struct VerdictWords {
    qint64 elapsedMs;

    QString operator()(const verdict::NotSent &v) const
    {
        return QStringLiteral("not sent (%1)").arg(plain(word(v.why)));
    }
    QString operator()(const verdict::NoAnswer &v) const
    {
        if (v.why == verdict::NoAnswer::Why::DeadlinePassed)
            return QStringLiteral("no answer after %1").arg(seconds(elapsedMs));
        if (v.why == verdict::NoAnswer::Why::ResendPrevented) // how the transport tells it; the line is what broke
            return QStringLiteral("no answer (connection lost)");
        return QStringLiteral("no answer (%1)").arg(plain(word(v.why)));
    }
    QString operator()(const verdict::Approved &v) const
    {
        switch (v.by) {
        case SettledBy::Answer:
            return QStringLiteral("approved");
        case SettledBy::Replay:
            return QStringLiteral("approved; the bank repeated its first answer, nothing was charged again");
        case SettledBy::Inquiry:
        case SettledBy::Void: // a void never approves
            return QStringLiteral("the bank says it was approved");
        }
        Q_UNREACHABLE();
    }
    QString operator()(const verdict::Declined &v) const
    {
        return QStringLiteral("declined by the bank (%1)").arg(plain(v.details.declineCode));
    }
    QString operator()(const verdict::Voided &v) const
    {
        return QStringLiteral("the bank has voided it (%1)").arg(plain(word(v.result)));
    }
    QString operator()(const verdict::StillProcessing &) const
    {
        return QStringLiteral("the bank is still working on it");
    }
    QString operator()(const verdict::KeyMismatch &) const
    {
        return QStringLiteral("the bank has other details under this key");
    }
    QString operator()(const verdict::ServerTrouble &v) const
    {
        return QStringLiteral("the bank has trouble (%1); it may have charged").arg(v.status);
    }
    QString operator()(const verdict::StoredFailure &v) const
    {
        return QStringLiteral("the bank repeats a stored failure (%1); it may have charged").arg(v.status);
    }
    QString operator()(const verdict::Refused &v) const
    {
        return QStringLiteral("not accepted, not charged: %1").arg(v.detail.isEmpty() ? v.problemType : v.detail);
    }
    QString operator()(const verdict::Unclear &v) const
    {
        return QStringLiteral("an answer that decides nothing (%1, %2)").arg(v.status).arg(plain(word(v.why)));
    }
    QString operator()(const verdict::OtherLedger &) const
    {
        return QStringLiteral("another ledger answers there; it was not charged in that one");
    }
    QString operator()(const inquiry::OtherDetails &v) const
    {
        return QStringLiteral("the bank has other details under this key: %1, %2 %3")
            .arg(v.orderId)
            .arg(v.amountMinor)
            .arg(v.currency);
    }
    QString operator()(const inquiry::Nothing &v) const
    {
        return QStringLiteral("nothing new (%1)").arg(plain(word(v.why)));
    }
    QString operator()(const voiding::Settled &v) const
    {
        switch (v.result) {
        case VoidResult::Reversed:
            return QStringLiteral("it had been charged; the money is back");
        case VoidResult::Prevented:
            return QStringLiteral("it had not been charged, and cannot be any more");
        case VoidResult::NotCharged:
            return QStringLiteral("it had been declined; nothing was charged");
        }
        Q_UNREACHABLE();
    }
    QString operator()(const voiding::Mismatch &) const
    {
        return QStringLiteral("the bank has other details under this key; nothing was moved");
    }
    QString operator()(const voiding::Nothing &v) const
    {
        if (saysNoVoids(v))
            return QStringLiteral("this bank does not void (%1); it stays pending").arg(v.status);
        return QStringLiteral("not answered yet (%1)").arg(plain(word(v.why)));
    }
};

struct EventWords {
    const Event &event;
    const Checkout &after;

    QString operator()(const event::CheckoutStarted &e) const
    {
        return QStringLiteral("%1 for %2: key %3 written down; try 1 begins")
            .arg(format(e.money), e.order.text(), e.key.text());
    }
    QString operator()(const event::BankLearned &e) const
    {
        return QStringLiteral("the bank's ledger is %1; try %2 is sent").arg(e.ledgerId).arg(e.attempt);
    }
    QString operator()(const event::AttemptEnded &e) const
    {
        QString words =
            QStringLiteral("try %1: %2").arg(e.attempt).arg(std::visit(VerdictWords{e.elapsedMs}, e.verdict));
        if (const auto *waiting = std::get_if<state::Waiting>(&after.state))
            words += QStringLiteral("; the same charge again in %1")
                         .arg(seconds(std::max<qint64>(0, waiting->untilMonotonicMs - event.at.monotonicMs)));
        return words;
    }
    QString operator()(const event::LateAnswer &e) const
    {
        return QStringLiteral("late answer to try %1: %2").arg(e.attempt).arg(std::visit(VerdictWords{0}, e.verdict));
    }
    QString operator()(const event::WaitElapsed &e) const
    {
        return QStringLiteral("try %1 begins, same key").arg(e.nextAttempt);
    }
    QString operator()(const event::InquiryStarted &) const { return QStringLiteral("asking the bank what it knows"); }
    QString operator()(const event::InquiryEnded &e) const { return std::visit(VerdictWords{0}, e.verdict); }
    QString operator()(const event::TriedAgain &) const { return QStringLiteral("the same charge, once more"); }
    QString operator()(const event::LeftOpen &) const { return QStringLiteral("left open"); }
    QString operator()(const event::AnotherStarted &) const
    {
        return QStringLiteral("another checkout was started; this one is left open");
    }
    QString operator()(const event::Restarted &) const { return QStringLiteral("the terminal was started again"); }
    QString operator()(const event::VoidStarted &e) const
    {
        const QString words = QStringLiteral("void written down under its own key %1").arg(e.voidKey.text());
        return e.overrideReason.isEmpty() ? words : words + QStringLiteral("; supervisor: ") + e.overrideReason;
    }
    QString operator()(const event::VoidEnded &e) const
    {
        QString words = QStringLiteral("void, try %1: %2").arg(e.voidTry).arg(std::visit(VerdictWords{0}, e.verdict));
        if (const auto *pending = std::get_if<state::VoidPending>(&after.state))
            words += QStringLiteral("; the same void again in %1")
                         .arg(seconds(std::max<qint64>(0, pending->untilMonotonicMs - event.at.monotonicMs)));
        return words;
    }
    QString operator()(const event::VoidWaitElapsed &e) const
    {
        return QStringLiteral("void, try %1 begins, same key").arg(e.nextTry);
    }
    QString operator()(const event::Resumed &e) const
    {
        return QStringLiteral("the machine slept for %1").arg(seconds(e.suspendedMs));
    }
    QString operator()(const event::WrittenOff &e) const
    {
        return QStringLiteral("written off by a supervisor: %1").arg(e.reason);
    }
};

/// Attempts under way, or cut off by a crash: nobody counted what they sent.
int withoutResult(const Checkout &checkout)
{
    return int(std::count_if(checkout.attempts.begin(), checkout.attempts.end(),
                             [](const AttemptRecord &attempt) { return !attempt.verdict; }));
}

struct OutcomeMembers {
    QJsonObject &line;

    void operator()(const state::Sending &) const {}
    void operator()(const state::Waiting &) const {}
    void operator()(const state::Approved &s) const { settled(s.by, s.details); }
    void operator()(const state::Declined &s) const
    {
        settled(s.by, s.details);
        if (!s.details.declineCode.isEmpty())
            line.insert(QStringLiteral("decline_code"), s.details.declineCode);
    }
    void operator()(const state::Refused &s) const
    {
        line.insert(QStringLiteral("status"), s.problem.status);
        why(s.problem.problemType);
        if (!s.problem.field.isEmpty())
            line.insert(QStringLiteral("field"), s.problem.field);
    }
    void operator()(const state::NotSent &s) const { why(word(s.why)); }
    void operator()(const state::Voided &s) const
    {
        line.insert(QStringLiteral("settled_by"), word(s.by));
        line.insert(QStringLiteral("result"), word(s.result));
    }
    void operator()(const state::Unknown &s) const { why(word(s.why)); }
    void operator()(const state::KeyMismatch &) const {}
    void operator()(const state::Voiding &) const {}
    void operator()(const state::VoidPending &) const {}
    void operator()(const state::WrittenOff &s) const
    {
        why(word(s.why));
        line.insert(QStringLiteral("supervisor_reason"), s.reason);
    }

private:
    void why(const QString &reason) const { line.insert(QStringLiteral("why"), reason); }
    void settled(SettledBy by, const ChargeDetails &details) const
    {
        line.insert(QStringLiteral("settled_by"), word(by));
        line.insert(QStringLiteral("replayed"), by == SettledBy::Replay);
        if (!details.bankChargeId.isEmpty()) // a void found a decline: it brings no charge's name
            line.insert(QStringLiteral("bank_charge_id"), details.bankChargeId);
    }
};

/// What is known of the void, the supervisor and what contradicts, whatever the state.
void insertBesides(QJsonObject &line, const Checkout &checkout)
{
    if (checkout.replaces)
        line.insert(QStringLiteral("replaces"), checkout.replaces->text());
    if (checkout.voidIntent) {
        line.insert(QStringLiteral("void_key"), checkout.voidIntent->key.text());
        line.insert(QStringLiteral("void_wire_sends"), checkout.voidIntent->wireSends);
        if (!checkout.voidIntent->overrideReason.isEmpty())
            line.insert(QStringLiteral("supervisor_reason"), checkout.voidIntent->overrideReason);
    }
    if (checkout.contradiction)
        line.insert(QStringLiteral("contradiction"), checkout.contradiction->said);
}

struct OutcomeWords {
    QString operator()(const state::Sending &) const { return QStringLiteral("Still sending."); }
    QString operator()(const state::Waiting &) const { return QStringLiteral("Still waiting."); }
    QString operator()(const state::Approved &s) const
    {
        return s.by == SettledBy::Answer ? QStringLiteral("Paid.") : QStringLiteral("Paid, charged once.");
    }
    QString operator()(const state::Declined &s) const
    {
        return s.details.declineCode.isEmpty()
                   ? QStringLiteral("Declined. Nothing was charged.")
                   : QStringLiteral("Declined (%1). Nothing was charged.").arg(plain(s.details.declineCode));
    }
    QString operator()(const state::Refused &s) const
    {
        return QStringLiteral("Not accepted: %1. Nothing was charged.")
            .arg(s.problem.detail.isEmpty() ? s.problem.problemType : s.problem.detail);
    }
    QString operator()(const state::NotSent &s) const
    {
        return QStringLiteral("Not sent, nothing was charged (%1).").arg(plain(word(s.why)));
    }
    QString operator()(const state::Voided &s) const
    {
        return s.result == VoidResult::Reversed
                   ? QStringLiteral("Voided: it had been charged, and the money is back.")
                   : QStringLiteral("Voided: nothing was charged, and nothing can be any more.");
    }
    QString operator()(const state::Unknown &s) const
    {
        return QStringLiteral("Outcome not known yet (%1). It may have been charged: do not start over.")
            .arg(plain(word(s.why)));
    }
    QString operator()(const state::KeyMismatch &) const
    {
        return QStringLiteral("The bank has other details under this key. Call support.");
    }
    QString operator()(const state::Voiding &) const { return QStringLiteral("Cancelling safely."); }
    QString operator()(const state::VoidPending &) const
    {
        return QStringLiteral("Cancelling safely: the bank has not answered the void yet.");
    }
    QString operator()(const state::WrittenOff &s) const
    {
        return QStringLiteral("Outcome never known; closed by a supervisor: %1.").arg(s.reason);
    }
};

} // namespace

QJsonObject eventLine(const Event &event, const Checkout &after)
{
    QJsonObject line = QJsonDocument::fromJson(encodeEvent(event).data).object();
    for (const char *name : leftOut)
        line.remove(QLatin1String(name));
    flattenVerdict(line);
    if (std::holds_alternative<event::CheckoutStarted>(event.body))
        line.insert(QStringLiteral("attempt"), 1);
    if (const auto *elapsed = std::get_if<event::WaitElapsed>(&event.body))
        line.insert(QStringLiteral("attempt"), elapsed->nextAttempt);
    if (const auto *waiting = std::get_if<state::Waiting>(&after.state))
        line.insert(QStringLiteral("next_try_in_ms"),
                    std::max<qint64>(0, waiting->untilMonotonicMs - event.at.monotonicMs));
    line.insert(QStringLiteral("event"), snakeCase(eventName(event.body)));
    line.insert(QStringLiteral("at"),
                QDateTime::fromMSecsSinceEpoch(event.at.wallMs, QTimeZone::utc()).toString(Qt::ISODateWithMs));
    line.insert(QStringLiteral("key"), after.key.text());
    line.insert(QStringLiteral("state"), outcomeWord(after.state));
    return line;
}

QJsonObject outcomeLine(const Checkout &checkout)
{
    QJsonObject line{{QStringLiteral("event"), QStringLiteral("outcome")},
                     {QStringLiteral("outcome"), outcomeWord(checkout.state)},
                     {QStringLiteral("key"), checkout.key.text()},
                     {QStringLiteral("order_id"), checkout.order.text()},
                     {QStringLiteral("amount"), checkout.money.amountMinor()},
                     {QStringLiteral("currency"), checkout.money.currency().code()},
                     {QStringLiteral("attempts"), int(checkout.attempts.size())},
                     {QStringLiteral("attempts_not_sent"),
                      int(std::count_if(checkout.attempts.begin(), checkout.attempts.end(),
                                        [](const AttemptRecord &attempt) {
                                            return attempt.verdict &&
                                                   std::holds_alternative<verdict::NotSent>(*attempt.verdict);
                                        }))},
                     {QStringLiteral("attempts_without_result"), withoutResult(checkout)},
                     {QStringLiteral("wire_sends"), totalWireSends(checkout)},
                     {QStringLiteral("replayed"), false}};
    insertBesides(line, checkout);
    std::visit(OutcomeMembers{line}, checkout.state);
    return line;
}

QString eventSentence(const Event &event, const Checkout &after)
{
    return QDateTime::fromMSecsSinceEpoch(event.at.wallMs).toString(QStringLiteral("HH:mm:ss.zzz  ")) +
           std::visit(EventWords{event, after}, event.body);
}

QString outcomeSentence(const Checkout &checkout)
{
    const int tries = int(checkout.attempts.size());
    const QString against = checkout.contradiction ? QStringLiteral(" LOOK AT THIS ONE: the bank has also said \"%1\".")
                                                         .arg(plain(checkout.contradiction->said))
                                                   : QString();
    const QString words =
        std::visit(OutcomeWords{}, checkout.state) + against +
        QStringLiteral(" %1 %2").arg(tries).arg(tries == 1 ? QStringLiteral("try") : QStringLiteral("tries"));
    if (const int open = withoutResult(checkout))
        return words + QStringLiteral("; how %1 ended was not recorded, it may have been sent.").arg(open);
    return words + QStringLiteral(", %1 on the wire.").arg(totalWireSends(checkout));
}

int exitCode(const State &state)
{
    struct Codes {
        int operator()(const state::Sending &) const { return 1; }
        int operator()(const state::Waiting &) const { return 1; }
        int operator()(const state::Approved &) const { return 0; }
        int operator()(const state::Declined &) const { return 10; }
        int operator()(const state::Refused &) const { return 11; }
        int operator()(const state::NotSent &) const { return 14; }
        int operator()(const state::Voided &) const { return 13; }
        int operator()(const state::Unknown &) const { return 12; }
        int operator()(const state::KeyMismatch &) const { return 11; }
        int operator()(const state::Voiding &) const { return 12; }
        int operator()(const state::VoidPending &) const { return 12; }
        int operator()(const state::WrittenOff &) const { return 15; }
    };
    return std::visit(Codes{}, state);
}

} // namespace ikkai::app
