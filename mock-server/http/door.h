#pragma once

#include "mock-server/control/event_log.h"
#include "mock-server/faults/fault_plan.h"
#include "mock-server/faults/held_messages.h"
#include "mock-server/http/listener.h"
#include "mock-server/http/unread_connections.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

namespace mockbank {

/// What faults do before anything of a request is read: the placement `connect`. Everything it refers to outlives it.
///
/// The control plane shares the port. It is never locked out for good: while the port is closed the connections that
/// it has stay open, its event streams with them, and every refusal has an end. A connection that is kept unread cannot
/// be told apart before it is read, so a console that connects then is kept too; one that is there already is not.
class Door : public QObject {
    Q_OBJECT

public:
    Door(FaultPlan &faults, HeldMessages &held, EventLog &events, Listener &listener);

    /// Closes and opens the port as the rules say now. To be called after every change of the rules and whenever the
    /// listener has been opened.
    void look();
    /// The bank goes down: what is kept here is closed, and the port is nobody's business until the next `look`.
    void goDown();
    [[nodiscard]] bool isRefusing() const { return m_refusing; }

private:
    bool keepUnread(qintptr descriptor);
    void tell(const FaultDecision &decision, const char *light);

    FaultPlan &m_faults;
    HeldMessages &m_held;
    EventLog &m_events;
    Listener &m_listener;
    UnreadConnections m_unread;
    QTimer m_again;
    bool m_refusing = false;
    QByteArray m_lastRule; ///< that has closed the port
};

} // namespace mockbank
