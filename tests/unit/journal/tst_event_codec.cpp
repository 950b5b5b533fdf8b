#include "core/journal/event_codec.h"
#include "samples.h"
#include "tests/support/test.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include <set>

using namespace ikkai;
using namespace ikkai::test;

class TestEventCodec : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void every_kind_of_event_comes_back_as_it_was()
    {
        std::set<size_t> kinds;
        for (const Event &event : allEvents()) {
            const StoredEvent stored = encodeEvent(event);
            const Result<Event, QString> back = decodeEvent(stored);
            QVERIFY2(back.ok(), back.ok() ? "" : qPrintable(back.error()));
            QVERIFY2(back.value() == event, stored.data.constData());
            QCOMPARE(encodeEvent(back.value()), stored);
            QCOMPARE(stored.atWallMs, event.at.wallMs);
            QCOMPARE(stored.type, eventName(event.body));
            kinds.insert(event.body.index());
        }
        QCOMPARE(kinds.size(), std::variant_size_v<EventBody>);
    }

    void every_kind_of_verdict_is_among_the_samples()
    {
        std::set<size_t> charge;
        for (const ChargeVerdict &verdict : allVerdicts())
            charge.insert(verdict.index());
        QCOMPARE(charge.size(), std::variant_size_v<ChargeVerdict>);
        std::set<size_t> inquiry;
        for (const InquiryVerdict &verdict : allInquiryVerdicts())
            inquiry.insert(verdict.index());
        QCOMPARE(inquiry.size(), std::variant_size_v<InquiryVerdict>);
    }

    void case_06_the_body_in_the_journal_is_the_body_byte_for_byte()
    {
        event::CheckoutStarted start = started();
        for (const QByteArray &body : {QByteArray("{\"order_id\":\"\xe6\xb3\xa8\"}"), QByteArray("\xff\xfe\x00x", 4),
                                       QByteArray(), QByteArray("\xef\xbb\xbf{}")}) {
            start.body = body;
            const Event back = decodeEvent(encodeEvent({stamp(), start})).value();
            QCOMPARE(std::get<event::CheckoutStarted>(back.body).body, body);
        }
    }

    void a_person_can_read_what_is_stored()
    {
        const StoredEvent stored = encodeEvent(
            {stamp(), event::AttemptEnded{1, verdict::NoAnswer{verdict::NoAnswer::Why::AnswerCut, {}}, 1, 12, 3U, {}}});
        const QJsonObject object = QJsonDocument::fromJson(stored.data).object();
        QCOMPARE(object.value(QLatin1String("v")).toInt(), 1);
        QCOMPARE(object.value(QLatin1String("verdict")).toObject().value(QLatin1String("kind")).toString(),
                 QStringLiteral("no_answer"));
        QCOMPARE(object.value(QLatin1String("verdict")).toObject().value(QLatin1String("why")).toString(),
                 QStringLiteral("answer_cut"));
        QVERIFY(!object.contains(QLatin1String("bank_date_ms")));
    }

    void every_member_is_needed()
    {
        for (const Event &event : allEvents()) {
            const StoredEvent stored = encodeEvent(event);
            const QJsonObject whole = QJsonDocument::fromJson(stored.data).object();
            for (const QString &name : whole.keys()) {
                if (name == QLatin1String("bank_date_ms") || name == QLatin1String("replaces") ||
                    name == QLatin1String("override_reason"))
                    continue; // may be absent: an answer without a Date, a checkout that overrides none
                QJsonObject less = whole;
                less.remove(name);
                StoredEvent damaged = stored;
                damaged.data = QJsonDocument(less).toJson(QJsonDocument::Compact);
                const Result<Event, QString> back = decodeEvent(damaged);
                QVERIFY2(!back.ok(), qPrintable(stored.type + QLatin1Char(' ') + name));
                const QString asked = name == QLatin1String("body_base64") ? QStringLiteral("body") : name;
                QVERIFY2(back.error().contains(asked), qPrintable(back.error()));
            }
        }
    }

    void what_is_not_known_here_is_refused_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QByteArray>("data");
        const QByteArray at = R"("at":{"wall_ms":1720000000000,"monotonic_ms":1,"boot_ms":1})";
        const auto row = [&](const char *name, const char *type, const QByteArray &data) {
            QTest::newRow(name) << QString::fromLatin1(type) << data;
        };
        row("type of tomorrow", "CheckoutTeleported", "{\"v\":1," + at + "}");
        row("version of tomorrow", "LeftOpen", "{\"v\":2," + at + "}");
        row("not JSON", "LeftOpen", "{\"v\":1,");
        row("an array", "LeftOpen", "[1]");
        row("another time than the row's", "LeftOpen", R"({"v":1,"at":{"wall_ms":5,"monotonic_ms":1,"boot_ms":1}})");
        row("fraction for a number", "WaitElapsed", "{\"v\":1," + at + ",\"next_attempt\":1.5}");
        row("text for a number", "WaitElapsed", "{\"v\":1," + at + ",\"next_attempt\":\"2\"}");
        row("number too large", "WaitElapsed", "{\"v\":1," + at + ",\"next_attempt\":3000000000}");
        row("kind of tomorrow", "InquiryEnded", "{\"v\":1," + at + ",\"verdict\":{\"kind\":\"maybe\"}}");
        row("word of tomorrow", "InquiryEnded",
            "{\"v\":1," + at + ",\"verdict\":{\"kind\":\"nothing\",\"why\":\"shy\"}}");
        row("number for a text", "BankLearned", "{\"v\":1," + at + ",\"attempt\":1,\"ledger_id\":7,\"key_ttl_ms\":1}");
    }
    void what_is_not_known_here_is_refused()
    {
        QFETCH(QString, type);
        QFETCH(QByteArray, data);
        const Result<Event, QString> back = decodeEvent({1'720'000'000'000, type, data});
        QVERIFY(!back.ok());
        QVERIFY2(back.error().contains(type), qPrintable(back.error()));
    }

    void a_damaged_key_or_amount_is_refused_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::newRow("key") << QByteArray("0190a8b5-2f4e-7001") << QByteArray("0190a8b5-2f4e-4001");
        QTest::newRow("amount 0") << QByteArray("\"amount\":1200,\"") << QByteArray("\"amount\":0,\"");
        QTest::newRow("amount 12.5") << QByteArray("\"amount\":1200,\"") << QByteArray("\"amount\":12.5,\"");
        QTest::newRow("currency") << QByteArray("\"currency\":\"JPY\"") << QByteArray("\"currency\":\"XXQ\"");
        QTest::newRow("order") << QByteArray("\"order_id\":\"A-1001\"") << QByteArray("\"order_id\":\"\"");
        QTest::newRow("source") << QByteArray("\"source\":\"card_ok\"") << QByteArray("\"source\":\"card ok\"");
    }
    void a_damaged_key_or_amount_is_refused()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        StoredEvent stored = encodeEvent({stamp(), started()});
        QVERIFY2(stored.data.contains(from), stored.data.constData());
        stored.data.replace(from, to);
        QVERIFY(!decodeEvent(stored).ok());
    }
};

IKKAI_TEST_MAIN(TestEventCodec)
#include "tst_event_codec.moc"
