#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QProcess>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace ikkai::test {

/// A real PostgreSQL of this test program alone: its data in a folder of its own, on a free port of loopback, durable
/// commits (fsync) on. It stops, and its folder goes, when the program ends, however it ends: the server hangs on a
/// pipe that the system closes. Where the server's programs are not installed there is none, and that is said loudly.
class PostgresServer {
public:
    /// Started at the first call; null where PostgreSQL is not installed.
    static PostgresServer *instance();
    /// Why there is none.
    static QString absence();

    PostgresServer(const PostgresServer &) = delete;
    PostgresServer &operator=(const PostgresServer &) = delete;
    ~PostgresServer();

    int port() const { return m_port; }
    /// A new empty database; its address as a bank's --store takes it. Superuser without a password.
    QString newDatabase();
    /// Runs statements as the superuser; tells the first value of the last one, or its error.
    QString run(const QString &address, const QStringList &statements);

    // What happens to servers. Each returns when it has happened.
    void crash();   ///< without orderly end
    void start();   ///< after crash
    void restart(); ///< both

private:
    PostgresServer(const QString &programs, int port);
    QByteArray tell(const QByteArray &command);

    QProcess m_keeper;
    int m_port = 0;
    int m_databases = 0;
    static QString s_absence;
};

} // namespace ikkai::test
