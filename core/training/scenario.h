#pragma once

#include "core/checkout/retry_policy.h"
#include "core/domain/ids.h"
#include "core/domain/money.h"
#include "core/training/json_lines.h"

#include <QtCore/QJsonObject>
#include <QtCore/QString>

#include <optional>
#include <vector>

namespace ikkai {

/// What a cashier does by hand once the automatic tries have ended without a final word.
enum class CashierAct { CheckNow, TryAgain };

struct ScenarioCheckout {
    OrderId order;
    Money money;
    SourceId source;
};

/// What has to be true at the end; what is not given is not asked.
struct ScenarioExpectation {
    std::optional<int> chargesPerOrder; ///< charges less reversals in the ledger, for every order played
    std::optional<QString> outcome;     ///< outcomeWord of every checkout
    std::optional<bool> replayed;       ///< every approval came as a replay, or none did
    std::optional<int> maxWireSends;    ///< of any one checkout
    std::optional<int> maxSeconds;      ///< from the press to the last word of any one checkout
};

/// A scenario file (docs/scenario.schema.json): a bank, what goes wrong, what is paid, what must come of it.
struct Scenario {
    QString name;
    /// As it stands in the file, for the bank to read: {"name","seed","bank","steps"}. The bank knows its own words;
    /// what it finds wrong it names by member, and `lines` knows where that stands.
    QJsonObject forBank;
    /// Settings of a bank that only hold from its start: `processing_ms`, `lease_ms`, `key_ttl_s`, `lock_s`. Empty for
    /// none.
    QJsonObject bankAtStart;
    RetryPolicy policy;
    std::vector<ScenarioCheckout> checkouts; ///< one after the other; at least one
    std::vector<CashierAct> onUnknown;       ///< in this order, until there is a final word
    ScenarioExpectation expect;
    JsonLines lines;
};

/// Reads a scenario. Flaws name the line and the member. Pure; any thread.
[[nodiscard]] Result<Scenario, FileFlaw> readScenario(const QByteArray &text);

} // namespace ikkai
