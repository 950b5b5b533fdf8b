#include "golden.h"
#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"

#include <QtCore/QRegularExpression>

#include <memory>
#include <vector>

using namespace ikkai::test;

namespace {

/// Where `real` is not as `golden` says: a path and both values; empty where it is. Members beyond the golden ones are
/// allowed, as they are to every client.
QString difference(const QJsonValue &golden, const QJsonValue &real, const QString &ledger, const QString &path)
{
    if (golden.isObject()) {
        const QJsonObject wanted = golden.toObject();
        for (auto it = wanted.begin(); it != wanted.end(); ++it) {
            const QString inner =
                difference(it.value(), real.toObject().value(it.key()), ledger, path + QLatin1Char('.') + it.key());
            if (!inner.isEmpty())
                return inner;
        }
        return {};
    }
    if (golden.isArray()) {
        const QJsonArray wanted = golden.toArray();
        const QJsonArray got = real.toArray();
        if (!real.isArray() || got.size() != wanted.size())
            return QStringLiteral("%1: %2 rows, not %3").arg(path).arg(got.size()).arg(wanted.size());
        for (qsizetype i = 0; i < wanted.size(); ++i) {
            const QString inner = difference(wanted[i], got[i], ledger, QStringLiteral("%1[%2]").arg(path).arg(i));
            if (!inner.isEmpty())
                return inner;
        }
        return {};
    }
    const QString text = golden.toString();
    static const QRegularExpression time(QStringLiteral("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$"));
    const bool same = text == QLatin1String("<any>")    ? !real.toString().isEmpty()
                      : text == QLatin1String("<time>") ? time.match(real.toString()).hasMatch()
                      : text == QLatin1String("urn:ikkai:problem:<any>")
                          ? real.toString().startsWith(QLatin1String("urn:ikkai:problem:"))
                      : text == QLatin1String("<ledger>") ? real.toString() == ledger
                                                          : golden == real;
    if (same)
        return {};
    return QStringLiteral("%1: %2, not %3").arg(path, real.toVariant().toString(), golden.toVariant().toString());
}

} // namespace

class TestContractBank : public Test {
    Q_OBJECT

private Q_SLOTS:
    void the_bank_answers_word_for_word_data() { goldenRows(); }
    void the_bank_answers_word_for_word()
    {
        QFETCH(QJsonObject, scenario);
        mockbank::MockServerOptions options;
        options.bank.processing = std::chrono::milliseconds(scenario.value(QLatin1String("processing_ms")).toInt());
        if (const QByteArray key = textOf(scenario, "api_key"); !key.isEmpty())
            options.apiKeys = {{"shop", key}};
        const BankUnderTest bank(options);

        const QJsonArray exchanges = scenario.value(QLatin1String("exchanges")).toArray();
        QVERIFY(!exchanges.isEmpty());
        std::vector<std::unique_ptr<RawConnection>> connections;
        std::vector<RawAnswer> answers(static_cast<size_t>(exchanges.size()));
        for (qsizetype i = 0; i < exchanges.size(); ++i) {
            const QJsonObject exchange = exchanges[i].toObject();
            if (const qint64 aheadMs = exchange.value(QLatin1String("bank_clock_ahead_ms")).toInteger()) {
                const RawAnswer moved =
                    bank.control("POST", "clock", "{\"advance_ms\":" + QByteArray::number(aheadMs) + '}');
                QCOMPARE(moved.status, 200);
            }
            connections.push_back(std::make_unique<RawConnection>(bank.port()));
            QVERIFY(connections.back()->send(bytesOf(exchange.value(QLatin1String("send")).toObject(), bank)));
            if (exchange.value(QLatin1String("later")).toBool())
                QTRY_COMPARE(bank.arrivals(), i + 1); // its answer is read at the end
            else
                answers[static_cast<size_t>(i)] = connections.back()->read();
        }
        for (qsizetype i = 0; i < exchanges.size(); ++i) {
            const QJsonObject exchange = exchanges[i].toObject();
            RawAnswer &answer = answers[static_cast<size_t>(i)];
            if (exchange.value(QLatin1String("later")).toBool())
                answer = connections[static_cast<size_t>(i)]->read();
            QCOMPARE(answer.ending, Ending::Complete);
            compare(exchange.value(QLatin1String("answer")).toObject(), answer, bank.ledgerId(), i);
            if (QTest::currentTestFailed())
                return;
            const int same = exchange.value(QLatin1String("same_body_as")).toInt(-1);
            if (same >= 0)
                QCOMPARE(answer.body, answers[static_cast<size_t>(same)].body);
        }
    }

private:
    static QByteArray bytesOf(const QJsonObject &send, const BankUnderTest &bank)
    {
        QByteArray headers;
        const QJsonObject all = send.value(QLatin1String("headers")).toObject();
        for (auto it = all.begin(); it != all.end(); ++it) {
            const QByteArray value = it.value().toString().toUtf8();
            headers += it.key().toUtf8() + ": " + (value == "<ledger>" ? bank.ledgerId().toUtf8() : value) + "\r\n";
        }
        return bank.request(textOf(send, "method"), textOf(send, "target"), headers, textOf(send, "body"));
    }

    static void compare(const QJsonObject &golden, const RawAnswer &answer, const QString &ledger, qsizetype i)
    {
        const QString where = QStringLiteral("exchange %1: ").arg(i);
        const auto seen = [&] {
            return where + QString::fromUtf8(answer.bytes.isEmpty() ? answer.body : answer.bytes);
        };
        QVERIFY2(answer.status == golden.value(QLatin1String("status")).toInt(), qPrintable(seen()));
        QJsonObject headers;
        const QJsonObject wanted = golden.value(QLatin1String("headers")).toObject();
        for (const QString &name : wanted.keys())
            headers.insert(name, QString::fromUtf8(answer.header(name.toLatin1())));
        QString odd = difference(wanted, headers, ledger, QStringLiteral("headers"));
        if (odd.isEmpty() && golden.value(QLatin1String("body")).isObject()) {
            odd = difference(golden.value(QLatin1String("body")), answer.json(), ledger, QStringLiteral("body"));
        }
        QVERIFY2(odd.isEmpty(), qPrintable(where + odd));
    }
};

IKKAI_TEST_MAIN(TestContractBank)
#include "tst_contract_bank.moc"
