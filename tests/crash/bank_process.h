#pragma once

#include "tests/support/raw_http.h"

#include <QtCore/QProcess>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <vector>

namespace ikkai::crash {

/// One movement of money in the bank's ledger.
struct Movement {
    bool isCharge = true; ///< else a reversal
    QString key;
    QString order;
    qint64 amountMinor = 0;
};

/// The mock bank as a process with its money in one file, killed and started again on the same port.
class BankProcess {
public:
    BankProcess(QString folder, QString strategy);
    ~BankProcess();

    /// False, with a word on standard error, where it does not come up.
    bool start();
    /// SIGKILL. False where it had ended by itself.
    bool kill();

    [[nodiscard]] QString url() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_port); }

    /// A control call; asked again for a while where the bank is just coming back.
    test::RawAnswer control(const QByteArray &method, const QByteArray &path, const QByteArray &json = {}) const;
    /// False where the bank does not take it.
    [[nodiscard]] bool arm(const QByteArray &fault) const;
    /// Ids of what a fault holds back.
    [[nodiscard]] QStringList held() const;
    void decideHeld(const QString &id, const char *action) const;
    [[nodiscard]] std::vector<Movement> ledger() const;

private:
    QString m_folder;
    QString m_strategy;
    QProcess m_process;
    QByteArray m_token;
    quint16 m_port = 0;
};

} // namespace ikkai::crash
