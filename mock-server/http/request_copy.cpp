#include "mock-server/http/request_copy.h"

#include <QtCore/QTimer>
#include <QtNetwork/QNetworkProxy>
#include <QtNetwork/QTcpSocket>

#include <algorithm>
#include <array>

namespace mockbank {

namespace {

constexpr qsizetype readAtMost = 256 * 1024;

bool passesOn(const QByteArray &name)
{
    static constexpr std::array<QByteArrayView, 9> kept{
        "host",  "connection",        "keep-alive",     "expect",       "upgrade",
        "fault", "transfer-encoding", "content-length", "control-token"};
    return std::ranges::none_of(kept,
                                [&](QByteArrayView other) { return name.compare(other, Qt::CaseInsensitive) == 0; });
}

int statusOf(const QByteArray &answer)
{
    return answer.startsWith("HTTP/1.") && answer.contains("\r\n\r\n") ? answer.mid(9, 3).toInt() : 0;
}

} // namespace

QByteArray forwardedBytes(const Request &request, const QByteArray &host)
{
    QByteArray bytes = request.method + ' ' + request.path;
    if (!request.query.isEmpty())
        bytes += '?' + request.query;
    bytes += " HTTP/1.1\r\nHost: " + host + "\r\n";
    for (const auto &[name, value] : request.headers) {
        if (passesOn(name))
            bytes += name + ": " + value + "\r\n";
    }
    if (request.method == "POST" || !request.body.isEmpty())
        bytes += "Content-Length: " + QByteArray::number(request.body.size()) + "\r\n";
    return bytes + "Connection: close\r\n\r\n" + request.body;
}

RequestCopy::RequestCopy(const Request &request, const QUrl &to, Done done, QObject *parent)
    : QObject(parent)
    , m_socket(new QTcpSocket(this))
    , m_done(std::move(done))
{
    m_socket->setProxy(QNetworkProxy::NoProxy);
    m_socket->setReadBufferSize(readAtMost);
    connect(m_socket, &QTcpSocket::connected, this,
            [this, bytes = forwardedBytes(request, to.authority(QUrl::FullyEncoded).toLatin1())] {
                m_socket->write(bytes);
            });
    connect(m_socket, &QTcpSocket::readyRead, this, [this] {
        const QByteArray more = m_socket->readAll();
        if (m_answer.size() < readAtMost)
            m_answer.append(more);
    });
    connect(m_socket, &QTcpSocket::errorOccurred, this, [this] { end(m_socket->errorString()); });
    connect(m_socket, &QTcpSocket::disconnected, this, [this] { end({}); });
    QTimer::singleShot(patienceMs, this, [this] { end(QStringLiteral("no answer in time")); });
    m_socket->connectToHost(to.host(), static_cast<quint16>(to.port(80)));
}

void RequestCopy::end(const QString &detail)
{
    const Done done = std::exchange(m_done, {});
    if (!done)
        return;
    const int status = statusOf(m_answer);
    done(status, status > 0 ? QString() : detail);
    deleteLater();
}

} // namespace mockbank
