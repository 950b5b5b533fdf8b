#pragma once

#include "core/checkout/verdict.h"
#include "core/journal/json_fields.h"

// How verdicts stand in the journal: a word per enumerator, a kind per alternative, a list of members per struct.
// Words and names are part of the journal's format: never change one, add a version of the event instead.
// They live in the namespaces of their types, where the archives find them by argument.
namespace ikkai {

inline const char *wordOf(SettledBy by)
{
    switch (by) {
    case SettledBy::Answer:
        return "answer";
    case SettledBy::Replay:
        return "replay";
    case SettledBy::Inquiry:
        return "inquiry";
    case SettledBy::Void:
        return "void";
    }
    return nullptr;
}

inline const char *wordOf(VoidResult result)
{
    switch (result) {
    case VoidResult::Reversed:
        return "reversed";
    case VoidResult::Prevented:
        return "prevented";
    case VoidResult::NotCharged:
        return "not_charged";
    }
    return nullptr;
}

template <class A>
void fields(A &a, typename A::template Ref<ChargeDetails> v)
{
    a.text("bank_charge_id", v.bankChargeId);
    a.text("decline_code", v.declineCode);
    a.text("request_id", v.requestId);
    a.text("original_date", v.originalDate);
}

namespace verdict {

inline const char *wordOf(NotSent::Why why)
{
    switch (why) {
    case NotSent::Why::ConnectionRefused:
        return "connection_refused";
    case NotSent::Why::HostNotFound:
        return "host_not_found";
    case NotSent::Why::TlsFailed:
        return "tls_failed";
    case NotSent::Why::BankNotLearned:
        return "bank_not_learned";
    case NotSent::Why::ApiKeyRefused:
        return "api_key_refused";
    case NotSent::Why::OtherLedger:
        return "other_ledger";
    }
    return nullptr;
}

inline const char *wordOf(NoAnswer::Why why)
{
    switch (why) {
    case NoAnswer::Why::DeadlinePassed:
        return "deadline_passed";
    case NoAnswer::Why::ConnectionLost:
        return "connection_lost";
    case NoAnswer::Why::ResendPrevented:
        return "resend_prevented";
    case NoAnswer::Why::AnswerCut:
        return "answer_cut";
    case NoAnswer::Why::NotTheBanksAnswer:
        return "not_the_banks_answer";
    }
    return nullptr;
}

inline const char *wordOf(Unclear::Why why)
{
    switch (why) {
    case Unclear::Why::RefusedAfterUnanswered:
        return "refused_after_unanswered";
    case Unclear::Why::NotTheBanksAnswer:
        return "not_the_banks_answer";
    case Unclear::Why::AnswerExpired:
        return "answer_expired";
    }
    return nullptr;
}

inline const char *kindOf(std::type_identity<NotSent>)
{
    return "not_sent";
}
inline const char *kindOf(std::type_identity<NoAnswer>)
{
    return "no_answer";
}
inline const char *kindOf(std::type_identity<Approved>)
{
    return "approved";
}
inline const char *kindOf(std::type_identity<Declined>)
{
    return "declined";
}
inline const char *kindOf(std::type_identity<Voided>)
{
    return "voided";
}
inline const char *kindOf(std::type_identity<StillProcessing>)
{
    return "still_processing";
}
inline const char *kindOf(std::type_identity<KeyMismatch>)
{
    return "key_mismatch";
}
inline const char *kindOf(std::type_identity<ServerTrouble>)
{
    return "server_trouble";
}
inline const char *kindOf(std::type_identity<StoredFailure>)
{
    return "stored_failure";
}
inline const char *kindOf(std::type_identity<Refused>)
{
    return "refused";
}
inline const char *kindOf(std::type_identity<Unclear>)
{
    return "unclear";
}
inline const char *kindOf(std::type_identity<OtherLedger>)
{
    return "other_ledger";
}

template <class A>
void fields(A &a, typename A::template Ref<NotSent> v)
{
    a.word("why", v.why);
}
template <class A>
void fields(A &a, typename A::template Ref<NoAnswer> v)
{
    a.word("why", v.why);
    a.text("detail", v.detail);
}
template <class A>
void fields(A &a, typename A::template Ref<Approved> v)
{
    a.word("by", v.by);
    a.object("details", v.details);
}
template <class A>
void fields(A &a, typename A::template Ref<Declined> v)
{
    a.word("by", v.by);
    a.object("details", v.details);
}
template <class A>
void fields(A &a, typename A::template Ref<Voided> v)
{
    a.word("by", v.by);
    a.word("result", v.result);
}
template <class A>
void fields(A &a, typename A::template Ref<StillProcessing> v)
{
    a.maybeInteger("retry_after_ms", v.retryAfterMs);
}
template <class A>
void fields(A &a, typename A::template Ref<KeyMismatch> v)
{
    a.text("detail", v.detail);
}
template <class A>
void fields(A &a, typename A::template Ref<ServerTrouble> v)
{
    a.integer("status", v.status);
    a.maybeInteger("retry_after_ms", v.retryAfterMs);
}
template <class A>
void fields(A &a, typename A::template Ref<StoredFailure> v)
{
    a.integer("status", v.status);
}
template <class A>
void fields(A &a, typename A::template Ref<Refused> v)
{
    a.integer("status", v.status);
    a.text("problem_type", v.problemType);
    a.text("field", v.field);
    a.text("detail", v.detail);
}
template <class A>
void fields(A &a, typename A::template Ref<Unclear> v)
{
    a.word("why", v.why);
    a.integer("status", v.status);
}
template <class A>
void fields(A &a, typename A::template Ref<OtherLedger> v)
{
    a.text("theirs", v.theirs);
}

} // namespace verdict

namespace inquiry {

inline const char *wordOf(Nothing::Why why)
{
    switch (why) {
    case Nothing::Why::InProgress:
        return "in_progress";
    case Nothing::Why::NeverSeen:
        return "never_seen";
    case Nothing::Why::NoAnswer:
        return "no_answer";
    case Nothing::Why::NotTheBanksAnswer:
        return "not_the_banks_answer";
    case Nothing::Why::ServerTrouble:
        return "server_trouble";
    case Nothing::Why::OtherLedger:
        return "other_ledger";
    }
    return nullptr;
}

inline const char *kindOf(std::type_identity<Nothing>)
{
    return "nothing";
}
inline const char *kindOf(std::type_identity<OtherDetails>)
{
    return "other_details";
}

template <class A>
void fields(A &a, typename A::template Ref<Nothing> v)
{
    a.word("why", v.why);
}
template <class A>
void fields(A &a, typename A::template Ref<OtherDetails> v)
{
    a.text("order_id", v.orderId);
    a.integer("amount", v.amountMinor);
    a.text("currency", v.currency);
}

} // namespace inquiry

namespace voiding {

inline const char *wordOf(Nothing::Why why)
{
    switch (why) {
    case Nothing::Why::InProgress:
        return "in_progress";
    case Nothing::Why::NotSent:
        return "not_sent";
    case Nothing::Why::NoAnswer:
        return "no_answer";
    case Nothing::Why::NotTheBanksAnswer:
        return "not_the_banks_answer";
    case Nothing::Why::ServerTrouble:
        return "server_trouble";
    case Nothing::Why::Refused:
        return "refused";
    case Nothing::Why::OtherLedger:
        return "other_ledger";
    }
    return nullptr;
}

inline const char *kindOf(std::type_identity<Settled>)
{
    return "settled";
}
inline const char *kindOf(std::type_identity<Mismatch>)
{
    return "mismatch";
}
inline const char *kindOf(std::type_identity<Nothing>)
{
    return "nothing";
}

template <class A>
void fields(A &a, typename A::template Ref<Settled> v)
{
    a.word("result", v.result);
    a.text("request_id", v.requestId);
}
template <class A>
void fields(A &a, typename A::template Ref<Mismatch> v)
{
    a.text("detail", v.detail);
}
template <class A>
void fields(A &a, typename A::template Ref<Nothing> v)
{
    a.word("why", v.why);
    a.integer("status", v.status);
    a.maybeInteger("retry_after_ms", v.retryAfterMs);
}

} // namespace voiding

} // namespace ikkai
