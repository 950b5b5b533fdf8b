#include "tests/crash/bank_process.h"

#include "tests/crash/words.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QThread>
#include <QtCore/QUrl>

#include <csignal>
#include <cstdio>

namespace ikkai::crash {

BankProcess::BankProcess(QString folder, QString strategy)
    : m_folder(std::move(folder))
    , m_strategy(std::move(strategy))
{
}

BankProcess::~BankProcess()
{
    kill();
}

bool BankProcess::start()
{
    const QString tokenFile = m_folder + s("/bank.token");
    const QStringList arguments{s("--strategy"), m_strategy, s("--store"), s("sqlite:") + m_folder + s("/bank.sqlite"),
                                s("--token-file"), tokenFile, s("--port"), QString::number(m_port), s("--account"),
                                s("card_ok=900000000000"), s("--account"), s("card_low=300"), s("--account"),
                                s("card_decline=declining"),
                                // A claim of a bank that was killed must not stand in the way for long.
                                s("--lease"), s("600ms")};
    for (int tries = 0; tries < 20; ++tries) {
        m_process.setStandardErrorFile(m_folder + s("/bank.err"), QIODevice::Append);
        m_process.start(s(MOCK_PAYMENT_SERVER), arguments);
        while (m_process.state() != QProcess::NotRunning && !m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(patienceMs))
                break;
        }
        if (m_process.canReadLine()) {
            const auto line = QJsonDocument::fromJson(m_process.readLine()).object();
            m_port = quint16(QUrl(line.value(s("url")).toString()).port(0));
            QFile token(tokenFile);
            if (m_port > 0 && token.open(QIODevice::ReadOnly)) {
                m_token = token.readAll().trimmed();
                return true;
            }
        }
        kill();
        QThread::msleep(100); // somebody else's socket may have the port for a moment
    }
    std::fprintf(stderr, "the bank does not start; see %s/bank.err\n", qUtf8Printable(m_folder));
    return false;
}

bool BankProcess::kill()
{
    if (m_process.state() == QProcess::NotRunning)
        return false;
    ::kill(pid_t(m_process.processId()), SIGKILL);
    m_process.waitForFinished(patienceMs);
    return m_process.exitStatus() == QProcess::CrashExit;
}

test::RawAnswer BankProcess::control(const QByteArray &method, const QByteArray &path, const QByteArray &json) const
{
    const QByteArray request =
        method + " /control/" + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(m_port) +
        "\r\nAuthorization: Bearer " + m_token +
        "\r\nContent-Type: application/json\r\nContent-Length: " + QByteArray::number(json.size()) + "\r\n\r\n" + json;
    test::RawAnswer answer;
    for (int tries = 0; tries < 100; ++tries) {
        test::RawConnection connection(m_port);
        connection.send(request);
        answer = connection.read(5'000);
        if (answer.ending == test::Ending::Complete)
            return answer;
        QThread::msleep(20); // a fault makes the bank crash and come back
    }
    std::fprintf(stderr, "the bank does not answer %s\n", path.constData());
    return answer;
}

bool BankProcess::arm(const QByteArray &fault) const
{
    const auto answer = control("POST", "faults", R"({"spec":")" + fault + R"("})");
    if (answer.status != 201)
        std::fprintf(stderr, "not armed: %s: %s\n", fault.constData(), answer.body.constData());
    return answer.status == 201;
}

QStringList BankProcess::held() const
{
    QStringList ids;
    const QJsonArray all = control("GET", "held").json().value(s("held")).toArray();
    for (const QJsonValue &one : all)
        ids.append(one.toObject().value(s("id")).toVariant().toString());
    return ids;
}

void BankProcess::decideHeld(const QString &id, const char *action) const
{
    control("POST", "held/" + id.toLatin1(), QByteArray(R"({"action":")") + action + R"("})");
}

std::vector<Movement> BankProcess::ledger() const
{
    std::vector<Movement> movements;
    for (QString after = s("0"); !after.isEmpty();) {
        const auto page = control("GET", "ledger?limit=500&after=" + after.toLatin1()).json();
        const QJsonArray rows = page.value(s("movements")).toArray();
        for (const QJsonValue &row : rows) {
            const QJsonObject movement = row.toObject();
            movements.push_back({movement.value(s("kind")).toString() == s("charge"),
                                 movement.value(s("idempotency_key")).toString(),
                                 movement.value(s("order_id")).toString(), movement.value(s("amount")).toInteger()});
        }
        const QJsonValue next = page.value(s("next"));
        after = next.isNull() || next.isUndefined() ? QString() : next.toVariant().toString();
    }
    return movements;
}

} // namespace ikkai::crash
