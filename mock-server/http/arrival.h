#pragma once

#include "mock-server/faults/fault_plan.h"
#include "mock-server/http/connection.h"
#include "mock-server/http/fault_facts.h"

#include <QtCore/QJsonObject>

#include <memory>
#include <optional>

namespace mockbank {

/// One call of the data plane on its way, from its head to the end of its answer.
struct Arrival {
    std::shared_ptr<Exchange> exchange;    ///< not open where nobody waits: the client has gone, or it is a copy
    RouteMatch route = RouteMatch::Charge; ///< never Any
    ClientAttempt attempt;
    std::optional<Problem> flaw; ///< of a header, answered once the request may be looked at
    std::optional<FaultDecision> fault;
    QJsonObject facts; ///< what every event about this arrival says
    bool moneyMoved = false;
    bool replayed = false;
    bool madeUp = false;      ///< what the client got was not the bank's answer
    bool struck = false;      ///< its fault was played
    bool faultIsOver = false; ///< released or waited for: goes on as if there were none

    [[nodiscard]] quint64 id() const { return exchange->arrivalId; }
    /// Where its fault strikes; nothing where it has none, or none any more.
    [[nodiscard]] std::optional<Placement> placement() const;
    [[nodiscard]] const Manifestation &manifestation() const { return fault->fault.manifestation; }
};

using ArrivalPtr = std::shared_ptr<Arrival>;

/// Takes down what the head and the body say about an arrival before the bank has judged it. `segment` is the key in
/// the path of an inquiry, percent-encoded.
[[nodiscard]] ArrivalPtr readArrival(const std::shared_ptr<Exchange> &exchange, RouteMatch route,
                                     const QByteArray &segment = {});

/// The same request once more, as a network delivers it: nobody waits for its answer and no fault strikes it.
[[nodiscard]] ArrivalPtr copyOf(const Arrival &arrival, const std::shared_ptr<Exchange> &exchange);

} // namespace mockbank
