#include "core/domain/csv.h"
#include "tests/support/test.h"

using namespace ikkai;

class TestCsv : public test::Test {
    Q_OBJECT

private Q_SLOTS:
    void aRowKeepsTextsNumbersAndGapsApart()
    {
        QCOMPARE(CsvRow().text(u"A-1001").number(-1'200).empty().text(u"JPY").bytes(),
                 QByteArray("\"A-1001\",-1200,,\"JPY\"\r\n"));
    }
    void quotesCommasAndLineEndsStayInTheirField()
    {
        QCOMPARE(CsvRow().text(u"say \"two\", then\nthree").bytes(),
                 QByteArray("\"say \"\"two\"\", then\nthree\"\r\n"));
    }
    void japaneseIsUtf8() { QCOMPARE(CsvRow().text(u"伝票").bytes(), QByteArray("\"\xE4\xBC\x9D\xE7\xA5\xA8\"\r\n")); }
    void aRowThatBeginsWithAGapStillHasItsFirstField()
    {
        QCOMPARE(CsvRow().empty().number(1).bytes(), QByteArray(",1\r\n"));
    }

    void aTextIsNeverAFormula_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QByteArray>("written");
        const auto neutral = [](const char *name, const QString &typed) {
            QTest::newRow(name) << typed << QByteArray("\"'" + typed.toUtf8() + "\"\r\n");
        };
        neutral("equals", QStringLiteral("=1+1"));
        neutral("plus", QStringLiteral("+81"));
        neutral("minus", QStringLiteral("-2"));
        neutral("at", QStringLiteral("@SUM(A1)"));
        neutral("tab", QStringLiteral("\t=1"));
        neutral("return", QStringLiteral("\r=1"));
        neutral("space before", QStringLiteral("  =1"));
        neutral("wide space before", QString::fromUtf8("　=1"));
        neutral("full-width equals", QString::fromUtf8("＝1"));
        neutral("full-width at", QString::fromUtf8("＠A1"));
        QTest::newRow("inside") << QStringLiteral("A-1001=x") << QByteArray("\"A-1001=x\"\r\n");
        QTest::newRow("only spaces") << QStringLiteral("  ") << QByteArray("\"  \"\r\n");
    }
    void aTextIsNeverAFormula()
    {
        QFETCH(QString, typed);
        QFETCH(QByteArray, written);
        QCOMPARE(CsvRow().text(typed).bytes(), written);
    }
};

IKKAI_TEST_MAIN(TestCsv)
#include "tst_csv.moc"
