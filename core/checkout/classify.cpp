#include "core/checkout/classify.h"

#include "core/checkout/bank_answer.h"
#include "core/checkout/retry_after.h"

namespace ikkai {

namespace classify_detail {

using verdict::NoAnswer;
using verdict::NotSent;
using verdict::Unclear;

bool isReplayed(const HttpAnswer &answer)
{
    return answer.header("idempotent-replayed").trimmed().toLower() == "true";
}

SettledBy settledBy(const HttpAnswer &answer)
{
    return isReplayed(answer) ? SettledBy::Replay : SettledBy::Answer;
}

bool isOtherLedger(const HttpAnswer &answer, const ExpectedEcho &expected)
{
    const QByteArray ledgerId = answer.header("ledger-id").trimmed();
    return answer.status == 421 ||
           (!expected.ledgerId.isEmpty() && !ledgerId.isEmpty() && ledgerId != expected.ledgerId.toUtf8());
}

/// The bank could not, this time: it may have charged all the same.
bool isTrouble(int status)
{
    return status == 408 || status == 425 || status == 429 || (status >= 500 && status <= 599);
}

/// Statuses whose reason lies in the bytes of the request alone, so that the same bytes can never have been executed.
bool dependsOnBytesAlone(int status)
{
    return status == 400 || status == 404 || status == 405 || status == 413 || status == 415 || status == 431;
}

bool echoesDetails(const BankCharge &charge, const ExpectedEcho &expected)
{
    return charge.orderId == expected.order.text() && charge.amountMinor == expected.money.amountMinor() &&
           charge.currency == expected.money.currency().code();
}

ChargeDetails details(const HttpAnswer &answer, const BankCharge &charge)
{
    return {charge.chargeId, charge.declineCode, QString::fromUtf8(answer.header("request-id")),
            QString::fromUtf8(answer.header("original-date"))};
}

ChargeDetails detailsOfProblem(const HttpAnswer &answer)
{
    return {{}, {}, QString::fromUtf8(answer.header("request-id")), QString::fromUtf8(answer.header("original-date"))};
}

NoAnswer notTheBanks(const QString &detail)
{
    return {NoAnswer::Why::NotTheBanksAnswer, detail};
}

std::optional<qint64> retryAfter(const HttpAnswer &answer)
{
    return retryAfterMs(answer.header("retry-after"), answer.header("date"));
}

/// Rows of an exchange that ended without an answer.
ChargeVerdict withoutAnswer(const Transmission &transmission)
{
    // A refused connection is only harmless where nothing went out before it.
    const bool nothingWasSent = transmission.wireSends == 0;
    switch (transmission.end) {
    case Transmission::End::ConnectionRefused:
        if (nothingWasSent)
            return NotSent{NotSent::Why::ConnectionRefused};
        break;
    case Transmission::End::HostNotFound:
        if (nothingWasSent)
            return NotSent{NotSent::Why::HostNotFound};
        break;
    case Transmission::End::TlsFailed:
        if (nothingWasSent)
            return NotSent{NotSent::Why::TlsFailed};
        break;
    case Transmission::End::DeadlinePassed:
        return NoAnswer{NoAnswer::Why::DeadlinePassed, transmission.detail};
    case Transmission::End::ResendPrevented:
        return NoAnswer{NoAnswer::Why::ResendPrevented, transmission.detail};
    case Transmission::End::Answered: // without one
    case Transmission::End::AnswerCut:
        return NoAnswer{NoAnswer::Why::AnswerCut, transmission.detail};
    case Transmission::End::ConnectionLost:
        break;
    }
    return NoAnswer{NoAnswer::Why::ConnectionLost, transmission.detail};
}

/// Rows of 2xx and 402.
ChargeVerdict chargeAnswer(const HttpAnswer &answer, const ExpectedEcho &expected)
{
    const std::optional<BankCharge> charge = readCharge(answer);
    if (!charge)
        return notTheBanks(QStringLiteral("status %1 without the members of a charge").arg(answer.status));
    if (charge->key != expected.key.text() || !echoesDetails(*charge, expected))
        return notTheBanks(QStringLiteral("status %1 that echoes another charge").arg(answer.status));
    if ((answer.status == 200 || answer.status == 201) && charge->status == u"approved")
        return verdict::Approved{settledBy(answer), details(answer, *charge)};
    if (answer.status == 402 && charge->status == u"declined")
        return verdict::Declined{settledBy(answer), details(answer, *charge)};
    return notTheBanks(QStringLiteral("status %1 that says \"%2\"").arg(answer.status).arg(charge->status));
}

/// An answer that was swept at the bank, which still knows from its ledger what became of the money.
ChargeVerdict expiredAnswer(const HttpAnswer &answer, const BankProblem &problem)
{
    if (problem.ledger == u"charged")
        return verdict::Approved{SettledBy::Inquiry, detailsOfProblem(answer)};
    if (problem.ledger == u"declined")
        return verdict::Declined{SettledBy::Inquiry, detailsOfProblem(answer)};
    if (problem.ledger == u"reversed")
        return verdict::Voided{SettledBy::Inquiry, VoidResult::Reversed};
    if (problem.ledger == u"prevented")
        return verdict::Voided{SettledBy::Inquiry, VoidResult::Prevented};
    return Unclear{Unclear::Why::AnswerExpired, answer.status};
}

/// Rows of the problem types that speak of our key; none where the type is another one.
std::optional<ChargeVerdict> keyProblem(const HttpAnswer &answer, const BankProblem &problem,
                                        const ExpectedEcho &expected)
{
    const bool inProgress = problem.type == u"idempotency-key-in-progress";
    const bool mismatch = problem.type == u"idempotency-key-mismatch";
    const bool voided = problem.type == u"idempotency-key-voided";
    const bool expired = problem.type == u"idempotency-key-expired";
    if (!inProgress && !mismatch && !voided && !expired)
        return {};
    if (problem.key != expected.key.text())
        return notTheBanks(QStringLiteral("problem %1 that does not echo the key").arg(problem.type));
    if (inProgress)
        return verdict::StillProcessing{retryAfter(answer)};
    if (mismatch)
        return verdict::KeyMismatch{problem.detail};
    if (expired)
        return expiredAnswer(answer, problem);
    if (!problem.voided)
        return notTheBanks(QStringLiteral("problem %1 without its result").arg(problem.type));
    return verdict::Voided{settledBy(answer), *problem.voided};
}

/// Rows of every other 4xx and of 3xx.
ChargeVerdict refusal(const Transmission &transmission, const HttpAnswer &answer,
                      const std::optional<BankProblem> &problem, const ExpectedEcho &expected, EarlierAttempts earlier)
{
    const bool spokenByTheBank = problem && problem->key.value_or(expected.key.text()) == expected.key.text();
    if (!spokenByTheBank || isReplayed(answer))
        return Unclear{Unclear::Why::NotTheBanksAnswer, answer.status};
    if (earlier == EarlierAttempts::SomeUnanswered || transmission.wireSends != 1)
        return Unclear{Unclear::Why::RefusedAfterUnanswered, answer.status};
    if (!dependsOnBytesAlone(answer.status))
        return Unclear{Unclear::Why::NotTheBanksAnswer, answer.status};
    return verdict::Refused{answer.status, problem->type, problem->field, problem->detail};
}

inquiry::Nothing nothing(inquiry::Nothing::Why why)
{
    return {why};
}

/// Row of a 200 to an inquiry.
InquiryVerdict inquiryAnswer(const HttpAnswer &answer, const ExpectedEcho &expected)
{
    const std::optional<BankCharge> charge = readCharge(answer);
    if (!charge || charge->key != expected.key.text())
        return nothing(inquiry::Nothing::Why::NotTheBanksAnswer);
    const bool approved = charge->status == u"approved";
    const bool declined = charge->status == u"declined";
    const bool voided = charge->status == u"voided";
    if (!approved && !declined && !voided)
        return nothing(inquiry::Nothing::Why::NotTheBanksAnswer);
    if (!echoesDetails(*charge, expected))
        return inquiry::OtherDetails{charge->orderId, charge->amountMinor, charge->currency};
    if (approved)
        return verdict::Approved{SettledBy::Inquiry, details(answer, *charge)};
    if (declined)
        return verdict::Declined{SettledBy::Inquiry, details(answer, *charge)};
    return verdict::Voided{SettledBy::Inquiry, *charge->voided};
}

voiding::Nothing nothing(voiding::Nothing::Why why, const HttpAnswer &answer)
{
    return {why, answer.status, retryAfter(answer)};
}

/// Of money that went back only the ledger that took it can speak. Where none was ever learned no charge was sent
/// either, so there is no money that another ledger could be silent about.
bool isFromLedger(const HttpAnswer &answer, const ExpectedEcho &expected)
{
    return expected.ledgerId.isEmpty() || answer.header("ledger-id").trimmed() == expected.ledgerId.toUtf8();
}

/// The bank has this very charge with other details. A 422 about the void's own key is none: it says nothing of the
/// charge, and a supervisor would write off what may still be paid.
bool isMismatchOfTheCharge(const HttpAnswer &answer, const BankProblem &problem, const ExpectedEcho &expected)
{
    return answer.status == 422 && problem.type == u"idempotency-key-mismatch" &&
           problem.originalKey == expected.key.text() && isFromLedger(answer, expected);
}

/// Row of a 200 to a void.
VoidVerdict voidAnswer(const HttpAnswer &answer, const ExpectedEcho &expected)
{
    const std::optional<BankVoid> voided = readVoid(answer);
    const bool echoes =
        voided && voided->originalKey == expected.key.text() && voided->orderId == expected.order.text() &&
        voided->amountMinor == expected.money.amountMinor() && voided->currency == expected.money.currency().code();
    if (!echoes || !isFromLedger(answer, expected))
        return nothing(voiding::Nothing::Why::NotTheBanksAnswer, answer);
    return voiding::Settled{voided->result, QString::fromUtf8(answer.header("request-id"))};
}

/// Rows of a void's exchange that ended without an answer.
voiding::Nothing voidWithoutAnswer(const Transmission &transmission)
{
    const bool stayedHere = std::holds_alternative<NotSent>(withoutAnswer(transmission));
    return {stayedHere ? voiding::Nothing::Why::NotSent : voiding::Nothing::Why::NoAnswer, 0, {}};
}

} // namespace classify_detail

ChargeVerdict classifyCharge(const Transmission &transmission, const ExpectedEcho &expected, EarlierAttempts earlier)
{
    using namespace classify_detail;
    if (transmission.end != Transmission::End::Answered || !transmission.answer)
        return withoutAnswer(transmission);

    const HttpAnswer &answer = *transmission.answer;
    const int status = answer.status;
    if (isOtherLedger(answer, expected))
        return verdict::OtherLedger{QString::fromUtf8(answer.header("ledger-id").trimmed())};
    if ((status >= 200 && status <= 299) || status == 402)
        return chargeAnswer(answer, expected);
    if (status < 200 || status > 599)
        return notTheBanks(QStringLiteral("status %1 does not exist").arg(status));

    const std::optional<BankProblem> problem = status >= 400 ? readProblem(answer) : std::nullopt;
    if (problem) {
        if (const std::optional<ChargeVerdict> decided = keyProblem(answer, *problem, expected))
            return *decided;
    }
    if (isTrouble(status)) {
        if (isReplayed(answer))
            return verdict::StoredFailure{status};
        return verdict::ServerTrouble{status, retryAfter(answer)};
    }
    return refusal(transmission, answer, problem, expected, earlier);
}

InquiryVerdict classifyInquiry(const Transmission &transmission, const ExpectedEcho &expected)
{
    using namespace classify_detail;
    using Why = inquiry::Nothing::Why;
    if (transmission.end != Transmission::End::Answered || !transmission.answer)
        return nothing(Why::NoAnswer);

    const HttpAnswer &answer = *transmission.answer;
    if (isOtherLedger(answer, expected))
        return nothing(Why::OtherLedger);
    if (answer.status == 200)
        return inquiryAnswer(answer, expected);
    if (answer.status == 202)
        return nothing(Why::InProgress);
    if (answer.status == 404)
        return nothing(readProblem(answer) ? Why::NeverSeen : Why::NotTheBanksAnswer);
    if (isTrouble(answer.status))
        return nothing(Why::ServerTrouble);
    return nothing(Why::NotTheBanksAnswer);
}

VoidVerdict classifyVoid(const Transmission &transmission, const ExpectedEcho &expected)
{
    using namespace classify_detail;
    using Why = voiding::Nothing::Why;
    if (transmission.end != Transmission::End::Answered || !transmission.answer)
        return voidWithoutAnswer(transmission);

    const HttpAnswer &answer = *transmission.answer;
    if (isOtherLedger(answer, expected))
        return nothing(Why::OtherLedger, answer);
    if (answer.status == 200)
        return voidAnswer(answer, expected);
    if (isTrouble(answer.status))
        return nothing(Why::ServerTrouble, answer);
    const std::optional<BankProblem> problem = answer.status >= 400 ? readProblem(answer) : std::nullopt;
    if (!problem)
        return nothing(Why::NotTheBanksAnswer, answer);
    if (problem->type == u"original-in-progress")
        return nothing(Why::InProgress, answer);
    if (isMismatchOfTheCharge(answer, *problem, expected))
        return voiding::Mismatch{problem->detail};
    return nothing(Why::Refused, answer);
}

} // namespace ikkai
