#pragma once

#include "mock-server/http/message.h"

#include <QtCore/QObject>
#include <QtCore/QUrl>

#include <functional>

class QTcpSocket;

namespace mockbank {

/// The bytes of a request as a load balancer passes them on to another server: the same head and body, but for what
/// belongs to one connection (Host, Connection, Expect, the framing) and for what only this bank may read (Fault,
/// Control-Token).
[[nodiscard]] QByteArray forwardedBytes(const Request &request, const QByteArray &host);

/// A copy of a request on its way to another bank, over a plain connection of its own; its answer is forgotten. Goes
/// away by itself, after `patienceMs` at the latest.
class RequestCopy : public QObject {
    Q_OBJECT

public:
    static constexpr int patienceMs = 30'000;

    /// What became of it: the status of the answer, or 0 and why there is none. Called once.
    using Done = std::function<void(int status, const QString &detail)>;

    /// `to`: http://host[:port].
    RequestCopy(const Request &request, const QUrl &to, Done done, QObject *parent);

private:
    void end(const QString &detail);

    QTcpSocket *const m_socket;
    Done m_done;
    QByteArray m_answer;
};

} // namespace mockbank
