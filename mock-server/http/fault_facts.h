#pragma once

#include "mock-server/faults/fault_plan.h"

#include <QtCore/QJsonObject>

namespace mockbank {

/// `facts` and what is said on top of them.
[[nodiscard]] QJsonObject with(QJsonObject facts, const QJsonObject &more);

/// What events say of a decision: rule_id, source, draw, spec, placement, manifestation.
[[nodiscard]] QJsonObject ruleFacts(const FaultDecision &decision);

[[nodiscard]] bool isKnowable(const FaultDecision &decision);
[[nodiscard]] bool reachesBank(const FaultDecision &decision);

} // namespace mockbank
