#include "tests/support/test.h"
#include "tests/unit/checkout/answers.h"

using namespace ikkai;
using namespace ikkai::test::answers;

namespace {

QString word(SettledBy by)
{
    switch (by) {
    case SettledBy::Answer:
        return QStringLiteral("answer");
    case SettledBy::Replay:
        return QStringLiteral("replay");
    case SettledBy::Inquiry:
        return QStringLiteral("inquiry");
    case SettledBy::Void:
        return QStringLiteral("void");
    }
    return {};
}

QString word(VoidResult result)
{
    switch (result) {
    case VoidResult::Reversed:
        return QStringLiteral("reversed");
    case VoidResult::Prevented:
        return QStringLiteral("prevented");
    case VoidResult::NotCharged:
        return QStringLiteral("not_charged");
    }
    return {};
}

QString word(const std::optional<qint64> &ms)
{
    return ms ? QString::number(*ms) : QStringLiteral("-");
}

/// One line per verdict, so that a table of them can be read.
struct Words {
    QString operator()(const verdict::NotSent &v) const
    {
        return QStringLiteral("NotSent ") + QString::number(static_cast<int>(v.why));
    }
    QString operator()(const verdict::NoAnswer &v) const
    {
        switch (v.why) {
        case verdict::NoAnswer::Why::DeadlinePassed:
            return QStringLiteral("NoAnswer deadline");
        case verdict::NoAnswer::Why::ConnectionLost:
            return QStringLiteral("NoAnswer lost");
        case verdict::NoAnswer::Why::ResendPrevented:
            return QStringLiteral("NoAnswer resend");
        case verdict::NoAnswer::Why::AnswerCut:
            return QStringLiteral("NoAnswer cut");
        case verdict::NoAnswer::Why::NotTheBanksAnswer:
            return QStringLiteral("NoAnswer not the bank's");
        }
        return {};
    }
    QString operator()(const verdict::Approved &v) const { return QStringLiteral("Approved ") + word(v.by); }
    QString operator()(const verdict::Declined &v) const
    {
        return QStringLiteral("Declined ") + word(v.by) + QLatin1Char(' ') + v.details.declineCode;
    }
    QString operator()(const verdict::Voided &v) const
    {
        return QStringLiteral("Voided ") + word(v.by) + QLatin1Char(' ') + word(v.result);
    }
    QString operator()(const verdict::StillProcessing &v) const
    {
        return QStringLiteral("StillProcessing ") + word(v.retryAfterMs);
    }
    QString operator()(const verdict::KeyMismatch &v) const { return QStringLiteral("KeyMismatch ") + v.detail; }
    QString operator()(const verdict::ServerTrouble &v) const
    {
        return QStringLiteral("ServerTrouble %1 %2").arg(v.status).arg(word(v.retryAfterMs));
    }
    QString operator()(const verdict::StoredFailure &v) const
    {
        return QStringLiteral("StoredFailure %1").arg(v.status);
    }
    QString operator()(const verdict::Refused &v) const
    {
        return QStringLiteral("Refused %1 %2").arg(v.status).arg(v.problemType);
    }
    QString operator()(const verdict::Unclear &v) const
    {
        switch (v.why) {
        case verdict::Unclear::Why::RefusedAfterUnanswered:
            return QStringLiteral("Unclear refused after unanswered");
        case verdict::Unclear::Why::NotTheBanksAnswer:
            return QStringLiteral("Unclear not the bank's");
        case verdict::Unclear::Why::AnswerExpired:
            return QStringLiteral("Unclear expired");
        }
        return {};
    }
    QString operator()(const verdict::OtherLedger &v) const { return QStringLiteral("OtherLedger ") + v.theirs; }
    QString operator()(const inquiry::OtherDetails &v) const
    {
        return QStringLiteral("OtherDetails %1 %2 %3").arg(v.orderId).arg(v.amountMinor).arg(v.currency);
    }
    QString operator()(const inquiry::Nothing &v) const
    {
        switch (v.why) {
        case inquiry::Nothing::Why::InProgress:
            return QStringLiteral("Nothing in progress");
        case inquiry::Nothing::Why::NeverSeen:
            return QStringLiteral("Nothing never seen");
        case inquiry::Nothing::Why::NoAnswer:
            return QStringLiteral("Nothing no answer");
        case inquiry::Nothing::Why::NotTheBanksAnswer:
            return QStringLiteral("Nothing not the bank's");
        case inquiry::Nothing::Why::ServerTrouble:
            return QStringLiteral("Nothing trouble");
        case inquiry::Nothing::Why::OtherLedger:
            return QStringLiteral("Nothing other ledger");
        }
        return {};
    }
};

const QHash<QByteArray, QByteArray> replayed{{"idempotent-replayed", "true"},
                                             {"original-date", "Sun, 06 Nov 1994 08:49:37 GMT"}};
const QHash<QByteArray, QByteArray> notReplayed{{"idempotent-replayed", "false"}};

constexpr auto allNotSent = EarlierAttempts::AllNotSent;
constexpr auto someUnanswered = EarlierAttempts::SomeUnanswered;

/// Members that make a charge's answer not an answer, whatever its status.
std::vector<std::pair<QByteArray, QByteArray>> brokenCharges(const QByteArray &status)
{
    const Members good = charge(status);
    std::vector<std::pair<QByteArray, QByteArray>> broken{
        {"another key", json(with(good, "idempotency_key", "\"017f22e2-79b0-7cc3-98c4-dc0c0c073990\""))},
        {"another order", json(with(good, "order_id", "\"A-1002\""))},
        {"another amount", json(with(good, "amount", "1201"))},
        {"another currency", json(with(good, "currency", "\"USD\""))},
        {"amount 1200.0", json(with(good, "amount", "1200.0"))},
        {"amount 1.2e3", json(with(good, "amount", "1.2e3"))},
        {"amount as text", json(with(good, "amount", "\"1200\""))},
        {"two amounts", json(good).replace("\"currency\"", "\"amount\":1200,\"currency\"")},
        {"status as number", json(with(good, "status", "1"))},
        {"another status", json(with(good, "status", "\"pending\""))},
        {"case_44 empty id", json(with(good, "id", "\"\""))},
        {"case_44 id null", json(with(good, "id", "null"))},
        {"case_44 empty object", "{}"},
        {"case_44 empty body", ""},
        {"cut", json(good).chopped(1)},
        {"more after it", json(good) + "x"},
        {"a list", '[' + json(good) + ']'},
        {"not JSON", "approved"},
    };
    for (const char *name : {"id", "status", "idempotency_key", "order_id", "amount", "currency"})
        broken.push_back({QByteArray("case_44 without ") + name, json(without(good, name))});
    return broken;
}

} // namespace

Q_DECLARE_METATYPE(EarlierAttempts)

class ClassifyTest : public test::Test {
    Q_OBJECT

private:
    static void columns()
    {
        QTest::addColumn<Transmission>("transmission");
        QTest::addColumn<EarlierAttempts>("earlier");
        QTest::addColumn<QString>("verdict");
    }
    static void row(const QByteArray &name, const Transmission &transmission, EarlierAttempts earlier,
                    const char *verdict)
    {
        QTest::newRow(name.constData()) << transmission << earlier << QString::fromLatin1(verdict);
    }
    /// The same verdict, whatever went before.
    static void always(const QByteArray &name, const Transmission &transmission, const char *verdict)
    {
        row(name, transmission, allNotSent, verdict);
        row(name + ", after an unanswered try", transmission, someUnanswered, verdict);
    }
    static void judge()
    {
        QFETCH(Transmission, transmission);
        QFETCH(EarlierAttempts, earlier);
        QTEST(std::visit(Words{}, classifyCharge(transmission, expected(), earlier)), "verdict");
    }
    static void judgeInquiry()
    {
        QFETCH(Transmission, transmission);
        QTEST(std::visit(Words{}, classifyInquiry(transmission, expected())), "verdict");
    }

private Q_SLOTS:
    void withoutAnswer_data()
    {
        columns();
        using End = Transmission::End;
        const auto end = [](End how, int wireSends) { return Transmission{how, {}, wireSends, 10, {}}; };
        always("refused", end(End::ConnectionRefused, 0), "NotSent 0");
        always("host not found", end(End::HostNotFound, 0), "NotSent 1");
        always("TLS failed", end(End::TlsFailed, 0), "NotSent 2");
        always("refused after a transmission", end(End::ConnectionRefused, 1), "NoAnswer lost");
        always("host not found after a transmission", end(End::HostNotFound, 1), "NoAnswer lost");
        always("TLS failed after a transmission", end(End::TlsFailed, 1), "NoAnswer lost");
        always("deadline", end(End::DeadlinePassed, 1), "NoAnswer deadline");
        always("deadline, whatever was counted", end(End::DeadlinePassed, 0), "NoAnswer deadline");
        always("connection lost", end(End::ConnectionLost, 1), "NoAnswer lost");
        always("connection lost, nothing counted", end(End::ConnectionLost, 0), "NoAnswer lost");
        always("case_27 resend prevented", end(End::ResendPrevented, 1), "NoAnswer resend");
        always("case_30 cut", end(End::AnswerCut, 1), "NoAnswer cut");
        always("answered without an answer", end(End::Answered, 1), "NoAnswer cut");
    }
    void withoutAnswer() { judge(); }

    void settledByTheBanksWord_data()
    {
        columns();
        always("201", charged(201, charge("approved"), notReplayed), "Approved answer");
        always("200", charged(200, charge("approved"), notReplayed), "Approved answer");
        always("201 without the mark", charged(201, charge("approved")), "Approved answer");
        always("201 replayed", charged(201, charge("approved"), replayed), "Approved replay");
        always("200 replayed", charged(200, charge("approved"), replayed), "Approved replay");
        always("charset", answered(201, "Application/JSON; charset=utf-8", json(charge("approved"))),
               "Approved answer");
        always("unknown members are harmless", charged(201, with(charge("approved"), "note", "[1.5]")),
               "Approved answer");
        always("402", charged(402, charge("declined"), notReplayed), "Declined answer insufficient_funds");
        always("case_08 402 replayed", charged(402, charge("declined"), replayed),
               "Declined replay insufficient_funds");
        for (const int status : {410, 400, 409}) {
            const QByteArray name = QByteArray::number(status);
            const auto voided = [&](const QByteArray &result) {
                return refusedBy(status, with(problem("idempotency-key-voided"), "result", '"' + result + '"'));
            };
            always(name + " voided, reversed", voided("reversed"), "Voided answer reversed");
            always(name + " voided, prevented", voided("prevented"), "Voided answer prevented");
            always(name + " voided, not charged", voided("not_charged"), "Voided answer not_charged");
            always(name + " voided, unknown result", voided("maybe"), "NoAnswer not the bank's");
            always(name + " voided without result", refusedBy(status, problem("idempotency-key-voided")),
                   "NoAnswer not the bank's");
            const auto expired = [&](const QByteArray &ledger) {
                return refusedBy(status, with(problem("idempotency-key-expired"), "ledger", '"' + ledger + '"'));
            };
            always(name + " expired, charged", expired("charged"), "Approved inquiry");
            always(name + " expired, declined", expired("declined"), "Declined inquiry ");
            always(name + " expired, reversed", expired("reversed"), "Voided inquiry reversed");
            always(name + " expired, prevented", expired("prevented"), "Voided inquiry prevented");
            always(name + " expired, unknown word", expired("lost"), "Unclear expired");
            always(name + " expired without ledger", refusedBy(status, problem("idempotency-key-expired")),
                   "Unclear expired");
        }
    }
    void settledByTheBanksWord() { judge(); }

    void notTheBanksAnswer_data()
    {
        columns();
        for (const auto &[name, body] : brokenCharges("approved")) {
            always("201 " + name, answered(201, "application/json", body), "NoAnswer not the bank's");
            always("200 replayed " + name, answered(200, "application/json", body, replayed),
                   "NoAnswer not the bank's");
        }
        for (const auto &[name, body] : brokenCharges("declined"))
            always("402 " + name, answered(402, "application/json", body), "NoAnswer not the bank's");
        for (const int status : {202, 203, 204, 206, 299, 402})
            always(QByteArray::number(status) + " approved", charged(status, charge("approved")),
                   "NoAnswer not the bank's");
        for (const int status : {200, 201, 202, 204})
            always(QByteArray::number(status) + " declined", charged(status, charge("declined")),
                   "NoAnswer not the bank's");
        always("201 as text", answered(201, "text/plain", json(charge("approved"))), "NoAnswer not the bank's");
        always("201 as problem", answered(201, "application/problem+json", json(charge("approved"))),
               "NoAnswer not the bank's");
        always("200 login page", page(200), "NoAnswer not the bank's");
        always("402 page", page(402), "NoAnswer not the bank's");
        always("402 problem", refusedBy(402, problem("bad-field")), "NoAnswer not the bank's");
        always("status 0", charged(0, charge("approved")), "NoAnswer not the bank's");
        always("status 100", page(100), "NoAnswer not the bank's");
        always("status 600", page(600), "NoAnswer not the bank's");

        for (const char *type : {"in-progress", "mismatch", "voided", "expired"}) {
            const QByteArray name = QByteArray("idempotency-key-") + type;
            const Members whole = with(with(problem(name), "ledger", "\"charged\""), "result", "\"reversed\"");
            always(name + " of another key", refusedBy(409, with(whole, "idempotency_key", "\"other\"")),
                   "NoAnswer not the bank's");
            always(name + " without key", refusedBy(409, without(whole, "idempotency_key")), "NoAnswer not the bank's");
        }
    }
    void notTheBanksAnswer() { judge(); }

    void case_09_and_11_stillProcessing_data()
    {
        columns();
        const Members members = problem("idempotency-key-in-progress");
        always("409", refusedBy(409, members), "StillProcessing -");
        always("Retry-After seconds", refusedBy(409, members, {{"retry-after", "2"}}), "StillProcessing 2000");
        always("case_26 Retry-After date",
               refusedBy(409, members,
                         {{"retry-after", "Sun, 06 Nov 1994 08:49:40 GMT"}, {"date", "Sun, 06 Nov 1994 08:49:37 GMT"}}),
               "StillProcessing 3000");
        always("malformed Retry-After", refusedBy(409, members, {{"retry-after", "soon"}}), "StillProcessing -");
        always("409 without our type", page(409), "Unclear not the bank's");
        row("409 of another type", refusedBy(409, problem("original-in-progress")), allNotSent,
            "Unclear not the bank's");
        row("409 of another type, after an unanswered try", refusedBy(409, problem("original-in-progress")),
            someUnanswered, "Unclear refused after unanswered");
    }
    void case_09_and_11_stillProcessing() { judge(); }

    void mismatch_data()
    {
        columns();
        for (const int status : {400, 409, 422})
            always(QByteArray::number(status), refusedBy(status, problem("idempotency-key-mismatch")),
                   "KeyMismatch What was wrong");
        always("422 page", page(422), "Unclear not the bank's");
    }
    void mismatch() { judge(); }

    void case_10_troubleMayHaveCharged_data()
    {
        columns();
        for (const int status : {408, 425, 429, 500, 501, 502, 503, 504, 507, 511, 599}) {
            const QByteArray name = QByteArray::number(status);
            const QByteArray plain = "ServerTrouble " + name + " -";
            always(name + " page", page(status), plain.constData());
            always(name + " problem", refusedBy(status, problem("maintenance")), plain.constData());
            always(name + " Retry-After", page(status, {{"retry-after", "86400"}}),
                   QByteArray("ServerTrouble " + name + " 86400000").constData());
            always(name + " marked as not replayed", page(status, notReplayed), plain.constData());
            always("case_13 " + name + " replayed", refusedBy(status, problem("crash"), replayed),
                   QByteArray("StoredFailure " + name).constData());
        }
        always("500 that looks approved", charged(500, charge("approved")), "ServerTrouble 500 -");
    }
    void case_10_troubleMayHaveCharged() { judge(); }

    void case_10_refusedOnlyWhereNothingCanHaveBeenExecuted_data()
    {
        columns();
        for (const int status : {400, 404, 405, 413, 415, 431}) {
            const QByteArray name = QByteArray::number(status);
            const Transmission ours = refusedBy(status, problem("bad-field"));
            row(name, ours, allNotSent, QByteArray("Refused " + name + " bad-field").constData());
            row(name + ", key not known to the bank",
                refusedBy(status, without(problem("bad-field"), "idempotency_key")), allNotSent,
                QByteArray("Refused " + name + " bad-field").constData());
            row(name + " after an unanswered try", ours, someUnanswered, "Unclear refused after unanswered");

            Transmission twice = ours;
            twice.wireSends = 2;
            row(name + ", transmitted twice", twice, allNotSent, "Unclear refused after unanswered");
            Transmission uncounted = ours;
            uncounted.wireSends = 0;
            row(name + ", transmission not counted", uncounted, allNotSent, "Unclear refused after unanswered");

            always(name + " replayed", refusedBy(status, problem("bad-field"), replayed), "Unclear not the bank's");
            always(name + " page", page(status), "Unclear not the bank's");
            always(name + " of another bank",
                   refusedBy(status, with(problem("x"), "type", "\"https://example.org/problems/x\"")),
                   "Unclear not the bank's");
            always(name + " blank type", refusedBy(status, with(problem("x"), "type", "\"about:blank\"")),
                   "Unclear not the bank's");
            always(name + " prefix alone", refusedBy(status, problem("")), "Unclear not the bank's");
            always(name + " as application/json", answered(status, "application/json", json(problem("bad-field"))),
                   "Unclear not the bank's");
            always(name + " about another key",
                   refusedBy(status, with(problem("bad-field"), "idempotency_key", "\"x\"")), "Unclear not the bank's");
            always(name + " cut", answered(status, "application/problem+json", json(problem("bad-field")).chopped(1)),
                   "Unclear not the bank's");
        }
    }
    void case_10_refusedOnlyWhereNothingCanHaveBeenExecuted() { judge(); }

    void case_10_everyOther4xxDecidesNothing_data()
    {
        columns();
        for (int status = 400; status < 500; ++status) {
            const std::vector<int> named{400, 402, 404, 405, 408, 413, 415, 421, 425, 429, 431};
            if (std::find(named.begin(), named.end(), status) != named.end())
                continue;
            const QByteArray name = QByteArray::number(status);
            always(name + " page", page(status), "Unclear not the bank's");
            row(name, refusedBy(status, problem("no")), allNotSent, "Unclear not the bank's");
            row(name + " after an unanswered try", refusedBy(status, problem("no")), someUnanswered,
                "Unclear refused after unanswered");
        }
    }
    void case_10_everyOther4xxDecidesNothing() { judge(); }

    void case_28_aRedirectDecidesNothing_data()
    {
        columns();
        for (const int status : {300, 301, 302, 303, 304, 307, 308, 399}) {
            always(QByteArray::number(status), page(status, {{"location", "/elsewhere"}}), "Unclear not the bank's");
            always(QByteArray::number(status) + " with a problem", refusedBy(status, problem("bad-field")),
                   "Unclear not the bank's");
        }
    }
    void case_28_aRedirectDecidesNothing() { judge(); }

    void anotherLedgerIsAnotherWorld_data()
    {
        columns();
        const QHash<QByteArray, QByteArray> other{{"ledger-id", "ldg_2"}};
        always("421", refusedBy(421, problem("other-ledger"), other), "OtherLedger ldg_2");
        always("421 page", page(421, {{"ledger-id", ""}}), "OtherLedger ");
        always("201", charged(201, charge("approved"), other), "OtherLedger ldg_2");
        always("402", charged(402, charge("declined"), other), "OtherLedger ldg_2");
        always("409", refusedBy(409, problem("idempotency-key-in-progress"), other), "OtherLedger ldg_2");
        always("400", refusedBy(400, problem("bad-field"), other), "OtherLedger ldg_2");
        always("500", page(500, other), "OtherLedger ldg_2");
        always("an answer that does not say", charged(201, charge("approved"), {{"ledger-id", ""}}), "Approved answer");
    }
    void anotherLedgerIsAnotherWorld() { judge(); }

    void aLedgerThatWasNotLearnedIsNotChecked()
    {
        ExpectedEcho echo = expected();
        echo.ledgerId.clear();
        const auto verdict =
            classifyCharge(charged(201, charge("approved"), {{"ledger-id", "ldg_2"}}), echo, allNotSent);
        QVERIFY(std::holds_alternative<verdict::Approved>(verdict));
    }

    void whatAReceiptNeedsIsTaken()
    {
        const auto replay = classifyCharge(charged(201, charge("approved"), replayed), expected(), someUnanswered);
        const ChargeDetails wanted{
            QStringLiteral("ch_1"), {}, QStringLiteral("req_1"), QStringLiteral("Sun, 06 Nov 1994 08:49:37 GMT")};
        QVERIFY(std::get<verdict::Approved>(replay).details == wanted);
        const auto refusal =
            classifyCharge(refusedBy(400, with(problem("bad-field"), "field", "\"amount\"")), expected(), allNotSent);
        const verdict::Refused refused{400, QStringLiteral("bad-field"), QStringLiteral("amount"),
                                       QStringLiteral("What was wrong")};
        QVERIFY(std::get<verdict::Refused>(refusal) == refused);
    }

    void theMarkAloneMakesAReplay_data()
    {
        QTest::addColumn<QByteArray>("mark");
        QTest::addColumn<QString>("verdict");
        for (const char *mark : {"true", " true ", "True"})
            QTest::newRow(mark) << QByteArray(mark) << QStringLiteral("Approved replay");
        for (const char *mark : {"false", "", "1", "yes", "?1", "true, true"})
            QTest::newRow(mark) << QByteArray(mark) << QStringLiteral("Approved answer");
    }
    void theMarkAloneMakesAReplay()
    {
        QFETCH(QByteArray, mark);
        const auto transmission = charged(201, charge("approved"), {{"idempotent-replayed", mark}});
        QTEST(std::visit(Words{}, classifyCharge(transmission, expected(), someUnanswered)), "verdict");
    }

    void inquiryHasItsOwnTable_data()
    {
        columns();
        const auto inquired = [](const QByteArray &name, const Transmission &transmission, const char *verdict) {
            row(name, transmission, allNotSent, verdict);
        };
        const auto voided = [](const QByteArray &result) {
            return with(without(charge("voided"), "id"), "voided",
                        "{\"result\":\"" + result + "\",\"at\":\"2026-01-01T00:00:00Z\"}");
        };
        inquired("approved", charged(200, charge("approved")), "Approved inquiry");
        inquired("approved, marked replayed", charged(200, charge("approved"), replayed), "Approved inquiry");
        inquired("declined", charged(200, charge("declined")), "Declined inquiry insufficient_funds");
        inquired("voided, reversed", charged(200, voided("reversed")), "Voided inquiry reversed");
        inquired("voided, prevented", charged(200, voided("prevented")), "Voided inquiry prevented");
        inquired("voided, not charged", charged(200, voided("not_charged")), "Voided inquiry not_charged");
        inquired("voided, unknown result", charged(200, voided("maybe")), "Nothing not the bank's");
        inquired("voided without result", charged(200, charge("voided")), "Nothing not the bank's");
        inquired("another order", charged(200, with(charge("approved"), "order_id", "\"A-9\"")),
                 "OtherDetails A-9 1200 JPY");
        inquired("another amount", charged(200, with(charge("declined"), "amount", "1500")),
                 "OtherDetails A-1001 1500 JPY");
        inquired("another currency", charged(200, with(charge("approved"), "currency", "\"USD\"")),
                 "OtherDetails A-1001 1200 USD");
        inquired("another amount, voided", charged(200, with(voided("reversed"), "amount", "1500")),
                 "OtherDetails A-1001 1500 JPY");
        for (const auto &[name, body] : brokenCharges("approved")) {
            if (!name.startsWith("another order") && !name.startsWith("another amount") &&
                !name.startsWith("another currency"))
                inquired("200 " + name, answered(200, "application/json", body), "Nothing not the bank's");
        }
        inquired("200 page", page(200), "Nothing not the bank's");
        inquired("201", charged(201, charge("approved")), "Nothing not the bank's");
        inquired("202", charged(202, charge("approved")), "Nothing in progress");
        inquired("204", page(204), "Nothing not the bank's");
        inquired("402", charged(402, charge("declined")), "Nothing not the bank's");
        inquired("404", refusedBy(404, problem("not-found")), "Nothing never seen");
        inquired("404 page", page(404), "Nothing not the bank's");
        inquired("410 voided", refusedBy(410, with(problem("idempotency-key-voided"), "result", "\"reversed\"")),
                 "Nothing not the bank's");
        inquired("410 expired", refusedBy(410, with(problem("idempotency-key-expired"), "ledger", "\"charged\"")),
                 "Nothing not the bank's");
        inquired("400", refusedBy(400, problem("bad-field")), "Nothing not the bank's");
        inquired("401", refusedBy(401, problem("unauthorized")), "Nothing not the bank's");
        inquired("302", page(302), "Nothing not the bank's");
        for (const int status : {408, 425, 429, 500, 503, 599})
            inquired(QByteArray::number(status), page(status), "Nothing trouble");
        inquired("421", refusedBy(421, problem("other-ledger")), "Nothing other ledger");
        inquired("another ledger", charged(200, charge("approved"), {{"ledger-id", "ldg_2"}}), "Nothing other ledger");
        using End = Transmission::End;
        for (const End end : {End::ConnectionRefused, End::HostNotFound, End::TlsFailed, End::DeadlinePassed,
                              End::ConnectionLost, End::ResendPrevented, End::AnswerCut, End::Answered})
            inquired("no answer " + QByteArray::number(static_cast<int>(end)), {end, {}, 1, 10, {}},
                     "Nothing no answer");
    }
    void inquiryHasItsOwnTable() { judgeInquiry(); }
};

IKKAI_TEST_MAIN(ClassifyTest)
#include "tst_classify.moc"
