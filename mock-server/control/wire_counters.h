#pragma once

#include "mock-server/bank/ledger_counters.h"
#include "mock-server/control/journal_record.h"

#include <QtCore/QMap>

#include <utility>

namespace mockbank {

/// What the journal counts besides its records: exact, never reset, over every crash of the bank. The network thread's.
struct WireCounters {
    struct Route {
        quint64 arrivals = 0;
        quint64 delivered = 0;
        qint64 bytesWritten = 0;
        QMap<int, quint64> answers; ///< begun, by status; 0 where the status line was not whole
        QMap<QByteArray, quint64> ended;
        /// From the complete request to the first byte of its answer.
        CountedBounds<17> answerUs{.bounds = {100, 250, 500, 1000, 2500, 5000, 10'000, 25'000, 50'000, 100'000, 250'000,
                                              500'000, 1'000'000, 2'500'000, 5'000'000, 10'000'000, 30'000'000}};
    };
    QMap<QByteArray, Route> routes;
    QMap<std::pair<QString, QString>, quint64> faultsFired; ///< by placement and manifestation
    quint64 resends = 0;                                    ///< arrivals of an attempt that had arrived before
    quint64 incomplete = 0;                                 ///< whose request never was whole
};

} // namespace mockbank
