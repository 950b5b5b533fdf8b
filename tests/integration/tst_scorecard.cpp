#include "tests/support/terminal_process.h"
#include "tests/support/test.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QTemporaryDir>

using namespace ikkai::test;

namespace {

/// In which rows an unsafe strategy charges twice; in all others it must not, and `atomic` never.
bool chargesTwice(const QString &strategy, const QString &fault)
{
    static const QSet<QString> checkThenAct{QStringLiteral("in_transit:twice"), QStringLiteral("half_way:restart"),
                                            QStringLiteral("slow_work"), QStringLiteral("lock_ends_before_work")};
    static const QSet<QString> redisLock{QStringLiteral("half_way:restart"),
                                         QStringLiteral("half_way:redis_lost_write"),
                                         QStringLiteral("lock_ends_before_work")};
    if (strategy == QLatin1String("check_then_act"))
        return checkThenAct.contains(fault);
    if (strategy == QLatin1String("redis_lock"))
        return redisLock.contains(fault);
    return false;
}

} // namespace

/// `payment-terminal scorecard` on rows that take no time-outs; the whole table is printed by the command itself.
class ScorecardTest : public ikkai::test::Test {
    Q_OBJECT

    QTemporaryDir m_folder;

    Told score(const QStringList &arguments)
    {
        return runTerminal(QStringLiteral(PAYMENT_TERMINAL), m_folder.path(),
                           QStringList{QStringLiteral("scorecard")} + arguments, {}, 240'000);
    }

private Q_SLOTS:
    void only_unsafe_strategies_charge_twice_and_only_where_they_must()
    {
        const Told told = score({QStringLiteral("--json"), QStringLiteral("--checkouts"), QStringLiteral("10"),
                                 QStringLiteral("--lanes"), QStringLiteral("10"), QStringLiteral("--only"),
                                 QStringLiteral("none"), QStringLiteral("--only"), QStringLiteral("in_transit:twice"),
                                 QStringLiteral("--only"), QStringLiteral("half_way:restart"), QStringLiteral("--only"),
                                 QStringLiteral("before_commit:status")});
        QVERIFY2(told.exitCode == 0, qPrintable(told.complaint));
        const QJsonArray rows = told.outcome().value(QLatin1String("rows")).toArray();
        QVERIFY(rows.size() >= 14);
        for (const auto &value : rows) {
            const QJsonObject row = value.toObject();
            const QString strategy = row.value(QLatin1String("strategy")).toString();
            const QString fault = row.value(QLatin1String("fault")).toString();
            const QByteArray name = (strategy + QLatin1Char(' ') + fault).toLatin1();
            QCOMPARE(row.value(QLatin1String("checkouts")).toInt(), 10);
            const bool naiveTwice = strategy == QLatin1String("naive") && (fault == QLatin1String("in_transit:twice") ||
                                                                           fault == QLatin1String("half_way:restart"));
            const bool twice = row.value(QLatin1String("charged_twice")).toInt() > 0;
            QVERIFY2(twice == (naiveTwice || chargesTwice(strategy, fault)), name.constData());
            QVERIFY2(row.value(QLatin1String("lost")).toInt() == 0, name.constData());
            if (strategy == QLatin1String("atomic")) {
                QVERIFY2(row.value(QLatin1String("events_lost")).toInt() == 0, name.constData());
                QVERIFY2(row.value(QLatin1String("events_phantom")).toInt() == 0, name.constData());
            }
            if (fault != QLatin1String("none"))
                QVERIFY2(row.value(QLatin1String("not_fired")).toInt() == 0, name.constData());
        }
        // What `atomic` has no place for is said, not counted as stood.
        const QJsonArray gaps = told.outcome().value(QLatin1String("not_offered")).toArray();
        QVERIFY(std::any_of(gaps.begin(), gaps.end(), [](const QJsonValue &gap) {
            return gap.toObject().value(QLatin1String("strategy")) == QLatin1String("atomic") &&
                   gap.toObject().value(QLatin1String("fault")) == QLatin1String("half_way:restart");
        }));
    }

    void the_table_is_text_and_a_page()
    {
        const QString page = m_folder.filePath(QStringLiteral("score.html"));
        const Told told = score({QStringLiteral("--checkouts"), QStringLiteral("2"), QStringLiteral("--only"),
                                 QStringLiteral("none"), QStringLiteral("--html"), page});
        QVERIFY2(told.exitCode == 0, qPrintable(told.complaint));
        QCOMPARE(told.text.count(QLatin1Char('\n')), 5); // the head and four strategies
        QFile file(page);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray html = file.readAll();
        QCOMPARE(html.count("<tr"), 5);
        QVERIFY(!html.contains("http"));
    }

    void wrong_words_are_named()
    {
        QVERIFY(score({QStringLiteral("--strategy"), QStringLiteral("magic")})
                    .complaint.contains(QStringLiteral("--strategy")));
        QVERIFY(score({QStringLiteral("--checkouts"), QStringLiteral("0")})
                    .complaint.contains(QStringLiteral("--checkouts")));
        const Told nothing = score({QStringLiteral("--only"), QStringLiteral("nothing")});
        QVERIFY(nothing.complaint.contains(QStringLiteral("--only")));
        QCOMPARE(nothing.exitCode, 2);
        QVERIFY(nothing.text.isEmpty());
    }
};

IKKAI_TEST_MAIN(ScorecardTest)
#include "tst_scorecard.moc"
