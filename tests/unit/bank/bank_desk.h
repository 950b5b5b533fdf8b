#pragma once

#include "mock-server/bank/bank.h"
#include "mock-server/bank/clock.h"
#include "mock-server/bank/strategy.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

#include <atomic>
#include <condition_variable>
#include <future>
#include <map>
#include <memory>
#include <mutex>

/// What tests of the bank use to speak to it in plain sentences.
namespace ikkai::test {

/// A clock that stands still until a test moves it.
class HandClock final : public mockbank::Clock {
public:
    qint64 nowMs() const override { return m_nowMs; }
    qint64 elapsedMs() const override { return m_elapsedMs; }
    void onMoved(const void *id, std::function<void()> moved) override
    {
        const std::scoped_lock lock(m_mutex);
        if (moved)
            m_listeners[id] = std::move(moved);
        else
            m_listeners.erase(id);
    }
    void advance(std::chrono::milliseconds by)
    {
        m_elapsedMs += by.count();
        setForward(by);
    }
    /// Somebody sets the date: the wall clock jumps, timers do not.
    void setForward(std::chrono::milliseconds by)
    {
        m_nowMs += by.count();
        const std::scoped_lock lock(m_mutex);
        for (const auto &[id, moved] : m_listeners)
            moved();
    }

private:
    std::atomic<qint64> m_nowMs{1'784'000'000'000}; // 2026-07-14T03:33:20Z
    std::atomic<qint64> m_elapsedMs{1000};
    std::mutex m_mutex;
    std::map<const void *, std::function<void()>> m_listeners;
};

inline QByteArray chargeBody(qint64 amount, const QString &order = QStringLiteral("A-1001"),
                             const QString &source = QStringLiteral("card_ok"))
{
    return QJsonDocument(QJsonObject{{QStringLiteral("order_id"), order},
                                     {QStringLiteral("amount"), amount},
                                     {QStringLiteral("currency"), QStringLiteral("JPY")},
                                     {QStringLiteral("source"), source}})
        .toJson();
}

inline mockbank::ChargeArrival arrival(const QByteArray &key, const QByteArray &body)
{
    static std::atomic<quint64> arrivals{0};
    mockbank::ChargeArrival made;
    made.arrivalId = ++arrivals;
    made.merchant = "default";
    made.key = key;
    made.attempt = 1;
    made.body = body;
    return made;
}

inline QByteArray voidBody(const QByteArray &originalKey, qint64 amount,
                           const QString &order = QStringLiteral("A-1001"),
                           const QString &currency = QStringLiteral("JPY"))
{
    return QJsonDocument(QJsonObject{{QStringLiteral("original_key"), QString::fromLatin1(originalKey)},
                                     {QStringLiteral("order_id"), order},
                                     {QStringLiteral("amount"), amount},
                                     {QStringLiteral("currency"), currency}})
        .toJson();
}

inline mockbank::VoidArrival voidArrival(const QByteArray &key, const QByteArray &body)
{
    mockbank::VoidArrival made;
    made.arrivalId = 1'000'000;
    made.merchant = "default";
    made.key = key;
    made.attempt = 1;
    made.body = body;
    return made;
}

inline QString result(const mockbank::Answer &answer)
{
    return QJsonDocument::fromJson(answer.body).object().value(QStringLiteral("result")).toString();
}

inline QJsonObject json(const mockbank::Answer &answer)
{
    return QJsonDocument::fromJson(answer.body).object();
}

inline QByteArray header(const mockbank::Answer &answer, const QByteArray &name)
{
    for (const auto &[have, value] : answer.headers) {
        if (have.compare(name, Qt::CaseInsensitive) == 0)
            return value;
    }
    return {};
}

inline QString problem(const mockbank::Answer &answer)
{
    return json(answer).value(QStringLiteral("type")).toString().remove(QStringLiteral("urn:ikkai:problem:"));
}

/// A bank and blocking calls to it.
struct Desk {
    explicit Desk(mockbank::BankOptions options)
    {
        QString error;
        bank = mockbank::Bank::open(options, &error);
        if (!bank)
            qFatal("%s", qPrintable(error));
    }

    /// A store in memory, one account with 100,000.
    static mockbank::BankOptions plain()
    {
        mockbank::BankOptions options;
        options.accounts = {{QStringLiteral("card_ok"), 100'000, false}};
        return options;
    }

    /// The bank vanishes as in a crash and comes back with the same store.
    void crashAndComeBack()
    {
        const mockbank::BankOptions options = bank->options();
        bank.reset();
        bank = Desk(options).bank;
    }

    mockbank::Answer charge(const mockbank::ChargeArrival &sent) { return chargeLater(sent).get(); }
    mockbank::Answer charge(const QByteArray &key, qint64 amount) { return charge(arrival(key, chargeBody(amount))); }
    std::future<mockbank::Answer> chargeLater(const mockbank::ChargeArrival &sent)
    {
        auto answered = std::make_shared<std::promise<mockbank::Answer>>();
        bank->charge(sent, [answered](mockbank::Answer answer) { answered->set_value(std::move(answer)); });
        return answered->get_future();
    }
    mockbank::Answer inquire(const QByteArray &key)
    {
        std::promise<mockbank::Answer> answered;
        mockbank::InquiryArrival sent;
        sent.merchant = "default";
        sent.key = key;
        bank->inquire(sent, [&](mockbank::Answer answer) { answered.set_value(std::move(answer)); });
        return answered.get_future().get();
    }
    mockbank::Answer voidCharge(const mockbank::VoidArrival &sent)
    {
        std::promise<mockbank::Answer> answered;
        bank->voidCharge(sent, [&](mockbank::Answer answer) { answered.set_value(std::move(answer)); });
        return answered.get_future().get();
    }
    mockbank::Answer list(const mockbank::ListArrival &sent)
    {
        std::promise<mockbank::Answer> answered;
        bank->list(sent, [&](mockbank::Answer answer) { answered.set_value(std::move(answer)); });
        return answered.get_future().get();
    }
    std::optional<mockbank::ClockState> setClock(const mockbank::ClockChange &change)
    {
        std::promise<std::optional<mockbank::ClockState>> answered;
        bank->setClock(change, [&](std::optional<mockbank::ClockState> state) { answered.set_value(state); });
        return answered.get_future().get();
    }
    std::optional<QString> reset(bool ledgerToo)
    {
        std::promise<std::optional<QString>> answered;
        bank->reset(ledgerToo, [&](const std::optional<QString> &ledger) { answered.set_value(ledger); });
        return answered.get_future().get();
    }
    qint64 balance(const QString &source = QStringLiteral("card_ok"))
    {
        std::promise<QList<mockbank::Account>> answered;
        bank->listAccounts([&](QList<mockbank::Account> accounts) { answered.set_value(std::move(accounts)); });
        for (const mockbank::Account &account : answered.get_future().get()) {
            if (account.source == source)
                return account.balanceMinor;
        }
        return -1;
    }
    void setBalance(qint64 balanceMinor)
    {
        std::promise<void> answered;
        bank->putAccount({QStringLiteral("card_ok"), balanceMinor, false},
                         [&](mockbank::Account) { answered.set_value(); });
        answered.get_future().get();
    }
    QJsonObject movementsPage(qint64 after, int limit)
    {
        return report([&](auto done) { bank->listMovements(after, limit, done); });
    }
    QJsonArray movements() { return movementsPage(0, 500).value(QStringLiteral("movements")).toArray(); }
    QJsonArray keys()
    {
        return report([&](auto done) { bank->listKeys(done); }).value(QStringLiteral("keys")).toArray();
    }
    /// All of it, page by page.
    QJsonArray outbox()
    {
        QJsonArray events;
        QJsonValue after = 0;
        while (!after.isNull()) {
            const QJsonObject page =
                report([&](auto done) { bank->listOutbox(after.toInteger(), 500, mockbank::OutboxRows::All, done); });
            for (const QJsonValue &event : page.value(QStringLiteral("events")).toArray())
                events.append(event);
            after = page.contains(QStringLiteral("error")) ? QJsonValue() : page.value(QStringLiteral("next"));
        }
        return events;
    }
    QJsonObject counters()
    {
        return report([&](auto done) { bank->counters(done); });
    }

    std::unique_ptr<mockbank::Bank> bank;

private:
    template <typename Ask>
    static QJsonObject report(Ask ask)
    {
        std::promise<QJsonObject> answered;
        ask([&](QJsonObject object) { answered.set_value(std::move(object)); });
        return answered.get_future().get();
    }
};

} // namespace ikkai::test
