#include "core/checkout/transition.h"
#include "tests/support/test.h"
#include "tests/unit/checkout/fixture.h"

#include <QtCore/QFile>
#include <QtCore/QSet>
#include <QtCore/QStringList>

#include <functional>
#include <limits>
#include <map>

using namespace ikkai;
using namespace ikkai::test;

namespace {

const QStringList stateNames{QStringLiteral("Sending"),  QStringLiteral("Waiting"),     QStringLiteral("Approved"),
                             QStringLiteral("Declined"), QStringLiteral("Refused"),     QStringLiteral("NotSent"),
                             QStringLiteral("Voided"),   QStringLiteral("Unknown"),     QStringLiteral("KeyMismatch"),
                             QStringLiteral("Voiding"),  QStringLiteral("VoidPending"), QStringLiteral("WrittenOff")};

const QStringList unknownNames{
    QStringLiteral("TriesRanOut"),       QStringLiteral("BudgetRanOut"),   QStringLiteral("RetryAfterTooLong"),
    QStringLiteral("KeyTooOld"),         QStringLiteral("StoredFailure"),  QStringLiteral("RefusedAfterUnanswered"),
    QStringLiteral("NotTheBanksAnswer"), QStringLiteral("AnswerExpired"),  QStringLiteral("OtherLedger"),
    QStringLiteral("LeftOpen"),          QStringLiteral("AnotherStarted"), QStringLiteral("Restarted")};

const QStringList commandNames{QStringLiteral("LearnBank"), QStringLiteral("SendCharge"),
                               QStringLiteral("StartWait"), QStringLiteral("SendInquiry"),
                               QStringLiteral("SendVoid"),  QStringLiteral("StartVoidWait")};

/// What one row plays: two attempts have been made, the first went unanswered.
struct Scene {
    Checkout before;
    Stamp at = after(6'000);
    EventBody body;

    AttemptRecord &earlier() { return before.attempts.front(); }
    AttemptRecord &newest() { return before.attempts.back(); }

    void say(const ChargeVerdict &charge, const InquiryVerdict &inquired)
    {
        if (auto *ended = std::get_if<event::AttemptEnded>(&body))
            ended->verdict = charge;
        else if (auto *late = std::get_if<event::LateAnswer>(&body))
            late->verdict = charge;
        else if (auto *voided = std::get_if<event::VoidEnded>(&body))
            voided->verdict = voiding::Nothing{};
        else
            std::get<event::InquiryEnded>(body).verdict = inquired;
    }
    void say(const ChargeVerdict &charge) { say(charge, inquiry::Nothing{}); }
    void answerVoid(const VoidVerdict &verdict) { std::get<event::VoidEnded>(body).verdict = verdict; }
    void hear(const char *word) { before.voidIntent->heardMeanwhile = QString::fromLatin1(word); }
    void speakOf(int attempt)
    {
        if (auto *ended = std::get_if<event::AttemptEnded>(&body))
            ended->attempt = attempt;
        else if (auto *late = std::get_if<event::LateAnswer>(&body))
            late->attempt = attempt;
        else if (auto *learned = std::get_if<event::BankLearned>(&body))
            learned->attempt = attempt;
    }
};

Checkout checkoutIn(const QString &name)
{
    Checkout checkout = begin(started(), t0).after;
    checkout.attempts = {{1, t0, noAnswer(), 1, 3'000}, {2, after(3'500), noAnswer(), 1, 500}};
    checkout.run.countedTries = 1;
    AttemptRecord &newest = checkout.attempts.back();
    const VoidIntent intent{voidKey(), voidBodyText, after(5'000), {}, 1, {}, {}};
    const std::map<QString, std::function<void()>> enter{
        {QStringLiteral("Sending"),
         [&] {
             newest.verdict.reset();
             checkout.state = state::Sending{2};
         }},
        {QStringLiteral("Waiting"),
         [&] {
             checkout.state = state::Waiting{3, after(6'000).monotonicMs, state::Waiting::Why::NoAnswer};
         }},
        {QStringLiteral("Approved"),
         [&] {
             newest.verdict = approved();
             checkout.state = state::Approved{SettledBy::Answer, details(), 2};
         }},
        {QStringLiteral("Declined"),
         [&] {
             newest.verdict = declined();
             checkout.state = state::Declined{SettledBy::Answer, details()};
         }},
        {QStringLiteral("Voided"),
         [&] {
             newest.verdict = voided(VoidResult::Prevented);
             checkout.state = state::Voided{SettledBy::Answer, VoidResult::Prevented};
         }},
        {QStringLiteral("Refused"),
         [&] {
             checkout.attempts.front().verdict = notSent();
             newest.verdict = refused();
             checkout.state = state::Refused{std::get<verdict::Refused>(refused())};
         }},
        {QStringLiteral("NotSent"),
         [&] {
             checkout.attempts.front().verdict = notSent();
             newest.verdict = notSent();
             checkout.state = state::NotSent{};
         }},
        {QStringLiteral("Unknown"),
         [&] {
             checkout.state = state::Unknown{state::Unknown::Why::TriesRanOut, after(4'000).wallMs, {}};
         }},
        {QStringLiteral("KeyMismatch"),
         [&] {
             newest.verdict = verdict::KeyMismatch{};
             checkout.state = state::KeyMismatch{};
         }},
        {QStringLiteral("Voiding"),
         [&] {
             checkout.voidIntent = intent;
             checkout.state = state::Voiding{2};
         }},
        {QStringLiteral("VoidPending"),
         [&] {
             checkout.voidIntent = intent;
             checkout.state = state::VoidPending{3, after(9'000).monotonicMs};
         }},
        {QStringLiteral("WrittenOff"),
         [&] {
             checkout.voidIntent = intent;
             checkout.state = state::WrittenOff{state::WrittenOff::Why::LedgerGone, QStringLiteral("bank closed")};
         }},
    };
    enter.at(name)();
    if (isFinal(checkout.state))
        checkout.settledWallMs = after(5'500).wallMs;
    return checkout;
}

const std::map<QString, EventBody> &bodies()
{
    static const std::map<QString, EventBody> all{
        {QStringLiteral("CheckoutStarted"), started()},
        {QStringLiteral("BankLearned"), event::BankLearned{2, QString::fromLatin1(ledgerText), 24 * hourMs}},
        {QStringLiteral("AttemptEnded"), ended(2, noAnswer())},
        {QStringLiteral("LateAnswer"), event::LateAnswer{1, noAnswer(), {}}},
        {QStringLiteral("WaitElapsed"), event::WaitElapsed{3}},
        {QStringLiteral("InquiryStarted"), event::InquiryStarted{}},
        {QStringLiteral("InquiryEnded"), event::InquiryEnded{inquiry::Nothing{}, {}}},
        {QStringLiteral("TriedAgain"), event::TriedAgain{}},
        {QStringLiteral("LeftOpen"), event::LeftOpen{}},
        {QStringLiteral("AnotherStarted"), event::AnotherStarted{}},
        {QStringLiteral("Restarted"), event::Restarted{QStringLiteral("boot-1")}},
        {QStringLiteral("VoidStarted"), voidStarted()},
        {QStringLiteral("VoidEnded"), voidEnded(2, voiding::Nothing{})},
        {QStringLiteral("VoidWaitElapsed"), event::VoidWaitElapsed{3}},
        {QStringLiteral("Resumed"), event::Resumed{5'000, 0}},
        {QStringLiteral("WrittenOff"), event::WrittenOff{state::WrittenOff::Why::Mismatch, QStringLiteral("why")}},
    };
    return all;
}

/// The words of the column "when".
const std::map<QString, std::function<void(Scene &)>> &facts()
{
    using verdict::Unclear;
    static const std::map<QString, std::function<void(Scene &)>> all{
        // what was said
        {QStringLiteral("approved"),
         [](Scene &s) {
             s.say(approved(), verdict::Approved{SettledBy::Inquiry, details()});
         }},
        {QStringLiteral("declined"),
         [](Scene &s) {
             s.say(declined(), verdict::Declined{SettledBy::Inquiry, details()});
         }},
        {QStringLiteral("voided"),
         [](Scene &s) {
             s.say(voided(VoidResult::Reversed), verdict::Voided{SettledBy::Inquiry, VoidResult::Reversed});
         }},
        {QStringLiteral("voided: not charged"),
         [](Scene &s) {
             s.say(voided(VoidResult::NotCharged), verdict::Voided{SettledBy::Inquiry, VoidResult::NotCharged});
         }},
        {QStringLiteral("refused"), [](Scene &s) { s.say(refused()); }},
        {QStringLiteral("not sent"), [](Scene &s) { s.say(notSent()); }},
        {QStringLiteral("API key refused"),
         [](Scene &s) { s.say(verdict::NotSent{verdict::NotSent::Why::ApiKeyRefused}); }},
        {QStringLiteral("no answer"), [](Scene &s) { s.say(noAnswer()); }},
        {QStringLiteral("trouble"), [](Scene &s) { s.say(trouble()); }},
        {QStringLiteral("still processing"), [](Scene &s) { s.say(processing()); }},
        {QStringLiteral("mismatch"),
         [](Scene &s) {
             if (auto *off = std::get_if<event::WrittenOff>(&s.body))
                 off->why = state::WrittenOff::Why::Mismatch;
             else if (std::holds_alternative<event::VoidEnded>(s.body))
                 s.answerVoid(voiding::Mismatch{});
             else
                 s.say(verdict::KeyMismatch{});
         }},
        {QStringLiteral("ledger gone"),
         [](Scene &s) { std::get<event::WrittenOff>(s.body).why = state::WrittenOff::Why::LedgerGone; }},
        {QStringLiteral("another ledger answers"),
         [](Scene &s) { s.say(verdict::NotSent{verdict::NotSent::Why::OtherLedger}); }},
        // what the void came to
        {QStringLiteral("reversed"), [](Scene &s) { s.answerVoid(voidSettled(VoidResult::Reversed)); }},
        {QStringLiteral("prevented"), [](Scene &s) { s.answerVoid(voidSettled(VoidResult::Prevented)); }},
        {QStringLiteral("not charged"), [](Scene &s) { s.answerVoid(voidSettled(VoidResult::NotCharged)); }},
        {QStringLiteral("of another try"), [](Scene &s) { std::get<event::VoidEnded>(s.body).voidTry = 1; }},
        {QStringLiteral("approved was heard"), [](Scene &s) { s.hear("approved"); }},
        {QStringLiteral("declined was heard"), [](Scene &s) { s.hear("declined"); }},
        {QStringLiteral("void started"),
         [](Scene &s) { s.before.voidIntent = VoidIntent{voidKey(), voidBodyText, after(5'000), {}, 1, {}, {}}; }},
        {QStringLiteral("money was given back"),
         [](Scene &s) { std::get<state::Voided>(s.before.state).result = VoidResult::Reversed; }},
        {QStringLiteral("stored failure"), [](Scene &s) { s.say(verdict::StoredFailure{500}); }},
        {QStringLiteral("refused after unanswered"),
         [](Scene &s) {
             s.say(Unclear{Unclear::Why::RefusedAfterUnanswered, 400});
         }},
        {QStringLiteral("not the bank's answer"),
         [](Scene &s) {
             s.say(Unclear{Unclear::Why::NotTheBanksAnswer, 404});
         }},
        {QStringLiteral("answer expired"),
         [](Scene &s) {
             s.say(Unclear{Unclear::Why::AnswerExpired, 410});
         }},
        {QStringLiteral("other ledger"), [](Scene &s) { s.say(verdict::OtherLedger{}); }},
        {QStringLiteral("nothing"),
         [](Scene &s) { s.say(noAnswer(), inquiry::Nothing{inquiry::Nothing::Why::NeverSeen}); }},
        {QStringLiteral("other details"),
         [](Scene &s) {
             s.say(noAnswer(), inquiry::OtherDetails{QStringLiteral("A-9"), 1, QStringLiteral("JPY")});
         }},
        {QStringLiteral("Retry-After too long"),
         [](Scene &s) {
             ChargeVerdict &said = std::get<event::AttemptEnded>(s.body).verdict;
             if (auto *troubled = std::get_if<verdict::ServerTrouble>(&said))
                 troubled->retryAfterMs = 86'400'000;
             else
                 std::get<verdict::StillProcessing>(said).retryAfterMs = 86'400'000;
         }},
        // of what
        {QStringLiteral("of an earlier attempt"),
         [](Scene &s) {
             s.earlier().verdict.reset();
             s.speakOf(1);
         }},
        {QStringLiteral("already ended"), [](Scene &s) { s.speakOf(1); }},
        {QStringLiteral("under way"),
         [](Scene &s) {
             s.newest().verdict.reset();
             s.speakOf(2);
         }},
        {QStringLiteral("of no attempt"), [](Scene &s) { s.speakOf(7); }},
        {QStringLiteral("of another wait"),
         [](Scene &s) {
             if (auto *elapsed = std::get_if<event::VoidWaitElapsed>(&s.body))
                 elapsed->nextTry = 2;
             else
                 s.body = event::WaitElapsed{2};
         }},
        // in what situation
        {QStringLiteral("nothing was ever sent"),
         [](Scene &s) {
             for (AttemptRecord &attempt : s.before.attempts) {
                 if (attempt.verdict)
                     attempt.verdict = notSent();
             }
         }},
        {QStringLiteral("last try"), [](Scene &s) { s.before.run.countedTries = s.before.policy.maxAttempts - 1; }},
        {QStringLiteral("no time left"), [](Scene &s) { s.at = after(29'999); }},
        {QStringLiteral("for too long"),
         [](Scene &s) {
             s.before.run.firstConflictMonotonicMs = after(4'000).monotonicMs;
             s.at = after(33'999);
         }},
        {QStringLiteral("too late"), [](Scene &s) { s.at = after(30'000); }},
        {QStringLiteral("slept too long"), [](Scene &s) { s.at.bootMs += 60'000; }},
        {QStringLiteral("just resumed"), [](Scene &s) { s.before.run.forgivesNotSent = true; }},
        {QStringLiteral("deadline passed"), [](Scene &s) { s.at = after(6'500); }},
        {QStringLiteral("key too old"), [](Scene &s) { s.at.wallMs = t0.wallMs + 23 * hourMs; }},
        {QStringLiteral("bank not known"), [](Scene &s) { s.before.ledgerId.clear(); }},
        {QStringLiteral("inquiry under way"), [](Scene &s) { s.before.inquiryUnderWay = true; }},
    };
    return all;
}

struct Row {
    int line = 0;
    QStringList states;
    QStringList events;
    QStringList when;
    QString next;
    QString commands;
};

QStringList words(const QString &cell)
{
    QStringList list;
    for (const QString &word : cell.split(QLatin1Char(','))) {
        if (!word.trimmed().isEmpty())
            list << word.trimmed();
    }
    return list;
}

std::vector<Row> documentRows()
{
    QFile file(QStringLiteral(IKKAI_STATES_DOCUMENT));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    std::vector<Row> rows;
    int line = 0;
    for (const QString &text : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
        ++line;
        const QStringList cells = text.split(QLatin1Char('|'));
        if (cells.size() != 7 || !stateNames.contains(words(cells[1]).value(0)))
            continue;
        rows.push_back(
            {line, words(cells[1]), words(cells[2]), words(cells[3]), cells[4].trimmed(), cells[5].trimmed()});
    }
    return rows;
}

/// The row's next column, as the code has it.
QString nextOf(const Checkout &before, const Step &step)
{
    if (step.impossible)
        return QStringLiteral("impossible");
    if (step.after.contradiction)
        return QStringLiteral("contradiction");
    if (step.after.state == before.state)
        return QStringLiteral("same");
    const QString name = stateNames.at(static_cast<qsizetype>(step.after.state.index()));
    if (const auto *unknown = std::get_if<state::Unknown>(&step.after.state))
        return name + QStringLiteral(": ") + unknownNames.at(static_cast<qsizetype>(unknown->why));
    return name;
}

QString commandsOf(const Step &step)
{
    QStringList names;
    for (const Command &command : step.commands)
        names << commandNames.at(static_cast<qsizetype>(command.index()));
    return names.join(QStringLiteral(", "));
}

} // namespace

class StatesDocumentTest : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void everyRowIsWhatTheCodeDoes_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("event");
        QTest::addColumn<QStringList>("when");
        QTest::addColumn<QString>("next");
        QTest::addColumn<QString>("commands");
        for (const Row &row : documentRows()) {
            for (const QString &state : row.states) {
                for (const QString &event : row.events)
                    QTest::addRow("line %d: %s x %s, %s", row.line, qPrintable(state), qPrintable(event),
                                  qPrintable(row.when.join(QStringLiteral(", "))))
                        << state << event << row.when << row.next << row.commands;
            }
        }
    }
    void everyRowIsWhatTheCodeDoes()
    {
        QFETCH(QString, state);
        QFETCH(QString, event);
        QFETCH(QStringList, when);
        QVERIFY2(stateNames.contains(state), qPrintable(state));
        QVERIFY2(bodies().count(event) == 1, qPrintable(event));

        Scene scene{checkoutIn(state), after(6'000), bodies().at(event)};
        for (const QString &fact : when) {
            const auto known = facts().find(fact);
            QVERIFY2(known != facts().end(), qPrintable(fact));
            known->second(scene);
        }
        const Step step = transition(scene.before, {scene.at, scene.body});
        QTEST(nextOf(scene.before, step), "next");
        QTEST(commandsOf(step), "commands");

        // What holds for every row.
        QCOMPARE(step.after.nextSeq, scene.before.nextSeq + 1);
        QCOMPARE(step.after.updatedWallMs, scene.at.wallMs);
        if (isFinal(scene.before.state))
            QVERIFY(step.after.state == scene.before.state);
        if (step.impossible) {
            Checkout unchanged = step.after;
            unchanged.nextSeq = scene.before.nextSeq;
            unchanged.updatedWallMs = scene.before.updatedWallMs;
            QVERIFY(unchanged == scene.before);
        }
    }

    void everyPairOfStateAndEventHasItsRow()
    {
        QSet<QString> written;
        for (const Row &row : documentRows()) {
            for (const QString &state : row.states) {
                for (const QString &event : row.events)
                    written << state + QStringLiteral(" x ") + event;
            }
        }
        for (const QString &state : stateNames) {
            for (const auto &[event, body] : bodies())
                QVERIFY2(written.contains(state + QStringLiteral(" x ") + event),
                         qPrintable(state + QStringLiteral(" x ") + event));
        }
        QCOMPARE(written.size(), qsizetype{12 * 16});
        QCOMPARE(std::variant_size_v<State>, static_cast<size_t>(stateNames.size()));
        QCOMPARE(std::variant_size_v<EventBody>, bodies().size());
    }

    void theNamesOfEventsAreThoseOfTheJournal()
    {
        for (const auto &[name, body] : bodies())
            QCOMPARE(eventName(body), name);
    }

    void theWordsForStatesAndTheirKinds()
    {
        const QStringList expected{
            QStringLiteral("sending"),  QStringLiteral("waiting"),      QStringLiteral("approved"),
            QStringLiteral("declined"), QStringLiteral("refused"),      QStringLiteral("not_sent"),
            QStringLiteral("voided"),   QStringLiteral("unknown"),      QStringLiteral("key_mismatch"),
            QStringLiteral("voiding"),  QStringLiteral("void_pending"), QStringLiteral("written_off")};
        for (const QString &name : stateNames) {
            const Checkout checkout = checkoutIn(name);
            QCOMPARE(static_cast<qsizetype>(checkout.state.index()), stateNames.indexOf(name));
            QCOMPARE(outcomeWord(checkout.state), expected.at(stateNames.indexOf(name)));
            const bool automatic = name == u"Sending" || name == u"Waiting";
            const bool voiding = name == u"Voiding" || name == u"VoidPending";
            const bool open = automatic || voiding || name == u"Unknown" || name == u"KeyMismatch";
            QCOMPARE(isVoiding(checkout.state), voiding);
            QCOMPARE(isAutomatic(checkout.state), automatic);
            QCOMPARE(isOpen(checkout.state), open);
            QCOMPARE(isFinal(checkout.state), !open);
        }
    }
};

IKKAI_TEST_MAIN(StatesDocumentTest)
#include "tst_states_document.moc"
