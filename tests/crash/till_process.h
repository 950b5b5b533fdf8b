#pragma once

#include "tests/crash/chaos.h"

#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QStringList>

#include <optional>
#include <vector>

namespace ikkai::crash {

/// One run of `payment-terminal` with `--json`.
class TillProcess {
public:
    TillProcess(const QString &folder, const QStringList &arguments);
    ~TillProcess();

    /// Waits for the moment; false where the program had ended before.
    bool reach(const Moment &moment);
    /// SIGKILL. False where it had ended by itself.
    bool kill();
    /// Waits so long, or for its end.
    void wait(int ms) { m_process.waitForFinished(ms); }
    /// To its end; none where it hangs (it is killed then) or was killed.
    std::optional<int> finish(int longestMs);

    /// What it has told so far.
    const std::vector<QJsonObject> &lines();
    [[nodiscard]] QString complaint() { return QString::fromUtf8(m_process.readAllStandardError()); }

private:
    void read();

    QProcess m_process;
    std::vector<QJsonObject> m_lines;
};

} // namespace ikkai::crash
