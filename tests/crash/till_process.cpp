#include "tests/crash/till_process.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QJsonDocument>
#include <QtCore/QProcessEnvironment>

#include <csignal>

namespace ikkai::crash {

TillProcess::TillProcess(const QString &folder, const QStringList &arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder);
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder);
    m_process.setProcessEnvironment(environment);
    m_process.start(QStringLiteral(PAYMENT_TERMINAL), arguments);
    m_process.waitForStarted();
}

TillProcess::~TillProcess()
{
    kill();
}

bool TillProcess::reach(const Moment &moment)
{
    constexpr int longestStoryMs = 10'000;
    QElapsedTimer clock;
    clock.start();
    read();
    while (int(m_lines.size()) < moment.lines && m_process.state() != QProcess::NotRunning &&
           clock.elapsed() < longestStoryMs) {
        m_process.waitForReadyRead(200);
        read();
    }
    if (moment.thenMs > 0 && m_process.state() != QProcess::NotRunning)
        m_process.waitForFinished(moment.thenMs);
    return m_process.state() != QProcess::NotRunning;
}

bool TillProcess::kill()
{
    if (m_process.state() == QProcess::NotRunning)
        return false;
    ::kill(pid_t(m_process.processId()), SIGKILL);
    m_process.waitForFinished();
    return m_process.exitStatus() == QProcess::CrashExit;
}

std::optional<int> TillProcess::finish(int longestMs)
{
    if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(longestMs)) {
        kill();
        return {};
    }
    if (m_process.exitStatus() != QProcess::NormalExit)
        return {};
    return m_process.exitCode();
}

const std::vector<QJsonObject> &TillProcess::lines()
{
    read();
    return m_lines;
}

void TillProcess::read()
{
    while (m_process.canReadLine())
        m_lines.push_back(QJsonDocument::fromJson(m_process.readLine()).object());
}

} // namespace ikkai::crash
