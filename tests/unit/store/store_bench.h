#pragma once

#include "mock-server/store/memory_store.h"
#include "mock-server/store/store_address.h"
#include "tests/support/postgres_server.h"
#include "tests/support/test.h"

#include <QtCore/QTemporaryDir>

#include <functional>

namespace ikkai::test {

/// One place to keep money at, of each kind that banks know, empty at first. What it opens belongs to this thread.
class StoreBench {
public:
    explicit StoreBench(const QString &kind)
        : m_kind(kind)
    {
        if (kind == QLatin1String("file")) {
            m_address.file = m_folder.filePath(QStringLiteral("bank.sqlite"));
        } else if (kind == QLatin1String("memory")) {
            m_address.memory = std::make_shared<mockbank::MemoryStore>();
        } else if (PostgresServer *server = PostgresServer::instance()) {
            m_text = server->newDatabase();
            QString error;
            m_address = mockbank::readStoreAddress(m_text, {}, &error).value();
        }
    }

    /// Empty where the kind can be used here.
    QString absence() const { return m_kind == QLatin1String("postgres") ? PostgresServer::absence() : QString(); }
    bool shared() const { return m_kind == QLatin1String("postgres"); }
    const mockbank::StoreAddress &address() const { return m_address; }
    /// Of PostgreSQL.
    const QString &text() const { return m_text; }
    [[nodiscard]] std::unique_ptr<mockbank::Store> open() const { return mockbank::openStore(m_address); }

    /// The rows of a test that runs at every kind.
    static void kinds()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("SQLite file") << QStringLiteral("file");
        QTest::newRow("SQLite memory") << QStringLiteral("memory");
        QTest::newRow("PostgreSQL") << QStringLiteral("postgres");
    }

private:
    QString m_kind;
    QString m_text;
    QTemporaryDir m_folder;
    mockbank::StoreAddress m_address;
};

/// What the store complained of; empty where it did not.
inline QString failureOf(const std::function<void()> &act)
{
    try {
        act();
    } catch (const mockbank::StoreError &error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

inline mockbank::Claim claimOf(const QByteArray &key)
{
    return {{"default POST /v1/charges", key}, {"bank-1", "run_1"}, 1, 5000, QByteArray(32, 'f'), 1000};
}

inline mockbank::Movement chargeOf(const QByteArray &key)
{
    mockbank::Movement movement;
    movement.chargeId = "ch_" + key;
    movement.name = claimOf(key).name;
    movement.fingerprint = QByteArray(32, 'f');
    movement.details = {QStringLiteral("A-1"), 1200, "JPY", QStringLiteral("card_ok"), {}};
    movement.balanceMinor = 98'800;
    movement.atMs = 1000;
    return movement;
}

inline mockbank::Movement reversalOf(const mockbank::Movement &charge)
{
    mockbank::Movement movement = charge;
    movement.kind = mockbank::MovementKind::Reversal;
    movement.balanceMinor += charge.details.amountMinor;
    movement.atMs += 1000;
    return movement;
}

inline mockbank::Verdict verdictOf(const QByteArray &key, int status = 201)
{
    mockbank::Verdict verdict;
    verdict.status = status;
    verdict.body = "{\"id\":\"ch_" + key + "\"}";
    verdict.chargeId = "ch_" + key;
    verdict.details = chargeOf(key).details;
    verdict.declineCode = status == 402 ? "insufficient_funds" : "";
    verdict.balanceMinor = 98'800;
    verdict.answeredAtMs = 1000;
    verdict.expiresAtMs = 10'000;
    return verdict;
}

inline mockbank::VoidMark markOf(mockbank::VoidResult result)
{
    return {result, 7000, QStringLiteral("A-1"), 1200, "JPY"};
}

/// The store of a test that runs at every kind, or a loud skip.
#define STORE_OF_KIND(bench)                                                                                           \
    QFETCH(QString, kind);                                                                                             \
    const StoreBench bench(kind);                                                                                      \
    if (!bench.absence().isEmpty())                                                                                    \
    QSKIP(qPrintable(bench.absence()))

} // namespace ikkai::test
