#include "core/journal/event_codec.h"

#include "core/journal/state_words.h"
#include "core/journal/verdict_fields.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

namespace ikkai {

template <class A>
void fields(A &a, typename A::template Ref<Stamp> v)
{
    a.integer("wall_ms", v.wallMs);
    a.integer("monotonic_ms", v.monotonicMs);
    a.integer("boot_ms", v.bootMs);
}

template <class A>
void fields(A &a, typename A::template Ref<RetryPolicy> v)
{
    a.integer("attempt_deadline_ms", v.attemptDeadlineMs);
    a.integer("max_attempts", v.maxAttempts);
    a.integer("budget_ms", v.budgetMs);
    a.integer("backoff_base_ms", v.backoffBaseMs);
    a.integer("backoff_cap_ms", v.backoffCapMs);
    a.integer("conflict_budget_ms", v.conflictBudgetMs);
    a.integer("ceiling_ms", v.ceilingMs);
}

namespace event {

template <class A>
void fields(A &a, typename A::template Ref<CheckoutStarted> v)
{
    a.key("key", v.key);
    a.order("order_id", v.order);
    a.money(v.money);
    a.source("source", v.source);
    a.text("terminal_id", v.terminalId);
    a.bytes("body", v.body);
    a.text("bank_at", v.bankAt);
    a.text("ledger_id", v.ledgerId);
    a.integer("key_ttl_ms", v.keyTtlMs);
    a.object("policy", v.policy);
    a.text("boot_id", v.bootId);
    a.maybeKey("replaces", v.replaces);
    a.maybeText("override_reason", v.overrideReason);
}
template <class A>
void fields(A &a, typename A::template Ref<BankLearned> v)
{
    a.integer("attempt", v.attempt);
    a.text("ledger_id", v.ledgerId);
    a.integer("key_ttl_ms", v.keyTtlMs);
}
template <class A>
void fields(A &a, typename A::template Ref<AttemptEnded> v)
{
    a.integer("attempt", v.attempt);
    a.choice("verdict", v.verdict);
    a.integer("wire_sends", v.wireSends);
    a.integer("elapsed_ms", v.elapsedMs);
    a.integer("jitter_draw", v.jitterDraw);
    a.maybeInteger("bank_date_ms", v.bankDateMs);
}
template <class A>
void fields(A &a, typename A::template Ref<LateAnswer> v)
{
    a.integer("attempt", v.attempt);
    a.choice("verdict", v.verdict);
    a.maybeInteger("bank_date_ms", v.bankDateMs);
}
template <class A>
void fields(A &a, typename A::template Ref<WaitElapsed> v)
{
    a.integer("next_attempt", v.nextAttempt);
}
template <class A>
void fields(A &, typename A::template Ref<InquiryStarted>)
{
}
template <class A>
void fields(A &a, typename A::template Ref<InquiryEnded> v)
{
    a.choice("verdict", v.verdict);
    a.maybeInteger("bank_date_ms", v.bankDateMs);
}
template <class A>
void fields(A &a, typename A::template Ref<TriedAgain> v)
{
    a.object("policy", v.policy);
}
template <class A>
void fields(A &, typename A::template Ref<LeftOpen>)
{
}
template <class A>
void fields(A &, typename A::template Ref<AnotherStarted>)
{
}
template <class A>
void fields(A &a, typename A::template Ref<Restarted> v)
{
    a.text("boot_id", v.bootId);
}
template <class A>
void fields(A &a, typename A::template Ref<VoidStarted> v)
{
    a.key("void_key", v.voidKey);
    a.bytes("body", v.body);
    a.text("override_reason", v.overrideReason);
}
template <class A>
void fields(A &a, typename A::template Ref<VoidEnded> v)
{
    a.integer("void_try", v.voidTry);
    a.choice("verdict", v.verdict);
    a.integer("wire_sends", v.wireSends);
    a.integer("elapsed_ms", v.elapsedMs);
    a.integer("jitter_draw", v.jitterDraw);
    a.maybeInteger("bank_date_ms", v.bankDateMs);
}
template <class A>
void fields(A &a, typename A::template Ref<VoidWaitElapsed> v)
{
    a.integer("next_try", v.nextTry);
}
template <class A>
void fields(A &a, typename A::template Ref<Resumed> v)
{
    a.integer("suspended_ms", v.suspendedMs);
    a.integer("jitter_draw", v.jitterDraw);
}
template <class A>
void fields(A &a, typename A::template Ref<WrittenOff> v)
{
    a.word("why", v.why);
    a.text("reason", v.reason);
}

} // namespace event

namespace event_format {

constexpr int version = 1;

/// What a reader fills in.
template <class T>
T blank()
{
    return T{};
}
template <>
event::CheckoutStarted blank()
{
    return {IdempotencyKey::parse(u"00000000-0000-7000-8000-000000000000").value(),
            OrderId::parse(u"-").value(),
            Money::ofMinor(Money::minMinor, Currency::jpy()).value(),
            SourceId::parse(u"-").value(),
            QString(),
            QByteArray(),
            QString(),
            QString(),
            0,
            RetryPolicy(),
            QString()};
}
template <>
event::VoidStarted blank()
{
    return {IdempotencyKey::parse(u"00000000-0000-7000-8000-000000000000").value(), QByteArray(), QString()};
}

template <class T>
bool readAs(const QString &type, journal_json::JsonReader &reader, std::optional<EventBody> &body)
{
    T value = blank<T>();
    if (type != eventName(value))
        return false;
    fields(reader, value);
    body = value;
    return true;
}

template <size_t... I>
std::optional<EventBody> readBody(const QString &type, journal_json::JsonReader &reader, std::index_sequence<I...>)
{
    std::optional<EventBody> body;
    (readAs<std::variant_alternative_t<I, EventBody>>(type, reader, body) || ...);
    return body;
}

} // namespace event_format

StoredEvent encodeEvent(const Event &event)
{
    journal_json::JsonWriter writer;
    writer.integer("v", event_format::version);
    writer.object("at", event.at);
    std::visit([&writer](const auto &body) { fields(writer, body); }, event.body);
    return {event.at.wallMs, eventName(event.body), QJsonDocument(writer.take()).toJson(QJsonDocument::Compact)};
}

Result<Event, QString> decodeEvent(const StoredEvent &stored)
{
    const QJsonDocument document = QJsonDocument::fromJson(stored.data);
    if (!document.isObject())
        return QStringLiteral("%1 is not JSON").arg(stored.type);
    journal_json::JsonReader reader(document.object());
    int version = 0;
    reader.integer("v", version);
    if (reader.error().isEmpty() && version != event_format::version)
        return QStringLiteral("%1 has version %2, which is not known here").arg(stored.type).arg(version);
    Stamp at;
    reader.object("at", at);
    const std::optional<EventBody> body =
        event_format::readBody(stored.type, reader, std::make_index_sequence<std::variant_size_v<EventBody>>{});
    if (!body)
        return QStringLiteral("%1 is not an event that is known here").arg(stored.type);
    if (at.wallMs != stored.atWallMs)
        reader.fail("at.wall_ms", "is not the row's time");
    if (!reader.error().isEmpty())
        return QStringLiteral("%1: %2").arg(stored.type, reader.error());
    return Event{at, *body};
}

} // namespace ikkai
