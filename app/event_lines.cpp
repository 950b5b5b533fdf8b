#include "app/event_lines.h"

#include <QtCore/QDateTime>
#include <QtCore/QTimeZone>

#include <algorithm>

namespace ikkai::app {

namespace {

QString word(SettledBy by)
{
    switch (by) {
    case SettledBy::Answer:
        return QStringLiteral("answer");
    case SettledBy::Replay:
        return QStringLiteral("replay");
    case SettledBy::Inquiry:
        return QStringLiteral("inquiry");
    }
    Q_UNREACHABLE();
}

QString word(VoidResult result)
{
    switch (result) {
    case VoidResult::Reversed:
        return QStringLiteral("reversed");
    case VoidResult::Prevented:
        return QStringLiteral("prevented");
    case VoidResult::NotCharged:
        return QStringLiteral("not_charged");
    }
    Q_UNREACHABLE();
}

QString word(verdict::NotSent::Why why)
{
    using Why = verdict::NotSent::Why;
    switch (why) {
    case Why::ConnectionRefused:
        return QStringLiteral("connection_refused");
    case Why::HostNotFound:
        return QStringLiteral("host_not_found");
    case Why::TlsFailed:
        return QStringLiteral("tls_failed");
    case Why::BankNotLearned:
        return QStringLiteral("bank_not_learned");
    case Why::ApiKeyRefused:
        return QStringLiteral("api_key_refused");
    }
    Q_UNREACHABLE();
}

QString word(verdict::NoAnswer::Why why)
{
    using Why = verdict::NoAnswer::Why;
    switch (why) {
    case Why::DeadlinePassed:
        return QStringLiteral("deadline_passed");
    case Why::ConnectionLost:
        return QStringLiteral("connection_lost");
    case Why::ResendPrevented:
        return QStringLiteral("resend_prevented");
    case Why::AnswerCut:
        return QStringLiteral("answer_cut");
    case Why::NotTheBanksAnswer:
        return QStringLiteral("not_the_banks_answer");
    }
    Q_UNREACHABLE();
}

QString word(verdict::Unclear::Why why)
{
    using Why = verdict::Unclear::Why;
    switch (why) {
    case Why::RefusedAfterUnanswered:
        return QStringLiteral("refused_after_unanswered");
    case Why::NotTheBanksAnswer:
        return QStringLiteral("not_the_banks_answer");
    case Why::AnswerExpired:
        return QStringLiteral("answer_expired");
    }
    Q_UNREACHABLE();
}

QString word(inquiry::Nothing::Why why)
{
    using Why = inquiry::Nothing::Why;
    switch (why) {
    case Why::InProgress:
        return QStringLiteral("in_progress");
    case Why::NeverSeen:
        return QStringLiteral("never_seen");
    case Why::NoAnswer:
        return QStringLiteral("no_answer");
    case Why::NotTheBanksAnswer:
        return QStringLiteral("not_the_banks_answer");
    case Why::ServerTrouble:
        return QStringLiteral("server_trouble");
    case Why::OtherLedger:
        return QStringLiteral("other_ledger");
    }
    Q_UNREACHABLE();
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

void put(QJsonObject &line, const char *name, const QJsonValue &value)
{
    line.insert(QLatin1String(name), value);
}

void putText(QJsonObject &line, const char *name, const QString &value)
{
    if (!value.isEmpty())
        put(line, name, value);
}

struct VerdictJson {
    QJsonObject &line;

    void operator()(const verdict::NotSent &v) const { result("not_sent", word(v.why)); }
    void operator()(const verdict::NoAnswer &v) const
    {
        result("no_answer", word(v.why));
        putText(line, "detail", v.detail);
    }
    void operator()(const verdict::Approved &v) const { settled("approved", v.by, v.details); }
    void operator()(const verdict::Declined &v) const { settled("declined", v.by, v.details); }
    void operator()(const verdict::Voided &v) const
    {
        result("voided", word(v.result));
        put(line, "settled_by", word(v.by));
    }
    void operator()(const verdict::StillProcessing &v) const
    {
        result("still_processing");
        retryAfter(v.retryAfterMs);
    }
    void operator()(const verdict::KeyMismatch &) const { result("key_mismatch"); }
    void operator()(const verdict::ServerTrouble &v) const
    {
        result("server_trouble");
        put(line, "status", v.status);
        retryAfter(v.retryAfterMs);
    }
    void operator()(const verdict::StoredFailure &v) const
    {
        result("stored_failure");
        put(line, "status", v.status);
    }
    void operator()(const verdict::Refused &v) const
    {
        result("refused", v.problemType);
        put(line, "status", v.status);
        putText(line, "field", v.field);
        putText(line, "detail", v.detail);
    }
    void operator()(const verdict::Unclear &v) const
    {
        result("unclear", word(v.why));
        put(line, "status", v.status);
    }
    void operator()(const verdict::OtherLedger &v) const
    {
        result("other_ledger");
        putText(line, "ledger_id", v.theirs);
    }
    void operator()(const inquiry::OtherDetails &v) const
    {
        result("other_details");
        put(line, "their_order_id", v.orderId);
        put(line, "their_amount", v.amountMinor);
        put(line, "their_currency", v.currency);
    }
    void operator()(const inquiry::Nothing &v) const { result("nothing", word(v.why)); }

private:
    void result(const char *name, const QString &why = {}) const
    {
        put(line, "result", QLatin1String(name));
        putText(line, "why", why);
    }
    void settled(const char *name, SettledBy by, const ChargeDetails &details) const
    {
        result(name);
        put(line, "settled_by", word(by));
        put(line, "replayed", by == SettledBy::Replay);
        putText(line, "bank_charge_id", details.bankChargeId);
        putText(line, "decline_code", details.declineCode);
        putText(line, "request_id", details.requestId);
    }
    void retryAfter(const std::optional<qint64> &ms) const
    {
        if (ms)
            put(line, "retry_after_ms", *ms);
    }
};

struct EventJson {
    QJsonObject &line;

    void operator()(const event::CheckoutStarted &e) const
    {
        put(line, "order_id", e.order.text());
        put(line, "amount", e.money.amountMinor());
        put(line, "currency", e.money.currency().code());
        put(line, "source", e.source.text());
        put(line, "bank", e.bankAt);
        putText(line, "ledger_id", e.ledgerId);
        put(line, "attempt", 1);
    }
    void operator()(const event::BankLearned &e) const
    {
        put(line, "attempt", e.attempt);
        put(line, "ledger_id", e.ledgerId);
    }
    void operator()(const event::AttemptEnded &e) const
    {
        put(line, "attempt", e.attempt);
        put(line, "wire_sends", e.wireSends);
        put(line, "elapsed_ms", e.elapsedMs);
        std::visit(VerdictJson{line}, e.verdict);
    }
    void operator()(const event::LateAnswer &e) const
    {
        put(line, "attempt", e.attempt);
        std::visit(VerdictJson{line}, e.verdict);
    }
    void operator()(const event::WaitElapsed &e) const { put(line, "attempt", e.nextAttempt); }
    void operator()(const event::InquiryStarted &) const {}
    void operator()(const event::InquiryEnded &e) const { std::visit(VerdictJson{line}, e.verdict); }
    void operator()(const event::TriedAgain &) const {}
    void operator()(const event::LeftOpen &) const {}
    void operator()(const event::AnotherStarted &) const {}
    void operator()(const event::Restarted &) const {}
};

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
        return QStringLiteral("no answer after %1 (%2)").arg(seconds(elapsedMs), plain(word(v.why)));
    }
    QString operator()(const verdict::Approved &v) const
    {
        switch (v.by) {
        case SettledBy::Answer:
            return QStringLiteral("approved");
        case SettledBy::Replay:
            return QStringLiteral("approved; the bank repeated its first answer, nothing was charged again");
        case SettledBy::Inquiry:
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
        return QStringLiteral("try %1 is sent, same key").arg(e.nextAttempt);
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
};

struct OutcomeWords {
    const Checkout &checkout;

    QString operator()(const state::Sending &) const { return QStringLiteral("Still sending."); }
    QString operator()(const state::Waiting &) const { return QStringLiteral("Still waiting."); }
    QString operator()(const state::Approved &s) const
    {
        return s.by == SettledBy::Answer ? QStringLiteral("Paid.") : QStringLiteral("Paid, charged once.");
    }
    QString operator()(const state::Declined &s) const
    {
        return QStringLiteral("Declined (%1). Nothing was charged.").arg(plain(s.details.declineCode));
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
        return QStringLiteral("Voided (%1).").arg(plain(word(s.result)));
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
};

} // namespace

QJsonObject eventLine(const Event &event, const Checkout &after)
{
    QJsonObject line;
    put(line, "event", snakeCase(eventName(event.body)));
    put(line, "at", QDateTime::fromMSecsSinceEpoch(event.at.wallMs, QTimeZone::utc()).toString(Qt::ISODateWithMs));
    put(line, "key", after.key.text());
    std::visit(EventJson{line}, event.body);
    put(line, "state", outcomeWord(after.state));
    if (const auto *waiting = std::get_if<state::Waiting>(&after.state))
        put(line, "next_try_in_ms", std::max<qint64>(0, waiting->untilMonotonicMs - event.at.monotonicMs));
    return line;
}

QJsonObject outcomeLine(const Checkout &checkout)
{
    QJsonObject line;
    put(line, "event", QStringLiteral("outcome"));
    put(line, "outcome", outcomeWord(checkout.state));
    put(line, "key", checkout.key.text());
    put(line, "order_id", checkout.order.text());
    put(line, "amount", checkout.money.amountMinor());
    put(line, "currency", checkout.money.currency().code());
    put(line, "replayed", false);
    if (const auto *approved = std::get_if<state::Approved>(&checkout.state))
        VerdictJson{line}(verdict::Approved{approved->by, approved->details});
    else if (const auto *declined = std::get_if<state::Declined>(&checkout.state))
        VerdictJson{line}(verdict::Declined{declined->by, declined->details});
    else if (const auto *refused = std::get_if<state::Refused>(&checkout.state))
        VerdictJson{line}(refused->problem);
    else if (const auto *notSent = std::get_if<state::NotSent>(&checkout.state))
        put(line, "why", word(notSent->why));
    else if (const auto *voided = std::get_if<state::Voided>(&checkout.state))
        VerdictJson{line}(verdict::Voided{voided->by, voided->result});
    else if (const auto *unknown = std::get_if<state::Unknown>(&checkout.state))
        put(line, "why", word(unknown->why));
    line.remove(QStringLiteral("result"));
    put(line, "attempts", int(checkout.attempts.size()));
    put(line, "attempts_not_sent",
        int(std::count_if(checkout.attempts.begin(), checkout.attempts.end(), [](const AttemptRecord &attempt) {
            return attempt.verdict && std::holds_alternative<verdict::NotSent>(*attempt.verdict);
        })));
    put(line, "wire_sends", totalWireSends(checkout));
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
    const int sends = totalWireSends(checkout);
    return std::visit(OutcomeWords{checkout}, checkout.state) +
           QStringLiteral(" %1 %2, %3 on the wire.")
               .arg(tries)
               .arg(tries == 1 ? QStringLiteral("try") : QStringLiteral("tries"))
               .arg(sends);
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
    };
    return std::visit(Codes{}, state);
}

} // namespace ikkai::app
