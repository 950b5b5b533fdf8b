#include "core/checkout/classify.h"
#include "core/gateway/http_gateway.h"
#include "core/training/control_client.h"
#include "mock-server/faults/fault_table.h"
#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"
#include "tests/unit/gateway/gateway_probe.h"

#include <QtTest/QSignalSpy>

#include <list>
#include <set>

using namespace ikkai;
using namespace ikkai::test;
using End = Transmission::End;

namespace {

enum class Charged { Yes, No };

/// What the terminal may believe after the struck attempt alone.
enum class Belief { NotSent, Open, Approved, Declined };

struct Row {
    const char *spec;
    std::set<End> ends;
    Charged charged = Charged::No;
    qint64 deadlineMs = 3'000;
    Belief belief = Belief::Open;
    int arrivals = 1; ///< for the one request that went out
};

std::vector<Row> faultRows()
{
    const std::set<End> lost{End::ConnectionLost, End::ResendPrevented};
    const std::set<End> lostOrCut{End::ConnectionLost, End::ResendPrevented, End::AnswerCut};
    // Bytes that break HTTP may also pass for an answer, which classification must then see through.
    const std::set<End> broken{End::ConnectionLost, End::ResendPrevented, End::AnswerCut, End::Answered};
    const std::set<End> answered{End::Answered};
    const std::set<End> late{End::DeadlinePassed};
    constexpr qint64 shortMs = 400; // a loaded machine needs its time to send at all
    std::vector<Row> rows{
        {"connect:hold", late, Charged::No, shortMs, Belief::Open, 0},

        {"unread:hold", late, Charged::No, shortMs},
        {"unread:fin", lost},
        {"unread:rst", lost},
        {"unread:delay(ms=20)", answered, Charged::Yes, 3'000, Belief::Approved},
        {"unread:status(code=404,body=html)", answered},
        {"unread:status(code=429,retry_after=1)", answered},
        {"unread:restart(ms=20)", lost},

        {"in_transit:hold", late, Charged::No, shortMs},
        {"in_transit:delay(ms=20)", answered, Charged::Yes, 3'000, Belief::Approved},
        {"in_transit:drop", late, Charged::No, shortMs},
        {"in_transit:twice", answered, Charged::Yes, 3'000, Belief::Approved, 2},
        {"in_transit:twice(gap_ms=5)", answered, Charged::Yes, 3'000, Belief::Approved, 2},

        {"before_commit:status(code=500)", answered},
        {"before_commit:status(code=503,retry_after=2)", answered},
        {"before_commit:fin", lost},
        {"before_commit:rst", lost},
        {"before_commit:hold", late, Charged::No, shortMs},
        {"before_commit:delay(ms=20)", answered, Charged::Yes, 3'000, Belief::Approved},
        {"before_commit:restart(ms=20)", lost},
        {"before_commit:busy(ms=1)", answered},
        {"before_commit:decline", answered, Charged::No, 3'000, Belief::Declined},
        {"before_commit:expire_key", answered, Charged::Yes, 3'000, Belief::Approved},

        {"after_commit:hold", late, Charged::Yes, shortMs},
        {"after_commit:fin", lost, Charged::Yes},
        {"after_commit:rst", lost, Charged::Yes},
        {"after_commit:delay(ms=1500)", late, Charged::Yes, shortMs},
        {"after_commit:status(code=502,body=html)", answered, Charged::Yes},
        {"after_commit:restart(ms=20)", lost, Charged::Yes},
        {"after_commit:clock_skew(s=-86400)", answered, Charged::Yes, 3'000, Belief::Approved},

        {"mid_answer:fin", lostOrCut, Charged::Yes},
        {"mid_answer:rst", lostOrCut, Charged::Yes},
        {"mid_answer:fin(at=1)", lostOrCut, Charged::Yes},
        {"mid_answer:fin(at=0.1)", lostOrCut, Charged::Yes},
        {"mid_answer:fin(at=0.99)", lostOrCut, Charged::Yes},
        {"mid_answer:fin(at=status_line)", lostOrCut, Charged::Yes},
        {"mid_answer:fin(at=headers)", lostOrCut, Charged::Yes},
        {"mid_answer:fin(at=body)", lostOrCut, Charged::Yes},
        {"mid_answer:rst(at=headers)", lostOrCut, Charged::Yes},
        {"mid_answer:hold(at=body)", late, Charged::Yes, shortMs},
        {"mid_answer:delay(ms=20)", answered, Charged::Yes, 3'000, Belief::Approved},
        {"mid_answer:restart(ms=20)", lostOrCut, Charged::Yes},

        {"late:delay(ms=20)", answered, Charged::Yes, 3'000, Belief::Approved},
        {"late:dribble(bytes=40,ms=2)", answered, Charged::Yes, 3'000, Belief::Approved},
        {"late:dribble(bytes=1,ms=50)", late, Charged::Yes, shortMs},
        {"late:bandwidth(bytes_per_s=20000)", answered, Charged::Yes, 3'000, Belief::Approved},
        {"late:fin(ms=1)", answered, Charged::Yes, 3'000, Belief::Approved},
        {"late:rst(ms=50)", answered, Charged::Yes, 3'000, Belief::Approved},
    };
    for (const char *placement : {"unread", "before_commit", "after_commit"}) {
        const Charged charged = QByteArray(placement) == "after_commit" ? Charged::Yes : Charged::No;
        for (const char *kind : {"garbage", "half_status_line", "half_headers", "short_body", "long_body", "bad_chunk",
                                 "html_200", "bad_json", "wrong_shape", "wrong_echo", "redirect"}) {
            static std::list<QByteArray> kept; // the rows keep pointers
            kept.push_back(QByteArray(placement) + ':' + kind);
            rows.push_back({kept.back().constData(), broken, charged});
        }
    }
    return rows;
}

/// Nothing final but what the bank itself has said of this very sale.
Belief beliefOf(const Transmission &transmission, const BankUnderTest &bank, const IdempotencyKey &key,
                EarlierAttempts earlier)
{
    const ExpectedEcho echo{key, OrderId::parse(u"A-1001").value(), Money::ofMinor(1'200, Currency::jpy()).value(),
                            bank.ledgerId()};
    const ChargeVerdict verdict = classifyCharge(transmission, echo, earlier);
    if (std::holds_alternative<verdict::NotSent>(verdict))
        return Belief::NotSent;
    if (std::holds_alternative<verdict::Approved>(verdict))
        return Belief::Approved;
    const bool notCharged = std::holds_alternative<verdict::Declined>(verdict) ||
                            std::holds_alternative<verdict::Refused>(verdict) ||
                            std::holds_alternative<verdict::Voided>(verdict);
    return notCharged ? Belief::Declined : Belief::Open;
}

HttpGatewaySettings settingsFor(const BankUnderTest &bank)
{
    HttpGatewaySettings settings;
    settings.baseUrl = parseBankUrl(bank.url()).value();
    return settings;
}

ControlClientSettings controlOf(const BankUnderTest &bank)
{
    ControlClientSettings settings;
    settings.baseUrl = parseBankUrl(bank.url()).value();
    settings.token = bank.controlToken();
    settings.reconnectBaseMs = 5;
    settings.reconnectCapMs = 50;
    return settings;
}

ChargeTransmission chargeAt(const BankUnderTest &bank, const IdempotencyKey &key, int attempt = 1,
                            qint64 deadlineMs = 3'000)
{
    ChargeTransmission charge = chargeOf(key, attempt, deadlineMs);
    charge.expectLedger = bank.ledgerId();
    return charge;
}

} // namespace

Q_DECLARE_METATYPE(Row)

class TestGatewayMeetsBank : public Test {
    Q_OBJECT

private Q_SLOTS:
    void the_bank_is_learned_and_a_charge_is_answered()
    {
        const BankUnderTest bank;
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(bank));
        gateway.setSink(&probe);
        gateway.learnBank(3'000);
        QVERIFY(waitFor([&] { return probe.learned.size() == 1; }));
        QVERIFY(probe.learned[0].ok());
        QCOMPARE(probe.learned[0].value(), (BankIdentity{bank.ledgerId(), 86'400'000, true}));
        gateway.charge(chargeAt(bank, keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended[0].second.answer->status, 201);
        gateway.inquire({keyNumber(1), bank.ledgerId(), 3'000});
        QVERIFY(waitFor([&] { return probe.inquiries.size() == 1; }));
        QCOMPARE(probe.inquiries[0].second.answer->status, 200);
        QCOMPARE(probe.inquiries[0].second.answer->body, probe.ended[0].second.answer->body);
    }

    void case_27_under_every_fault_the_bank_has_seen_what_the_terminal_has_counted_data()
    {
        QTest::addColumn<Row>("row");
        for (const Row &row : faultRows())
            QTest::newRow(row.spec) << row;
    }
    void case_27_under_every_fault_the_bank_has_seen_what_the_terminal_has_counted()
    {
        QFETCH(Row, row);
        const BankUnderTest bank;
        GatewayProbe probe;
        HttpGatewaySettings settings = settingsFor(bank);
        settings.lateAnswerMs = 0;
        HttpGateway gateway(settings);
        gateway.setSink(&probe);
        const bool restarts = QByteArray(row.spec).contains("restart");
        const int rounds = row.ends.contains(End::DeadlinePassed) || restarts ? 2 : 10;
        for (int round = 0; round < rounds; ++round) {
            const qint64 before = bank.arrivals();
            bank.arm(QByteArray(row.spec) + ":next=1");
            probe.ended.clear();
            gateway.charge(chargeAt(bank, keyNumber(round), 1, row.deadlineMs));
            QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
            const Transmission struck = probe.ended.front().second;
            QVERIFY2(row.ends.contains(struck.end), qPrintable(struck.detail));
            QCOMPARE(struck.wireSends, 1);
            QVERIFY(bank.waitUntilBack());
            QTRY_COMPARE(bank.arrivals() - before, row.arrivals);
            QTRY_COMPARE(bank.chargesOf(keyNumber(round).bytes()), row.charged == Charged::Yes ? 1 : 0);
            QCOMPARE(beliefOf(struck, bank, keyNumber(round), EarlierAttempts::AllNotSent), row.belief);

            // The next attempt is not struck: it is told the truth, and money has moved once, or never.
            const bool declined = row.belief == Belief::Declined;
            probe.ended.clear();
            gateway.charge(chargeAt(bank, keyNumber(round), 2));
            QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
            const Transmission &healed = probe.ended.front().second;
            QCOMPARE(healed.end, End::Answered);
            QCOMPARE(healed.answer->status, declined ? 402 : 201);
            QCOMPARE(healed.answer->header("idempotent-replayed"),
                     row.charged == Charged::Yes || declined ? QByteArray("true") : QByteArray("false"));
            QCOMPARE(healed.wireSends, 1);
            QCOMPARE(bank.arrivals() - before, row.arrivals + 1);
            QCOMPARE(bank.chargesOf(keyNumber(round).bytes()), declined ? 0 : 1);
            QCOMPARE(beliefOf(healed, bank, keyNumber(round), EarlierAttempts::SomeUnanswered),
                     declined ? Belief::Declined : Belief::Approved);
        }
    }

    void every_pair_that_can_strike_a_charge_has_a_row()
    {
        const auto name = [](mockbank::Placement placement, mockbank::ManifestationKind kind) {
            return mockbank::placementName(placement) + ':' + mockbank::manifestationName(kind);
        };
        std::set<QByteArray> told{"connect:refuse"}; // a test of its own
        for (const Row &row : faultRows()) {
            const auto fault = mockbank::parseFault(QByteArrayView(row.spec));
            QVERIFY2(std::holds_alternative<mockbank::Fault>(fault), row.spec);
            told.insert(
                name(std::get<mockbank::Fault>(fault).placement, std::get<mockbank::Fault>(fault).manifestation.kind));
        }
        for (const mockbank::FaultTruth &truth : mockbank::faultTable()) {
            const QByteArray pair = name(truth.placement, truth.kind);
            if (truth.strategies.atomic && !told.contains(pair))
                QFAIL(pair.constData());
        }
    }

    void a_port_that_refuses_is_told_from_silence()
    {
        const BankUnderTest bank;
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(bank));
        gateway.setSink(&probe);
        bank.arm("connect:refuse(ms=300)");
        gateway.charge(chargeAt(bank, keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended[0].second.end, End::ConnectionRefused);
        QCOMPARE(beliefOf(probe.ended[0].second, bank, keyNumber(1), EarlierAttempts::AllNotSent), Belief::NotSent);
        QVERIFY(bank.waitUntilBack());
        QCOMPARE(bank.arrivals(), 0);
        gateway.charge(chargeAt(bank, keyNumber(1), 2));
        QVERIFY(waitFor([&] { return probe.ended.size() == 2; }));
        QCOMPARE(probe.ended[1].second.answer->status, 201);
        QCOMPARE(bank.arrivals(), 1);
    }

    void a_connection_that_was_kept_is_refused_once_the_port_is_closed()
    {
        const BankUnderTest bank;
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(bank));
        gateway.setSink(&probe);
        gateway.charge(chargeAt(bank, keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        bank.arm("connect:refuse(ms=300)");
        gateway.charge(chargeAt(bank, keyNumber(2)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 2; }));
        QVERIFY(probe.ended[1].second.end == End::ConnectionRefused ||
                probe.ended[1].second.end == End::ConnectionLost);
        QVERIFY(bank.waitUntilBack());
        QCOMPARE(bank.chargesOf(keyNumber(2).bytes()), 0);
    }

    void a_held_answer_that_is_released_comes_late()
    {
        const BankUnderTest bank;
        bank.arm("after_commit:hold:next=1");
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(bank));
        gateway.setSink(&probe);
        ControlClient control(controlOf(bank));
        gateway.charge(chargeAt(bank, keyNumber(1), 1, 400));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QCOMPARE(probe.ended[0].second.end, End::DeadlinePassed);
        QTRY_COMPARE(bank.held().size(), 1);
        QSignalSpy acted(&control, &ControlClient::heldActedOn);
        control.actOnHeld(bank.held()[0].toObject().value(QLatin1String("id")).toInteger(), QStringLiteral("release"));
        QTRY_COMPARE(acted.size(), 1);
        QVERIFY(waitFor([&] { return probe.late.size() == 1; }));
        QCOMPARE(probe.late[0].first, (AttemptId{keyNumber(1), 1}));
        QCOMPARE(probe.late[0].second.answer->status, 201);
        QCOMPARE(gateway.openExchanges(), 0);
        QCOMPARE(bank.arrivals(), 1);
    }

    void a_bank_that_crashes_midway_is_back_and_charges_once()
    {
        const BankUnderTest bank;
        bank.arm("before_commit:restart(ms=50):next=1");
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(bank));
        gateway.setSink(&probe);
        gateway.charge(chargeAt(bank, keyNumber(1)));
        QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
        QVERIFY(probe.ended[0].second.end == End::ConnectionLost || probe.ended[0].second.end == End::ResendPrevented);
        QCOMPARE(probe.ended[0].second.wireSends, 1);
        QVERIFY(bank.waitUntilBack());
        gateway.charge(chargeAt(bank, keyNumber(1), 2));
        QVERIFY(waitFor([&] { return probe.ended.size() == 2; }));
        QCOMPARE(probe.ended[1].second.answer->status, 201);
        QCOMPARE(bank.chargesOf(keyNumber(1).bytes()), 1);
    }

    void the_control_api_is_understood()
    {
        const BankUnderTest bank;
        ControlClient control(controlOf(bank));
        QSignalSpy failed(&control, &ControlClient::failed);
        QSignalSpy armed(&control, &ControlClient::faultArmed);
        control.armFault(QStringLiteral("after_commit:hold:next=1"));
        QTRY_COMPARE(armed.size(), 1);
        const auto fault = armed[0][1].value<FaultStatus>();
        QCOMPARE(fault.spec, QStringLiteral("after_commit:hold:next=1"));
        QCOMPARE(fault.light, FaultLight::Armed);
        QSignalSpy listed(&control, &ControlClient::faultsListed);
        control.listFaults();
        QTRY_COMPARE(listed.size(), 1);
        QCOMPARE(listed[0][1].value<QList<FaultStatus>>(), QList<FaultStatus>{fault});
        QSignalSpy disarmed(&control, &ControlClient::faultDisarmed);
        control.disarmFault(fault.id);
        QTRY_COMPARE(disarmed.size(), 1);
        QSignalSpy all(&control, &ControlClient::allFaultsDisarmed);
        control.disarmAllFaults();
        QTRY_COMPARE(all.size(), 1);

        QSignalSpy put(&control, &ControlClient::accountPut);
        control.putAccount({QStringLiteral("card_new"), 777, true});
        QTRY_COMPARE(put.size(), 1);
        QCOMPARE(put[0][1].value<BankAccount>(), (BankAccount{QStringLiteral("card_new"), 777, true}));
        QSignalSpy accounts(&control, &ControlClient::accountsListed);
        control.listAccounts();
        QTRY_COMPARE(accounts.size(), 1);
        QVERIFY(
            accounts[0][1].value<QList<BankAccount>>().contains(BankAccount{QStringLiteral("card_new"), 777, true}));

        QCOMPARE(bank.charge(keyNumber(1).bytes()).status, 201);
        QCOMPARE(bank.charge(keyNumber(2).bytes()).status, 201);
        QSignalSpy ledger(&control, &ControlClient::ledgerRead);
        control.readLedger(0, 1);
        QTRY_COMPARE(ledger.size(), 1);
        const auto page = ledger[0][1].value<LedgerPage>();
        QCOMPARE(page.movements.size(), 1);
        QCOMPARE(page.movements[0].key, keyNumber(1).text());
        QCOMPARE(page.movements[0].amountMinor, 1'200);
        QVERIFY(page.next.has_value());
        control.readLedger(*page.next, 1);
        QTRY_COMPARE(ledger.size(), 2);
        QCOMPARE(ledger[1][1].value<LedgerPage>().movements[0].key, keyNumber(2).text());
        QVERIFY(!ledger[1][1].value<LedgerPage>().next);

        QSignalSpy state(&control, &ControlClient::stateRead);
        control.readState();
        QTRY_COMPARE(state.size(), 1);
        QCOMPARE(state[0][1].value<BankState>().ledgerId, bank.ledgerId());
        QCOMPARE(state[0][1].value<BankState>().arrivals, 2);
        QCOMPARE(failed.size(), 0);
    }

    void case_54_what_the_bank_does_not_accept_it_names()
    {
        const BankUnderTest bank;
        ControlClient control(controlOf(bank));
        QSignalSpy failed(&control, &ControlClient::failed);
        control.armFault(QStringLiteral("after_commit:teleport:next=1"));
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(failed[0][1].value<ControlError>().kind, ControlError::Kind::NotAccepted);
        QVERIFY(!failed[0][1].value<ControlError>().member.isEmpty());
        ControlClientSettings settings = controlOf(bank);
        settings.token = "wrong";
        ControlClient stranger(settings);
        QSignalSpy refused(&stranger, &ControlClient::failed);
        stranger.listFaults();
        QTRY_COMPARE(refused.size(), 1);
        QCOMPARE(refused[0][1].value<ControlError>().kind, ControlError::Kind::TokenRefused);
    }

    void events_are_followed_over_a_crash_without_hole_and_without_double()
    {
        const BankUnderTest bank;
        ControlClient control(controlOf(bank));
        QList<BankLogEntry> entries;
        int gaps = 0;
        connect(&control, &ControlClient::happened, this, [&](const BankLogEntry &entry) { entries.append(entry); });
        connect(&control, &ControlClient::gapNoticed, this, [&] { ++gaps; });
        const auto count = [&](const char *kind) {
            return std::count_if(entries.begin(), entries.end(),
                                 [&](const BankLogEntry &entry) { return entry.kind == QLatin1String(kind); });
        };
        QCOMPARE(bank.charge("before-anyone-listened").status, 201);
        control.follow(EventFollower::From::Beginning);
        QTRY_COMPARE(count("delivered"), 1);
        QSignalSpy restarting(&control, &ControlClient::restarting);
        control.restartBank(50);
        QTRY_COMPARE(restarting.size(), 1);
        QTRY_COMPARE(count("crashed"), 1);
        QTRY_COMPARE(count("started"), 2);
        QCOMPARE(bank.charge("after-the-crash").status, 201);
        QTRY_COMPARE(count("delivered"), 2);
        QCOMPARE(gaps, 0);
        for (qsizetype i = 0; i < entries.size(); ++i)
            QCOMPARE(entries[i].n, entries[0].n + i);
        QVERIFY(entries.first().run != entries.last().run);
        disconnect(&control, nullptr, this, nullptr);
    }
};

IKKAI_TEST_MAIN(TestGatewayMeetsBank)
#include "tst_gateway_meets_bank.moc"
