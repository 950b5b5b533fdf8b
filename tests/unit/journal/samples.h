#pragma once

#include "core/checkout/event.h"
#include "core/checkout/transition.h"
#include "core/gateway/wire_codec.h"

#include <limits>
#include <vector>

namespace ikkai::test {

inline IdempotencyKey keyNumber(int n)
{
    return IdempotencyKey::parse(QStringLiteral("0190a8b5-2f4e-7%1-8f3a-1c2d3e4f5a6b").arg(n, 3, 16, QLatin1Char('0')))
        .value();
}

inline event::CheckoutStarted started(int n = 1, QStringView order = u"A-1001")
{
    const OrderId orderId = OrderId::parse(order).value();
    const Money money = Money::ofMinor(1'200, Currency::jpy()).value();
    const SourceId source = SourceId::parse(u"card_ok").value();
    RetryPolicy policy;
    policy.maxAttempts = 7;
    policy.ceilingMs = 61'000;
    return {keyNumber(n),
            orderId,
            money,
            source,
            QStringLiteral("till-1"),
            chargeBody(orderId, money, source, QStringLiteral("till-1")),
            QStringLiteral("http://127.0.0.1:8080"),
            QStringLiteral("led_1"),
            86'400'000,
            policy,
            QStringLiteral("boot-1")};
}

inline ChargeDetails details()
{
    return {QStringLiteral("ch_1"), QStringLiteral("insufficient_funds"), QStringLiteral("req_1"),
            QStringLiteral("Mon, 01 Jan 2024 00:00:00 GMT")};
}

/// Every alternative, every enumerator, optionals with and without a value.
inline std::vector<ChargeVerdict> allVerdicts()
{
    using namespace verdict;
    std::vector<ChargeVerdict> all;
    for (const auto why : {NotSent::Why::ConnectionRefused, NotSent::Why::HostNotFound, NotSent::Why::TlsFailed,
                           NotSent::Why::BankNotLearned, NotSent::Why::ApiKeyRefused, NotSent::Why::OtherLedger})
        all.push_back(NotSent{why});
    for (const auto why : {NoAnswer::Why::DeadlinePassed, NoAnswer::Why::ConnectionLost, NoAnswer::Why::ResendPrevented,
                           NoAnswer::Why::AnswerCut, NoAnswer::Why::NotTheBanksAnswer})
        all.push_back(NoAnswer{why, QString::fromUtf8("15 bytes of 31 came — 途中 \"\\\n\0")});
    for (const auto by : {SettledBy::Answer, SettledBy::Replay, SettledBy::Inquiry, SettledBy::Void}) {
        all.push_back(Approved{by, details()});
        all.push_back(Declined{by, details()});
        for (const auto result : {VoidResult::Reversed, VoidResult::Prevented, VoidResult::NotCharged})
            all.push_back(Voided{by, result});
    }
    all.push_back(StillProcessing{});
    all.push_back(StillProcessing{std::numeric_limits<qint64>::max()});
    all.push_back(KeyMismatch{QStringLiteral("amount")});
    all.push_back(ServerTrouble{503, {}});
    all.push_back(ServerTrouble{503, 0});
    all.push_back(StoredFailure{500});
    all.push_back(Refused{400, QStringLiteral("bad-field"), QStringLiteral("amount"), QStringLiteral("too large")});
    for (const auto why :
         {Unclear::Why::RefusedAfterUnanswered, Unclear::Why::NotTheBanksAnswer, Unclear::Why::AnswerExpired})
        all.push_back(Unclear{why, 302});
    all.push_back(OtherLedger{QStringLiteral("led_2")});
    return all;
}

inline std::vector<InquiryVerdict> allInquiryVerdicts()
{
    using Why = inquiry::Nothing::Why;
    std::vector<InquiryVerdict> all{
        verdict::Approved{SettledBy::Inquiry, details()}, verdict::Declined{SettledBy::Inquiry, details()},
        verdict::Voided{SettledBy::Inquiry, VoidResult::Reversed},
        inquiry::OtherDetails{QStringLiteral("B-7"), 9'007'199'254'740'993, QStringLiteral("USD")}};
    for (const auto why :
         {Why::InProgress, Why::NeverSeen, Why::NoAnswer, Why::NotTheBanksAnswer, Why::ServerTrouble, Why::OtherLedger})
        all.push_back(inquiry::Nothing{why});
    return all;
}

inline std::vector<VoidVerdict> allVoidVerdicts()
{
    using Why = voiding::Nothing::Why;
    std::vector<VoidVerdict> all{voiding::Mismatch{QStringLiteral("amount")}};
    for (const auto result : {VoidResult::Reversed, VoidResult::Prevented, VoidResult::NotCharged})
        all.push_back(voiding::Settled{result, QStringLiteral("req_9")});
    for (const auto why : {Why::InProgress, Why::NotSent, Why::NoAnswer, Why::NotTheBanksAnswer, Why::ServerTrouble,
                           Why::Refused, Why::OtherLedger}) {
        all.push_back(voiding::Nothing{why, 0, {}});
        all.push_back(voiding::Nothing{why, 503, 1'500});
    }
    return all;
}

inline Stamp stamp(qint64 ms = 0)
{
    return {1'720'000'000'000 + ms, 5'000 + ms, 9'007'199'254'740'993 + ms};
}

inline std::vector<Event> allEvents()
{
    std::vector<Event> all{{stamp(), started()}};
    event::CheckoutStarted odd = started();
    odd.body = QByteArray("\xff\x00\xfe not text", 12);
    odd.ledgerId.clear();
    all.push_back({stamp(), odd});
    event::CheckoutStarted overriding = started();
    overriding.replaces = odd.key;
    overriding.overrideReason = QStringLiteral("it takes too long");
    all.push_back({stamp(), overriding});
    all.push_back({stamp(1), event::BankLearned{1, QStringLiteral("led_1"), 1}});
    for (const ChargeVerdict &verdict : allVerdicts()) {
        all.push_back({stamp(2), event::AttemptEnded{2, verdict, 1, 3'001, 0xffff'ffffU, 1'720'000'000'000}});
        all.push_back({stamp(3), event::LateAnswer{3, verdict, {}}});
    }
    all.push_back({stamp(4), event::WaitElapsed{4}});
    all.push_back({stamp(5), event::InquiryStarted{}});
    for (const InquiryVerdict &verdict : allInquiryVerdicts())
        all.push_back({stamp(6), event::InquiryEnded{verdict, 0}});
    all.push_back({stamp(7), event::TriedAgain{started().policy}});
    all.push_back({stamp(8), event::LeftOpen{}});
    all.push_back({stamp(9), event::AnotherStarted{}});
    all.push_back({stamp(10), event::VoidStarted{odd.key, "{\"original_key\":\"k\"}", {}}});
    all.push_back({stamp(10), event::VoidStarted{odd.key, "{}", QString::fromUtf8("客が待てない")}});
    for (const VoidVerdict &verdict : allVoidVerdicts())
        all.push_back({stamp(11), event::VoidEnded{3, verdict, 1, 3'001, 0xffff'ffffU, 1'720'000'000'000}});
    all.push_back({stamp(12), event::VoidWaitElapsed{4}});
    all.push_back({stamp(13), event::Resumed{7'200'000, 9U}});
    for (const auto why : {state::WrittenOff::Why::Mismatch, state::WrittenOff::Why::LedgerGone})
        all.push_back({stamp(14), event::WrittenOff{why, QStringLiteral("the bank was replaced")}});
    all.push_back({Stamp{-1, 0, std::numeric_limits<qint64>::min()}, event::Restarted{QStringLiteral("boot-2")}});
    return all;
}

/// A checkout whose first attempt is unanswered and whose second one is a replayed approval.
struct Story {
    std::vector<Event> events;
    std::vector<Checkout> after;
};

inline Story answerLostStory(int n = 1, QStringView order = u"A-1001")
{
    Story story;
    const auto take = [&story](const Event &event, const Checkout &after) {
        story.events.push_back(event);
        story.after.push_back(after);
    };
    const event::CheckoutStarted start = started(n, order);
    take({stamp(), start}, begin(start, stamp()).after);
    for (const Event &event :
         {Event{stamp(3'000), event::AttemptEnded{1, verdict::NoAnswer{}, 1, 3'000, 7U, {}}},
          Event{stamp(3'400), event::WaitElapsed{2}},
          Event{stamp(3'450),
                event::AttemptEnded{2, verdict::Approved{SettledBy::Replay, details()}, 1, 50, 9U, 1'720'000'003'000}}})
        take(event, transition(story.after.back(), event).after);
    return story;
}

} // namespace ikkai::test
