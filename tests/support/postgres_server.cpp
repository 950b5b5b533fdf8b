#include "tests/support/postgres_server.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QStandardPaths>
#include <QtCore/QUrl>
#include <QtNetwork/QHostAddress>
#include <QtNetwork/QTcpServer>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <memory>
#include <unistd.h>

namespace ikkai::test {

namespace {

// Runs as the server's user. Reads commands until its input ends, which is when the test program has ended. It must
// outlive a Ctrl-C at the terminal to clean up.
constexpr const char *keeperScript = R"sh(
programs=$1 port=$2
trap '' INT TERM HUP
folder=$(mktemp -d "${TMPDIR:-/tmp}/ikkai-postgres-XXXXXX") || exit 1
cd "$folder" || exit 1
start() {
    "$programs/pg_ctl" -D "$folder/data" -w -t 60 -l "$folder/log" start \
        -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder -c max_connections=60" >/dev/null 2>&1
}
crash() { "$programs/pg_ctl" -D "$folder/data" -w -t 60 -m immediate stop >/dev/null 2>&1; }
finish() { crash; cd /; rm -rf "$folder"; }
"$programs/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C -N >"$folder/initdb.log" 2>&1 || {
    tail -n 3 "$folder/initdb.log"; finish; exit 1; }
# One role that must name its password.
echo "host all guarded_role 127.0.0.1/32 scram-sha-256" | cat - "$folder/data/pg_hba.conf" >"$folder/hba"
cat "$folder/hba" >"$folder/data/pg_hba.conf"
if start; then echo ready; else tail -n 3 "$folder/log"; finish; exit 1; fi
while read -r command; do
    case $command in
    crash) crash && echo done ;;
    start) start && echo done ;;
    esac
done
finish
)sh";

QString findPrograms()
{
    const QDir versions(QStringLiteral("/usr/lib/postgresql"));
    QStringList names = versions.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name | QDir::Reversed);
    for (const QString &name : std::as_const(names)) {
        const QString programs = versions.filePath(name + QStringLiteral("/bin"));
        if (QFileInfo(programs + QStringLiteral("/initdb")).isExecutable())
            return programs;
    }
    const QString initdb = QStandardPaths::findExecutable(QStringLiteral("initdb"));
    return initdb.isEmpty() ? QString() : QFileInfo(initdb).path();
}

int freePort()
{
    QTcpServer server;
    return server.listen(QHostAddress::LocalHost) ? server.serverPort() : 0;
}

} // namespace

QString PostgresServer::s_absence;

PostgresServer *PostgresServer::instance()
{
    static const std::unique_ptr<PostgresServer> server = [] {
        const QString programs = findPrograms();
        if (programs.isEmpty())
            s_absence =
                QStringLiteral("POSTGRESQL IS NOT INSTALLED: nothing was tested on it (apt install postgresql)");
        else if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QPSQL")))
            s_absence = QStringLiteral("QT'S POSTGRESQL DRIVER IS NOT INSTALLED: nothing was tested on it"
                                       " (apt install libqt6sql6-psql)");
        if (!s_absence.isEmpty())
            return std::unique_ptr<PostgresServer>();
        // A free port may be taken by another test program before the server has it.
        for (int tries = 0; tries < 5; ++tries) {
            std::unique_ptr<PostgresServer> started(new PostgresServer(programs, freePort()));
            if (started->m_port > 0)
                return started;
        }
        qFatal("PostgreSQL is installed but does not start");
    }();
    return server.get();
}

QString PostgresServer::absence()
{
    return s_absence;
}

PostgresServer::PostgresServer(const QString &programs, int port)
{
    QStringList command{
        QStringLiteral("sh"), QStringLiteral("-c"), QString::fromLatin1(keeperScript), QStringLiteral("sh"), programs,
        QString::number(port)};
    // PostgreSQL refuses to run as root.
    if (::geteuid() == 0)
        command = QStringList{QStringLiteral("runuser"), QStringLiteral("-u"), QStringLiteral("postgres"),
                              QStringLiteral("--")} +
                  command;
    m_keeper.setProcessChannelMode(QProcess::MergedChannels);
    m_keeper.setWorkingDirectory(QStringLiteral("/"));
    m_keeper.start(command.takeFirst(), command);
    const QByteArray said = tell({});
    if (said == "ready")
        m_port = port;
    else
        qInfo("PostgreSQL did not start: %s", said.constData());
}

PostgresServer::~PostgresServer()
{
    m_keeper.closeWriteChannel();
    m_keeper.waitForFinished(60'000);
}

/// Says a line, unless it is empty, and waits for the answer.
QByteArray PostgresServer::tell(const QByteArray &command)
{
    if (!command.isEmpty())
        m_keeper.write(command + '\n');
    while (!m_keeper.canReadLine()) {
        if (!m_keeper.waitForReadyRead(60'000))
            return m_keeper.readAll().trimmed();
    }
    return m_keeper.readLine().trimmed();
}

QString PostgresServer::newDatabase()
{
    const QString name = QStringLiteral("test_%1").arg(++m_databases);
    const QString admin = QStringLiteral("postgres://postgres@127.0.0.1:%1/postgres").arg(m_port);
    const QString error = run(admin, {QStringLiteral("CREATE DATABASE %1").arg(name)});
    if (!error.isEmpty())
        qFatal("%s", qPrintable(error));
    return QStringLiteral("postgres://postgres@127.0.0.1:%1/%2").arg(m_port).arg(name);
}

QString PostgresServer::run(const QString &address, const QStringList &statements)
{
    const QUrl url(address);
    const QString connection = QStringLiteral("postgres-admin");
    QString answer;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), connection);
        database.setHostName(url.host());
        database.setPort(url.port());
        database.setUserName(url.userName());
        database.setDatabaseName(url.path().mid(1));
        if (!database.open())
            qFatal("%s", qPrintable(database.lastError().text()));
        QSqlQuery query(database);
        for (const QString &statement : statements) {
            answer.clear();
            if (!query.exec(statement))
                answer = query.lastError().databaseText();
            else if (query.next())
                answer = query.value(0).toString();
        }
    }
    QSqlDatabase::removeDatabase(connection);
    return answer;
}

void PostgresServer::crash()
{
    if (tell("crash") != "done")
        qFatal("PostgreSQL did not stop");
}

void PostgresServer::start()
{
    if (tell("start") != "done")
        qFatal("PostgreSQL did not start again");
}

void PostgresServer::restart()
{
    crash();
    start();
}

} // namespace ikkai::test
