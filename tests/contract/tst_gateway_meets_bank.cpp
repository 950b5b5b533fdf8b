#include "core/gateway/http_gateway.h"
#include "core/training/control_client.h"
#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"
#include "tests/unit/gateway/gateway_probe.h"

#include <QtTest/QSignalSpy>

#include <set>

using namespace ikkai;
using namespace ikkai::test;
using End = Transmission::End;

namespace {

enum class Charged { Yes, No };

struct Row {
    const char *spec;
    std::set<End> ends;
    Charged charged = Charged::No;
    qint64 deadlineMs = 3'000;
};

std::vector<Row> faultRows()
{
    const std::set<End> lost{End::ConnectionLost, End::ResendPrevented};
    const std::set<End> lostOrCut{End::ConnectionLost, End::ResendPrevented, End::AnswerCut};
    const std::set<End> answered{End::Answered};
    const std::set<End> late{End::DeadlinePassed};
    constexpr qint64 shortMs = 400; // a loaded machine needs its time to send at all
    return {
        {"unread:hold", late, Charged::No, shortMs},
        {"unread:fin", lost},
        {"unread:rst", lost},
        {"unread:status(code=404,body=html)", answered},
        {"before_commit:status(code=500)", answered},
        {"before_commit:status(code=503,retry_after=2)", answered},
        {"before_commit:fin", lost},
        {"before_commit:rst", lost},
        {"before_commit:hold", late, Charged::No, shortMs},
        {"after_commit:hold", late, Charged::Yes, shortMs},
        {"after_commit:fin", lost, Charged::Yes},
        {"after_commit:rst", lost, Charged::Yes},
        {"after_commit:delay(ms=1500)", late, Charged::Yes, shortMs},
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
    };
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
        const int rounds = row.ends.contains(End::DeadlinePassed) ? 2 : 10;
        for (int round = 0; round < rounds; ++round) {
            bank.arm(QByteArray(row.spec) + ":next=1");
            const qint64 before = bank.arrivals();
            probe.ended.clear();
            gateway.charge(chargeAt(bank, keyNumber(round), 1, row.deadlineMs));
            QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
            const Transmission struck = probe.ended.front().second;
            QVERIFY2(row.ends.contains(struck.end), qPrintable(struck.detail));
            QCOMPARE(struck.wireSends, 1);
            QTRY_COMPARE(bank.arrivals() - before, 1);
            QTRY_COMPARE(bank.chargesOf(keyNumber(round).bytes()), row.charged == Charged::Yes ? 1 : 0);

            // The next attempt is not struck: it is told the truth, and money has moved once.
            probe.ended.clear();
            gateway.charge(chargeAt(bank, keyNumber(round), 2));
            QVERIFY(waitFor([&] { return probe.ended.size() == 1; }));
            const Transmission &healed = probe.ended.front().second;
            QCOMPARE(healed.end, End::Answered);
            QCOMPARE(healed.answer->status, 201);
            QCOMPARE(healed.answer->header("idempotent-replayed"),
                     row.charged == Charged::Yes ? QByteArray("true") : QByteArray("false"));
            QCOMPARE(healed.wireSends, 1);
            QCOMPARE(bank.arrivals() - before, 2);
            QCOMPARE(bank.chargesOf(keyNumber(round).bytes()), 1);
        }
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
