#pragma once

#include "core/checkout/checkout_service.h"
#include "core/checkout/scheduler.h"
#include "core/domain/clock.h"
#include "core/domain/random.h"
#include "core/gateway/payment_gateway.h"
#include "core/journal/journal.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

// Everything a CheckoutService stands on, without sockets, disks or waiting: time moves when a test says so.
namespace ikkai::test {

class VirtualTime final : public Clock, public Scheduler {
public:
    [[nodiscard]] Stamp now() const override { return m_now; }
    [[nodiscard]] QString bootId() const override { return QStringLiteral("boot-1"); }
    void at(qint64 monotonicMs, std::function<void()> call) override { m_calls.emplace(monotonicMs, std::move(call)); }

    /// Runs every call that falls due, in order.
    void advance(qint64 ms)
    {
        const qint64 end = m_now.monotonicMs + ms;
        while (!m_calls.empty() && m_calls.begin()->first <= end) {
            auto call = m_calls.extract(m_calls.begin());
            moveTo(std::max(call.key(), m_now.monotonicMs));
            call.mapped()();
        }
        moveTo(end);
    }
    void jumpWall(qint64 ms) { m_now.wallMs += ms; }
    /// The machine is suspended: the monotonic clock stands still.
    void sleep(qint64 ms)
    {
        m_now.wallMs += ms;
        m_now.bootMs += ms;
    }

private:
    void moveTo(qint64 monotonicMs)
    {
        const qint64 by = monotonicMs - m_now.monotonicMs;
        m_now = {m_now.wallMs + by, monotonicMs, m_now.bootMs + by};
    }

    Stamp m_now{1'760'000'000'000, 1'000, 1'000};
    std::multimap<qint64, std::function<void()>> m_calls;
};

class CountingRandom final : public Random {
public:
    [[nodiscard]] quint64 next64() override { return m_next += 0x9E3779B97F4A7C15u; }

private:
    quint64 m_next = 0;
};

/// A journal in memory that can be told to refuse.
class MemoryJournal final : public Journal {
public:
    Result<Done, JournalError> append(int seq, const Event &event, const Checkout &after) override
    {
        if (refuse)
            return *refuse;
        auto &events = m_events[after.key];
        if (seq != int(events.size()) + 1)
            return JournalError{JournalError::Kind::Corrupt, {}, QStringLiteral("sequence number")};
        events.push_back(event);
        m_projections.insert_or_assign(after.key, after);
        if (appended)
            appended(event);
        return Done{};
    }
    Result<std::vector<Event>, JournalError> events(const IdempotencyKey &key) override
    {
        if (key == unreadable)
            return JournalError{JournalError::Kind::Corrupt, {}, key.text()};
        const auto found = m_events.find(key);
        return found == m_events.end() ? std::vector<Event>() : found->second;
    }
    Result<std::vector<IdempotencyKey>, JournalError> openKeys() override
    {
        std::vector<IdempotencyKey> keys;
        for (const auto &[key, checkout] : m_projections) {
            if (isOpen(checkout.state))
                keys.push_back(key);
        }
        return keys;
    }
    Result<std::vector<IdempotencyKey>, JournalError> keysOfOrder(const OrderId &order) override
    {
        std::vector<IdempotencyKey> keys;
        for (const auto &[key, checkout] : m_projections) {
            if (checkout.order == order)
                keys.push_back(key);
        }
        return keys;
    }
    Result<std::optional<IdempotencyKey>, JournalError> newestKey() override
    {
        std::optional<IdempotencyKey> newest;
        for (const auto &[key, checkout] : m_projections) {
            newest = newest ? std::max(*newest, key) : key;
            if (checkout.voidIntent)
                newest = std::max(*newest, checkout.voidIntent->key);
        }
        return newest;
    }
    Result<std::optional<PinRecord>, JournalError> supervisorPin() override
    {
        if (refuse)
            return *refuse;
        return pin;
    }
    Result<Done, JournalError> storeSupervisorPin(const PinRecord &record) override
    {
        if (refuse)
            return *refuse;
        pin = record;
        return Done{};
    }

    std::optional<JournalError> refuse;
    std::optional<IdempotencyKey> unreadable; ///< the events of this one are damaged
    std::optional<PinRecord> pin;
    std::function<void(const Event &)> appended;
    [[nodiscard]] const std::map<IdempotencyKey, std::vector<Event>> &all() const { return m_events; }

private:
    std::map<IdempotencyKey, std::vector<Event>> m_events;
    std::map<IdempotencyKey, Checkout> m_projections;
};

/// A gateway that keeps what it was asked to send; the test plays the bank.
class PlayedGateway final : public PaymentGateway {
public:
    void setSink(GatewaySink *sink) override { m_sink = sink; }
    void learnBank(qint64) override { ++learns; }
    void charge(const ChargeTransmission &transmission) override
    {
        charges.push_back(transmission);
        if (transmitted)
            transmitted();
    }
    void inquire(const InquiryTransmission &transmission) override { inquiries.push_back(transmission); }
    void voidCharge(const VoidTransmission &transmission) override { voids.push_back(transmission); }
    void drain() override
    {
        if (draining)
            draining();
    }

    [[nodiscard]] GatewaySink &sink() const { return *m_sink; }
    void tellBank(const QString &ledgerId = QStringLiteral("ledger-1"))
    {
        m_sink->bankLearned(BankIdentity{ledgerId, 24 * 3'600'000, true});
    }
    /// The bank's word to the charge sent last.
    void answer(int status, const QByteArray &word, const QHash<QByteArray, QByteArray> &headers = {})
    {
        m_sink->attemptEnded(charges.back().attempt, answerTo(charges.back(), status, word, headers));
    }
    void stayAway(Transmission::End end, int wireSends)
    {
        m_sink->attemptEnded(charges.back().attempt, Transmission{end, {}, wireSends, 3'000, {}});
    }
    /// An answer that echoes what was sent; `word` is approved or declined.
    static Transmission answerTo(const ChargeTransmission &sent, int status, const QByteArray &word,
                                 const QHash<QByteArray, QByteArray> &headers = {})
    {
        QByteArray body = sent.body.trimmed();
        body.chop(1); // the closing brace: the bank's own members follow
        body += ",\"id\":\"ch_1\",\"status\":\"" + word + "\",\"idempotency_key\":\"" + sent.attempt.key.bytes() +
                "\",\"balance\":98800,\"created_at\":\"2026-01-01T00:00:00Z\",\"decline_code\":\"insufficient_funds\"}";
        QHash<QByteArray, QByteArray> all = headers;
        all.insert("content-type", "application/json");
        all.insert("ledger-id", "ledger-1");
        return Transmission{Transmission::End::Answered, HttpAnswer{status, all, body}, 1, 12, {}};
    }

    /// The bank's record of the charge sent last, to the inquiry sent last; `word` as in `status`.
    void answerInquiry(const QByteArray &word)
    {
        m_sink->inquiryEnded(inquiries.back().key, answerTo(charges.back(), 200, word));
    }
    void knowsNothing(int status = 404)
    {
        const QByteArray body =
            "{\"type\":\"urn:ikkai:problem:unknown-key\",\"title\":\"t\",\"status\":404,\"detail\":\"d\"}";
        m_sink->inquiryEnded(
            inquiries.back().key,
            Transmission{
                Transmission::End::Answered,
                HttpAnswer{status, {{"content-type", "application/problem+json"}, {"ledger-id", "ledger-1"}}, body},
                1,
                5,
                {}});
    }
    void inquiryUnanswered()
    {
        m_sink->inquiryEnded(inquiries.back().key, Transmission{Transmission::End::DeadlinePassed, {}, 1, 3'000, {}});
    }
    /// `result`: reversed, prevented or not_charged.
    void answerVoid(const QByteArray &result)
    {
        QByteArray body = voids.back().body;
        body.chop(1);
        body += ",\"at\":\"2026-01-01T00:00:00Z\",\"result\":\"" + result + "\"}";
        voidEnds({Transmission::End::Answered,
                  HttpAnswer{200, {{"content-type", "application/json"}, {"ledger-id", "ledger-1"}}, body},
                  1,
                  8,
                  {}});
    }
    void voidEnds(const Transmission &transmission)
    {
        m_sink->voidEnded(voids.back().key, voids.back().voidTry, transmission);
    }
    void voidUnanswered() { voidEnds({Transmission::End::DeadlinePassed, {}, 1, 3'000, {}}); }

    std::vector<ChargeTransmission> charges;
    std::vector<InquiryTransmission> inquiries;
    std::vector<VoidTransmission> voids;
    std::function<void()> transmitted;
    std::function<void()> draining;
    int learns = 0;

private:
    GatewaySink *m_sink = nullptr;
};

/// One terminal's engine on virtual time.
struct Engine {
    VirtualTime time;
    CountingRandom random;
    MemoryJournal &journal;
    PlayedGateway gateway;
    CheckoutService service;
    std::vector<Checkout> shown; ///< every checkoutChanged, in order
    std::vector<StartRejection> rejected;
    std::vector<SupervisorAnswer> supervised;
    std::vector<InquiryPlan> plans;
    std::vector<BankLink> links;
    std::vector<Checkout> meanwhile; ///< every settledMeanwhile

    explicit Engine(MemoryJournal &memory, ServiceSettings used = settings())
        : journal(memory)
        , service(journal, gateway, time, random, time, std::move(used))
    {
        QObject::connect(&service, &CheckoutService::bankLinkChanged, &service,
                         [this](BankLink link) { links.push_back(link); });
        QObject::connect(&service, &CheckoutService::supervisorAnswered, &service,
                         [this](const SupervisorAnswer &answer) { supervised.push_back(answer); });
        QObject::connect(&service, &CheckoutService::inquiryPlanned, &service,
                         [this](const InquiryPlan &plan) { plans.push_back(plan); });
        QObject::connect(&service, &CheckoutService::settledMeanwhile, &service,
                         [this](const Checkout &checkout) { meanwhile.push_back(checkout); });
        QObject::connect(&service, &CheckoutService::checkoutChanged, &service,
                         [this](const Checkout &checkout) { shown.push_back(checkout); });
        QObject::connect(&service, &CheckoutService::startRejected, &service,
                         [this](const StartRejection &rejection) { rejected.push_back(rejection); });
    }

    /// Long work is done at once.
    static ServiceSettings settings()
    {
        ServiceSettings settings;
        settings.elsewhere = [](const std::function<bool()> &work, const std::function<void(bool)> &done) {
            done(work());
        };
        return settings;
    }
    static StartRequest sale(const char *order = "A-1", qint64 amountMinor = 1'200)
    {
        return {OrderId::parse(QString::fromLatin1(order)).value(),
                Money::ofMinor(amountMinor, Currency::jpy()).value(),
                SourceId::parse(QStringLiteral("card_ok")).value()};
    }
    /// Recovered, and the bank known.
    void open()
    {
        service.recover();
        gateway.tellBank();
    }
    [[nodiscard]] const Checkout &last() const { return shown.back(); }
    [[nodiscard]] QString outcome() const { return outcomeWord(last().state); }
};

} // namespace ikkai::test
