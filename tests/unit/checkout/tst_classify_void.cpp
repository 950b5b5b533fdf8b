#include "tests/support/test.h"
#include "tests/unit/checkout/answers.h"

using namespace ikkai;
using namespace ikkai::test::answers;

namespace {

const QByteArray otherKey = "017f22e2-79b0-7cc3-98c4-dc0c0c073990";

Members voided(const QByteArray &result)
{
    return {{"original_key", '"' + test::keyText + '"'},
            {"order_id", "\"A-1001\""},
            {"amount", "1200"},
            {"currency", "\"JPY\""},
            {"result", '"' + result + '"'},
            {"at", "\"2026-01-01T00:00:00.000Z\""}};
}

Members mismatch()
{
    return with(problem("idempotency-key-mismatch"), "original_key", '"' + test::keyText + '"');
}

QString word(VoidResult result)
{
    switch (result) {
    case VoidResult::Reversed:
        return QStringLiteral("reversed");
    case VoidResult::Prevented:
        return QStringLiteral("prevented");
    case VoidResult::NotCharged:
        return QStringLiteral("not charged");
    }
    return {};
}

QString word(voiding::Nothing::Why why)
{
    switch (why) {
    case voiding::Nothing::Why::InProgress:
        return QStringLiteral("in progress");
    case voiding::Nothing::Why::NotSent:
        return QStringLiteral("not sent");
    case voiding::Nothing::Why::NoAnswer:
        return QStringLiteral("no answer");
    case voiding::Nothing::Why::NotTheBanksAnswer:
        return QStringLiteral("not the bank's");
    case voiding::Nothing::Why::ServerTrouble:
        return QStringLiteral("trouble");
    case voiding::Nothing::Why::Refused:
        return QStringLiteral("refused");
    case voiding::Nothing::Why::OtherLedger:
        return QStringLiteral("other ledger");
    }
    return {};
}

/// One line per verdict, so that a table of them can be read: `again` means that the same void is sent again.
struct Words {
    QString operator()(const voiding::Settled &v) const { return QStringLiteral("settled ") + word(v.result); }
    QString operator()(const voiding::Mismatch &v) const { return QStringLiteral("mismatch ") + v.detail; }
    QString operator()(const voiding::Nothing &v) const
    {
        QString text = QStringLiteral("again, %1, %2").arg(word(v.why)).arg(v.status);
        if (v.retryAfterMs)
            text += QStringLiteral(", after %1").arg(*v.retryAfterMs);
        return text;
    }
};

} // namespace

/// What the terminal makes of an answer to a void. Money that is said to be back must be back: whatever is not wholly
/// the bank's word on this very charge is asked for again, for ever, and never taken for an end.
class ClassifyVoidTest : public test::Test {
    Q_OBJECT

private:
    static void columns()
    {
        QTest::addColumn<Transmission>("transmission");
        QTest::addColumn<QString>("verdict");
    }
    static void row(const QByteArray &name, const Transmission &transmission, const QByteArray &verdict)
    {
        QTest::newRow(name.constData()) << transmission << QString::fromLatin1(verdict);
    }
    static void judge()
    {
        QFETCH(Transmission, transmission);
        QTEST(std::visit(Words{}, classifyVoid(transmission, expected())), "verdict");
    }

private Q_SLOTS:
    void onlyTheBanksWholeWordSettles_data()
    {
        columns();
        row("reversed", charged(200, voided("reversed")), "settled reversed");
        row("prevented", charged(200, voided("prevented")), "settled prevented");
        row("not charged", charged(200, voided("not_charged")), "settled not charged");
        row("a replay of it", charged(200, voided("reversed"), {{"idempotent-replayed", "true"}}), "settled reversed");
        row("with a charset", answered(200, "Application/JSON; charset=utf-8", json(voided("reversed"))),
            "settled reversed");
        row("with members not known here", charged(200, with(voided("prevented"), "note", "[1.5]")),
            "settled prevented");
    }
    void onlyTheBanksWholeWordSettles() { judge(); }

    void case_44_a200ThatIsNotWholeIsNoAnswer_data()
    {
        columns();
        const Members good = voided("reversed");
        const QByteArray again = "again, not the bank's, 200";
        for (const char *name : {"original_key", "order_id", "amount", "currency", "result", "at"}) {
            row(QByteArray("without ") + name, charged(200, without(good, name)), again);
            row(QByteArray("null ") + name, charged(200, with(good, name, "null")), again);
            row(QByteArray("a list as ") + name, charged(200, with(good, name, "[]")), again);
            row(QByteArray("empty ") + name, charged(200, with(good, name, "\"\"")), again);
        }
        row("amount 1200.0", charged(200, with(good, "amount", "1200.0")), again);
        row("amount 1.2e3", charged(200, with(good, "amount", "1.2e3")), again);
        row("amount as text", charged(200, with(good, "amount", "\"1200\"")), again);
        row("two results",
            answered(200, "application/json", json(good).replace("\"result\"", "\"result\":\"prevented\",\"result\"")),
            again);
        row("a result that is not known", charged(200, voided("maybe")), again);
        row("a result in capitals", charged(200, voided("REVERSED")), again);
        row("empty object", answered(200, "application/json", "{}"), again);
        row("empty body", answered(200, "application/json", ""), again);
        row("cut", answered(200, "application/json", json(good).chopped(1)), again);
        row("more behind it", answered(200, "application/json", json(good) + "x"), again);
        row("a list of it", answered(200, "application/json", '[' + json(good) + ']'), again);
        row("not JSON", answered(200, "application/json", "reversed"), again);
        row("as text", answered(200, "text/plain", json(good)), again);
        row("as a problem", answered(200, "application/problem+json", json(good)), again);
        row("a login page", page(200), again);
        row("the charge's own answer", charged(200, charge("approved")), again);
    }
    void case_44_a200ThatIsNotWholeIsNoAnswer() { judge(); }

    void a200AboutAnotherChargeIsNoAnswer_data()
    {
        columns();
        const Members good = voided("reversed");
        const QByteArray again = "again, not the bank's, 200";
        row("another original", charged(200, with(good, "original_key", '"' + otherKey + '"')), again);
        row("the void's own key as original",
            charged(200, with(good, "original_key", '"' + test::voidKey().bytes() + '"')), again);
        row("another order", charged(200, with(good, "order_id", "\"A-1002\"")), again);
        row("another amount", charged(200, with(good, "amount", "1201")), again);
        row("another currency", charged(200, with(good, "currency", "\"USD\"")), again);
    }
    void a200AboutAnotherChargeIsNoAnswer() { judge(); }

    void onlyTheRecordedLedgerCanSpeak_data()
    {
        columns();
        const QHash<QByteArray, QByteArray> other{{"ledger-id", "ldg_2"}};
        const QHash<QByteArray, QByteArray> none{{"ledger-id", ""}};
        row("200 of another", charged(200, voided("prevented"), other), "again, other ledger, 200");
        row("200 that does not say", charged(200, voided("prevented"), none), "again, not the bank's, 200");
        row("200 of one whose name is longer", charged(200, voided("prevented"), {{"ledger-id", "ldg_11"}}),
            "again, other ledger, 200");
        row("421", refusedBy(421, problem("other-ledger"), other), "again, other ledger, 421");
        row("421 that does not say", page(421, none), "again, other ledger, 421");
        row("mismatch of another", refusedBy(422, mismatch(), other), "again, other ledger, 422");
        row("mismatch that does not say", refusedBy(422, mismatch(), none), "again, refused, 422");
        row("409 of another", refusedBy(409, problem("original-in-progress"), other), "again, other ledger, 409");
        row("500 of another", page(500, other), "again, other ledger, 500");
    }
    void onlyTheRecordedLedgerCanSpeak() { judge(); }

    void whereNoLedgerWasLearnedNoneCanBeTheWrongOne()
    {
        ExpectedEcho echo = expected();
        echo.ledgerId.clear();
        const auto verdict = classifyVoid(charged(200, voided("prevented"), {{"ledger-id", "ldg_2"}}), echo);
        QCOMPARE(std::visit(Words{}, verdict), QStringLiteral("settled prevented"));
    }

    void aMismatchOfThisVeryChargeEndsTheTries_data()
    {
        columns();
        row("422", refusedBy(422, mismatch()), "mismatch What was wrong");
        row("422 about another charge", refusedBy(422, with(mismatch(), "original_key", '"' + otherKey + '"')),
            "again, refused, 422");
        row("422 about the void's own key", refusedBy(422, problem("idempotency-key-mismatch")), "again, refused, 422");
        row("422 of another type", refusedBy(422, problem("bad-field")), "again, refused, 422");
        row("422 without our type", page(422), "again, not the bank's, 422");
        row("422 as application/json", answered(422, "application/json", json(mismatch())),
            "again, not the bank's, 422");
        row("422 cut", answered(422, "application/problem+json", json(mismatch()).chopped(1)),
            "again, not the bank's, 422");
        row("422 of a stranger's type", refusedBy(422, with(mismatch(), "type", "\"https://example.org/mismatch\"")),
            "again, not the bank's, 422");
        for (const int status : {400, 409, 410})
            row(QByteArray::number(status) + " mismatch", refusedBy(status, mismatch()),
                "again, refused, " + QByteArray::number(status));
    }
    void aMismatchOfThisVeryChargeEndsTheTries() { judge(); }

    void whileTheChargeRunsTheVoidWaits_data()
    {
        columns();
        const Members running = problem("original-in-progress");
        row("409", refusedBy(409, running), "again, in progress, 409");
        row("409 with Retry-After", refusedBy(409, running, {{"retry-after", "2"}}),
            "again, in progress, 409, after 2000");
        row("case_26 with a date",
            refusedBy(409, running,
                      {{"retry-after", "Sun, 06 Nov 1994 08:49:40 GMT"}, {"date", "Sun, 06 Nov 1994 08:49:37 GMT"}}),
            "again, in progress, 409, after 3000");
        row("with a malformed one", refusedBy(409, running, {{"retry-after", "soon"}}), "again, in progress, 409");
        row("409 of the charge's type", refusedBy(409, problem("idempotency-key-in-progress")), "again, refused, 409");
        row("409 page", page(409), "again, not the bank's, 409");
    }
    void whileTheChargeRunsTheVoidWaits() { judge(); }

    void troubleIsAskedAgain_data()
    {
        columns();
        for (const int status : {408, 425, 429, 500, 501, 502, 503, 504, 507, 511, 599}) {
            const QByteArray name = QByteArray::number(status);
            row(name + " page", page(status), "again, trouble, " + name);
            row(name + " problem", refusedBy(status, problem("maintenance")), "again, trouble, " + name);
            row(name + " with Retry-After", page(status, {{"retry-after", "86400"}}),
                "again, trouble, " + name + ", after 86400000");
            row("case_13 " + name + " that was stored",
                refusedBy(status, problem("crash"), {{"idempotent-replayed", "true"}}), "again, trouble, " + name);
        }
        row("500 that looks reversed", charged(500, voided("reversed")), "again, trouble, 500");
    }
    void troubleIsAskedAgain() { judge(); }

    void case_10_no4xxIsAnEnd_data()
    {
        columns();
        for (int status = 400; status < 500; ++status) {
            const std::vector<int> named{408, 421, 425, 429};
            if (std::find(named.begin(), named.end(), status) != named.end())
                continue;
            const QByteArray name = QByteArray::number(status);
            row(name + " page", page(status), "again, not the bank's, " + name);
            row(name + " problem", refusedBy(status, problem("no")), "again, refused, " + name);
            row(name + " that looks reversed", charged(status, voided("reversed")), "again, not the bank's, " + name);
        }
        row("410 voided", refusedBy(410, with(problem("idempotency-key-voided"), "result", "\"reversed\"")),
            "again, refused, 410");
        row("410 expired", refusedBy(410, with(problem("idempotency-key-expired"), "ledger", "\"reversed\"")),
            "again, refused, 410");
    }
    void case_10_no4xxIsAnEnd() { judge(); }

    void everyOtherStatusIsNotTheBanks_data()
    {
        columns();
        for (const int status : {0, 100, 201, 202, 203, 204, 206, 299, 600}) {
            const QByteArray name = QByteArray::number(status);
            row(name, charged(status, voided("reversed")), "again, not the bank's, " + name);
        }
        for (const int status : {300, 301, 302, 303, 304, 307, 308}) {
            const QByteArray name = QByteArray::number(status);
            row("case_28 " + name, page(status, {{"location", "/v1/voids"}}), "again, not the bank's, " + name);
            row("case_28 " + name + " that looks reversed", charged(status, voided("reversed")),
                "again, not the bank's, " + name);
        }
    }
    void everyOtherStatusIsNotTheBanks() { judge(); }

    void withoutAnAnswerTheSameVoidFollows_data()
    {
        columns();
        using End = Transmission::End;
        const auto end = [](End how, int wireSends) { return Transmission{how, {}, wireSends, 10, {}}; };
        for (const End how : {End::ConnectionRefused, End::HostNotFound, End::TlsFailed}) {
            const QByteArray name = QByteArray::number(static_cast<int>(how));
            row("not sent " + name, end(how, 0), "again, not sent, 0");
            row("not sent the second time " + name, end(how, 1), "again, no answer, 0");
        }
        for (const End how :
             {End::DeadlinePassed, End::ConnectionLost, End::ResendPrevented, End::AnswerCut, End::Answered}) {
            const QByteArray name = QByteArray::number(static_cast<int>(how));
            row("no answer " + name, end(how, 1), "again, no answer, 0");
            row("no answer, nothing counted " + name, end(how, 0), "again, no answer, 0");
        }
    }
    void withoutAnAnswerTheSameVoidFollows() { judge(); }

    void whatAReceiptNeedsIsTaken()
    {
        const auto verdict = classifyVoid(charged(200, voided("reversed")), expected());
        QVERIFY(std::get<voiding::Settled>(verdict) ==
                (voiding::Settled{VoidResult::Reversed, QStringLiteral("req_1")}));
    }
};

IKKAI_TEST_MAIN(ClassifyVoidTest)
#include "tst_classify_void.moc"
