#pragma once

#include "mock-server/control/event_log.h"
#include "mock-server/faults/fault_plan.h"
#include "mock-server/http/arrival.h"

#include <QtCore/QObject>

namespace mockbank {

/// Writes answers of the data plane and tells of each what has become of it: before its first byte leaves, and when
/// its last was acknowledged. Everything it refers to outlives it.
class AnswerSender : public QObject {
    Q_OBJECT

public:
    AnswerSender(FaultPlan &faults, EventLog &events);

    /// The whole answer at once.
    void send(const ArrivalPtr &arrival, const Response &response);

    /// An answer that is written in parts. `begin` tells of it, `finish` ends it.
    struct Started {
        QByteArray bytes; ///< the whole answer
        qsizetype headBytes = 0;
        QJsonObject facts;
    };
    /// `firstBytes` leave at once, the others may never.
    [[nodiscard]] Started begin(const ArrivalPtr &arrival, const Response &response, qsizetype firstBytes);
    void finish(const ArrivalPtr &arrival, const QJsonObject &facts);

    /// Bytes that are no HTTP answer, then an orderly close.
    void sendRaw(const ArrivalPtr &arrival, const QByteArray &bytes);

private:
    [[nodiscard]] QJsonObject factsOf(const Arrival &arrival, const QJsonObject &more) const;
    /// `settles`: it was the bank's last word, and nothing harmed it.
    void delivered(const ArrivalPtr &arrival, const QJsonObject &facts, bool settles);
    void tellLight(const Arrival &arrival, const QString &light, const QByteArray &rule);

    FaultPlan &m_faults;
    EventLog &m_events;
};

} // namespace mockbank
