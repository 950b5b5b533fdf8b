#include "mock-server/bank/ledger_counters.h"

#include <QtCore/QHash>

namespace mockbank {

void LedgerCounters::count(const BankEvent &event)
{
    static const QHash<QByteArray, quint64 LedgerCounters::*> byKind{
        {"committed", &LedgerCounters::charges},
        {"declined", &LedgerCounters::declines},
        {"replayed", &LedgerCounters::replays},
        {"in_progress", &LedgerCounters::inProgress},
        {"mismatch", &LedgerCounters::mismatches},
        {"rolled_back", &LedgerCounters::rolledBack},
        {"expired", &LedgerCounters::expired},
        {"key_voided", &LedgerCounters::keyVoided},
        {"void_replayed", &LedgerCounters::voidReplays},
        {"void_in_progress", &LedgerCounters::voidsInProgress},
        {"void_mismatch", &LedgerCounters::voidMismatches},
        {"claim_taken_over", &LedgerCounters::takeovers},
        {"claim_deleted", &LedgerCounters::claimsDeleted},
    };
    if (const auto found = byKind.constFind(event.kind); found != byKind.cend()) {
        ++(this->*found.value());
    } else if (event.kind == "voided") {
        const QString result = event.data.value(QLatin1String("result")).toString();
        if (result == QLatin1String("reversed"))
            ++voidsReversed;
        else if (result == QLatin1String("prevented"))
            ++voidsPrevented;
        else
            ++voidsNotCharged;
    } else if (event.kind == "swept") {
        swept += quint64(event.data.value(QLatin1String("count")).toInteger());
    }
}

} // namespace mockbank
