#include "tests/support/test.h"

#include "ui/cashier/entry_panel.h"
#include "ui/widgets/amount_entry.h"
#include "ui/widgets/amount_field.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QInputMethodEvent>
#include <QtTest/QSignalSpy>

using namespace ikkai;

Q_DECLARE_METATYPE(std::optional<qint64>)

/// What a till's amount takes, and above all what it does not.
class AmountEntryTest : public ikkai::test::Test {
    Q_OBJECT

private:
    static Currency currency(const char *code) { return Currency::parse(QString::fromLatin1(code)).value(); }

private Q_SLOTS:
    void digits_move_the_amount_up()
    {
        AmountEntry yen(Currency::jpy());
        QVERIFY(yen.type(u"1"));
        QVERIFY(yen.type(u"2"));
        QVERIFY(yen.type(u"00"));
        QCOMPARE(yen.minor(), 1'200);
        QCOMPARE(yen.shown(), QStringLiteral("¥1,200"));
        yen.backspace();
        QCOMPARE(yen.minor(), 120);
        yen.clear();
        QVERIFY(yen.type(u"00"));
        QCOMPARE(yen.minor(), 0);
    }
    void decimals_are_fixed_by_the_currency()
    {
        AmountEntry dollars(currency("USD"));
        QVERIFY(dollars.type(u"1250"));
        QCOMPARE(dollars.shown(), QStringLiteral("$12.50"));
    }
    void the_amount_is_bounded()
    {
        AmountEntry yen(Currency::jpy());
        QVERIFY(yen.type(u"99999999"));
        QVERIFY(!yen.type(u"0"));
        QVERIFY(!yen.type(u"00"));
        QCOMPARE(yen.minor(), 99'999'999);
        QVERIFY(!yen.type(u"99999999999999999999999999"));
        QCOMPARE(yen.minor(), 99'999'999);
    }
    void case_35_a_paste_is_read_in_one_way_or_not_at_all_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("text");
        QTest::addColumn<std::optional<qint64>>("minor");
        using M = std::optional<qint64>;
        const auto row = [](const char *code, const char16_t *text, M minor) {
            QTest::addRow("%s %s", code, qPrintable(QString::fromUtf16(text)))
                << QString::fromLatin1(code) << QString::fromUtf16(text) << minor;
        };
        row("JPY", u"1200", M(1'200));
        row("JPY", u"¥1,200", M(1'200));
        row("JPY", u" 1,200 円 ", M(1'200));
        row("JPY", u"１，２００円", M(1'200));
        row("JPY", u"JPY 12,345,678", M(12'345'678));
        row("JPY", u"58,99", M());
        row("JPY", u"+10", M());
        row("JPY", u"-10", M());
        row("JPY", u"1.5", M());
        row("JPY", u"1200.0", M());
        row("JPY", u"1.2e3", M());
        row("JPY", u"12,00", M());
        row("JPY", u"1,2345", M());
        row("JPY", u"1200 1200", M(12'001'200)); // spaces group, as on printed bills
        row("JPY", u"", M());
        row("JPY", u"abc", M());
        row("JPY", u"0", M());
        row("JPY", u"1000000000000", M());
        row("JPY", u"٣٤", M());
        row("JPY", u"$12", M());
        row("USD", u"$12.50", M(1'250));
        row("USD", u"1,234.50", M(123'450));
        row("USD", u"1250", M(1'250));
        row("USD", u"1,250", M());
        row("USD", u"58,99", M());
        row("USD", u"12.5", M());
        row("USD", u"12.505", M());
        row("KWD", u"1.250", M(1'250));
    }
    void case_35_a_paste_is_read_in_one_way_or_not_at_all()
    {
        QFETCH(QString, code);
        QFETCH(QString, text);
        QFETCH(std::optional<qint64>, minor);
        QCOMPARE(readPastedAmount(text, Currency::parse(code).value()), minor);
    }
    void case_36_every_amount_is_an_integer_all_the_way()
    {
        AmountEntry dollars(currency("USD"));
        QVERIFY(dollars.paste(QStringLiteral("440.90")));
        QCOMPARE(dollars.minor(), 44'090);
        QCOMPARE(dollars.shown(), QStringLiteral("$440.90"));
    }
    void case_37_full_width_digits_of_an_input_method_count_once()
    {
        AmountField field(Currency::jpy());
        QInputMethodEvent composing(QStringLiteral("１２"), {});
        QCoreApplication::sendEvent(&field, &composing);
        QCOMPARE(field.minor(), 0);
        QInputMethodEvent commit;
        commit.setCommitString(QStringLiteral("１２００"));
        QCoreApplication::sendEvent(&field, &commit);
        QCOMPARE(field.minor(), 1'200);
        QCOMPARE(field.inputMethodQuery(Qt::ImEnabled).toBool(), true);
    }
    void a_key_that_is_no_digit_is_refused_visibly()
    {
        AmountField field(Currency::jpy());
        QSignalSpy refused(&field, &AmountField::refused);
        QTest::keyClicks(&field, QStringLiteral("12"));
        QTest::keyClick(&field, Qt::Key_Comma);
        QTest::keyClick(&field, Qt::Key_Plus);
        QTest::keyClick(&field, Qt::Key_Minus);
        QCOMPARE(field.minor(), 12);
        QCOMPARE(refused.size(), 3);
        QTest::keyClick(&field, Qt::Key_Backspace);
        QCOMPARE(field.minor(), 1);
        QTest::keyClick(&field, Qt::Key_Escape);
        QCOMPARE(field.minor(), 0);
    }
    void paste_goes_through_the_same_door()
    {
        AmountField field(Currency::jpy());
        QSignalSpy refused(&field, &AmountField::refused);
        QGuiApplication::clipboard()->setText(QStringLiteral("１，２００円"));
        QTest::keyClick(&field, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(field.minor(), 1'200);
        QGuiApplication::clipboard()->setText(QStringLiteral("58,99"));
        QTest::keyClick(&field, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(field.minor(), 1'200);
        QCOMPARE(refused.size(), 1);
    }
    void the_next_order_is_one_up()
    {
        QCOMPARE(orderAfter(QStringLiteral("A-1001")), QStringLiteral("A-1002"));
        QCOMPARE(orderAfter(QStringLiteral("A-0099")), QStringLiteral("A-0100"));
        QCOMPARE(orderAfter(QStringLiteral("table four")), QString());
        QCOMPARE(orderAfter(QStringLiteral("99")), QStringLiteral("100"));
    }
};

IKKAI_TEST_MAIN(AmountEntryTest)
#include "tst_amount_entry.moc"
