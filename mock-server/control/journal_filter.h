#pragma once

#include "mock-server/control/journal_record.h"
#include "mock-server/http/message.h"

#include <QtCore/QHash>

#include <variant>

namespace mockbank {

/// What a filter asks, kept of every record that is on disk, so that only those that match are read.
struct JournalCard {
    quint64 n = 0;
    size_t key = 0; ///< hashes
    size_t order = 0;
    size_t rule = 0;
    size_t route = 0;
    quint64 attemptId = 0;
    int attempt = 0;
    int status = 0;
    JournalEnd end = JournalEnd::Open;

    explicit JournalCard(const JournalRecord &record);
};

/// Which records of the journal are meant: those that meet every condition given.
struct JournalFilter {
    std::optional<QByteArray> key;
    std::optional<QByteArray> route;
    std::optional<QString> order;
    std::optional<int> status;
    std::optional<QByteArray> rule;
    std::optional<int> attempt;
    std::optional<JournalEnd> ended;

    [[nodiscard]] bool matches(const JournalRecord &record) const;
    /// False where the record cannot match.
    [[nodiscard]] bool mayMatch(const JournalCard &card) const;
};

/// The names a filter knows.
[[nodiscard]] const QByteArrayList &journalFilterNames();
/// Sets one condition; the 422 naming it (as `member`) where the value is none.
[[nodiscard]] std::optional<Response> setCondition(JournalFilter *filter, const QByteArray &name,
                                                   const QByteArray &value, const QString &member);
/// Reads {"key","route","order","status","rule","attempt","ended"} of a call's member `filter`.
[[nodiscard]] std::variant<JournalFilter, Response> readFilter(const QJsonValue &json);

} // namespace mockbank
