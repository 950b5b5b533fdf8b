#include "tests/support/test.h"

#include "ui/theme/theme.h"

#include <cmath>

using namespace ikkai;
using namespace ikkai::theme;

/// The colours people have to be able to read. The pairs and their numbers are those of the table of tokens.
class Tokens : public ikkai::test::Test {
    Q_OBJECT

private:
    static QColor named(Mode mode, const QString &name)
    {
        for (const TokenRow &row : tokens()) {
            if (QString::fromLatin1(row.name) == name)
                return colorIn(mode, row.token);
        }
        return {};
    }

private Q_SLOTS:
    void the_table_is_in_the_order_of_the_tokens()
    {
        int at = 0;
        for (const TokenRow &row : tokens())
            QCOMPARE(static_cast<int>(row.token), at++);
        QCOMPARE(tokenOf(Role::Unk, Part::Tint), Token::UnkTint);
        QCOMPARE(tokenOf(Role::Trn, Part::Line), Token::TrnLine);
    }
    void every_pair_can_be_read_data()
    {
        QTest::addColumn<QString>("front");
        QTest::addColumn<QString>("back");
        QTest::addColumn<double>("light");
        QTest::addColumn<double>("dark");
        struct Row {
            const char *front, *back;
            double light, dark;
        };
        static const Row rows[] = {
            // clang-format off
            {"text", "window", 15.0, 16.1}, {"text", "surface", 17.2, 14.2}, {"text", "selBg", 14.3, 11.1}, {"muted", "window", 6.5, 9.4},
            {"muted", "surface", 7.4, 8.3}, {"muted", "selBg", 6.2, 6.4}, {"disText", "disBg", 4.9, 5.4}, {"disText", "surface", 6.0, 6.3},
            {"onInk", "ink", 15.2, 14.7}, {"okOn", "okSolid", 6.6, 6.3}, {"okText", "okTint", 7.2, 8.8}, {"okText", "surface", 8.3, 10.0},
            {"text", "okTint", 14.9, 12.5}, {"muted", "okTint", 6.4, 7.3}, {"badOn", "badSolid", 6.9, 7.2}, {"badText", "badTint", 7.2, 8.4},
            {"badText", "surface", 8.6, 8.7}, {"text", "badTint", 14.4, 13.6}, {"muted", "badTint", 6.2, 7.9}, {"unkOn", "unkSolid", 10.3, 9.8},
            {"unkText", "unkTint", 7.5, 9.6}, {"unkText", "surface", 8.3, 10.8}, {"text", "unkTint", 15.4, 12.5}, {"muted", "unkTint", 6.7, 7.3},
            {"wrkOn", "wrkSolid", 7.1, 6.7}, {"wrkText", "wrkTint", 7.8, 8.2}, {"wrkText", "surface", 9.1, 9.0}, {"text", "wrkTint", 14.7, 12.8},
            {"muted", "wrkTint", 6.3, 7.5}, {"neuOn", "neuSolid", 7.9, 7.1}, {"neuText", "neuTint", 8.8, 8.3}, {"neuText", "surface", 10.4, 10.1},
            {"text", "neuTint", 14.5, 11.7}, {"trnOn", "trnSolid", 10.2, 8.9}, {"trnText", "trnTint", 8.8, 8.2}, {"trnText", "surface", 10.5, 8.6},
            {"text", "trnTint", 14.4, 13.5}, {"muted", "trnTint", 6.2, 7.9}, {"trnOn", "trnStripe", 12.1, 11.0}, {"okText", "selBg", 6.9, 7.8},
            {"badText", "selBg", 7.2, 6.8}, {"unkText", "selBg", 7.0, 8.5}, {"wrkText", "selBg", 7.6, 7.1}, {"neuText", "selBg", 8.7, 7.9},
            {"trnText", "selBg", 8.8, 6.7}, {"outline", "surface", 4.0, 5.0}, {"outline", "window", 3.5, 5.7}, {"focus", "window", 13.3, 15.7},
            {"okLine", "surface", 5.0, 6.3}, {"badLine", "surface", 5.8, 5.3}, {"unkLine", "surface", 4.8, 7.2}, {"wrkLine", "surface", 5.7, 6.1},
            {"neuLine", "surface", 5.7, 5.2}, {"trnLine", "surface", 6.2, 5.1}, {"okLine", "selBg", 4.2, 4.9}, {"badLine", "selBg", 4.8, 4.2},
            {"unkLine", "selBg", 4.0, 5.6}, {"wrkLine", "selBg", 4.7, 4.8}, {"killText", "killBg", 10.5, 10.5},
            // clang-format on
        };
        for (const Row &row : rows)
            QTest::addRow("%s on %s", row.front, row.back)
                << QString::fromLatin1(row.front) << QString::fromLatin1(row.back) << row.light << row.dark;
    }
    void every_pair_can_be_read()
    {
        QFETCH(QString, front);
        QFETCH(QString, back);
        QFETCH(double, light);
        QFETCH(double, dark);
        const bool stroke = front.endsWith(QStringLiteral("Line")) || front == QStringLiteral("outline") ||
                            front == QStringLiteral("focus");
        const double least = stroke ? 3.0 : 4.5;
        for (const auto &[mode, wanted] : {std::pair(Mode::Light, light), std::pair(Mode::Dark, dark)}) {
            const double measured = contrast(named(mode, front), named(mode, back));
            QVERIFY2(measured >= least, qPrintable(QString::number(measured)));
            QVERIFY2(std::abs(measured - wanted) <= 0.051, qPrintable(QString::number(measured)));
        }
    }
    void disabled_text_can_be_read_too()
    {
        for (const Mode mode : {Mode::Light, Mode::Dark}) {
            const QPalette palette = paletteOf(mode);
            for (const auto role : {QPalette::ButtonText, QPalette::Text, QPalette::WindowText}) {
                QVERIFY(contrast(palette.color(QPalette::Disabled, role),
                                 palette.color(QPalette::Disabled, QPalette::Button)) >= 4.5);
            }
        }
    }
};

IKKAI_TEST_MAIN(Tokens)
#include "tst_tokens.moc"
