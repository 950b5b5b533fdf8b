#pragma once

#include "mock-server/mock_server.h"
#include "tests/support/raw_http.h"

#include <QtCore/QJsonArray>
#include <QtCore/QString>
#include <QtTest/QTest>

#include <functional>

namespace ikkai::test {

/// A mock bank on a free port of loopback with its money in memory, and short ways to drive it through its control API.
/// Calls block; the bank works on its own threads. card_ok has 100000, card_low 300, card_decline declines.
class BankUnderTest {
public:
    explicit BankUnderTest(mockbank::MockServerOptions options = {})
    {
        if (options.bank.accounts.isEmpty()) {
            options.bank.accounts = {{QStringLiteral("card_ok"), 100'000, false},
                                     {QStringLiteral("card_low"), 300, false},
                                     {QStringLiteral("card_decline"), 100'000, true}};
        }
        const auto started = m_server.start(options);
        if (const auto *running = std::get_if<mockbank::RunningServer>(&started))
            m_running = *running;
        else
            qCritical("the bank did not start: %s", qPrintable(std::get<mockbank::StartError>(started).detail));
    }

    [[nodiscard]] quint16 port() const { return m_running.port; }
    [[nodiscard]] QString url() const { return m_running.url; }
    [[nodiscard]] QByteArray controlToken() const { return m_running.controlToken; }
    [[nodiscard]] QString ledgerId() const { return m_running.ledgerId; }
    [[nodiscard]] mockbank::MockServer &server() { return m_server; }

    // The data plane.

    static QByteArray chargeBody(qint64 amount = 1200, const QByteArray &source = "card_ok",
                                 const QByteArray &order = "A-1")
    {
        return "{\"order_id\":\"" + order + "\",\"amount\":" + QByteArray::number(amount) +
               ",\"currency\":\"JPY\",\"source\":\"" + source + "\"}";
    }
    /// The bytes of one charge POST; attempt 0 sends no Attempt-Number.
    [[nodiscard]] QByteArray chargeRequest(const QByteArray &key, int attempt = 1,
                                           const QByteArray &body = chargeBody(),
                                           const QByteArray &moreHeaders = {}) const
    {
        QByteArray headers = "Content-Type: application/json\r\nIdempotency-Key: " + key + "\r\n" + moreHeaders;
        if (attempt > 0)
            headers += "Attempt-Number: " + QByteArray::number(attempt) + "\r\n";
        return request("POST", "/v1/charges", headers, body);
    }
    [[nodiscard]] QByteArray request(const QByteArray &method, const QByteArray &target, const QByteArray &headers = {},
                                     const QByteArray &body = {}) const
    {
        return method + ' ' + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(port()) + "\r\n" + headers +
               "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    }
    /// Sends on a connection of its own and waits for the answer.
    RawAnswer exchange(const QByteArray &bytes, int timeoutMs = 5000) const
    {
        if (m_transport)
            return m_transport(port(), bytes, timeoutMs);
        RawConnection connection(port());
        connection.send(bytes);
        return connection.read(timeoutMs);
    }
    RawAnswer charge(const QByteArray &key, int attempt = 1, const QByteArray &body = chargeBody(),
                     int timeoutMs = 5000) const
    {
        return exchange(chargeRequest(key, attempt, body), timeoutMs);
    }
    RawAnswer inquire(const QByteArray &key) const
    {
        return exchange(request("GET", "/v1/charges/" + key.toPercentEncoding()));
    }

    // The control plane.

    RawAnswer control(const QByteArray &method, const QByteArray &path, const QByteArray &json = {},
                      int timeoutMs = 5000) const
    {
        return exchange(request(method, "/control/" + path,
                                "Authorization: Bearer " + controlToken() + "\r\nContent-Type: application/json\r\n",
                                json),
                        timeoutMs);
    }
    /// Arms `placement:manifestation[...]` and returns the rule's id; fails the test where it is refused.
    QString arm(const QByteArray &spec) const
    {
        const QJsonObject body{{QStringLiteral("spec"), QString::fromUtf8(spec)}};
        const RawAnswer answer = control("POST", "faults", QJsonDocument(body).toJson(QJsonDocument::Compact));
        if (answer.status != 201)
            QTest::qFail(("not armed: " + spec + ' ' + answer.body).constData(), __FILE__, __LINE__);
        return answer.json().value(QStringLiteral("id")).toString();
    }
    void disarmAll() const { control("DELETE", "faults"); }
    [[nodiscard]] QJsonObject fault(const QString &id) const
    {
        return control("GET", "faults/" + id.toLatin1()).json();
    }
    [[nodiscard]] QJsonObject state() const { return control("GET", "state").json(); }
    [[nodiscard]] QJsonArray held() const
    {
        return control("GET", "held").json().value(QStringLiteral("held")).toArray();
    }
    /// A counter of the network side, such as `arrivals`.
    [[nodiscard]] qint64 counter(const QString &name) const
    {
        return state().value(QStringLiteral("counters")).toObject().value(name).toInteger(-1);
    }
    [[nodiscard]] qint64 arrivals() const { return counter(QStringLiteral("arrivals")); }
    /// One object for each movement of money, in the order of the ledger (the first 500).
    [[nodiscard]] QJsonArray movements() const
    {
        return control("GET", "ledger?limit=500").json().value(QStringLiteral("movements")).toArray();
    }
    /// How often money moved under this key.
    [[nodiscard]] int chargesOf(const QByteArray &key) const
    {
        const QJsonArray all = movements();
        return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const QJsonValue &movement) {
            return movement.toObject().value(QStringLiteral("idempotency_key")).toString().toLatin1() == key;
        }));
    }
    [[nodiscard]] qint64 balance(const QString &source = QStringLiteral("card_ok")) const
    {
        const QJsonArray accounts = control("GET", "accounts").json().value(QStringLiteral("accounts")).toArray();
        for (const QJsonValue &account : accounts) {
            if (account.toObject().value(QStringLiteral("source")).toString() == source)
                return account.toObject().value(QStringLiteral("balance")).toInteger(-1);
        }
        return -1;
    }
    /// Waits until the bank answers again after a crash.
    [[nodiscard]] bool waitUntilBack(int timeoutMs = 5000) const
    {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < timeoutMs) {
            if (exchange(request("GET", "/healthz"), 1000).status == 200)
                return true;
            QTest::qWait(5);
        }
        return false;
    }

    /// Has every call below and above go this way instead of over plain TCP.
    using Transport = std::function<RawAnswer(quint16 port, const QByteArray &bytes, int timeoutMs)>;
    void setTransport(Transport transport) { m_transport = std::move(transport); }

private:
    Transport m_transport;
    mockbank::MockServer m_server;
    mockbank::RunningServer m_running;
};

} // namespace ikkai::test
