#pragma once

#include "core/checkout/event.h"
#include "core/domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace ikkai {

/// An event as the journal keeps it.
struct StoredEvent {
    qint64 atWallMs = 0;
    QString type;    ///< eventName()
    QByteArray data; ///< one JSON object: `v` (the format's version, 1), `at` (all three clocks), the event's members
    friend bool operator==(const StoredEvent &, const StoredEvent &) = default;
};

/// Nothing is lost: decodeEvent gives back an equal event. Pure.
[[nodiscard]] StoredEvent encodeEvent(const Event &event);
/// Errors, one sentence: a type or version that is not known here, a member that is missing or of another kind.
Result<Event, QString> decodeEvent(const StoredEvent &stored);

} // namespace ikkai
