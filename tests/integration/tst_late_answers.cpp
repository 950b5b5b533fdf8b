#include "tests/support/bank_under_test.h"
#include "tests/support/hurried_till.h"
#include "tests/support/test.h"
#include "tests/support/virtual_bench.h"

#include <QtCore/QTemporaryDir>

using namespace ikkai;
using namespace ikkai::test;

namespace {

void release(const BankUnderTest &bank, int which)
{
    const qint64 id = bank.held().at(which).toObject().value(QLatin1String("id")).toInteger();
    QCOMPARE(bank.control("POST", "held/" + QByteArray::number(id), R"({"action":"release"})").status, 200);
}

/// What may come late and settles nothing: `made` out of the answer that would.
struct WrongAnswer {
    const char *name;
    int status;
    QByteArray from;
    QByteArray to;
    const char *mediaType = "application/json";
};

std::vector<WrongAnswer> wrongAnswers()
{
    return {
        {"another key", 201, "\"idempotency_key\":\"", "\"idempotency_key\":\"x"},
        {"another order", 201, "\"A-1\"", "\"A-2\""},
        {"another amount", 201, "1200", "1201"},
        {"an amount with a point", 201, "1200", "1200.0"},
        {"another currency", 201, "JPY", "USD"},
        {"no id", 201, "\"id\":\"ch_1\"", "\"id\":\"\""},
        {"another status word", 201, "approved", "pending"},
        {"202", 202, {}, {}},
        {"204", 204, {}, {}},
        {"206", 206, {}, {}},
        {"case_28 a redirect", 307, {}, {}},
        {"an error that looks approved", 500, {}, {}},
        {"a page", 200, {}, {}, "text/html"},
        {"a refusal after silence", 400, {}, {}, "application/problem+json"},
    };
}

Transmission made(const WrongAnswer &wrong, const ChargeTransmission &sent)
{
    Transmission answer = PlayedGateway::answerTo(sent, wrong.status, "approved");
    if (!wrong.from.isEmpty())
        answer.answer->body.replace(wrong.from, wrong.to);
    answer.answer->headers.insert("content-type", wrong.mediaType);
    return answer;
}

} // namespace

Q_DECLARE_METATYPE(WrongAnswer)

/// Answers that come after the terminal has given up waiting: each belongs to one attempt of one checkout.
class LateAnswersTest : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void an_answer_to_an_earlier_attempt_settles_while_a_later_one_is_under_way()
    {
        const BankUnderTest bank;
        const QTemporaryDir folder;
        RetryPolicy policy = HurriedTill::impatient();
        policy.maxAttempts = 5;
        policy.attemptDeadlineMs = 700;
        HurriedTill till(parseBankUrl(bank.url()).value(), folder.filePath(QStringLiteral("j")), policy);
        QTRY_VERIFY(till.isOnline());
        bank.arm("after_commit:hold:route=charge:next=2");
        till.sell("A-1");
        QTRY_COMPARE(bank.held().size(), 2);
        QCOMPARE(till.outcome(), QStringLiteral("sending"));
        release(bank, 0);
        QTRY_COMPARE(till.outcome(), QStringLiteral("approved"));
        QCOMPARE(std::get<state::Approved>(till.checkout().state).attempt, 1);
        release(bank, 0); // the second attempt's own answer comes too: nothing new in it
        QTRY_VERIFY(bank.held().isEmpty());
        QTRY_VERIFY(till.checkout().attempts.at(1).verdict.has_value());
        QVERIFY(!till.checkout().contradiction);
        QCOMPARE(bank.chargesOf(till.checkout().key.bytes()), 1);
    }

    void an_answer_to_a_parked_checkout_settles_that_one_and_not_the_one_on_screen()
    {
        const BankUnderTest bank;
        bank.arm("unread:status(code=503):route=inquiry");
        const QTemporaryDir folder;
        HurriedTill till(parseBankUrl(bank.url()).value(), folder.filePath(QStringLiteral("j")));
        QTRY_VERIFY(till.isOnline());
        bank.arm("after_commit:hold:route=charge:order=A-1:next=1");
        bank.arm("in_transit:hold:route=charge:order=A-2:next=1");
        till.sell("A-1");
        QTRY_COMPARE(till.outcome(), QStringLiteral("unknown"));
        const IdempotencyKey first = till.checkout().key;
        till.service().leaveOpen(first);
        till.sell("A-2");
        QTRY_VERIFY(till.checkout().key != first);
        const IdempotencyKey second = till.checkout().key;
        QTRY_COMPARE(till.outcome(second), QStringLiteral("unknown"));
        release(bank, 0);
        QTRY_COMPARE(till.outcome(first), QStringLiteral("approved"));
        QCOMPARE(till.outcome(second), QStringLiteral("unknown"));
        QCOMPARE(bank.chargesOf(second.bytes()), 0);
        release(bank, 0);
        QTRY_COMPARE(till.outcome(second), QStringLiteral("approved"));
        QCOMPARE(bank.chargesOf(first.bytes()), 1);
        QCOMPARE(bank.chargesOf(second.bytes()), 1);
    }

    void case_44_a_late_answer_that_is_not_the_banks_word_on_this_charge_settles_nothing_data()
    {
        QTest::addColumn<WrongAnswer>("wrong");
        for (const WrongAnswer &wrong : wrongAnswers())
            QTest::newRow(wrong.name) << wrong;
    }
    void case_44_a_late_answer_that_is_not_the_banks_word_on_this_charge_settles_nothing()
    {
        QFETCH(WrongAnswer, wrong);
        MemoryJournal journal;
        Engine till(journal);
        till.open();
        till.service.start(Engine::sale());
        const ChargeTransmission sent = till.gateway.charges.back();
        till.gateway.stayAway(Transmission::End::DeadlinePassed, 1);
        till.gateway.sink().lateAnswer(sent.attempt, made(wrong, sent));
        QVERIFY2(isOpen(till.last().state), qPrintable(till.outcome()));
        QVERIFY(!till.last().contradiction);
        till.service.leaveOpen(sent.attempt.key);
        QCOMPARE(till.outcome(), QStringLiteral("unknown"));
        till.gateway.sink().lateAnswer(sent.attempt, made(wrong, sent));
        QCOMPARE(till.outcome(), QStringLiteral("unknown"));
        // The bank's word is still taken.
        till.gateway.sink().lateAnswer(sent.attempt, PlayedGateway::answerTo(sent, 201, "approved"));
        QCOMPARE(till.outcome(), QStringLiteral("approved"));
    }

    void an_answer_to_an_attempt_or_a_checkout_that_never_was_is_nobodys()
    {
        MemoryJournal journal;
        Engine till(journal);
        till.open();
        till.service.start(Engine::sale());
        const ChargeTransmission sent = till.gateway.charges.back();
        till.gateway.stayAway(Transmission::End::DeadlinePassed, 1);
        till.gateway.sink().lateAnswer({sent.attempt.key, 7}, PlayedGateway::answerTo(sent, 201, "approved"));
        QVERIFY(isOpen(till.last().state));
        const IdempotencyKey stranger = IdempotencyKey::parse(u"0190a8b5-2f4e-7001-8f3a-1c2d3e4f5a6b").value();
        till.gateway.sink().lateAnswer({stranger, 1}, PlayedGateway::answerTo(sent, 201, "approved"));
        QVERIFY(isOpen(till.last().state));
        QCOMPARE(till.last().key, sent.attempt.key);
    }
};

IKKAI_TEST_MAIN(LateAnswersTest)
#include "tst_late_answers.moc"
