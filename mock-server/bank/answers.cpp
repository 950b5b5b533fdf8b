#include "mock-server/bank/answers.h"

#include "mock-server/bank/http_date.h"
#include "mock-server/bank/json_writer.h"

#include <algorithm>

namespace mockbank::answers {

namespace {

/// A problem of RFC 9457, with the members that clients of this bank branch on.
struct ProblemText {
    int status;
    const char *type;
    const char *title;
    const char *detail;
    bool retryable;
};

JsonWriter problemBody(const ProblemText &problem, const QByteArray &key, const QString &detail)
{
    JsonWriter body;
    body.text("type", "urn:ikkai:problem:" + QByteArray(problem.type))
        .text("title", QByteArray(problem.title))
        .integer("status", problem.status)
        .text("detail", detail)
        .boolean("retryable", problem.retryable);
    if (!key.isEmpty())
        body.text("idempotency_key", key);
    return body;
}

Answer problemAnswer(const ProblemText &problem, const JsonWriter &body)
{
    Answer answer;
    answer.status = problem.status;
    answer.contentType = "application/problem+json";
    answer.body = body.object();
    return answer;
}

Answer plainProblem(const ProblemText &problem, const QByteArray &key)
{
    return problemAnswer(problem, problemBody(problem, key, QString::fromLatin1(problem.detail)));
}

/// Delay-seconds (RFC 9110, section 10.2.3): whole seconds, rounded up, and never a "now" that would not be true.
void addRetryAfter(Answer &answer, qint64 delayMs)
{
    const qint64 seconds = std::max<qint64>(1, (delayMs + 999) / 1000);
    answer.headers.emplaceBack("Retry-After", QByteArray::number(seconds));
}

Answer verdictAnswer(const Verdict &verdict, const QByteArray &body)
{
    Answer answer;
    answer.status = verdict.status;
    // A failure that a lesson keeps is a problem.
    answer.contentType = verdict.status >= 500 ? "application/problem+json" : "application/json";
    answer.body = body;
    return answer;
}

QByteArray bodyOf(const QByteArray &key, const Verdict &verdict)
{
    return verdict.body.isEmpty() ? chargeBody(key, verdict) : verdict.body;
}

} // namespace

QByteArray chargeBody(const QByteArray &key, const Verdict &verdict)
{
    JsonWriter body;
    body.text("id", verdict.chargeId)
        .text("status", QByteArray(verdict.declineCode.isEmpty() ? "approved" : "declined"));
    if (!verdict.declineCode.isEmpty())
        body.text("decline_code", verdict.declineCode);
    return body.text("idempotency_key", key)
        .text("order_id", verdict.details.orderId)
        .integer("amount", verdict.details.amountMinor)
        .text("currency", verdict.details.currency)
        .integer("balance", verdict.balanceMinor)
        .text("created_at", isoTime(verdict.answeredAtMs))
        .object();
}

Verdict verdictOf(const Movement &charge)
{
    Verdict verdict;
    verdict.status = 201;
    verdict.chargeId = charge.chargeId;
    verdict.details = charge.details;
    verdict.balanceMinor = charge.balanceMinor;
    verdict.answeredAtMs = charge.atMs;
    return verdict;
}

Answer first(const Verdict &verdict)
{
    Answer answer = verdictAnswer(verdict, verdict.body);
    answer.headers.emplaceBack("Idempotent-Replayed", "false");
    answer.moneyMoved = verdict.declineCode.isEmpty();
    return answer;
}

Answer replay(const QByteArray &key, const Verdict &verdict)
{
    Answer answer = verdictAnswer(verdict, bodyOf(key, verdict));
    answer.headers.emplaceBack("Idempotent-Replayed", "true");
    answer.headers.emplaceBack("Original-Date", imfFixdate(verdict.answeredAtMs));
    answer.replayed = true;
    return answer;
}

Answer badField(const QByteArray &key, const BadField &flaw)
{
    static constexpr ProblemText problem{400, "invalid-request", "The request is not understood", "", false};
    return problemAnswer(problem, problemBody(problem, key, flaw.detail).text("field", flaw.field));
}

Answer otherLedger(const QByteArray &key, const QByteArray &ledger)
{
    static constexpr ProblemText problem{
        421, "other-ledger", "This is another ledger",
        "Expect-Ledger names a ledger that this bank does not keep; nothing was executed.", false};
    JsonWriter body = problemBody(problem, key, QString::fromLatin1(problem.detail));
    return problemAnswer(problem, body.text("ledger_id", ledger));
}

Answer mismatch(const QByteArray &key, int status)
{
    const ProblemText problem{status, "idempotency-key-mismatch", "The key belongs to another payment",
                              "This idempotency key was used with other details; nothing was executed.", false};
    return plainProblem(problem, key);
}

Answer inProgress(const QByteArray &key, qint64 retryAfterMs)
{
    static constexpr ProblemText problem{409, "idempotency-key-in-progress", "Still being processed",
                                         "A request with this idempotency key is being processed; ask again with it.",
                                         true};
    Answer answer = plainProblem(problem, key);
    addRetryAfter(answer, retryAfterMs);
    return answer;
}

Answer expired(const QByteArray &key, const QByteArray &ledger)
{
    static constexpr ProblemText problem{410, "idempotency-key-expired", "The stored answer has expired",
                                         "The answer under this key is no longer kept; nothing was executed, and "
                                         "`ledger` says what became of it.",
                                         false};
    JsonWriter body = problemBody(problem, key, QString::fromLatin1(problem.detail));
    return problemAnswer(problem, body.text("ledger", ledger));
}

Answer keyVoided(const QByteArray &key, const VoidMark &mark)
{
    static constexpr ProblemText problem{410, "idempotency-key-voided", "The charge under this key was voided",
                                         "This idempotency key was voided and charges nothing any more; `result` says "
                                         "what the void found.",
                                         false};
    JsonWriter body = problemBody(problem, key, QString::fromLatin1(problem.detail));
    return problemAnswer(problem, body.text("result", voidWord(mark.result)).text("at", isoTime(mark.atMs)));
}

Answer rolledBack(const QByteArray &key)
{
    static constexpr ProblemText problem{
        500, "internal-error", "The bank failed",
        "The request was rolled back before its commit; the same key may be sent again.", true};
    return plainProblem(problem, key);
}

Answer unavailable(const QByteArray &key)
{
    static constexpr ProblemText problem{503, "unavailable", "The bank's store is unavailable",
                                         "The outcome could not be stored; ask again with the same key.", true};
    Answer answer = plainProblem(problem, key);
    addRetryAfter(answer, 1000);
    return answer;
}

Answer crashed()
{
    Answer answer;
    answer.crashed = true;
    return answer;
}

Answer notImplemented(const QByteArray &key, const QString &detail)
{
    static constexpr ProblemText problem{501, "not-implemented", "This bank has no such thing", "", false};
    return problemAnswer(problem, problemBody(problem, key, detail));
}

Answer crashed(const Verdict &committed)
{
    Answer answer = crashed();
    answer.moneyMoved = committed.declineCode.isEmpty();
    return answer;
}

Answer keptFailure(const QByteArray &key)
{
    static constexpr ProblemText problem{500, "internal-error", "The bank failed",
                                         "The charge was rolled back before its commit; this answer is kept, and the "
                                         "same key will get it again.",
                                         false};
    return plainProblem(problem, key);
}

Answer lockUnreachable(const QByteArray &key)
{
    static constexpr ProblemText problem{500, "internal-error", "The bank failed",
                                         "The key could not be looked up; nothing was executed.", true};
    return plainProblem(problem, key);
}

Answer stored(const QByteArray &key, const Verdict &verdict)
{
    Answer answer = verdictAnswer(verdict, bodyOf(key, verdict));
    answer.status = 200;
    answer.headers.emplaceBack("Original-Date", imfFixdate(verdict.answeredAtMs));
    answer.replayed = true;
    return answer;
}

Answer stillRunning(const QByteArray &key, qint64 retryAfterMs)
{
    Answer answer;
    answer.status = 202;
    answer.contentType = "application/json";
    answer.body = JsonWriter().text("status", QByteArray("in_progress")).text("idempotency_key", key).object();
    addRetryAfter(answer, retryAfterMs);
    return answer;
}

Answer neverSeen(const QByteArray &key)
{
    static constexpr ProblemText problem{404, "charge-not-found", "No charge under this key",
                                         "Nothing was charged under this key so far; a request still on its way may "
                                         "arrive yet.",
                                         true};
    return plainProblem(problem, key);
}

Answer inquiryOfVoided(const QByteArray &key, const VoidMark &mark)
{
    Answer answer;
    answer.status = 200;
    answer.contentType = "application/json";
    answer.body =
        JsonWriter()
            .text("status", QByteArray("voided"))
            .object("voided", JsonWriter().text("result", voidWord(mark.result)).text("at", isoTime(mark.atMs)))
            .text("idempotency_key", key)
            .text("order_id", mark.orderId)
            .integer("amount", mark.amountMinor)
            .text("currency", mark.currency)
            .object();
    return answer;
}

Answer listed(const QByteArray &body)
{
    Answer answer;
    answer.status = 200;
    answer.contentType = "application/json";
    answer.body = body;
    return answer;
}

QByteArray voidWord(VoidResult result)
{
    switch (result) {
    case VoidResult::Reversed:
        return "reversed";
    case VoidResult::Prevented:
        return "prevented";
    case VoidResult::NotCharged:
        break;
    }
    return "not_charged";
}

namespace {

Answer voidAnswer(const QByteArray &originalKey, const VoidMark &mark)
{
    Answer answer;
    answer.status = 200;
    answer.contentType = "application/json";
    answer.body = JsonWriter()
                      .text("original_key", originalKey)
                      .text("order_id", mark.orderId)
                      .integer("amount", mark.amountMinor)
                      .text("currency", mark.currency)
                      .text("result", voidWord(mark.result))
                      .text("at", isoTime(mark.atMs))
                      .object();
    return answer;
}

} // namespace

Answer voided(const QByteArray &originalKey, const VoidMark &mark)
{
    Answer answer = voidAnswer(originalKey, mark);
    answer.headers.emplaceBack("Idempotent-Replayed", "false");
    answer.moneyMoved = mark.result == VoidResult::Reversed;
    return answer;
}

Answer voidedBefore(const QByteArray &originalKey, const VoidMark &mark)
{
    Answer answer = voidAnswer(originalKey, mark);
    answer.headers.emplaceBack("Idempotent-Replayed", "true");
    answer.headers.emplaceBack("Original-Date", imfFixdate(mark.atMs));
    answer.replayed = true;
    return answer;
}

Answer originalInProgress(const QByteArray &key, const QByteArray &originalKey, qint64 retryAfterMs)
{
    static constexpr ProblemText problem{409, "original-in-progress", "The charge is still being processed",
                                         "The charge to be voided is being processed; ask again with the same key.",
                                         true};
    JsonWriter body = problemBody(problem, key, QString::fromLatin1(problem.detail));
    Answer answer = problemAnswer(problem, body.text("original_key", originalKey));
    addRetryAfter(answer, retryAfterMs);
    return answer;
}

Answer voidKeyMismatch(const QByteArray &key)
{
    static constexpr ProblemText problem{422, "idempotency-key-mismatch", "The key belongs to another void",
                                         "This idempotency key was used for another void; nothing was executed.",
                                         false};
    return plainProblem(problem, key);
}

Answer voidDetailsMismatch(const QByteArray &key, const QByteArray &originalKey)
{
    static constexpr ProblemText problem{422, "idempotency-key-mismatch", "The key belongs to another payment",
                                         "The original key has another order, amount or currency; nothing was "
                                         "executed.",
                                         false};
    JsonWriter body = problemBody(problem, key, QString::fromLatin1(problem.detail));
    return problemAnswer(problem, body.text("original_key", originalKey));
}

} // namespace mockbank::answers
