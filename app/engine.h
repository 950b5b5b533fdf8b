#pragma once

#include "app/options.h"
#include "core/checkout/checkout_service.h"
#include "core/domain/clock.h"
#include "core/domain/result.h"
#include "core/gateway/authorities.h"

#include <QtCore/QByteArray>
#include <QtCore/QThread>
#include <QtCore/QUrl>

#include <memory>
#include <optional>

namespace mockbank {
class MockServer;
}

namespace ikkai {
class JournalLock;
}

namespace ikkai::app {

/// Everything behind the window or the command: the embedded bank (unless `--server` names one), the journal under its
/// lock, the gateway and the service on their own thread. Made and destroyed on the main thread.
class Engine {
public:
    /// Opens everything, in the order in which it depends on each other. The service is not recovered yet: connect to
    /// it first, then call `recover`. Errors: exit code 3 for the journal and its lock, 2 for files that options name,
    /// 1 for the embedded bank.
    static Result<std::unique_ptr<Engine>, Stop> open(const Options &options);
    ~Engine();

    [[nodiscard]] CheckoutService &service() const { return *m_service; }
    [[nodiscard]] const SystemClock &clock() const { return m_clock; }
    /// Where the bank is, embedded or not.
    [[nodiscard]] QUrl bankUrl() const { return m_bankUrl; }
    /// Who may vouch for an https bank, of `--ca-file`; empty: those the system trusts.
    [[nodiscard]] Authorities authorities() const { return m_authorities; }
    /// The control token of the embedded bank, or of `--control-token-file`; empty where neither is there.
    [[nodiscard]] QByteArray controlToken() const { return m_controlToken; }
    /// CheckoutService::recover, on the service's thread.
    void recover();

private:
    struct Room;
    Engine();
    std::optional<Stop> startBank(const Options &options);
    std::optional<Stop> startService(const Options &options);

    std::unique_ptr<JournalLock> m_lock; ///< before the embedded bank: its store stands beside the journal
    SystemClock m_clock;
    std::unique_ptr<mockbank::MockServer> m_bank;
    QUrl m_bankUrl;
    QByteArray m_controlToken;
    Authorities m_authorities;
    QThread m_thread;
    Room *m_room = nullptr; ///< lives on m_thread, ends with it
    CheckoutService *m_service = nullptr;
};

} // namespace ikkai::app
