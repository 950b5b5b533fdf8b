#pragma once

#include "mock-server/bank/bank_clock.h"
#include "mock-server/bank/strategy.h"

#include <functional>
#include <memory>
#include <optional>
#include <variant>

namespace mockbank {

/// A charge, or one whose answer needs no store (a bad body).
struct ChargeTask {
    ChargeWork work;
    std::function<void(Answer)> done; ///< empty once answered, while the work goes on behind the answer
    std::optional<Answer> ready;
    const char *readyEvent = nullptr;
    QByteArray ledger;                  ///< that it was begun in; empty before its first step
    std::shared_ptr<Strategy> strategy; ///< under which it was begun, and so ends
};

/// A void, or one with a bad body.
struct VoidTask {
    VoidWork work;
    std::function<void(Answer)> done;
    std::optional<Answer> ready;
    const char *readyEvent = nullptr;
};

struct InquiryTask {
    InquiryArrival arrival;
    ScopedKey name;
    std::function<void(Answer)> done;
};

struct ListTask {
    ListArrival arrival;
    QByteArray scope;
    std::function<void(Answer)> done;
};

/// Sets the bank's clock.
struct ClockTask {
    ClockChange change;
    std::function<void(std::optional<ClockState>)> done; ///< nothing where it could not be set
    std::optional<ClockSetting> wanted;                  ///< to know it again after a commit that failed
};

/// Makes a new ledger of the store, or sets only the clock right.
struct ResetTask {
    bool ledgerToo = false;
    std::function<void(bool)> done; ///< false where it could not be done
    QByteArray newLedger;           ///< to know it again after a commit that failed
};

/// Anything the control API asks of the store. `run` gives back what is to be called after the commit; it is called
/// again where the batch is repeated.
struct DeskTask {
    std::function<std::function<void()>(Store &)> run;
    std::function<void()> failed; ///< the store could not be used
};

using LedgerTask = std::variant<ChargeTask, VoidTask, InquiryTask, ListTask, ClockTask, ResetTask, DeskTask>;

} // namespace mockbank
