#include "tests/support/bank_under_test.h"
#include "tests/support/hurried_till.h"
#include "tests/support/test.h"

#include <QtCore/QTemporaryDir>

#include <set>

using namespace ikkai;
using namespace ikkai::test;

namespace {

/// What the bank's books say, whatever the terminal believes.
struct Books {
    int charges = 0;
    int reversals = 0;
    friend bool operator==(const Books &, const Books &) = default;
};

constexpr Books nothingMoved{0, 0};
constexpr Books chargedAndBack{1, 1};
constexpr Books charged{1, 0};

Books booksOf(const BankUnderTest &bank, const IdempotencyKey &key)
{
    Books books;
    const QJsonArray movements = bank.movements();
    for (const QJsonValue &value : movements) {
        const QJsonObject movement = value.toObject();
        if (movement.value(QLatin1String("idempotency_key")).toString() != key.text())
            continue;
        ++(movement.value(QLatin1String("kind")) == QLatin1String("charge") ? books.charges : books.reversals);
    }
    return books;
}

/// What arrived at the bank on one route, as it wrote it down.
QJsonArray arrivals(const BankUnderTest &bank, const QByteArray &route)
{
    return bank.control("GET", "journal?limit=500&route=" + route).json().value(QLatin1String("records")).toArray();
}

std::set<QString> keysOf(const QJsonArray &records)
{
    std::set<QString> keys;
    for (const QJsonValue &record : records)
        keys.insert(record.toObject().value(QLatin1String("idempotency_key")).toString());
    return keys;
}

void actOnHeld(const BankUnderTest &bank, const char *action)
{
    const qint64 id = bank.held().first().toObject().value(QLatin1String("id")).toInteger();
    const RawAnswer acted =
        bank.control("POST", "held/" + QByteArray::number(id), QByteArray("{\"action\":\"") + action + "\"}");
    QCOMPARE(acted.status, 200);
}

const voiding::Nothing *lastTry(const Checkout &checkout)
{
    return checkout.voidIntent && checkout.voidIntent->lastTry ? &*checkout.voidIntent->lastTry : nullptr;
}

} // namespace

/// Void safely against everything that can happen meanwhile: the bank alone decides, its books are looked up each time,
/// and the terminal never says that money is back, or was never taken, before the bank has said so.
class VoidRacesTest : public test::Test {
    Q_OBJECT

private:
    std::unique_ptr<BankUnderTest> m_bank;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<HurriedTill> m_till;

    void openBank(mockbank::MockServerOptions options = {})
    {
        m_bank = std::make_unique<BankUnderTest>(std::move(options));
        // The bank may be asked, but says nothing: else an inquiry would settle what is to be voided.
        m_bank->arm("unread:status(code=503):route=inquiry");
    }
    void openTill(const RetryPolicy &policy = HurriedTill::impatient())
    {
        m_till = std::make_unique<HurriedTill>(parseBankUrl(m_bank->url()).value(),
                                               m_folder->filePath(QStringLiteral("till.journal")), policy);
        QTRY_VERIFY(m_till->isOnline());
    }
    /// A sale whose answer nobody has, with `fault` on its charge.
    void sellIntoTheUnknown(const char *fault, const char *source = "card_ok")
    {
        openTill();
        m_bank->arm(QByteArray(fault) + ":route=charge:next=1");
        m_till->sell("A-1", source);
        QTRY_COMPARE(m_till->outcome(), QStringLiteral("unknown"));
    }
    [[nodiscard]] const IdempotencyKey &key() const { return m_till->checkout().key; }
    [[nodiscard]] Books books() const { return booksOf(*m_bank, key()); }
    [[nodiscard]] QString voidResult() const
    {
        const auto *voided = std::get_if<state::Voided>(&m_till->checkout().state);
        if (!voided)
            return m_till->outcome();
        return voided->result == VoidResult::Reversed ? QStringLiteral("reversed") : QStringLiteral("prevented");
    }

    void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }
    void afterEach() override
    {
        m_till.reset();
        m_bank.reset();
        m_folder.reset();
    }

private Q_SLOTS:
    void case_21_a_charge_in_flight_is_finished_first_and_then_given_back()
    {
        mockbank::MockServerOptions options;
        options.bank.processing = std::chrono::milliseconds(1'500);
        openBank(options);
        openTill();
        m_till->sell("A-1");
        QTRY_COMPARE(m_till->outcome(), QStringLiteral("unknown"));
        m_till->service().voidSafely(key());
        QTRY_VERIFY(lastTry(m_till->checkout()));
        QCOMPARE(lastTry(m_till->checkout())->why, voiding::Nothing::Why::InProgress);
        QCOMPARE(m_till->outcome(), QStringLiteral("void_pending"));
        QTRY_COMPARE(voidResult(), QStringLiteral("reversed"));
        QCOMPARE(books(), chargedAndBack);
        QCOMPARE(m_bank->balance(), 100'000);
        // The charge was answered while the void was under way: heard, and no end of it.
        QVERIFY(!m_till->everBelieved(key(), "approved"));
        QVERIFY(!m_till->checkout().contradiction);
        QCOMPARE(arrivals(*m_bank, "charge").size(), 1);
        QCOMPARE(keysOf(arrivals(*m_bank, "void")).size(), 1U);
    }

    void case_21_a_charge_that_arrives_after_its_void_charges_nothing()
    {
        openBank();
        sellIntoTheUnknown("in_transit:hold");
        m_till->service().voidSafely(key());
        QTRY_COMPARE(voidResult(), QStringLiteral("prevented"));
        QCOMPARE(books(), nothingMoved);
        actOnHeld(*m_bank, "release");
        QTRY_COMPARE(arrivals(*m_bank, "charge").size(), 1);
        QTRY_VERIFY(m_bank->held().isEmpty());
        QCOMPARE(books(), nothingMoved);
        QCOMPARE(m_bank->balance(), 100'000);
        QCOMPARE(voidResult(), QStringLiteral("prevented"));
        QVERIFY(!m_till->checkout().contradiction);
    }

    void a_lost_answer_of_the_void_is_asked_for_again_under_the_same_key_data()
    {
        QTest::addColumn<QByteArray>("fault");
        for (const char *fault :
             {"unread:hold", "unread:rst", "in_transit:drop", "before_commit:fin", "before_commit:status(code=500)",
              "after_commit:hold", "after_commit:rst", "after_commit:status(code=502,body=html)",
              "mid_answer:fin(at=body)", "after_commit:html_200", "after_commit:wrong_echo", "after_commit:wrong_shape",
              "after_commit:bad_json", "after_commit:redirect", "before_commit:restart(ms=50)",
              "after_commit:restart(ms=50)"})
            QTest::newRow(fault) << QByteArray(fault);
    }
    void a_lost_answer_of_the_void_is_asked_for_again_under_the_same_key()
    {
        QFETCH(QByteArray, fault);
        openBank();
        sellIntoTheUnknown("after_commit:hold");
        QCOMPARE(books(), charged);
        m_bank->arm(fault + ":route=void:next=1");
        m_till->service().voidSafely(key());
        QTRY_VERIFY(lastTry(m_till->checkout()));
        QCOMPARE(m_till->outcome(), QStringLiteral("void_pending")); // whatever the bank did: nobody has heard it
        QTRY_COMPARE(voidResult(), QStringLiteral("reversed"));
        QVERIFY(m_bank->waitUntilBack());
        QCOMPARE(books(), chargedAndBack);
        QCOMPARE(m_bank->balance(), 100'000);
        QCOMPARE(arrivals(*m_bank, "charge").size(), 1);
        QCOMPARE(keysOf(arrivals(*m_bank, "void")), (std::set<QString>{m_till->checkout().voidIntent->key.text()}));
        QVERIFY(!m_till->checkout().contradiction);
    }

    void pressing_twice_is_one_void()
    {
        openBank();
        sellIntoTheUnknown("after_commit:hold");
        m_till->service().voidSafely(key());
        m_till->service().voidSafely(key());
        m_till->service().tryAgain(key()); // and there is no way back
        QTRY_COMPARE(voidResult(), QStringLiteral("reversed"));
        m_till->service().voidSafely(key());
        m_till->service().tryAgain(key());
        QCoreApplication::processEvents();
        QCOMPARE(arrivals(*m_bank, "void").size(), 1);
        QCOMPARE(arrivals(*m_bank, "charge").size(), 1);
        QCOMPARE(books(), chargedAndBack);
    }

    void somebody_else_has_voided_it_before_and_money_goes_back_once()
    {
        openBank();
        sellIntoTheUnknown("after_commit:hold");
        const Checkout &checkout = m_till->checkout();
        const RawAnswer first = m_bank->exchange(
            m_bank->request("POST", "/v1/voids", "Content-Type: application/json\r\nIdempotency-Key: back-office-1\r\n",
                            voidBody(checkout.key, checkout.order, checkout.money)));
        QCOMPARE(first.status, 200);
        m_till->service().voidSafely(key());
        QTRY_COMPARE(voidResult(), QStringLiteral("reversed"));
        QCOMPARE(books(), chargedAndBack);
        QCOMPARE(m_bank->balance(), 100'000);
    }

    void a_terminal_that_loses_power_amid_a_void_sends_the_same_one_at_its_next_start_data()
    {
        QTest::addColumn<QByteArray>("fault");
        QTest::addColumn<bool>("wasCharged");
        for (const char *fault : {"unread:hold", "after_commit:hold"}) {
            QTest::newRow((QByteArray(fault) + ", of a charge").constData()) << QByteArray(fault) << true;
            QTest::newRow((QByteArray(fault) + ", of a key never seen").constData()) << QByteArray(fault) << false;
        }
    }
    void a_terminal_that_loses_power_amid_a_void_sends_the_same_one_at_its_next_start()
    {
        QFETCH(QByteArray, fault);
        QFETCH(bool, wasCharged);
        openBank();
        sellIntoTheUnknown(wasCharged ? "after_commit:hold" : "in_transit:drop");
        m_bank->arm(fault + ":route=void:next=1");
        m_till->service().voidSafely(key());
        QTRY_COMPARE(arrivals(*m_bank, "void").size(), 1);
        QCOMPARE(m_till->outcome(), QStringLiteral("voiding"));
        const IdempotencyKey voidKey = m_till->checkout().voidIntent->key;
        m_till.reset();
        openTill(); // nobody presses anything
        QTRY_COMPARE(voidResult(), wasCharged ? QStringLiteral("reversed") : QStringLiteral("prevented"));
        QCOMPARE(books(), wasCharged ? chargedAndBack : nothingMoved);
        QCOMPARE(m_bank->balance(), 100'000);
        QCOMPARE(keysOf(arrivals(*m_bank, "void")), (std::set<QString>{voidKey.text()}));
        QCOMPARE(arrivals(*m_bank, "charge").size(), 1);
        QVERIFY(!m_till->checkout().contradiction);
    }

    void a_bank_that_is_away_amid_a_void_is_asked_again_when_it_is_back()
    {
        openBank();
        sellIntoTheUnknown("after_commit:hold");
        m_bank->arm("connect:refuse(ms=1500)");
        m_till->service().voidSafely(key());
        QTRY_VERIFY(lastTry(m_till->checkout()));
        QCOMPARE(lastTry(m_till->checkout())->why, voiding::Nothing::Why::NotSent);
        QCOMPARE(m_till->outcome(), QStringLiteral("void_pending"));
        QVERIFY(m_bank->waitUntilBack());
        QTRY_COMPARE(voidResult(), QStringLiteral("reversed"));
        QCOMPARE(books(), chargedAndBack);
    }

    void a_charge_that_was_declined_is_declined_and_nothing_is_given_back()
    {
        openBank();
        sellIntoTheUnknown("after_commit:hold", "card_decline");
        m_till->service().voidSafely(key());
        QTRY_COMPARE(m_till->outcome(), QStringLiteral("declined"));
        QVERIFY(std::get<state::Declined>(m_till->checkout().state).by == SettledBy::Void);
        QCOMPARE(books(), nothingMoved);
        QCOMPARE(m_bank->balance(QStringLiteral("card_decline")), 100'000);
    }

    void case_13_a_stored_failure_is_resolved_from_the_ledger()
    {
        mockbank::MockServerOptions options;
        options.bank.cache5xx = true;
        openBank(options);
        RetryPolicy policy = HurriedTill::impatient();
        policy.maxAttempts = 3;
        openTill(policy);
        m_bank->arm("before_commit:status(code=500):route=charge:next=1");
        m_till->sell("A-1");
        QTRY_COMPARE(m_till->outcome(), QStringLiteral("unknown"));
        QVERIFY(std::get<state::Unknown>(m_till->checkout().state).why == state::Unknown::Why::StoredFailure);
        QCOMPARE(arrivals(*m_bank, "charge").size(), 2);
        m_till->service().voidSafely(key());
        QTRY_COMPARE(m_till->outcome(), QStringLiteral("declined")); // the bank: not_charged
        QVERIFY(std::get<state::Declined>(m_till->checkout().state).by == SettledBy::Void);
        QCOMPARE(books(), nothingMoved);
        QCOMPARE(m_bank->balance(), 100'000);
    }

    void a_bank_that_cannot_void_leaves_it_pending_and_nobody_lies()
    {
        openBank();
        m_bank->control("PUT", "strategy", R"({"name":"naive"})");
        sellIntoTheUnknown("after_commit:hold");
        m_till->service().voidSafely(key());
        QTRY_VERIFY(arrivals(*m_bank, "void").size() >= 3);
        QCOMPARE(lastTry(m_till->checkout())->status, 501);
        QCOMPARE(books(), charged);
        for (const char *word : {"voided", "declined", "not_sent", "refused", "approved"})
            QVERIFY2(!m_till->everBelieved(key(), word), word);
        QVERIFY(isOpen(m_till->checkout().state));
        // It can, one day: then the ledger tells it what to give back.
        m_bank->control("PUT", "strategy", R"({"name":"atomic"})");
        QTRY_COMPARE(voidResult(), QStringLiteral("reversed"));
        QCOMPARE(books(), chargedAndBack);
        QCOMPARE(keysOf(arrivals(*m_bank, "void")).size(), 1U);
    }

    void case_19_a_key_whose_answer_was_swept_is_voided_from_the_ledger()
    {
        mockbank::MockServerOptions options;
        options.bank.keyTtl = std::chrono::hours(24);
        openBank(options);
        sellIntoTheUnknown("after_commit:hold");
        QCOMPARE(m_bank->control("POST", "clock", R"({"advance_ms":90000000})").status, 200); // 25 h
        m_till->service().voidSafely(key());
        QTRY_COMPARE(voidResult(), QStringLiteral("reversed"));
        QCOMPARE(books(), chargedAndBack);
        QCOMPARE(m_bank->balance(), 100'000);
    }

    void a_charge_of_somebody_elses_under_this_key_is_left_alone_and_stays_open()
    {
        openBank();
        sellIntoTheUnknown("in_transit:drop");
        const QByteArray theirs = BankUnderTest::chargeBody(777, "card_ok", "B-9");
        QCOMPARE(m_bank->charge(key().bytes(), 2, theirs).status, 201);
        m_till->service().voidSafely(key());
        QTRY_COMPARE(m_till->outcome(), QStringLiteral("key_mismatch"));
        QVERIFY(isOpen(m_till->checkout().state));
        QCOMPARE(books(), charged); // theirs, untouched
        QCOMPARE(m_bank->balance(), 100'000 - 777);
        QVERIFY(!m_till->everBelieved(key(), "voided"));
        // No further void follows.
        const qsizetype sent = arrivals(*m_bank, "void").size();
        m_till.reset();
        openTill();
        QTRY_COMPARE(m_till->outcome(), QStringLiteral("key_mismatch"));
        QCOMPARE(arrivals(*m_bank, "void").size(), sent);
    }

    void a_ledger_that_is_gone_can_say_nothing_of_the_old_ones_money()
    {
        openBank();
        sellIntoTheUnknown("after_commit:hold");
        m_bank->arm("unread:hold:route=void:next=1");
        m_till->service().voidSafely(key());
        QTRY_COMPARE(arrivals(*m_bank, "void").size(), 1);
        QCOMPARE(m_bank->control("POST", "reset", R"({"ledger":true})").status, 200);
        QTRY_VERIFY(lastTry(m_till->checkout()));
        QTRY_VERIFY(m_till->seesAnotherLedger()); // from here on the void stays at home
        QVERIFY(isVoiding(m_till->checkout().state));
        QVERIFY(!m_till->everBelieved(key(), "voided"));
        QCOMPARE(m_bank->inquire(key().bytes()).status, 404); // nor has the new one a tombstone of it
    }

    void case_21_paid_after_void_is_shown_and_never_silent()
    {
        openBank();
        sellIntoTheUnknown("in_transit:hold");
        m_till->service().voidSafely(key());
        QTRY_COMPARE(voidResult(), QStringLiteral("prevented"));
        // A bank that forgets what it promised: the late charge is made after all.
        m_bank->control("PUT", "strategy", R"({"name":"naive"})");
        actOnHeld(*m_bank, "release");
        QTRY_VERIFY(m_till->checkout().contradiction);
        QCOMPARE(m_till->checkout().contradiction->said, QStringLiteral("approved"));
        QCOMPARE(m_till->outcome(), QStringLiteral("voided")); // the first word stands, the second is not hidden
        QCOMPARE(books(), charged);
        // It is on disk.
        const IdempotencyKey voided = key();
        m_till.reset();
        auto journal = SqliteJournal::open(m_folder->filePath(QStringLiteral("till.journal")));
        QVERIFY(journal);
        const auto events = (*journal)->events(voided);
        QVERIFY(events);
        const bool late = std::any_of(events->begin(), events->end(), [](const Event &event) {
            return std::holds_alternative<event::LateAnswer>(event.body);
        });
        QVERIFY(late);
    }
};

IKKAI_TEST_MAIN(VoidRacesTest)
#include "tst_void_races.moc"
