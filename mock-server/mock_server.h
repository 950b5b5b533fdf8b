#pragma once

#include "mock-server/bank/bank.h"
#include "mock-server/faults/fault.h"
#include "mock-server/outbox/webhook.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <memory>
#include <utility>
#include <variant>

namespace mockbank {

/// Bounds of the request journal.
struct JournalLimits {
    qsizetype memoryRecords = 1000;
    qsizetype memoryBytes = 4 * 1024 * 1024; ///< about
    qint64 diskBytes = 64 * 1024 * 1024;     ///< of a temporary file; 0: none
};

struct MockServerOptions {
    BankOptions bank;
    QString bind = QStringLiteral("127.0.0.1"); ///< an address; beyond loopback only with apiKeys
    quint16 port = 0;                           ///< 0: any free one
    QByteArray controlToken;                    ///< empty: one is made
    /// Merchant and API key; none: every client is the merchant `default`.
    QList<std::pair<QByteArray, QByteArray>> apiKeys;
    QStringList allowedHosts; ///< Host names that are answered besides the bound address and, on loopback, localhost
    int maxConnections = 512;
    WebhookOptions webhook; ///< where events go
    /// Chain, the bank's own certificate first, and private key, both PEM; both empty: plain HTTP.
    QByteArray certificatePem;
    QByteArray keyPem;
    JournalLimits journal;

    // What strikes from the first request on; all of it can be changed by the control API.
    QList<Fault> faults;
    QString profile; ///< a network profile, empty for none
    bool magicAmounts = false;
};

/// A bank that listens.
struct RunningServer {
    QString url; ///< as in http://127.0.0.1:40001, or https://
    quint16 port = 0;
    QByteArray controlToken;
    QString ledgerId;
    QString runId;
};

/// Why a bank does not listen: one line for a person.
struct StartError {
    QString detail;
};

/// The whole mock bank as one object: network thread, ledger thread, data plane and control API. Its own threads do all
/// the work; `start` and `stop` wait for them and may be called from any thread, but for one at a time.
class MockServer {
public:
    MockServer();
    ~MockServer(); ///< stops
    MockServer(const MockServer &) = delete;
    MockServer &operator=(const MockServer &) = delete;

    /// Opens the store and listens. A started server is stopped first.
    [[nodiscard]] std::variant<RunningServer, StartError> start(const MockServerOptions &options);

    /// No new connections, running charges finish and are answered, then everything is closed.
    void stop();

    /// Crash: connections reset, port refused, the bank's objects destroyed with their open transaction; `downMs` later
    /// everything is back on the same port and store, under a new run id. Returns at once. From any thread.
    void crash(int downMs);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace mockbank
