#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

#include <mutex>
#include <random>
#include <thread>
#include <vector>

using namespace ikkai::test;

namespace {

/// Changes requests as broken clients and bad people do. Same seed, same requests.
class Mutator {
public:
    explicit Mutator(quint32 seed)
        : m_random(seed)
    {
    }

    QByteArray mutate(QByteArray bytes)
    {
        const int changes = 1 + below(3);
        for (int i = 0; i < changes && !bytes.isEmpty(); ++i)
            change(&bytes);
        return bytes;
    }
    int below(qsizetype bound) { return static_cast<int>(m_random() % static_cast<quint32>(bound)); }

private:
    void change(QByteArray *bytes)
    {
        static const QList<QByteArray> words{"\r\n",
                                             "\n",
                                             "\r",
                                             QByteArray(1, '\0'),
                                             "\r\n\r\n",
                                             ":",
                                             " ",
                                             "\t",
                                             "\"",
                                             "Content-Length: 5\r\n",
                                             "Content-Length: 0",
                                             "Transfer-Encoding: chunked\r\n",
                                             "0\r\n\r\n",
                                             "HTTP/1.0",
                                             "HTTP/9.9",
                                             "Expect: 100-continue\r\n",
                                             "Host: evil\r\n",
                                             "Connection: close\r\n",
                                             "-1",
                                             "1e3",
                                             "99999999999",
                                             "%00",
                                             "../",
                                             "\xff\xfe",
                                             "\x16\x03\x01",
                                             "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
                                             "Idempotency-Key: other\r\n",
                                             "{",
                                             "}",
                                             ",",
                                             "[]"};
        const int at = below(bytes->size());
        const int length = 1 + below(std::min<qsizetype>(bytes->size() - at, 40));
        switch (below(7)) {
        case 0:
            (*bytes)[at] = static_cast<char>(below(256));
            break;
        case 1:
            (*bytes)[at] = static_cast<char>(bytes->at(at) ^ (1 << below(8)));
            break;
        case 2:
            bytes->remove(at, length);
            break;
        case 3:
            bytes->insert(at, bytes->mid(at, length));
            break;
        case 4:
            bytes->truncate(at);
            break;
        case 5: {
            const QByteArray moved = bytes->mid(at, length);
            bytes->remove(at, length);
            bytes->insert(below(bytes->size() + 1), moved);
            break;
        }
        default:
            bytes->insert(at, words[below(words.size())]);
        }
    }

    std::mt19937 m_random;
};

/// Takes answers off the front until none is left; what remains is no answer.
QByteArray withoutAnswers(QByteArray bytes)
{
    static const QRegularExpression head(
        QStringLiteral("^HTTP/1\\.1 [1-5][0-9][0-9] [A-Za-z -]+\\r\\n(?:[A-Za-z-]+: [\\x20-\\x7e]*\\r\\n)*\\r\\n"));
    while (!bytes.isEmpty()) {
        const auto match = head.match(QString::fromLatin1(bytes));
        RawAnswer answer;
        if (!match.hasMatch() || !takeAnswer(&bytes, &answer))
            return bytes;
        if (answer.status >= 400 && answer.status != 402 && answer.problem().isEmpty())
            return answer.bytes;
    }
    return {};
}

} // namespace

/// Requests bent by a seeded hand: the bank stays up, answers in HTTP or not at all, and moves no money for what was no
/// complete charge.
class BankMutationsTest : public ikkai::test::Test {
    Q_OBJECT

private:
    struct Sent {
        QByteArray bytes;
        QByteArray received;
    };

    static QByteArray chunked(QByteArray request, const QByteArray &body)
    {
        request.chop(body.size());
        request.replace("Content-Length: " + QByteArray::number(body.size()), "Transfer-Encoding: chunked");
        return request + QByteArray::number(body.size(), 16) + ";x=y\r\n" + body + "\r\n0\r\n\r\n";
    }
    static QByteArray original(const BankUnderTest &bank, int n)
    {
        const QByteArray key = "bent-" + QByteArray::number(n);
        const QByteArray body = BankUnderTest::chargeBody(7);
        switch (n % 8) {
        case 0:
            return chunked(bank.chargeRequest(key, 1, body), body);
        case 1:
            return bank.request("GET", "/v1/charges/" + key);
        case 2:
            return bank.chargeRequest(key, 1, body) + bank.request("GET", "/healthz");
        case 3:
            return bank.request("POST", "/v1/voids",
                                "Content-Type: application/json\r\nIdempotency-Key: v-" + key + "\r\n",
                                R"({"original_key":")" + key + R"(","order_id":"A-1","amount":7,"currency":"JPY"})");
        case 4:
            return bank.request("PUT", "/control/accounts/card_ok", "Authorization: Bearer guess\r\n",
                                R"({"balance":1})");
        default:
            return bank.chargeRequest(key, 1, body);
        }
    }
    /// A charge of this movement stands complete in these bytes.
    static bool contains(const QByteArray &bytes, const QJsonObject &movement)
    {
        const QByteArray key = movement.value(QStringLiteral("idempotency_key")).toString().toLatin1();
        const QByteArray amount = QByteArray::number(movement.value(QStringLiteral("amount")).toInteger());
        const qsizetype body = bytes.indexOf("\r\n\r\n");
        const qsizetype end = bytes.lastIndexOf('}');
        return body > 0 && end > body && bytes.contains(key) && bytes.contains("POST /v1/charges") &&
               bytes.mid(body).contains(amount);
    }

private Q_SLOTS:
    void bentRequestsMoveNoMoneyOfTheirOwn()
    {
        constexpr int threads = 8;
        constexpr int rounds = 300; // each: 2,400 requests in all
        const quint32 seed = qEnvironmentVariableIsSet("IKKAI_SEED")
                                 ? static_cast<quint32>(qEnvironmentVariableIntValue("IKKAI_SEED"))
                                 : 20'261'130U;
        mockbank::MockServerOptions options;
        options.bank.accounts = {{QStringLiteral("card_ok"), 10'000'000, false}};
        BankUnderTest bank(options);
        std::mutex mutex;
        std::vector<Sent> sent;
        std::vector<std::thread> clients;
        for (int t = 0; t < threads; ++t) {
            clients.emplace_back([&, t] {
                Mutator mutator(seed + static_cast<quint32>(t));
                for (int i = 0; i < rounds; ++i) {
                    const QByteArray bytes = mutator.mutate(original(bank, t * rounds + i));
                    RawConnection client(bank.port());
                    client.send(bytes);
                    // Where the request is not complete there is no answer; nobody waits for the limit on slow senders.
                    QByteArray received = client.readUntil("\r\n\r\n", 60);
                    if (!received.isEmpty()) {
                        client.waitForEnd(25);
                        received = client.readUntil("nothing more", 0);
                    }
                    const std::lock_guard lock(mutex);
                    sent.push_back({bytes, received});
                }
            });
        }
        for (std::thread &client : clients)
            client.join();

        int answered = 0;
        for (const Sent &one : sent) {
            answered += one.received.isEmpty() ? 0 : 1;
            const QByteArray rest = withoutAnswers(one.received);
            QVERIFY2(rest.isEmpty(), ("to " + one.bytes.toPercentEncoding() + "\ncame " + rest).constData());
        }
        QVERIFY2(answered > threads * rounds / 2, qPrintable(QString::number(answered)));

        qint64 moved = 0;
        int charges = 0;
        QSet<QString> keys;
        QByteArray after = "0";
        for (;;) {
            const QJsonObject page = bank.control("GET", "ledger?limit=500&after=" + after).json();
            const QJsonArray movements = page.value(QStringLiteral("movements")).toArray();
            for (const QJsonValue &value : movements) {
                const QJsonObject movement = value.toObject();
                if (movement.value(QStringLiteral("kind")).toString() != QStringLiteral("charge")) {
                    moved -= movement.value(QStringLiteral("amount")).toInteger();
                    continue;
                }
                moved += movement.value(QStringLiteral("amount")).toInteger();
                ++charges;
                const QString key = movement.value(QStringLiteral("idempotency_key")).toString();
                QVERIFY2(!keys.contains(key), qPrintable(key));
                keys.insert(key);
                const bool wasAsked = std::any_of(sent.begin(), sent.end(),
                                                  [&](const Sent &one) { return contains(one.bytes, movement); });
                QVERIFY2(wasAsked, QJsonDocument(movement).toJson().constData());
            }
            if (movements.isEmpty() || page.value(QStringLiteral("next")).isNull())
                break;
            after = QByteArray::number(page.value(QStringLiteral("next")).toInteger());
        }
        QVERIFY(charges > 0);
        QCOMPARE(bank.balance(), 10'000'000 - moved);
        QCOMPARE(bank.charge("still-there").status, 201);
        QTRY_COMPARE(bank.counter(QStringLiteral("connections_open")), 1);
        qInfo("seed %u: %d requests, %d answered, %d charged", seed, threads * rounds, answered, charges);
    }
};

IKKAI_TEST_MAIN(BankMutationsTest)
#include "tst_bank_mutations.moc"
