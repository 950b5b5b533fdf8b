#pragma once

#include "core/checkout/checkout_service.h"
#include "core/domain/clock.h"
#include "core/domain/random.h"
#include "core/gateway/http_gateway.h"
#include "core/journal/sqlite_journal.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>
#include <QtCore/QUrl>
#include <QtTest/QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ikkai::test {

/// The machine's clocks, but for waits, which pass twenty times as fast: a patient 5 s is a quarter of one. Deadlines
/// of the wire are real.
class HurriedTime final : public Clock, public Scheduler {
public:
    [[nodiscard]] Stamp now() const override
    {
        const Stamp real = m_system.now();
        const qint64 passedMs = (real.monotonicMs - m_start.monotonicMs) * hurry;
        return {real.wallMs, m_start.monotonicMs + passedMs, m_start.bootMs + passedMs};
    }
    [[nodiscard]] QString bootId() const override { return m_system.bootId(); }
    void at(qint64 monotonicMs, std::function<void()> call) override
    {
        const qint64 delayMs = std::max<qint64>(0, monotonicMs - now().monotonicMs + hurry - 1) / hurry;
        QTimer::singleShot(static_cast<int>(delayMs), Qt::PreciseTimer, &m_context, std::move(call));
    }

private:
    static constexpr qint64 hurry = 20;

    SystemClock m_system;
    Stamp m_start = m_system.now();
    QObject m_context; ///< calls end with it
};

/// One terminal without a window: the real service, gateway and journal. Destroying it is a power cut: nothing is said
/// goodbye to, and the journal is what the next one finds.
class HurriedTill {
public:
    /// One try of 400 ms, then Unknown, unless the policy says otherwise.
    static RetryPolicy impatient()
    {
        RetryPolicy policy;
        policy.attemptDeadlineMs = 400;
        policy.maxAttempts = 1;
        return policy;
    }

    HurriedTill(const QUrl &bank, const QString &journalFile, const RetryPolicy &policy = impatient())
        : m_journal(open(journalFile))
        , m_gateway(std::make_unique<HttpGateway>(gatewayAt(bank)))
        , m_service(std::make_unique<CheckoutService>(*m_journal, *m_gateway, m_time, m_random, m_time,
                                                      settingsFor(bank, policy)))
    {
        QObject::connect(m_service.get(), &CheckoutService::checkoutChanged, m_service.get(),
                         [this](const Checkout &checkout) {
                             const QString word = outcomeWord(checkout.state);
                             std::vector<QString> &words = m_believed[checkout.key];
                             if (words.empty() || words.back() != word)
                                 words.push_back(word);
                             m_newest.insert_or_assign(checkout.key, checkout);
                         });
        QObject::connect(m_service.get(), &CheckoutService::bankLinkChanged, m_service.get(),
                         [this](BankLink link) { m_link = link; });
        m_service->recover();
    }

    [[nodiscard]] CheckoutService &service() { return *m_service; }
    [[nodiscard]] bool isOnline() const { return m_link == BankLink::Online; }
    [[nodiscard]] bool seesAnotherLedger() const { return m_link == BankLink::OtherLedger; }

    void sell(const char *order, const char *source = "card_ok")
    {
        m_service->start({OrderId::parse(QString::fromLatin1(order)).value(),
                          Money::ofMinor(1'200, Currency::jpy()).value(),
                          SourceId::parse(QString::fromLatin1(source)).value()});
    }
    /// The checkout that was started last.
    [[nodiscard]] const Checkout &checkout() const { return m_newest.rbegin()->second; }
    [[nodiscard]] const Checkout &checkout(const IdempotencyKey &key) const { return m_newest.at(key); }
    [[nodiscard]] bool knows(const IdempotencyKey &key) const { return m_newest.contains(key); }
    /// Outcome word of the checkout that was started last; empty where there is none.
    [[nodiscard]] QString outcome() const { return m_newest.empty() ? QString() : outcomeWord(checkout().state); }
    [[nodiscard]] QString outcome(const IdempotencyKey &key) const { return outcomeWord(checkout(key).state); }
    /// Every outcome word that was shown of it, in order.
    [[nodiscard]] const std::vector<QString> &believed(const IdempotencyKey &key) const { return m_believed.at(key); }
    [[nodiscard]] bool everBelieved(const IdempotencyKey &key, const char *word) const
    {
        const std::vector<QString> &words = believed(key);
        return std::find(words.begin(), words.end(), QLatin1String(word)) != words.end();
    }

private:
    static std::unique_ptr<SqliteJournal> open(const QString &file)
    {
        auto opened = SqliteJournal::open(file);
        if (!opened)
            qFatal("%s", qPrintable(describe(opened.error())));
        return std::move(opened).value();
    }
    static HttpGatewaySettings gatewayAt(const QUrl &bank)
    {
        HttpGatewaySettings settings;
        settings.baseUrl = bank;
        return settings;
    }
    static ServiceSettings settingsFor(const QUrl &bank, const RetryPolicy &policy)
    {
        ServiceSettings settings;
        settings.bankAt = bank.toString();
        settings.policy = policy;
        return settings;
    }

    HurriedTime m_time;
    SystemRandom m_random;
    std::unique_ptr<SqliteJournal> m_journal;
    std::unique_ptr<HttpGateway> m_gateway;
    std::unique_ptr<CheckoutService> m_service;
    std::map<IdempotencyKey, Checkout> m_newest;
    std::map<IdempotencyKey, std::vector<QString>> m_believed;
    BankLink m_link = BankLink::NotTriedYet;
};

} // namespace ikkai::test
