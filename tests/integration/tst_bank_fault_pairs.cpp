#include "mock-server/faults/fault_table.h"
#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"

#include <QtCore/QDateTime>
#include <QtCore/QLocale>
#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

#include <functional>
#include <vector>

using namespace ikkai::test;
using mockbank::ManifestationKind;
using mockbank::Placement;

namespace {

constexpr int silentMs = 250;

enum class Money { None, Moved };

/// What came, and the bank's own answer, as the next attempt with the same key was told it (empty where the first
/// attempt moved nothing).
struct Evidence {
    const BankUnderTest &bank;
    RawAnswer got;
    RawAnswer truth;
    qint64 elapsedMs = 0;
};
using Check = std::function<void(const Evidence &)>;

/// What one legal pair does to a first charge, on a bank whose strategy is atomic.
struct Expected {
    const char *spec;
    Ending ending = Ending::Complete;
    int status = 0; ///< of what came, 0 where its head did not
    Money money = Money::None;
    Check check = {};
};

bool isMalformed(ManifestationKind kind)
{
    return kind >= ManifestationKind::Garbage && kind <= ManifestationKind::BadChunk;
}

// Byte for byte: everything of an answer is known but Date, Request-Id and the like in its head.

void nothingCame(const Evidence &e)
{
    QCOMPARE(e.got.bytes, QByteArray());
}

void aWebPage(const Evidence &e)
{
    QCOMPARE(e.got.header("Content-Type"), "text/html; charset=utf-8");
    const QByteArray title = e.got.bytes.mid(9, e.got.bytes.indexOf("\r\n") - 9);
    QCOMPARE(e.got.body, "<!DOCTYPE html>\n<html><head><title>" + title + "</title></head>\n<body><h1>" + title +
                             "</h1></body></html>\n");
}

void theBanksWholeAnswer(const Evidence &e)
{
    QCOMPARE(e.got.body, e.truth.body);
    QCOMPARE(e.got.header("Idempotent-Replayed"), "false");
    QCOMPARE(e.got.header("Connection"), "keep-alive");
}

void theBanksAnswerLater(const Evidence &e)
{
    theBanksWholeAnswer(e);
    QVERIFY2(e.elapsedMs >= 60, qPrintable(QString::number(e.elapsedMs)));
}

/// The cut stands at the byte that `at` names, and what came is the beginning of the bank's answer.
Check cutAt(const std::function<qsizetype(const QByteArray &whole, qsizetype headBytes)> &where)
{
    return [where](const Evidence &e) {
        // The replay's head has a line more and another mark; what is cut here is the first answer's.
        QByteArray head = e.truth.bytes.chopped(e.truth.body.size());
        head.replace("Idempotent-Replayed: true", "Idempotent-Replayed: false");
        const qsizetype original = head.indexOf("Original-Date");
        head.remove(original, head.indexOf("\r\n", original) + 2 - original);
        // Request numbers may have another number of digits; the test keeps below ten requests.
        const QByteArray whole = head + e.truth.body;
        const QByteArray came = e.got.bytes;
        const qsizetype offset = where(whole, head.size());
        QVERIFY2(std::abs(came.size() - offset) <= 1, qPrintable(QStringLiteral("%1 bytes, expected %2: %3")
                                                                     .arg(came.size())
                                                                     .arg(offset)
                                                                     .arg(QString::fromLatin1(came))));
        const QByteArray statusLine = "HTTP/1.1 201 Created\r\n";
        QCOMPARE(came.first(std::min(came.size(), statusLine.size())),
                 statusLine.first(std::min(came.size(), statusLine.size())));
        if (const qsizetype end = came.indexOf("\r\n\r\n"); end >= 0)
            QCOMPARE(came.mid(end + 4), e.truth.body.first(came.size() - end - 4));
    };
}
const Check inTheBody = cutAt([](const QByteArray &whole, qsizetype head) { return head + (whole.size() - head) / 2; });
const Check inTheHeaders = cutAt([](const QByteArray &, qsizetype head) { return 22 + (head - 22) / 2; });
const Check inTheStatusLine = cutAt([](const QByteArray &, qsizetype) { return qsizetype(11); });
const Check beforeTheLastByte = cutAt([](const QByteArray &whole, qsizetype) { return whole.size() - 1; });
const Check halfOfIt = cutAt([](const QByteArray &whole, qsizetype) { return whole.size() / 2; });
const Check afterOneByte = cutAt([](const QByteArray &, qsizetype) { return qsizetype(1); });

// What is broken as a transport: of the bank's own answer where it gave one, else of a made-up 500.

QByteArray brokenBody(const Evidence &e)
{
    if (!e.truth.body.isEmpty())
        return e.truth.body;
    return e.got.json().value(QStringLiteral("status")).toInt() == 500 ? e.got.body : QByteArray("a problem of 500");
}

void fewerBytesThanPromised(const Evidence &e)
{
    QCOMPARE(e.got.header("Content-Length").toLongLong(), e.got.body.size() + 64);
    QCOMPARE(e.got.body, brokenBody(e));
}

void moreBytesThanPromised(const Evidence &e)
{
    QCOMPARE(e.got.header("Content-Length").toLongLong(), e.got.body.size() / 2);
    QCOMPARE(e.got.body, brokenBody(e));
}

void aChunkWithoutSize(const Evidence &e)
{
    QVERIFY(e.got.header("Content-Length").isEmpty());
    QCOMPARE(e.got.header("Transfer-Encoding"), "chunked");
    static const QRegularExpression shape(QStringLiteral("^([0-9a-f]+)\r\n(.*)\r\nnot-a-size\r\n(.*)\r\n0\r\n\r\n$"),
                                          QRegularExpression::DotMatchesEverythingOption);
    const auto match = shape.match(QString::fromUtf8(e.got.body));
    QVERIFY2(match.hasMatch(), e.got.body.constData());
    QCOMPARE(match.captured(1).toInt(nullptr, 16), match.captured(2).size());
    const QByteArray content = (match.captured(2) + match.captured(3)).toUtf8();
    if (e.truth.body.isEmpty())
        QCOMPARE(QJsonDocument::fromJson(content).object().value(QStringLiteral("status")).toInt(), 500);
    else
        QCOMPARE(content, e.truth.body);
}

void seededBytes(const Evidence &e)
{
    QCOMPARE(e.got.bytes.size(), 100);
    QVERIFY(!e.got.bytes.startsWith("HTTP"));
    // The same seed, another bank: the same bytes.
    const BankUnderTest again;
    again.arm("unread:garbage(bytes=100,seed=7):next=1");
    RawConnection client(again.port());
    client.send(again.chargeRequest("k"));
    QCOMPARE(client.readToEnd().bytes, e.got.bytes);
}

void halfAStatusLine(const Evidence &e)
{
    const QByteArray line =
        e.truth.body.isEmpty() ? "HTTP/1.1 500 Internal Server Error\r\n" : "HTTP/1.1 201 Created\r\n";
    QCOMPARE(e.got.bytes, line.first(line.size() / 2));
}

void halfTheHeaders(const Evidence &e)
{
    QVERIFY(e.got.bytes.startsWith(e.truth.body.isEmpty() ? "HTTP/1.1 500 Internal Server Error\r\nContent-Type:"
                                                          : "HTTP/1.1 201 Created\r\nContent-Type:"));
    QVERIFY(!e.got.bytes.contains("\r\n\r\n"));
}

// Well-formed HTTP that is not the bank's.

void jsonThatBreaksOff(const Evidence &e)
{
    QCOMPARE(e.got.header("Content-Type"), "application/json");
    QCOMPARE(e.got.header("Content-Length").toLongLong(), e.got.body.size());
    QJsonParseError error;
    QJsonDocument::fromJson(e.got.body, &error);
    QVERIFY(error.error != QJsonParseError::NoError);
    if (!e.truth.body.isEmpty())
        QCOMPARE(e.got.body, e.truth.body.first(e.truth.body.size() / 2));
}

void jsonOfAnotherShape(const Evidence &e)
{
    QCOMPARE(e.got.body, R"({"data":{"object":"charge","paid":true},"error":null})");
}

void theEchoOfAnotherSale(const Evidence &e)
{
    QCOMPARE(e.got.json().value(QStringLiteral("status")).toString(), QStringLiteral("approved"));
    QCOMPARE(e.got.json().value(QStringLiteral("idempotency_key")).toString(), QStringLiteral("not-k"));
    QCOMPARE(e.got.json().value(QStringLiteral("order_id")).toString(), QStringLiteral("not-A-1"));
    QCOMPARE(e.got.json().value(QStringLiteral("amount")).toInt(), 1201);
}

void aRedirect(const Evidence &e)
{
    QCOMPARE(e.got.header("Location"), "http://elsewhere.example/");
    aWebPage(e);
}

void retryAfterAsItStands(const Evidence &e)
{
    QCOMPARE(e.got.header("Retry-After"), "soon");
    QCOMPARE(e.got.problem(), "service-unavailable");
    QCOMPARE(e.got.json().value(QStringLiteral("idempotency_key")).toString(), QStringLiteral("k"));
    QVERIFY(e.got.header("Idempotent-Replayed").isEmpty());
}

void aDateAnHourAgo(const Evidence &e)
{
    theBanksWholeAnswer(e);
    const QDateTime date = QLocale::c().toDateTime(QString::fromLatin1(e.got.header("Date")).chopped(4),
                                                   QStringLiteral("ddd, dd MMM yyyy HH:mm:ss"));
    QVERIFY(date.isValid());
    const qint64 behindS =
        QDateTime::currentSecsSinceEpoch() - QDateTime(date.date(), date.time(), Qt::UTC).toSecsSinceEpoch();
    QVERIFY2(behindS >= 3600 && behindS < 3605, qPrintable(QString::number(behindS)));
    QCOMPARE(e.got.bytes.count("\r\nDate: "), 1);
}

void tenBytesEveryTwoMs(const Evidence &e)
{
    theBanksWholeAnswer(e);
    const qint64 least = (e.got.bytes.size() - 1) / 10 * 2;
    QVERIFY2(e.elapsedMs >= least, qPrintable(QStringLiteral("%1 of %2").arg(e.elapsedMs).arg(least)));
}

void fourThousandBytesASecond(const Evidence &e)
{
    theBanksWholeAnswer(e);
    const qint64 least = 30 + e.got.bytes.size() * 1000 / 4000;
    QVERIFY2(e.elapsedMs >= least, qPrintable(QStringLiteral("%1 of %2").arg(e.elapsedMs).arg(least)));
}

void declinedByTheBank(const Evidence &e)
{
    QCOMPARE(e.got.json().value(QStringLiteral("decline_code")).toString(), QStringLiteral("expired_card"));
    QCOMPARE(e.got.header("Idempotent-Replayed"), "false");
}

std::vector<Expected> malformedRows(Placement placement)
{
    const bool ofBank = placement == Placement::AfterCommit;
    const Money money = ofBank ? Money::Moved : Money::None;
    const int own = ofBank ? 201 : 500;
    const auto named = [placement](const char *manifestation) {
        static QList<QByteArray> kept; // the rows keep pointers
        kept.append(mockbank::placementName(placement) + ':' + manifestation);
        return kept.constLast().constData();
    };
    return {
        {named("garbage(bytes=100,seed=7)"), Ending::Closed, 0, money, seededBytes},
        {named("half_status_line"), Ending::Closed, 0, money, halfAStatusLine},
        {named("half_headers"), Ending::Closed, 0, money, halfTheHeaders},
        {named("short_body"), Ending::Closed, own, money, fewerBytesThanPromised},
        {named("long_body"), Ending::Closed, own, money, moreBytesThanPromised},
        {named("bad_chunk"), Ending::Closed, own, money, aChunkWithoutSize},
        {named("html_200"), Ending::Complete, 200, money, aWebPage},
        {named("bad_json"), Ending::Complete, 201, money, jsonThatBreaksOff},
        {named("wrong_shape"), Ending::Complete, 201, money, jsonOfAnotherShape},
        {named("wrong_echo"), Ending::Complete, 201, money, theEchoOfAnotherSale},
        {named("redirect(code=307,location=\"http://elsewhere.example/\")"), Ending::Complete, 307, money, aRedirect},
    };
}

std::vector<Expected> expectedOfPairs()
{
    std::vector<Expected> rows{
        {"unread:hold", Ending::Silent, 0, Money::None, nothingCame},
        {"unread:fin", Ending::Closed, 0, Money::None, nothingCame},
        {"unread:rst", Ending::Reset, 0, Money::None, nothingCame},
        {"unread:delay(ms=60)", Ending::Complete, 201, Money::Moved, theBanksAnswerLater},
        {"unread:status(code=503,retry_after=soon)", Ending::Complete, 503, Money::None, retryAfterAsItStands},
        {"unread:status(code=404,body=html)", Ending::Complete, 404, Money::None, aWebPage},
        {"unread:restart(ms=20)", Ending::Reset, 0, Money::None, nothingCame},

        {"in_transit:delay(ms=60)", Ending::Complete, 201, Money::Moved, theBanksAnswerLater},
        {"in_transit:drop", Ending::Silent, 0, Money::None, nothingCame},

        {"before_commit:hold", Ending::Silent, 0, Money::None, nothingCame},
        {"before_commit:fin", Ending::Closed, 0, Money::None, nothingCame},
        {"before_commit:rst", Ending::Reset, 0, Money::None, nothingCame},
        {"before_commit:delay(ms=60)", Ending::Complete, 201, Money::Moved, theBanksAnswerLater},
        {"before_commit:status(code=503,retry_after=soon)", Ending::Complete, 503, Money::None, retryAfterAsItStands},
        {"before_commit:restart(ms=20)", Ending::Reset, 0, Money::None, nothingCame},

        {"before_commit:decline(decline_code=expired_card)", Ending::Complete, 402, Money::None, declinedByTheBank},

        {"after_commit:hold", Ending::Silent, 0, Money::Moved, nothingCame},
        {"after_commit:fin", Ending::Closed, 0, Money::Moved, nothingCame},
        {"after_commit:rst", Ending::Reset, 0, Money::Moved, nothingCame},
        {"after_commit:delay(ms=60)", Ending::Complete, 201, Money::Moved, theBanksAnswerLater},
        {"after_commit:status(code=503,retry_after=soon)", Ending::Complete, 503, Money::Moved, retryAfterAsItStands},
        {"after_commit:status(code=502,body=html)", Ending::Complete, 502, Money::Moved, aWebPage},
        {"after_commit:restart(ms=20)", Ending::Reset, 0, Money::Moved, nothingCame},
        {"after_commit:clock_skew(s=-3600)", Ending::Complete, 201, Money::Moved, aDateAnHourAgo},

        {"mid_answer:hold", Ending::Silent, 0, Money::Moved, inTheBody},
        {"mid_answer:fin", Ending::Closed, 0, Money::Moved, inTheBody},
        {"mid_answer:fin(at=0)", Ending::Closed, 0, Money::Moved, nothingCame},
        {"mid_answer:fin(at=1)", Ending::Closed, 0, Money::Moved, afterOneByte},
        {"mid_answer:fin(at=0.5)", Ending::Closed, 0, Money::Moved, halfOfIt},
        {"mid_answer:fin(at=status_line)", Ending::Closed, 0, Money::Moved, inTheStatusLine},
        {"mid_answer:fin(at=headers)", Ending::Closed, 0, Money::Moved, inTheHeaders},
        {"mid_answer:fin(at=1000000)", Ending::Closed, 0, Money::Moved, beforeTheLastByte},
        {"mid_answer:rst", Ending::Reset, 0, Money::Moved, inTheBody},
        {"mid_answer:delay(ms=60)", Ending::Complete, 201, Money::Moved, theBanksAnswerLater},
        {"mid_answer:restart(ms=20)", Ending::Reset, 0, Money::Moved, inTheBody},

        {"late:delay(ms=60)", Ending::Complete, 201, Money::Moved, theBanksAnswerLater},
        {"late:dribble(bytes=10,ms=2)", Ending::Complete, 201, Money::Moved, tenBytesEveryTwoMs},
        {"late:bandwidth(bytes_per_s=4000,ms=30)", Ending::Complete, 201, Money::Moved, fourThousandBytesASecond},
    };
    for (const Placement placement : {Placement::Unread, Placement::BeforeCommit, Placement::AfterCommit}) {
        const auto more = malformedRows(placement);
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

/// What needs more than one arrival, another strategy or no arrival at all has a test of its own, by name.
struct OwnTest {
    Placement placement;
    ManifestationKind kind;
    const char *name;
};
constexpr OwnTest ownTests[] = {
    {Placement::Connect, ManifestationKind::Refuse, "case_58_aClosedPortRefusesAndIsBackByItself()"},
    {Placement::Connect, ManifestationKind::Hold, "aConnectionKeptUnreadIsSilent()"},
    {Placement::InTransit, ManifestationKind::Hold, "aRequestHeldInTransitArrivesAlthoughItsClientHasGone()"},
    {Placement::InTransit, ManifestationKind::Twice, "aRequestDeliveredTwiceIsChargedOnce()"},
    {Placement::BeforeCommit, ManifestationKind::Busy, "aBusyKeyIsAnsweredByTheLockItself()"},
    {Placement::BeforeCommit, ManifestationKind::ExpireKey, "anExpiredKeyIsAnsweredFromTheLedger()"},
    {Placement::BeforeCommit, ManifestationKind::RedisDown, "whatOnlyUnsafeStrategiesHave()"},
    {Placement::HalfWay, ManifestationKind::Hold, "whatOnlyUnsafeStrategiesHave()"},
    {Placement::HalfWay, ManifestationKind::Fin, "whatOnlyUnsafeStrategiesHave()"},
    {Placement::HalfWay, ManifestationKind::Rst, "whatOnlyUnsafeStrategiesHave()"},
    {Placement::HalfWay, ManifestationKind::Status, "whatOnlyUnsafeStrategiesHave()"},
    {Placement::HalfWay, ManifestationKind::Restart, "whatOnlyUnsafeStrategiesHave()"},
    {Placement::HalfWay, ManifestationKind::RedisLostWrite, "whatOnlyUnsafeStrategiesHave()"},
    {Placement::AfterCommit, ManifestationKind::RedisLostWrite, "whatOnlyUnsafeStrategiesHave()"},
    {Placement::Late, ManifestationKind::Fin, "aKeptConnectionIsEndedLate()"},
    {Placement::Late, ManifestationKind::Rst, "aKeptConnectionIsEndedLate()"},
};

using Pair = std::pair<Placement, ManifestationKind>;

Pair pairOf(const QByteArray &spec)
{
    const auto parsed = mockbank::parseFault(QByteArrayView(spec));
    if (const auto *error = std::get_if<mockbank::FaultError>(&parsed)) {
        QTest::qFail(qPrintable(QString::fromUtf8(spec) + QLatin1Char(' ') + error->member + error->detail), __FILE__,
                     __LINE__);
        return {};
    }
    const auto &fault = std::get<mockbank::Fault>(parsed);
    return {fault.placement, fault.manifestation.kind};
}

QByteArray voidBody(const QByteArray &original = "k")
{
    return "{\"original_key\":\"" + original + R"(","order_id":"A-1","amount":1200,"currency":"JPY"})";
}

QByteArray voidRequest(const BankUnderTest &bank, const QByteArray &key, int attempt = 1)
{
    return bank.request("POST", "/v1/voids",
                        "Content-Type: application/json\r\nIdempotency-Key: " + key +
                            "\r\nAttempt-Number: " + QByteArray::number(attempt) + "\r\n",
                        voidBody());
}

QByteArray heldId(const BankUnderTest &bank)
{
    return QByteArray::number(bank.held()[0].toObject().value(QStringLiteral("id")).toInteger());
}

bool act(const BankUnderTest &bank, const QByteArray &id, const QByteArray &action)
{
    return bank.control("POST", "held/" + id, "{\"action\":\"" + action + "\"}").status == 200;
}

/// The events so far, as soon as one of them contains this text.
QByteArray eventsUntil(const BankUnderTest &bank, const QByteArray &text)
{
    RawConnection stream(bank.port());
    stream.send(bank.request("GET", "/control/events",
                             "Last-Event-ID: 0\r\nAuthorization: Bearer " + bank.controlToken() + "\r\n"));
    return stream.readUntil(text, 5000);
}

} // namespace

Q_DECLARE_METATYPE(Expected)

/// Every legal pair of placement and manifestation against a client that sees the bytes: what arrives is what the
/// label says, the ledger says what the label says of the money, and the next attempt ends in exactly one charge.
class BankFaultPairsTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void everyPairOfTheTableHasAnExpectation()
    {
        QSet<QByteArray> expected;
        const auto name = [](const Pair &pair) {
            return mockbank::placementName(pair.first) + ':' + mockbank::manifestationName(pair.second);
        };
        for (const Expected &row : expectedOfPairs())
            expected.insert(name(pairOf(row.spec)));
        for (const OwnTest &test : ownTests) {
            QVERIFY2(metaObject()->indexOfMethod(test.name) >= 0, test.name);
            expected.insert(name({test.placement, test.kind}));
        }
        QSet<QByteArray> legal;
        for (const mockbank::FaultTruth &truth : mockbank::faultTable())
            legal.insert(name({truth.placement, truth.kind}));
        const QSet<QByteArray> untested = QSet<QByteArray>(legal).subtract(expected);
        QVERIFY2(untested.isEmpty(), untested.values().join(' ').constData());
        const QSet<QByteArray> unknown = QSet<QByteArray>(expected).subtract(legal);
        QVERIFY2(unknown.isEmpty(), unknown.values().join(' ').constData());
    }

    void everyPairIsWhatItsLabelSays_data()
    {
        QTest::addColumn<Expected>("row");
        for (const Expected &row : expectedOfPairs())
            QTest::newRow(row.spec) << row;
    }
    void everyPairIsWhatItsLabelSays()
    {
        QFETCH(Expected, row);
        const Pair pair = pairOf(row.spec);
        const mockbank::FaultTruth *truth = mockbank::faultTruth(pair.first, pair.second);
        QVERIFY(truth);
        const bool moved = row.money == Money::Moved;
        QCOMPARE(truth->money != mockbank::MoneyTruth::Untouched, moved);
        const BankUnderTest bank;
        const QString rule = bank.arm(QByteArray(row.spec) + ":next=1");
        RawAnswer got;
        QElapsedTimer clock;
        {
            RawConnection client(bank.port());
            clock.start();
            QVERIFY(client.send(bank.chargeRequest("k", 1)));
            const int patience = row.ending == Ending::Silent ? silentMs : 5000;
            got = isMalformed(pair.second) ? client.readToEnd(patience) : client.read(patience);
        }
        const qint64 elapsedMs = clock.elapsed();
        QCOMPARE(got.ending, row.ending);
        QCOMPARE(row.status, got.ending == Ending::Complete || isMalformed(pair.second) ? got.status : 0);

        QVERIFY(bank.waitUntilBack());
        QCOMPARE(bank.chargesOf("k"), moved ? 1 : 0);
        QCOMPARE(bank.balance(), moved ? 98'800 : 100'000);
        QTRY_COMPARE(bank.fault(rule).value(QStringLiteral("fired")).toInt(), 1);
        QTRY_COMPARE(bank.held().size(), 0);

        const bool declined = pair.second == ManifestationKind::Decline;
        const RawAnswer second = bank.charge("k", 2);
        QCOMPARE(second.status, declined ? 402 : 201);
        QCOMPARE(second.replayed(), moved || declined);
        QCOMPARE(bank.chargesOf("k"), declined ? 0 : 1);
        QCOMPARE(bank.arrivals(), 2);
        QTRY_COMPARE(bank.fault(rule).value(QStringLiteral("light")).toString(), QStringLiteral("healed"));
        if (row.check)
            row.check({bank, got, moved ? second : RawAnswer(), elapsedMs});
    }

    void everyPairStrikesTheOtherRoutesToo_data()
    {
        QTest::addColumn<Expected>("row");
        QTest::addColumn<QByteArray>("route");
        for (const Expected &row : expectedOfPairs()) {
            const Pair pair = pairOf(row.spec);
            const mockbank::FaultTruth *truth = mockbank::faultTruth(pair.first, pair.second);
            if (!truth)
                continue;
            for (const auto route :
                 {mockbank::RouteMatch::Void, mockbank::RouteMatch::Inquiry, mockbank::RouteMatch::List}) {
                const QByteArray name = mockbank::routeName(route);
                if (mockbank::takesRoute(*truth, route))
                    QTest::newRow((name + ' ' + row.spec).constData()) << row << name;
            }
        }
    }
    void everyPairStrikesTheOtherRoutesToo()
    {
        QFETCH(Expected, row);
        QFETCH(QByteArray, route);
        const Pair pair = pairOf(row.spec);
        const BankUnderTest bank;
        QCOMPARE(bank.charge("k").status, 201);
        const QString rule = bank.arm(QByteArray(row.spec) + ":next=1:route=" + route);
        const auto request = [&](int attempt) {
            if (route == "void")
                return voidRequest(bank, "v", attempt);
            const QByteArray number = "Attempt-Number: " + QByteArray::number(attempt) + "\r\n";
            return route == "list" ? bank.request("GET", "/v1/charges", number)
                                   : bank.request("GET", "/v1/charges/k", number);
        };
        RawAnswer got;
        {
            RawConnection client(bank.port());
            QVERIFY(client.send(request(1)));
            const int patience = row.ending == Ending::Silent ? silentMs : 5000;
            got = isMalformed(pair.second) ? client.readToEnd(patience) : client.read(patience);
        }
        QCOMPARE(got.ending, row.ending);
        // An answer of the bank's own, whole or spoilt, has the status of this route.
        const bool headCame = got.ending == Ending::Complete || isMalformed(pair.second);
        QCOMPARE(headCame ? got.status : 0, row.status == 201 ? 200 : row.status);

        QVERIFY(bank.waitUntilBack());
        const bool reversed = route == "void" && row.money == Money::Moved;
        QCOMPARE(bank.balance(), reversed ? 100'000 : 98'800);
        QCOMPARE(bank.movements().size(), reversed ? 2 : 1);
        QTRY_COMPARE(bank.fault(rule).value(QStringLiteral("fired")).toInt(), 1);
        QTRY_COMPARE(bank.held().size(), 0);

        const RawAnswer second = bank.exchange(request(2));
        QCOMPARE(second.status, 200);
        QCOMPARE(bank.movements().size(), route == "void" ? 2 : 1);
        QCOMPARE(bank.arrivals(), 1);
        QCOMPARE(bank.counter(QStringLiteral("voids")), route == "void" ? 2 : 0);
        QCOMPARE(bank.counter(QStringLiteral("lists")), route == "list" ? 2 : 0);
        QCOMPARE(bank.counter(QStringLiteral("inquiries")), route == "inquiry" ? 2 : 0);
    }

    void case_58_aClosedPortRefusesAndIsBackByItself()
    {
        const BankUnderTest bank;
        RawConnection idle(bank.port());
        idle.send(bank.chargeRequest("before"));
        QCOMPARE(idle.read().status, 201);
        RawConnection console(bank.port());
        const auto control = [&](const QByteArray &method, const QByteArray &path, const QByteArray &json = {}) {
            console.send(bank.request(
                method, "/control/" + path,
                "Authorization: Bearer " + bank.controlToken() + "\r\nContent-Type: application/json\r\n", json));
            return console.read();
        };
        const RawAnswer armed = control("POST", "faults", R"j({"spec":"connect:refuse(ms=400)"})j");
        QCOMPARE(armed.status, 201);
        QElapsedTimer clock;
        clock.start();
        // The control plane's own connection stays and is served; everything else is closed or refused.
        QCOMPARE(idle.waitForEnd(1000), Ending::Closed);
        QVERIFY(!RawConnection(bank.port()).isConnected());
        QCOMPARE(control("GET", "state").status, 200);
        QVERIFY(!RawConnection(bank.port()).isConnected());
        QVERIFY(clock.elapsed() < 400);
        QVERIFY(bank.waitUntilBack());
        QVERIFY2(clock.elapsed() >= 390, qPrintable(QString::number(clock.elapsed())));
        QCOMPARE(bank.charge("after").status, 201);
        QCOMPARE(bank.arrivals(), 2);
        QTRY_COMPARE(
            bank.fault(armed.json().value(QStringLiteral("id")).toString()).value(QStringLiteral("light")).toString(),
            QStringLiteral("healed"));
    }

    void aRefusalEndsAtOnceWhenItIsDisarmed()
    {
        const BankUnderTest bank;
        RawConnection console(bank.port());
        const auto control = [&](const QByteArray &method, const QByteArray &json) {
            console.send(bank.request(
                method, "/control/faults",
                "Authorization: Bearer " + bank.controlToken() + "\r\nContent-Type: application/json\r\n", json));
            return console.read();
        };
        QCOMPARE(control("POST", R"({"spec":"connect:refuse:for_s=60"})").status, 201);
        QVERIFY(!RawConnection(bank.port()).isConnected());
        QCOMPARE(control("DELETE", {}).status, 200);
        QVERIFY(RawConnection(bank.port()).isConnected());
    }

    void aRefusalOutlivesACrash()
    {
        const BankUnderTest bank;
        RawConnection console(bank.port());
        const auto control = [&](const QByteArray &path, const QByteArray &json) {
            console.send(bank.request(
                "POST", "/control/" + path,
                "Authorization: Bearer " + bank.controlToken() + "\r\nContent-Type: application/json\r\n", json));
            return console.read().status;
        };
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(control("faults", R"j({"spec":"connect:refuse(ms=500)"})j"), 201);
        QCOMPARE(control("restart", R"({"down_ms":10})"), 202);
        QVERIFY(bank.waitUntilBack());
        QVERIFY2(clock.elapsed() >= 490, qPrintable(QString::number(clock.elapsed())));
    }

    void eventStreamsStayOpenWhileThePortIsClosed()
    {
        const BankUnderTest bank;
        RawConnection stream(bank.port());
        stream.send(bank.request("GET", "/control/events", "Authorization: Bearer " + bank.controlToken() + "\r\n"));
        QVERIFY(stream.readUntil("retry:").contains("retry:"));
        bank.arm("connect:refuse(ms=200)");
        QVERIFY(stream.readUntil("port_open").contains("port_closed"));
    }

    void aConnectionKeptUnreadIsSilent()
    {
        const BankUnderTest bank;
        const QString rule = bank.arm("connect:hold:next=1");
        {
            RawConnection client(bank.port());
            QVERIFY(client.isConnected());
            QVERIFY(client.send(bank.chargeRequest("k")));
            QCOMPARE(client.read(silentMs).ending, Ending::Silent);
            QCOMPARE(bank.held().size(), 1);
            QCOMPARE(bank.held()[0].toObject().value(QStringLiteral("what")).toString(), QStringLiteral("connection"));
            QCOMPARE(bank.arrivals(), 0);
            QCOMPARE(bank.fault(rule).value(QStringLiteral("fired")).toInt(), 1);
        }
        QTRY_COMPARE(bank.held().size(), 0);
        QCOMPARE(bank.movements().size(), 0);
        QCOMPARE(bank.charge("k", 2).replayed(), false);
        QCOMPARE(bank.arrivals(), 1);
    }

    void aConnectionKeptUnreadCanBeReleasedAndCut()
    {
        const BankUnderTest bank;
        bank.arm("connect:hold:next=2");
        RawConnection released(bank.port());
        RawConnection cut(bank.port());
        released.send(bank.chargeRequest("k"));
        QTRY_COMPARE(bank.held().size(), 2);
        QVERIFY(act(bank, heldId(bank), "release"));
        QCOMPARE(released.read().status, 201);
        QCOMPARE(bank.control("POST", "held/" + heldId(bank), R"({"action":"twice"})").status, 422);
        QVERIFY(act(bank, heldId(bank), "cut"));
        QCOMPARE(cut.waitForEnd(), Ending::Closed);
        QCOMPARE(bank.held().size(), 0);
    }

    void aRequestHeldInTransitArrivesAlthoughItsClientHasGone()
    {
        const BankUnderTest bank;
        bank.arm("in_transit:hold:next=1");
        {
            RawConnection client(bank.port());
            client.send(bank.chargeRequest("k"));
            QTRY_COMPARE(bank.held().size(), 1);
            QCOMPARE(client.read(silentMs).ending, Ending::Silent);
        }
        // Still under way, though nobody waits for it any more.
        QTRY_VERIFY(bank.held()[0].toObject().value(QStringLiteral("client_gone")).toBool());
        QCOMPARE(bank.movements().size(), 0);
        QVERIFY(act(bank, heldId(bank), "release"));
        QTRY_COMPARE(bank.chargesOf("k"), 1);
        QCOMPARE(bank.held().size(), 0);
        QVERIFY(bank.charge("k", 2).replayed());
        QCOMPARE(bank.arrivals(), 2);
    }

    void aRequestHeldInTransitMeetsTheTombstoneOfItsVoid()
    {
        const BankUnderTest bank;
        bank.arm("in_transit:hold:next=1");
        RawConnection client(bank.port());
        client.send(bank.chargeRequest("k"));
        QTRY_COMPARE(bank.held().size(), 1);
        const RawAnswer voided = bank.exchange(voidRequest(bank, "v"));
        QCOMPARE(voided.json().value(QStringLiteral("result")).toString(), QStringLiteral("prevented"));
        QVERIFY(act(bank, heldId(bank), "release"));
        const RawAnswer late = client.read();
        QCOMPARE(late.status, 410);
        QCOMPARE(late.problem(), "idempotency-key-voided");
        QCOMPARE(bank.movements().size(), 0);
    }

    void aRequestHeldInTransitCanBeDroppedCutAndDeliveredTwice()
    {
        const BankUnderTest bank;
        bank.arm("in_transit:hold:next=3");
        RawConnection dropped(bank.port());
        dropped.send(bank.chargeRequest("dropped"));
        QTRY_COMPARE(bank.held().size(), 1);
        QVERIFY(act(bank, heldId(bank), "drop"));
        QCOMPARE(dropped.read(silentMs).ending, Ending::Silent);
        RawConnection cut(bank.port());
        cut.send(bank.chargeRequest("cut"));
        QTRY_COMPARE(bank.held().size(), 1);
        QVERIFY(act(bank, heldId(bank), "cut"));
        QCOMPARE(cut.waitForEnd(), Ending::Closed);
        QCOMPARE(bank.movements().size(), 0);
        RawConnection twice(bank.port());
        twice.send(bank.chargeRequest("twice"));
        QTRY_COMPARE(bank.held().size(), 1);
        QVERIFY(act(bank, heldId(bank), "twice"));
        QCOMPARE(twice.read().replayed(), false);
        QTRY_COMPARE(bank.arrivals(), 4);
        QCOMPARE(bank.movements().size(), 1);
        QCOMPARE(bank.held().size(), 0);
    }

    void aRequestDeliveredTwiceIsChargedOnce_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::newRow("at the same moment") << QByteArray("in_transit:twice:next=1");
        QTest::newRow("20 ms later") << QByteArray("in_transit:twice(gap_ms=20):next=1");
    }
    void aRequestDeliveredTwiceIsChargedOnce()
    {
        QFETCH(QByteArray, spec);
        const BankUnderTest bank;
        const QString rule = bank.arm(spec);
        RawConnection client(bank.port());
        client.send(bank.chargeRequest("k"));
        const RawAnswer answer = client.read();
        QCOMPARE(answer.status, 201);
        QVERIFY(!answer.replayed());
        QTRY_COMPARE(bank.arrivals(), 2);
        QCOMPARE(client.read(50).ending, Ending::Silent); // the copy's answer is nobody's
        const QByteArray events = eventsUntil(bank, "\"replayed\":true");
        QCOMPARE(events.count("event: arrival\n"), 2);
        QCOMPARE(events.count("\"copy_of\":1"), events.count("\"arrival_id\":2"));
        QVERIFY(events.count("\"copy_of\":1") >= 3); // arrival, replayed, answer
        QCOMPARE(bank.chargesOf("k"), 1);
        QCOMPARE(bank.balance(), 98'800);
        QCOMPARE(bank.fault(rule).value(QStringLiteral("fired")).toInt(), 1);
        QVERIFY(bank.charge("k", 2).replayed());
    }

    void aVoidDeliveredTwiceReversesOnce()
    {
        const BankUnderTest bank;
        QCOMPARE(bank.charge("k").status, 201);
        bank.arm("in_transit:twice:next=1:route=void");
        QCOMPARE(bank.exchange(voidRequest(bank, "v")).status, 200);
        QTRY_COMPARE(bank.counter(QStringLiteral("voids")), 2);
        QCOMPARE(bank.movements().size(), 2);
        QCOMPARE(bank.balance(), 100'000);
    }

    void aCopyCanGoToAnotherBank()
    {
        const BankUnderTest bank;
        const BankUnderTest other;
        bank.arm("in_transit:twice(to=\"" + other.url().toLatin1() + "\"):next=1");
        const RawAnswer answer = bank.exchange(
            bank.chargeRequest("k", 1, BankUnderTest::chargeBody(), "Description: bytes as they are\r\n"));
        QCOMPARE(answer.status, 201);
        QTRY_COMPARE(other.chargesOf("k"), 1);
        QCOMPARE(bank.chargesOf("k"), 1);
        QCOMPARE(bank.arrivals(), 1);
        QCOMPARE(other.arrivals(), 1);
        const QByteArray events = eventsUntil(bank, "copy_answered");
        QVERIFY(events.contains("event: copy_sent"));
        QVERIFY(events.contains("\"status\":201"));
    }

    void aCopyToNobodyIsTold()
    {
        const BankUnderTest bank;
        quint16 closed = 0;
        {
            const BankUnderTest gone;
            closed = gone.port();
        }
        bank.arm("in_transit:twice(to=\"http://127.0.0.1:" + QByteArray::number(closed) + "\"):next=1");
        QCOMPARE(bank.charge("k").status, 201);
        const QByteArray events = eventsUntil(bank, "copy_answered");
        QVERIFY(events.contains("\"status\":0"));
        QVERIFY(events.contains("refused"));
    }

    void aBusyKeyIsAnsweredByTheLockItself()
    {
        const BankUnderTest bank;
        const QString rule = bank.arm("before_commit:busy(ms=400):next=1");
        const RawAnswer first = bank.charge("k", 1);
        QCOMPARE(first.status, 409);
        QCOMPARE(first.problem(), "idempotency-key-in-progress");
        QVERIFY(!first.header("Retry-After").isEmpty());
        // Whoever comes meanwhile meets the same claim.
        QCOMPARE(bank.charge("k", 2).status, 409);
        QCOMPARE(bank.inquire("k").status, 202);
        QCOMPARE(bank.movements().size(), 0);
        QTRY_COMPARE(bank.charge("k", 0).status, 201);
        QCOMPARE(bank.chargesOf("k"), 1);
        QCOMPARE(bank.fault(rule).value(QStringLiteral("fired")).toInt(), 1);
    }

    void anExpiredKeyIsAnsweredFromTheLedger()
    {
        const BankUnderTest bank;
        QCOMPARE(bank.charge("k", 1).status, 201);
        const QString rule = bank.arm("before_commit:expire_key:next=1");
        const RawAnswer second = bank.charge("k", 2);
        QCOMPARE(second.status, 410);
        QCOMPARE(second.problem(), "idempotency-key-expired");
        QCOMPARE(second.json().value(QStringLiteral("ledger")).toString(), QStringLiteral("charged"));
        QCOMPARE(bank.chargesOf("k"), 1);
        QCOMPARE(bank.fault(rule).value(QStringLiteral("fired")).toInt(), 1);
    }

    void whatOnlyUnsafeStrategiesHave_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<Ending>("ending");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("chargedFirst");
        QTest::addColumn<int>("chargedInAll"); // after the second attempt
        const auto row = [](const char *strategy, const char *spec, Ending ending, int status, int first, int all) {
            QTest::newRow((QByteArray(strategy) + ' ' + spec).constData())
                << QByteArray(spec) << QString::fromLatin1(strategy) << ending << status << first << all;
        };
        for (const char *strategy : {"naive", "check_then_act"}) {
            row(strategy, "half_way:hold", Ending::Silent, 0, 1, 2);
            row(strategy, "half_way:fin", Ending::Closed, 0, 1, 2);
            row(strategy, "half_way:rst", Ending::Reset, 0, 1, 2);
            row(strategy, "half_way:status(code=502,body=html)", Ending::Complete, 502, 1, 2);
            row(strategy, "half_way:restart(ms=20)", Ending::Reset, 0, 1, 2);
        }
        // Its lock outlives the crash: the second attempt meets it, and only one after the lock's time charges again.
        row("redis_lock", "half_way:fin", Ending::Closed, 0, 1, 1);
        row("redis_lock", "half_way:restart(ms=20)", Ending::Reset, 0, 1, 1);
        row("redis_lock", "half_way:redis_lost_write", Ending::Silent, 0, 1, 1);
        row("redis_lock", "after_commit:redis_lost_write", Ending::Complete, 201, 1, 1);
        row("redis_lock", "before_commit:redis_down", Ending::Complete, 500, 0, 1);
    }
    void whatOnlyUnsafeStrategiesHave()
    {
        QFETCH(QByteArray, spec);
        QFETCH(QString, strategy);
        QFETCH(Ending, ending);
        QFETCH(int, status);
        QFETCH(int, chargedFirst);
        QFETCH(int, chargedInAll);
        mockbank::MockServerOptions options;
        options.bank.strategy = strategy;
        const BankUnderTest bank(options);
        const QString rule = bank.arm(spec + ":next=1");
        {
            RawConnection client(bank.port());
            client.send(bank.chargeRequest("k", 1));
            const RawAnswer got = client.read(ending == Ending::Silent ? silentMs : 5000);
            QCOMPARE(got.ending, ending);
            QCOMPARE(got.status, status);
        }
        QVERIFY(bank.waitUntilBack());
        QCOMPARE(bank.chargesOf("k"), chargedFirst);
        QTRY_COMPARE(bank.fault(rule).value(QStringLiteral("fired")).toInt(), 1);
        bank.charge("k", 2);
        QCOMPARE(bank.chargesOf("k"), chargedInAll);
        QCOMPARE(bank.balance(), 100'000 - 1200 * chargedInAll);
    }

    void aKeptConnectionIsEndedLate_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<Ending>("ending");
        QTest::newRow("fin") << QByteArray("late:fin(ms=80):next=1") << Ending::Closed;
        QTest::newRow("rst") << QByteArray("late:rst(ms=80):next=1") << Ending::Reset;
    }
    void aKeptConnectionIsEndedLate()
    {
        QFETCH(QByteArray, spec);
        QFETCH(Ending, ending);
        const BankUnderTest bank;
        const QString rule = bank.arm(spec);
        QElapsedTimer clock;
        clock.start();
        RawConnection client(bank.port());
        client.send(bank.chargeRequest("k"));
        const RawAnswer answer = client.read();
        QCOMPARE(answer.status, 201);
        QCOMPARE(answer.header("Connection"), "keep-alive");
        QCOMPARE(client.waitForEnd(), ending);
        QVERIFY(clock.elapsed() >= 80);
        QTRY_COMPARE(bank.fault(rule).value(QStringLiteral("fired")).toInt(), 1);
        QCOMPARE(bank.chargesOf("k"), 1);
        QVERIFY(bank.charge("k", 2).replayed());
    }

    void aRequestUnderWayIsAnsweredBeforeItsConnectionEnds()
    {
        mockbank::MockServerOptions options;
        options.bank.processing = std::chrono::milliseconds(200);
        const BankUnderTest bank(options);
        bank.arm("late:fin(ms=50):next=1");
        RawConnection client(bank.port());
        client.send(bank.chargeRequest("a"));
        QCOMPARE(client.read().status, 201);
        client.send(bank.chargeRequest("b"));
        const RawAnswer answer = client.read();
        QCOMPARE(answer.status, 201);
        QCOMPARE(answer.header("Connection"), "close");
        QCOMPARE(client.waitForEnd(), Ending::Closed);
    }
};

IKKAI_TEST_MAIN(BankFaultPairsTest)
#include "tst_bank_fault_pairs.moc"
