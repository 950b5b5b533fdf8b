#pragma once

#include "core/checkout/checkout.h"

namespace ikkai::state {

/// Part of the journal's format: never change a word.
inline const char *wordOf(WrittenOff::Why why)
{
    switch (why) {
    case WrittenOff::Why::Mismatch:
        return "mismatch";
    case WrittenOff::Why::LedgerGone:
        return "ledger_gone";
    }
    return nullptr;
}

} // namespace ikkai::state
