#include "mock-server/faults/fault.h"
#include "mock-server/faults/fault_table.h"
#include "tests/support/test.h"

#include <QtCore/QJsonDocument>

using namespace mockbank;

class FaultGrammarTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void aSpecIsReadAndPrintedAgain_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<QByteArray>("printed");

        const auto row = [](const QByteArray &spec, const QByteArray &printed = {}) {
            QTest::newRow(spec.constData()) << spec << (printed.isEmpty() ? spec : printed);
        };
        row("after_commit:hold:next=1");
        row("before_commit:status(code=500):attempt=1");
        row("unread:status(code=404,body=html)");
        row("unread:fin");
        row("unread:rst");
        row("unread:hold");
        row("before_commit:restart(ms=300)");
        row("after_commit:delay(ms=0)");
        row("unread:hold:next=3:attempt=2", "unread:hold:attempt=2:next=3");
        row("before_commit:status", "before_commit:status(code=500)");
        row("before_commit:status(code=503,body=problem)", "before_commit:status(code=503)");
        row("before_commit:status( code=503 , retry_after=2 )", "before_commit:status(code=503,retry_after=2)");
        row("unread:status(code=429,retry_after=\"Wed, 21 Oct 2015 07:28:00 GMT\")");
        row("unread:status(code=429,retry_after=\"a \\\"b\\\" \\\\ (:,=\")");
        row("unread:status(code=429,retry_after=-1)");
        row("mid_answer:fin");
        row("mid_answer:fin(at=body)", "mid_answer:fin");
        row("mid_answer:fin(at=0.5)");
        row("mid_answer:fin(at=0.50)", "mid_answer:fin(at=0.5)");
        row("mid_answer:fin(at=0.000001)");
        row("mid_answer:rst(at=0)");
        row("mid_answer:rst(at=0.0)", "mid_answer:rst(at=0)");
        row("mid_answer:rst(at=17)");
        row("mid_answer:hold(at=status_line)");
        row("mid_answer:delay(ms=20,at=headers)", "mid_answer:delay(at=headers,ms=20)");
    }
    void aSpecIsReadAndPrintedAgain()
    {
        QFETCH(QByteArray, spec);
        QFETCH(QByteArray, printed);
        const FaultResult first = parseFault(spec);
        if (const auto *error = std::get_if<FaultError>(&first))
            QFAIL(qPrintable(error->member + QLatin1Char(' ') + error->detail));
        const Fault fault = std::get<Fault>(first);
        QCOMPARE(printFault(fault), printed);

        const FaultResult again = parseFault(printFault(fault));
        QVERIFY(std::holds_alternative<Fault>(again));
        QVERIFY(std::get<Fault>(again) == fault);

        const QByteArray json = QJsonDocument(faultToJson(fault)).toJson();
        const FaultResult fromJson = parseFault(QJsonDocument::fromJson(json).object());
        if (const auto *error = std::get_if<FaultError>(&fromJson))
            QFAIL(qPrintable(error->member + QLatin1Char(' ') + error->detail));
        QVERIFY2(std::get<Fault>(fromJson) == fault, json.constData());
    }

    void case_54_aSpecThatCannotBeMetIsRefusedWithItsMember_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<QString>("member");
        QTest::addColumn<QString>("word");

        const auto row = [](const char *spec, const char *member, const char *word = "") {
            QTest::newRow(*spec ? spec : "(empty)")
                << QByteArray(spec) << QString::fromLatin1(member) << QString::fromLatin1(word);
        };
        row("", "spec");
        row("unread", "spec");
        row("unread:", "manifestation.kind");
        row(":hold", "placement");
        row("unred:hold", "placement", "not known");
        row("Unread:hold", "placement", "not known");
        row("unread:holds", "manifestation.kind", "not known");
        row("connect:refuse", "placement", "not offered yet");
        row("in_transit:drop", "placement", "not offered yet");
        row("half_way:restart(ms=1)", "placement", "not offered yet");
        row("late:delay(ms=800)", "placement", "not offered yet");
        row("after_commit:dribble", "manifestation.kind", "not offered yet");
        row("after_commit:garbage", "manifestation.kind", "not offered yet");
        row("before_commit:busy", "manifestation.kind", "not offered yet");
        row("unread:hold:probability=0.2", "selector.probability", "not offered yet");
        row("unread:hold:skip=1", "selector.skip", "not offered yet");
        row("unread:hold:every=2", "selector.every", "not offered yet");
        row("unread:hold:key=k", "selector.key", "not offered yet");
        row("unread:hold:route=charge", "selector.route", "not offered yet");
        row("unread:hold:nxt=1", "selector.nxt", "not known");
        row("unread:hold:next=0", "selector.next");
        row("unread:hold:next=-1", "selector.next");
        row("unread:hold:next=1.5", "selector.next");
        row("unread:hold:next=99999999999", "selector.next");
        row("unread:hold:attempt=0", "selector.attempt");
        row("unread:hold:next=1:next=1", "selector.next", "twice");
        row("unread:hold:next", "spec");
        row("unread:hold:", "spec");
        row("unread:hold:next=", "spec");
        row("mid_answer:status(code=500)", "manifestation.kind", "cannot happen");
        row("unread:status(code=200)", "manifestation.code");
        row("unread:status(code=399)", "manifestation.code");
        row("unread:status(code=600)", "manifestation.code");
        row("unread:status(body=xml)", "manifestation.body", "not known");
        row("unread:status(code=500,code=501)", "manifestation.code", "twice");
        row("unread:status(ms=5)", "manifestation.ms", "no such parameter");
        row("unread:status(retry_after=\"a\nInjected: b\")", "manifestation.retry_after");
        row("unread:status(retry_after=\"\")", "manifestation.retry_after");
        row("unread:hold(code=500)", "manifestation.code", "no such parameter");
        row("unread:fin(at=5)", "manifestation.at", "mid_answer");
        row("after_commit:delay", "manifestation.ms", "needed");
        row("after_commit:restart", "manifestation.ms", "needed");
        row("after_commit:delay(ms=600001)", "manifestation.ms");
        row("after_commit:delay(ms=0x10)", "manifestation.ms");
        row("after_commit:delay(median=5)", "manifestation.median", "not offered yet");
        row("mid_answer:fin(at=1.0)", "manifestation.at");
        row("mid_answer:fin(at=0.1234567)", "manifestation.at");
        row("mid_answer:fin(at=.5)", "manifestation.at");
        row("mid_answer:fin(at=-1)", "manifestation.at");
        row("mid_answer:fin(at=middle)", "manifestation.at");
        row("unread:hold(", "spec");
        row("unread:hold)", "spec");
        row("unread:hold(x=\"", "spec");
        row("unread:hold()", "spec");
        row("unread:hold()x", "spec");
        row("unread:status(code)", "spec");
        row("unread:status(code=5 0 0)", "spec");
    }
    void case_54_aSpecThatCannotBeMetIsRefusedWithItsMember()
    {
        QFETCH(QByteArray, spec);
        QFETCH(QString, member);
        QFETCH(QString, word);
        const FaultResult result = parseFault(spec);
        const auto *error = std::get_if<FaultError>(&result);
        QVERIFY(error);
        QCOMPARE(error->member, member);
        QVERIFY2(error->detail.contains(word), qPrintable(error->detail));
    }

    void jsonIsAsStrictAsText_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("member");

        const auto row = [](const char *json, const char *member) {
            QTest::newRow(json) << QByteArray(json) << QString::fromLatin1(member);
        };
        row("{}", "placement");
        row(R"({"placement":1})", "placement");
        row(R"({"placement":"unread"})", "manifestation");
        row(R"({"placement":"unread","manifestation":"hold"})", "manifestation");
        row(R"({"placement":"unread","manifestation":{}})", "manifestation.kind");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"name":"x"})", "name");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":[]})", "selector");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"next":"1"}})", "selector.next");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"next":1.5}})", "selector.next");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"next":null}})", "selector.next");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"seed":7}})", "selector.seed");
        row(R"({"placement":"unread","manifestation":{"kind":"status","code":"500"}})", "manifestation.code");
        row(R"({"placement":"mid_answer","manifestation":{"kind":"fin","at":"0.5"}})", "manifestation.at");
        row(R"({"placement":"mid_answer","manifestation":{"kind":"fin","at":1e300}})", "manifestation.at");
    }
    void jsonIsAsStrictAsText()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, member);
        const FaultResult result = parseFault(QJsonDocument::fromJson(json).object());
        const auto *error = std::get_if<FaultError>(&result);
        QVERIFY(error);
        QCOMPARE(error->member, member);
    }

    void everyLegalPairHasOneTruthAndOnlyBeforeCommitHurtsTheLedger()
    {
        int count = 0;
        for (const FaultTruth &truth : faultTable()) {
            ++count;
            QCOMPARE(faultTruth(truth.placement, truth.kind), &truth);
            QVERIFY(truth.ledgerFault == LedgerFault::None || truth.placement == Placement::BeforeCommit);
            const bool afterCommit =
                truth.placement == Placement::AfterCommit || truth.placement == Placement::MidAnswer;
            QVERIFY(!afterCommit || truth.money == MoneyTruth::AsIfUnharmed);
            QVERIFY(truth.reachesBank || truth.money == MoneyTruth::Untouched);
        }
        QCOMPARE(count, 23);
        QVERIFY(!faultTruth(Placement::MidAnswer, ManifestationKind::Status));
    }

    void anAnswerIsAlwaysCutBeforeItsLastByte()
    {
        const QByteArray head("HTTP/1.1 201 Created\r\nA: b\r\n\r\n");
        const qsizetype body = 100;
        const qsizetype total = head.size() + body;
        QCOMPARE(cutOffset({CutPoint::Kind::Bytes, 0, 0}, head, body), 0);
        QCOMPARE(cutOffset({CutPoint::Kind::Bytes, 7, 0}, head, body), 7);
        QCOMPARE(cutOffset({CutPoint::Kind::Bytes, 1'000'000, 0}, head, body), total - 1);
        QCOMPARE(cutOffset({CutPoint::Kind::Fraction, 0, 500'000}, head, body), total / 2);
        QCOMPARE(cutOffset({CutPoint::Kind::Fraction, 0, 999'999}, head, body), total - 1);
        QCOMPARE(cutOffset({}, head, body), head.size() + 50);
        const qsizetype inStatusLine = cutOffset({CutPoint::Kind::StatusLine, 0, 0}, head, body);
        QVERIFY(inStatusLine > 0 && inStatusLine < head.indexOf('\n'));
        const qsizetype inHeaders = cutOffset({CutPoint::Kind::HeaderLines, 0, 0}, head, body);
        QVERIFY(inHeaders > head.indexOf('\n') && inHeaders < head.size());
        QCOMPARE(cutOffset({}, head, 0), head.size() - 1);
    }
};

IKKAI_TEST_MAIN(FaultGrammarTest)
#include "tst_fault_grammar.moc"
