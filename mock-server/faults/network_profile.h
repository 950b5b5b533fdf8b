#pragma once

#include "mock-server/faults/fault.h"

#include <QtCore/QJsonArray>

#include <span>

namespace mockbank {

/// A network between every client and the bank, as data: how late, how lossy, how narrow.
struct NetworkProfile {
    const char *name;
    const char *title;
    DelayLaw delay;
    int lossMillionths; ///< of requests and answers together: half of what is lost is the one, half the other
    int bytesPerSecond; ///< 0: as fast as it goes
};

/// Offline, Very bad network, Slow 3G, Flaky Wi-Fi, Good.
[[nodiscard]] std::span<const NetworkProfile> networkProfiles();

/// `offline, very_bad_network ...`, for people.
[[nodiscard]] QString profileNames();
/// By name or title; case, spaces and dashes do not matter. Null where there is none.
[[nodiscard]] const NetworkProfile *findProfile(const QString &name);

/// What this network does to one attempt, by its draw; nothing where the attempt passes unharmed. Offline loses
/// every request and never an answer: nothing gets through to be answered.
[[nodiscard]] std::optional<Fault> profileFault(const NetworkProfile &profile, quint64 draw);

[[nodiscard]] QJsonObject toJson(const NetworkProfile &profile);

} // namespace mockbank
