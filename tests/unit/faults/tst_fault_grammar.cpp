#include "mock-server/faults/fault.h"
#include "mock-server/faults/fault_table.h"
#include "mock-server/faults/fault_words.h"
#include "tests/support/property.h"
#include "tests/support/test.h"

#include <QtCore/QHash>
#include <QtCore/QJsonDocument>

using namespace mockbank;

class FaultGrammarTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static const std::vector<const FaultTruth *> &pairs()
    {
        static const std::vector<const FaultTruth *> all = [] {
            std::vector<const FaultTruth *> list;
            for (const FaultTruth &truth : faultTable())
                list.push_back(&truth);
            return list;
        }();
        return all;
    }

    /// Each law alone: together they contradict each other.
    static QByteArrayList usualParameters(const FaultTruth &truth)
    {
        const bool delays = truth.kind == ManifestationKind::Delay || truth.kind == ManifestationKind::Bandwidth;
        QByteArrayList names = parametersOf(truth.placement, truth.kind);
        if (delays) {
            const QList<QByteArrayList> lawNames{
                {"ms"}, {"min_ms", "max_ms", "seed"}, {"median_ms", "sigma"}, {"mean_ms"}};
            names = names.first(names.indexOf("ms")) + lawNames[*rc::gen::inRange(0, 4)];
            names.removeAll("kb_per_s");
        }
        return names;
    }

    static QByteArrayList selectorNames()
    {
        return {"next",   "skip",   "every", "attempt",     "key",  "terminal", "order",
                "source", "amount", "route", "probability", "seed", "for_s",    "until"};
    }

    static std::vector<QByteArray> valuesOf(const QByteArray &name)
    {
        static const QHash<QByteArray, std::vector<QByteArray>> values{
            {"at", {"0", "17", "0.5", "0.000001", "0.999999", "body", "headers", "status_line"}},
            {"min_ms", {"0", "3"}},
            {"max_ms", {"3", "600000"}},
            {"sigma", {"0", "0.5", "1.125", "10"}},
            {"bytes_per_s", {"1", "1000", "100000000"}},
            {"code", {"400", "404", "500", "503", "302", "307"}},
            {"body", {"problem", "html"}},
            {"retry_after", {"2", "\"Wed, 21 Oct 2015 07:28:00 GMT\"", "\"a \\\"b\\\\ (:,=\""}},
            {"location", {"\"/x?y=(z)\"", "moved"}},
            {"s", {"0", "-1", "315360000", "-315360000"}},
            {"decline_code", {"expired_card", "x1"}},
            {"to", {"\"http://127.0.0.1:81\"", "\"http://localhost\""}},
            {"seed", {"0", "1", "9007199254740991"}},
            {"key", {"0190-abc", "\"a:b=(c),\\\"\"", "1200"}},
            {"terminal", {"till-1", "\"\xe5\xba\x97 1\""}},
            {"order", {"A-1", "1001", "\"A:1\""}},
            {"source", {"card_ok"}},
            {"amount", {"1", "99999999"}},
            {"route", {"charge", "inquiry", "void", "list", "any"}},
            {"probability", {"0", "1", "0.5", "0.000001", "0.999999"}},
            {"for_s", {"0.001", "1", "604800"}},
            {"until", {"\"2030-01-31T12:00:00Z\"", "\"2030-01-31T12:00:00.5+09:00\""}},
        };
        return values.value(name, {"1", "2", "1000"});
    }

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
        row("connect:refuse(ms=500)");
        row("connect:refuse:for_s=2");
        row("connect:hold:next=3:for_s=0.5");
        row("in_transit:hold");
        row("in_transit:drop:key=0190-abc");
        row("in_transit:twice");
        row("in_transit:twice(gap_ms=0)", "in_transit:twice");
        row("in_transit:twice(gap_ms=40,to=\"http://127.0.0.1:8081\")");
        row("before_commit:busy(ms=700)");
        row("before_commit:expire_key");
        row("before_commit:decline", "before_commit:decline");
        row("before_commit:decline(decline_code=expired_card)");
        row("before_commit:redis_down");
        row("half_way:restart(ms=10)");
        row("half_way:status(code=500)");
        row("half_way:redis_lost_write");
        row("after_commit:garbage");
        row("after_commit:garbage(bytes=9,seed=7)");
        row("after_commit:redirect(code=307)", "after_commit:redirect");
        row("unread:redirect(code=302,location=\"http://login.example/?a=b\")");
        row("after_commit:clock_skew(s=-3600)");
        row("late:delay(ms=800):probability=0.2:seed=7");
        row("late:delay(min_ms=10,max_ms=20,seed=3)");
        row("late:delay(law=uniform,max_ms=20,min_ms=10)", "late:delay(min_ms=10,max_ms=20)");
        row("late:delay(median_ms=300,sigma=0.5)");
        row("late:delay(mean_ms=300)");
        row("late:delay(law=fixed,ms=3)", "late:delay(ms=3)");
        row("late:dribble(bytes=1,ms=50)");
        row("late:bandwidth(bytes_per_s=1500)");
        row("late:bandwidth(kb_per_s=1.5)", "late:bandwidth(bytes_per_s=1500)");
        row("late:bandwidth(kb_per_s=50,ms=400)", "late:bandwidth(bytes_per_s=50000,ms=400)");
        row("late:fin(ms=5)");
        row("late:rst(ms=0)");
        row("unread:hold:skip=0:every=3:next=2");
        row("unread:hold:terminal=till-1:order=\"A 1\":source=card_ok:amount=1200");
        row("unread:fin:route=any");
        row("unread:fin:probability=1.0", "unread:fin:probability=1");
        row("unread:fin:probability=0");
        row("unread:fin:probability=0.000001:seed=9007199254740991");
        row("unread:fin:for_s=1.250", "unread:fin:for_s=1.25");
        row("unread:fin:until=\"2030-01-31T12:00:00Z\"");
        row("unread:fin:until=\"2030-01-31T12:00:00.125+09:00\"", "unread:fin:until=\"2030-01-31T03:00:00.125Z\"");
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
        row("connect:rst", "manifestation.kind", "cannot happen");
        row("connect:refuse", "manifestation.ms", "needed");
        row("connect:refuse(ms=0)", "manifestation.ms");
        row("connect:refuse(ms=5):for_s=1", "selector.for_s", "another end");
        row("connect:refuse(ms=5):next=1", "selector.next", "cannot be counted");
        row("connect:refuse:for_s=601", "selector.for_s", "at most 600");
        row("connect:hold:key=k", "selector.key", "connection");
        row("connect:hold:route=charge", "selector.route", "connection");
        row("connect:hold:probability=0.5", "selector.probability", "connection");
        row("in_transit:fin", "manifestation.kind", "cannot happen");
        row("in_transit:twice:route=inquiry", "selector.route", "cannot happen to inquiry");
        row("in_transit:twice(gap_ms=-1)", "manifestation.gap_ms");
        row("in_transit:twice(to=\"https://127.0.0.1:1\")", "manifestation.to");
        row("in_transit:twice(to=\"http://127.0.0.1:1/v1\")", "manifestation.to");
        row("in_transit:twice(to=\"http://user@127.0.0.1:1\")", "manifestation.to");
        row("in_transit:twice(to=\"127.0.0.1:1\")", "manifestation.to");
        row("before_commit:busy", "manifestation.ms", "needed");
        row("before_commit:busy(ms=9):route=void", "selector.route", "cannot happen to void");
        row("before_commit:hold:route=any", "selector.route", "cannot happen to every route");
        row("before_commit:decline(decline_code=\"No money\")", "manifestation.decline_code");
        row("half_way:status(code=404)", "manifestation.code", "lie");
        row("after_commit:status(code=400)", "manifestation.code", "lie");
        row("unread:status(code=404):route=inquiry", "manifestation.code", "never seen");
        row("after_commit:dribble", "manifestation.kind", "cannot happen");
        row("late:dribble(ms=9)", "manifestation.bytes", "needed");
        row("late:dribble(bytes=9)", "manifestation.ms", "needed");
        row("late:bandwidth", "manifestation.bytes_per_s", "needed");
        row("late:bandwidth(bytes_per_s=9,kb_per_s=9)", "manifestation.kb_per_s", "again");
        row("late:bandwidth(bytes_per_s=9,seed=1)", "manifestation.seed", "without a law");
        row("late:bandwidth(kb_per_s=0)", "manifestation.kb_per_s");
        row("late:fin", "manifestation.ms", "needed");
        row("late:hold", "manifestation.kind", "cannot happen");
        row("after_commit:redirect(code=304)", "manifestation.code");
        row("after_commit:redirect(location=\"a\nb\")", "manifestation.location");
        row("after_commit:clock_skew", "manifestation.s", "needed");
        row("after_commit:clock_skew(s=--5)", "manifestation.s");
        row("after_commit:wrong_echo:route=list", "selector.route", "cannot happen to list");
        row("late:delay(ms=5,mean_ms=6)", "manifestation.mean_ms", "belongs to the law exponential");
        row("late:delay(ms=5,law=uniform)", "manifestation.ms", "belongs to the law fixed");
        row("late:delay(ms=5,seed=6)", "manifestation.seed", "fixed");
        row("late:delay(min_ms=5)", "manifestation.max_ms", "needed");
        row("late:delay(law=lognormal)", "manifestation.median_ms", "needed");
        row("late:delay(min_ms=6,max_ms=5)", "manifestation.max_ms", "less than min_ms");
        row("late:delay(median_ms=6,sigma=10.001)", "manifestation.sigma");
        row("unread:hold:probability=1.1", "selector.probability");
        row("unread:hold:probability=-0.1", "selector.probability");
        row("unread:hold:probability=0.0000001", "selector.probability");
        row("unread:hold:probability=1e-3", "selector.probability");
        row("unread:hold:seed=7", "selector.seed", "without probability");
        row("unread:hold:probability=0.5:seed=9007199254740992", "selector.seed");
        row("unread:hold:skip=-1", "selector.skip");
        row("unread:hold:every=0", "selector.every");
        row("unread:hold:amount=0", "selector.amount");
        row("unread:hold:amount=12.5", "selector.amount");
        row("unread:hold:key=\"a b\"", "selector.key");
        row("unread:hold:order=\"\"", "selector.order");
        row("unread:hold:route=charges", "selector.route", "not known");
        row("unread:hold:route=inquiry:attempt=1", "selector.attempt", "never strike");
        row("unread:hold:route=list:key=k", "selector.key", "never strike");
        row("unread:hold:route=void:source=card_ok", "selector.source", "never strike");
        row("unread:hold:for_s=0", "selector.for_s");
        row("unread:hold:for_s=604801", "selector.for_s");
        row("unread:hold:until=soon", "selector.until");
        row("unread:hold:until=\"2030-01-31T12:00:00\"", "selector.until");
        row("unread:hold:until=\"2030-13-31T12:00:00Z\"", "selector.until");
        row("unread:hold:for_s=1:until=\"2030-01-31T12:00:00Z\"", "selector.until", "another end");
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
        row("after_commit:delay(median=5)", "manifestation.median", "it takes ms, min_ms");
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
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"probability":"0.5"}})",
            "selector.probability");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"probability":1e-9}})",
            "selector.probability");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"probability":1.0000001}})",
            "selector.probability");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"order":1001}})", "selector.order");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"key":7}})", "selector.key");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"until":1893456000000}})",
            "selector.until");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"amount":1e300}})", "selector.amount");
        row(R"({"placement":"unread","manifestation":{"kind":"hold"},"selector":{"route":["charge"]}})",
            "selector.route");
        row(R"({"placement":"late","manifestation":{"kind":"delay","ms":-1}})", "manifestation.ms");
        row(R"({"placement":"late","manifestation":{"kind":"delay","ms":true}})", "manifestation.ms");
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

    void everyLegalPairHasOneTruthThatDoesNotContradictItself()
    {
        for (const FaultTruth &truth : faultTable()) {
            QCOMPARE(faultTruth(truth.placement, truth.kind), &truth);
            QVERIFY(!truth.wire.isEmpty());
            const bool inside = truth.placement == Placement::BeforeCommit || truth.placement == Placement::HalfWay;
            QVERIFY(truth.ledgerFault == LedgerFault::None || inside ||
                    truth.kind == ManifestationKind::RedisLostWrite);
            const bool moved = truth.placement == Placement::AfterCommit || truth.placement == Placement::MidAnswer ||
                               truth.placement == Placement::HalfWay || truth.placement == Placement::Late;
            QVERIFY(!moved || truth.money == MoneyTruth::AsIfUnharmed);
            QVERIFY(truth.reachesBank || truth.money == MoneyTruth::Untouched);
            QVERIFY(truth.placement == Placement::Connect || takesRoute(truth, RouteMatch::Charge));
            QVERIFY(!strategiesOf(truth).isEmpty());
        }
        QVERIFY(!faultTruth(Placement::MidAnswer, ManifestationKind::Status));
    }

    void halfWayIsNoPlaceInAtomicAndSaysSo()
    {
        for (const FaultTruth &truth : faultTable()) {
            const auto why = whyNotUnder(QStringLiteral("atomic"), truth);
            const bool redis =
                truth.kind == ManifestationKind::RedisDown || truth.kind == ManifestationKind::RedisLostWrite;
            QCOMPARE(why.has_value(), truth.placement == Placement::HalfWay || redis);
            if (why && !redis)
                QVERIFY2(why->contains(QStringLiteral("no half way")), qPrintable(*why));
            QVERIFY(!whyNotUnder(QStringLiteral("redis_lock"), truth));
        }
    }

    void whateverCanBeArmedIsReadBackAsItWasPrinted()
    {
        // Every pair with every parameter and selector it takes, drawn from values that are legal on their own; what
        // contradicts itself is refused and drawn anew.
        int accepted = 0;
        QVERIFY(ikkai::test::holds("print, then read, is the same fault", [&accepted] {
            const FaultTruth &truth = **rc::gen::elementOf(pairs());
            QByteArrayList inner;
            for (const QByteArray &name : usualParameters(truth))
                inner.append(name + '=' + *rc::gen::elementOf(valuesOf(name)));
            QByteArray spec = placementName(truth.placement) + ':' + manifestationName(truth.kind);
            if (!inner.isEmpty())
                spec += '(' + inner.join(',') + ')';
            for (const QByteArray &name : selectorNames()) {
                if (*rc::gen::inRange(0, 4) == 0)
                    spec += ':' + name + '=' + *rc::gen::elementOf(valuesOf(name));
            }
            const FaultResult read = parseFault(spec);
            if (std::holds_alternative<FaultError>(read)) {
                RC_ASSERT(!std::get<FaultError>(read).member.isEmpty());
                return;
            }
            ++accepted;
            const Fault fault = std::get<Fault>(read);
            const FaultResult again = parseFault(printFault(fault));
            RC_ASSERT(std::holds_alternative<Fault>(again));
            RC_ASSERT(std::get<Fault>(again) == fault);
            const QByteArray json = QJsonDocument(faultToJson(fault)).toJson();
            const FaultResult fromJson = parseFault(QJsonDocument::fromJson(json).object());
            RC_ASSERT(std::holds_alternative<Fault>(fromJson));
            RC_ASSERT(std::get<Fault>(fromJson) == fault);
        }));
        QVERIFY2(accepted >= 40, qPrintable(QString::number(accepted)));
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
