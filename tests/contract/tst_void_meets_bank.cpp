#include "core/checkout/classify.h"
#include "core/gateway/http_gateway.h"
#include "mock-server/faults/fault_table.h"
#include "tests/support/bank_under_test.h"
#include "tests/support/test.h"
#include "tests/unit/gateway/gateway_probe.h"

using namespace ikkai;
using namespace ikkai::test;
using End = Transmission::End;

namespace {

constexpr qint64 shortMs = 400; // a loaded machine needs its time to send at all

/// What a manifestation cannot do without.
QByteArray parametersOf(const mockbank::FaultTruth &truth)
{
    const QByteArray kind = mockbank::manifestationName(truth.kind);
    if (kind == "delay" || kind == "restart")
        return "(ms=20)";
    if (truth.placement == mockbank::Placement::Late && (kind == "fin" || kind == "rst"))
        return "(ms=5)";
    if (kind == "status")
        return "(code=503)";
    if (kind == "dribble")
        return "(bytes=40,ms=2)";
    if (kind == "bandwidth")
        return "(bytes_per_s=20000)";
    if (kind == "busy")
        return "(ms=1)";
    if (kind == "clock_skew")
        return "(s=-86400)";
    return {};
}

/// Every fault of the bank that can strike a void.
std::vector<QByteArray> voidFaults()
{
    std::vector<QByteArray> specs;
    for (const mockbank::FaultTruth &truth : mockbank::faultTable()) {
        if (truth.strategies.atomic && truth.routes.voiding)
            specs.push_back(mockbank::placementName(truth.placement) + ':' + mockbank::manifestationName(truth.kind) +
                            parametersOf(truth));
    }
    return specs;
}

IdempotencyKey voidKey()
{
    return keyNumber(0xfff);
}

VoidTransmission voidAt(const BankUnderTest &bank, int voidTry, qint64 deadlineMs)
{
    const QByteArray body =
        voidBody(keyNumber(1), OrderId::parse(u"A-1001").value(), Money::ofMinor(1'200, Currency::jpy()).value());
    return {keyNumber(1), voidKey(), voidTry, body, bank.ledgerId(), deadlineMs};
}

int reversals(const BankUnderTest &bank)
{
    const QJsonArray all = bank.movements();
    return static_cast<int>(std::count_if(all.begin(), all.end(), [](const QJsonValue &movement) {
        return movement.toObject().value(QLatin1String("kind")) == QLatin1String("reversal");
    }));
}

const voiding::Settled *settledBy(const VoidVerdict &verdict)
{
    return std::get_if<voiding::Settled>(&verdict);
}

VoidVerdict verdictOn(const Transmission &transmission, const BankUnderTest &bank)
{
    return classifyVoid(transmission, {keyNumber(1), OrderId::parse(u"A-1001").value(),
                                       Money::ofMinor(1'200, Currency::jpy()).value(), bank.ledgerId()});
}

} // namespace

/// Voids of the real gateway at the real bank, under every fault that can strike one.
class TestVoidMeetsBank : public Test {
    Q_OBJECT

private Q_SLOTS:
    void case_27_whatever_strikes_a_void_the_money_goes_back_once_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<bool>("charged");
        for (const QByteArray &spec : voidFaults()) {
            QTest::newRow((spec + ", of a charge").constData()) << spec << true;
            QTest::newRow((spec + ", of a key never seen").constData()) << spec << false;
        }
    }
    void case_27_whatever_strikes_a_void_the_money_goes_back_once()
    {
        QFETCH(QByteArray, spec);
        QFETCH(bool, charged);
        const BankUnderTest bank;
        const QByteArray sale =
            R"({"order_id":"A-1001","amount":1200,"currency":"JPY","source":"card_ok","terminal_id":"till-1"})";
        if (charged)
            QCOMPARE(bank.charge(keyNumber(1).bytes(), 1, sale).status, 201);
        bank.arm(spec + ":route=void:next=1");
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(bank));
        gateway.setSink(&probe);
        gateway.voidCharge(voidAt(bank, 1, shortMs));
        QVERIFY(waitFor([&] { return probe.voids.size() == 1; }));
        const Transmission struck = probe.voids.front().transmission;
        QCOMPARE(struck.wireSends, 1);
        QVERIFY(bank.waitUntilBack());
        const VoidResult truth = charged ? VoidResult::Reversed : VoidResult::Prevented;
        // It may believe what the bank said, and only that.
        const VoidVerdict believed = verdictOn(struck, bank);
        QVERIFY(!std::holds_alternative<voiding::Mismatch>(believed));
        if (const voiding::Settled *settled = settledBy(believed)) {
            QCOMPARE(settled->result, truth);
            QCOMPARE(reversals(bank), charged ? 1 : 0);
        }

        // The same void again is told the truth.
        probe.voids.clear();
        gateway.voidCharge(voidAt(bank, 2, 5'000));
        QVERIFY(waitFor([&] { return probe.voids.size() == 1; }));
        const VoidVerdict healed = verdictOn(probe.voids.front().transmission, bank);
        QVERIFY2(settledBy(healed), qPrintable(probe.voids.front().transmission.detail));
        QCOMPARE(settledBy(healed)->result, truth);
        QCOMPARE(reversals(bank), charged ? 1 : 0);
        QCOMPARE(bank.balance(), 100'000);

        // And the key never charges again.
        QCOMPARE(bank.charge(keyNumber(1).bytes(), 2, sale).status, 410);
        QCOMPARE(bank.balance(), 100'000);
    }

    void a_void_at_another_ledger_moves_nothing()
    {
        const BankUnderTest bank;
        GatewayProbe probe;
        HttpGateway gateway(settingsFor(bank));
        gateway.setSink(&probe);
        VoidTransmission sent = voidAt(bank, 1, 3'000);
        sent.expectLedger = QStringLiteral("ldg_gone");
        gateway.voidCharge(sent);
        QVERIFY(waitFor([&] { return probe.voids.size() == 1; }));
        QCOMPARE(probe.voids.front().transmission.answer->status, 421);
        QCOMPARE(bank.inquire(keyNumber(1).bytes()).status, 404); // no tombstone either
    }

private:
    static HttpGatewaySettings settingsFor(const BankUnderTest &bank)
    {
        HttpGatewaySettings settings;
        settings.baseUrl = parseBankUrl(bank.url()).value();
        return settings;
    }
};

IKKAI_TEST_MAIN(TestVoidMeetsBank)
#include "tst_void_meets_bank.moc"
