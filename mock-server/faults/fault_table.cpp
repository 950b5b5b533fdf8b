#include "mock-server/faults/fault_table.h"

#include <algorithm>

namespace mockbank {

namespace {

using enum Placement;
using enum ManifestationKind;
using enum MoneyTruth;

constexpr FaultTruth truths[] = {
    {Unread, Hold, false, LedgerFault::None, Untouched, false,
     "the request is read and put aside: silence until the client gives up"},
    {Unread, Fin, false, LedgerFault::None, Untouched, false, "the request is read, then the connection is closed"},
    {Unread, Rst, false, LedgerFault::None, Untouched, false, "the request is read, then the connection is reset"},
    {Unread, Delay, true, LedgerFault::None, AsIfButLater, true,
     "the request is put aside for ms and looked at then, also when the client has gone"},
    {Unread, Status, false, LedgerFault::None, Untouched, false, "a made-up answer; the bank never saw the request"},
    {Unread, Restart, false, LedgerFault::None, Untouched, false,
     "the request is read, then the whole bank is down for ms: connections reset, port refused"},

    {BeforeCommit, Hold, true, LedgerFault::FailBeforeCommit, Untouched, false,
     "the charge is rolled back and its claim deleted, then silence until the client gives up"},
    {BeforeCommit, Fin, true, LedgerFault::FailBeforeCommit, Untouched, false,
     "the charge is rolled back and its claim deleted, then the connection is closed"},
    {BeforeCommit, Rst, true, LedgerFault::FailBeforeCommit, Untouched, false,
     "the charge is rolled back and its claim deleted, then the connection is reset"},
    {BeforeCommit, Delay, true, LedgerFault::None, AsIfButLater, true,
     "the request is checked, then waits ms before the bank claims and charges, also when the client has gone"},
    {BeforeCommit, Status, true, LedgerFault::FailBeforeCommit, Untouched, false,
     "the charge is rolled back and its claim deleted, then a made-up answer"},
    {BeforeCommit, Restart, true, LedgerFault::CrashBeforeCommit, Untouched, false,
     "the claim stays, the charge does not: the whole bank is down for ms, connections reset, port refused"},

    {AfterCommit, Hold, true, LedgerFault::None, AsIfUnharmed, false,
     "committed; the answer is kept back: silence until the client gives up"},
    {AfterCommit, Fin, true, LedgerFault::None, AsIfUnharmed, false, "committed; the connection is closed unanswered"},
    {AfterCommit, Rst, true, LedgerFault::None, AsIfUnharmed, false, "committed; the connection is reset unanswered"},
    {AfterCommit, Delay, true, LedgerFault::None, AsIfUnharmed, true, "committed; the answer leaves ms later"},
    {AfterCommit, Status, true, LedgerFault::None, AsIfUnharmed, false,
     "committed; a made-up answer goes out instead of the bank's"},
    {AfterCommit, Restart, true, LedgerFault::None, AsIfUnharmed, false,
     "committed; the whole bank is down for ms: connections reset, port refused"},

    {MidAnswer, Hold, true, LedgerFault::None, AsIfUnharmed, false,
     "committed; the answer stops at `at`, the rest is kept back"},
    {MidAnswer, Fin, true, LedgerFault::None, AsIfUnharmed, false,
     "committed; the answer stops at `at` and the connection is closed"},
    {MidAnswer, Rst, true, LedgerFault::None, AsIfUnharmed, false,
     "committed; the answer stops at `at` and the connection is reset"},
    {MidAnswer, Delay, true, LedgerFault::None, AsIfUnharmed, true,
     "committed; the answer stops at `at` for ms, then goes on"},
    {MidAnswer, Restart, true, LedgerFault::None, AsIfUnharmed, false,
     "committed; the answer stops at `at` and the whole bank is down for ms"},
};

} // namespace

std::span<const FaultTruth> faultTable()
{
    return truths;
}

const FaultTruth *faultTruth(Placement placement, ManifestationKind kind)
{
    const auto *found = std::ranges::find_if(
        truths, [&](const FaultTruth &truth) { return truth.placement == placement && truth.kind == kind; });
    return found == std::end(truths) ? nullptr : found;
}

} // namespace mockbank
