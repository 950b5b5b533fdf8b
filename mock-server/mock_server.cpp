#include "mock-server/mock_server.h"

#include "mock-server/server_core.h"

#include <QtCore/QRandomGenerator>
#include <QtCore/QThread>

#include <array>

namespace mockbank {

namespace {

QByteArray makeControlToken()
{
    std::array<quint32, 8> random{};
    QRandomGenerator::system()->fillRange(random.data(), static_cast<qsizetype>(random.size()));
    return QByteArray(reinterpret_cast<const char *>(random.data()), sizeof random).toHex();
}

} // namespace

class MockServer::Private {
public:
    QThread thread;
    std::unique_ptr<QObject> doorbell; ///< lives on the thread: what others want done there is sent to it
    std::unique_ptr<ServerCore> core;  ///< lives on the thread
};

MockServer::MockServer()
    : d(std::make_unique<Private>())
{
}

MockServer::~MockServer()
{
    stop();
}

std::variant<RunningServer, StartError> MockServer::start(const MockServerOptions &options)
{
    stop();
    MockServerOptions complete = options;
    if (complete.controlToken.isEmpty())
        complete.controlToken = makeControlToken();

    d->thread.setObjectName(QStringLiteral("bank network"));
    d->doorbell = std::make_unique<QObject>();
    d->doorbell->moveToThread(&d->thread);
    d->thread.start();
    std::variant<RunningServer, StartError> result;
    QMetaObject::invokeMethod(
        d->doorbell.get(),
        [&] {
            d->core = std::make_unique<ServerCore>(complete);
            result = d->core->start();
        },
        Qt::BlockingQueuedConnection);
    if (std::holds_alternative<StartError>(result))
        stop();
    return result;
}

void MockServer::stop()
{
    if (!d->thread.isRunning())
        return;
    QMetaObject::invokeMethod(
        d->doorbell.get(), [this] { d->core.reset(); }, Qt::BlockingQueuedConnection);
    d->thread.quit();
    d->thread.wait();
    d->doorbell.reset();
}

void MockServer::crash(int downMs)
{
    if (d->doorbell)
        QMetaObject::invokeMethod(d->doorbell.get(), [this, downMs] { d->core->crash(downMs); });
}

} // namespace mockbank
