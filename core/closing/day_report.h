#pragma once

#include "core/domain/ids.h"
#include "core/domain/money.h"

#include <QtCore/QDate>
#include <QtCore/QList>
#include <QtCore/QMetaType>
#include <QtCore/QString>

#include <optional>

namespace ikkai {

/// How many checkouts ended in one way, and their sum in one currency.
struct DayTotal {
    QString outcome; ///< outcome word
    Currency currency = Currency::jpy();
    int count = 0;
    qint64 sumMinor = 0;
    friend bool operator==(const DayTotal &, const DayTotal &) = default;
};

/// A checkout that the report names: still open, or out of the ordinary.
struct DayLine {
    IdempotencyKey key;
    OrderId order;
    Money money;
    QString state; ///< outcome word, when the day was closed
    qint64 startedWallMs = 0;
    QString note; ///< a supervisor's reason, or the word that contradicts; else empty
    friend bool operator==(const DayLine &, const DayLine &) = default;
};

/// One closed day (or, with number 0, what closing would report now). A checkout counts on the business day on which
/// this journal learned its outcome; while it is open it is carried. Immutable once closed.
struct DayReport {
    int number = 0; ///< counts up from 1 without gaps
    QDate businessDay;
    QString terminalId;
    QString zone; ///< IANA name
    int dayStartsAtMinute = 0;
    qint64 closedWallMs = 0;  ///< 0: not closed
    QList<DayTotal> totals;   ///< by outcome word, then currency
    QList<DayLine> carriedIn; ///< open at the last closing and settled in this report
    QList<DayLine> carried;   ///< open now: they stay with us
    QList<DayLine> remarks;   ///< overridden, written off, contradicted
    friend bool operator==(const DayReport &, const DayReport &) = default;
};

/// A closed day in the list of all.
struct DayReportHead {
    int number = 0;
    QDate businessDay;
    qint64 closedWallMs = 0;
    int settled = 0; ///< checkouts counted
    int carried = 0;
    friend bool operator==(const DayReportHead &, const DayReportHead &) = default;
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::DayReport)
Q_DECLARE_METATYPE(ikkai::DayReportHead)
