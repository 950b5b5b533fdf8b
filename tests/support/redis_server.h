#pragma once

#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QTcpServer>

#include <csignal>
#include <memory>
#include <sys/prctl.h>

namespace ikkai::test {

/// A real Redis on a free port of loopback, with a throw-away folder. It ends with this object, and with the test's
/// process however that ends.
class RedisServer {
public:
    /// Empty where no Redis is installed.
    static QString program() { return QStandardPaths::findExecutable(QStringLiteral("redis-server")); }

    explicit RedisServer(const QString &password = {})
        : m_password(password)
    {
        start();
    }
    ~RedisServer() { stop(); }
    RedisServer(const RedisServer &) = delete;
    RedisServer &operator=(const RedisServer &) = delete;

    [[nodiscard]] quint16 port() const { return m_port; }
    [[nodiscard]] bool isRunning() const { return m_process && m_process->state() == QProcess::Running; }
    [[nodiscard]] QString address() const
    {
        const QString login = m_password.isEmpty() ? QString() : QLatin1Char(':') + m_password + QLatin1Char('@');
        return QStringLiteral("redis://") + login + QStringLiteral("127.0.0.1:") + QString::number(m_port);
    }

    /// On the port it had before, if any.
    void start()
    {
        // Somebody may take the port between our look and Redis's; then another one is tried.
        for (int tries = 0; tries < 5 && !isRunning(); ++tries) {
            if (m_port == 0 || tries > 0)
                m_port = freePort();
            m_process = std::make_unique<QProcess>();
            m_process->setWorkingDirectory(m_folder.path());
            m_process->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
            QStringList arguments{QStringLiteral("--port"),    QString::number(m_port),  QStringLiteral("--bind"),
                                  QStringLiteral("127.0.0.1"), QStringLiteral("--save"), QString(),
                                  QStringLiteral("--dir"),     m_folder.path()};
            if (!m_password.isEmpty())
                arguments += {QStringLiteral("--requirepass"), m_password};
            m_process->start(program(), arguments);
            QByteArray said;
            while (!said.contains("Ready to accept connections") && m_process->waitForReadyRead(10'000))
                said += m_process->readAllStandardOutput();
            if (!said.contains("Ready to accept connections"))
                stop();
        }
        if (!isRunning())
            qCritical("redis-server did not start");
    }
    /// At once and without a word to its clients, as when the machine goes.
    void stop()
    {
        if (!m_process)
            return;
        m_process->kill();
        m_process->waitForFinished(10'000);
        m_process.reset();
    }
    /// Stands still, or goes on.
    void pause() const { ::kill(static_cast<pid_t>(m_process->processId()), SIGSTOP); }
    void resume() const { ::kill(static_cast<pid_t>(m_process->processId()), SIGCONT); }

private:
    static quint16 freePort()
    {
        QTcpServer probe;
        probe.listen(QHostAddress::LocalHost);
        return probe.serverPort();
    }

    QTemporaryDir m_folder;
    QString m_password;
    std::unique_ptr<QProcess> m_process;
    quint16 m_port = 0;
};

} // namespace ikkai::test
