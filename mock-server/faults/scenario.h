#pragma once

#include "mock-server/bank/account.h"
#include "mock-server/faults/fault.h"

#include <QtCore/QList>

namespace mockbank {

/// The bank's part of a scenario file: how it works, who has how much, and which faults strike.
struct Scenario {
    QString name;
    quint64 seed = 0;
    std::optional<QString> strategy; ///< nothing: as it is
    QList<Account> accounts;         ///< set to this; others stay as they are
    QList<Fault> steps;
    QJsonObject given; ///< as it was read, to be shown
};

/// Reads `{"name","seed","bank":{"strategy","accounts"},"steps":[{"selector","placement","manifestation"}],"expect"}`.
/// `name` and `steps` are needed. `expect` is the terminal's: it is shown and not judged here. An account is a balance
/// or
/// `{"balance","declining"}`. A scenario without a seed gets one. Errors name the member, as
/// `steps[2].manifestation.code`.
[[nodiscard]] std::variant<Scenario, FaultError> readScenario(const QJsonObject &json);

} // namespace mockbank
