#pragma once

#include "app/bank_at_hand.h"
#include "app/options.h"
#include "core/checkout/checkout_service.h"
#include "core/closing/closing_desk.h"
#include "core/domain/clock.h"
#include "core/domain/result.h"
#include "core/gateway/authorities.h"

#include <QtCore/QByteArray>
#include <QtCore/QThread>
#include <QtCore/QUrl>

#include <memory>
#include <optional>

namespace ikkai {
class JournalLock;
}

namespace ikkai::app {

/// Everything behind the window or the command: the embedded bank (unless `--server` names one), the journal under its
/// lock, the gateway and the service on their own thread, and history and closing on another, because a search or a
/// reconciliation must hold up neither the window nor a charge. Made and destroyed on the main thread.
class Engine {
public:
    /// Opens everything, in the order in which it depends on each other. The service is not recovered yet: connect to
    /// it first, then call `recover`. Errors: exit code 3 for the journal and its lock, 2 for files that options name,
    /// 1 for the embedded bank.
    static Result<std::unique_ptr<Engine>, Stop> open(const Options &options);
    /// The same with an embedded bank of other settings; `options.server` must be empty.
    static Result<std::unique_ptr<Engine>, Stop> open(const Options &options,
                                                      const mockbank::MockServerOptions &embedded);
    ~Engine();

    [[nodiscard]] CheckoutService &service() const { return *m_service; }
    /// Lives on the reading thread.
    [[nodiscard]] HistorySource &history() const { return *m_history; }
    /// Lives on the reading thread.
    [[nodiscard]] ClosingDesk &closing() const { return *m_closing; }
    [[nodiscard]] const SystemClock &clock() const { return m_clock; }
    /// Where the bank is, embedded or not.
    [[nodiscard]] QUrl bankUrl() const { return m_bank->url(); }
    [[nodiscard]] Authorities authorities() const { return m_bank->authorities(); }
    [[nodiscard]] QByteArray controlToken() const { return m_bank->controlToken(); }
    /// CheckoutService::recover, on the service's thread.
    void recover();

private:
    struct Room;
    struct ReadingRoom;
    Engine();
    std::optional<Stop> startService(const Options &options);
    void startReading(const Options &options);

    std::unique_ptr<JournalLock> m_lock; ///< before the embedded bank: its store stands beside the journal
    SystemClock m_clock;
    std::unique_ptr<BankAtHand> m_bank;
    QThread m_thread;
    Room *m_room = nullptr; ///< lives on m_thread, ends with it
    CheckoutService *m_service = nullptr;
    QThread m_readingThread;
    ReadingRoom *m_readingRoom = nullptr; ///< lives on m_readingThread, ends with it
    HistorySource *m_history = nullptr;
    ClosingDesk *m_closing = nullptr;
};

} // namespace ikkai::app
