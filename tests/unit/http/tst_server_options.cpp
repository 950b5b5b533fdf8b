#include "mock-server/bank/strategy.h"
#include "mock-server/options.h"
#include "tests/support/test.h"

using namespace mockbank;

class ServerOptionsTest : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void timesAreStrict_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("milliseconds"); // -1: refused

        const auto row = [](const char *text, qint64 ms) { QTest::newRow(text) << QString::fromLatin1(text) << ms; };
        row("24h", 24 * 3'600'000);
        row("10s", 10'000);
        row("300ms", 300);
        row("5m", 300'000);
        row("0ms", 0);
        row("10", -1);
        row("s", -1);
        row("ms", -1);
        row("-1s", -1);
        row("+1s", -1);
        row("1.5s", -1);
        row(" 1s", -1);
        row("1s ", -1);
        row("1d", -1);
        row("1H", -1);
        row("99999999999999999999h", -1);
        row("999999999999h", -1);
    }
    void timesAreStrict()
    {
        QFETCH(QString, text);
        QFETCH(qint64, milliseconds);
        const auto read = readDuration(text);
        QCOMPARE(read ? static_cast<qint64>(read->count()) : -1, milliseconds);
    }

    void theIssuesCommandLineIsRead()
    {
        const auto read =
            readOptions(QStringLiteral("--bind 127.0.0.1 --port 0 --store sqlite:x.db --strategy atomic "
                                       "--token-file t --api-key-file k --key-ttl 24h --lease 10s "
                                       "--processing=300ms --account card_ok=100000 --account bad=declining "
                                       "--instance b --allow-host a --allow-host b --max-connections 5")
                            .split(QLatin1Char(' ')));
        const auto *options = std::get_if<ProgramOptions>(&read);
        QVERIFY(options);
        QCOMPARE(options->server.bank.store, QStringLiteral("sqlite:x.db"));
        QCOMPARE(options->server.bank.processing.count(), 300);
        QCOMPARE(options->server.bank.accounts.size(), 2);
        QVERIFY(options->server.bank.accounts[1].declining);
        QCOMPARE(options->server.allowedHosts.size(), 2);
        QCOMPARE(options->server.maxConnections, 5);
        QCOMPARE(options->tokenFile, QStringLiteral("t"));
    }

    void theWebhookIsRead()
    {
        const auto read = readOptions(QStringLiteral("--webhook http://127.0.0.1:9000/events --webhook-timeout 2s "
                                                     "--webhook-max-wait 500ms")
                                          .split(QLatin1Char(' ')));
        const auto *options = std::get_if<ProgramOptions>(&read);
        QVERIFY(options);
        QCOMPARE(options->server.webhook.url, QUrl(QStringLiteral("http://127.0.0.1:9000/events")));
        QCOMPARE(options->server.webhook.timeout.count(), 2000);
        QCOMPARE(options->server.webhook.backoff.capMs, 500);
        QVERIFY(std::get<ProgramOptions>(readOptions({})).server.webhook.url.isEmpty());
    }

    void everyStrategyAndLessonIsRead()
    {
        for (const QString &name : mockbank::strategyNames()) {
            const auto read = readOptions({QStringLiteral("--strategy"), name});
            QCOMPARE(std::get<ProgramOptions>(read).server.bank.strategy, name);
        }
        const auto plain = std::get<ProgramOptions>(readOptions({})).server.bank;
        QCOMPARE(plain.strategy, QStringLiteral("atomic"));
        QVERIFY(plain.redis.isEmpty() && !plain.recheckDeclines && !plain.cache5xx);
        QCOMPARE(plain.redisLock.count(), 600'000);
        QVERIFY(plain.expiredKeys == ExpiredKeys::Refuse);
        const auto read = readOptions(QStringLiteral("--redis redis://h:1/2 --redis-lock 5s --mismatch-status 409 "
                                                     "--recheck-declines --expired-keys rerun --cache-5xx --port 0")
                                          .split(QLatin1Char(' ')));
        QVERIFY(std::holds_alternative<ProgramOptions>(read));
        const auto bank = std::get<ProgramOptions>(read).server.bank;
        QCOMPARE(bank.redis, QStringLiteral("redis://h:1/2"));
        QCOMPARE(bank.redisLock.count(), 5000);
        QCOMPARE(bank.mismatchStatus, 409);
        QVERIFY(bank.recheckDeclines && bank.cache5xx);
        QVERIFY(bank.expiredKeys == ExpiredKeys::Rerun);
    }

    void whatStrikesFromTheStartIsRead()
    {
        const auto read = readOptions(QStringLiteral("--fault after_commit:hold:next=1 --strategy naive "
                                                     "--fault=half_way:fin:attempt=1 --profile Flaky-Wi-Fi "
                                                     "--magic-amounts --port 0")
                                          .split(QLatin1Char(' ')));
        QVERIFY(std::holds_alternative<ProgramOptions>(read));
        const auto server = std::get<ProgramOptions>(read).server;
        QCOMPARE(server.faults.size(), 2);
        QCOMPARE(printFault(server.faults[1]), "half_way:fin:attempt=1");
        QCOMPARE(server.profile, QStringLiteral("flaky_wifi"));
        QVERIFY(server.magicAmounts);
        QVERIFY(!std::get<ProgramOptions>(readOptions({})).server.magicAmounts);
    }

    void aWrongOptionIsNamed_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named");

        const auto row = [](const QStringList &arguments, const char *named) {
            QTest::newRow(qPrintable(arguments.join(QLatin1Char(' ')))) << arguments << QString::fromLatin1(named);
        };
        const auto s = [](const char *text) { return QString::fromLatin1(text); };
        row({s("--prot"), s("1")}, "--prot");
        row({s("stray")}, "stray");
        row({s("--port")}, "--port");
        row({s("--port"), s("65536")}, "--port");
        row({s("--port"), s("-1")}, "--port");
        row({s("--port=")}, "--port");
        row({s("--port"), s("1"), s("--port"), s("2")}, "--port");
        row({s("--strategy"), s("Naive")}, "--strategy");
        row({s("--account"), s("a=1"), s("--account"), s("a=2")}, "--account");
        row({s("--redis"), s("localhost:6379")}, "--redis");
        row({s("--redis-lock"), s("0s")}, "--redis-lock");
        row({s("--mismatch-status"), s("500")}, "--mismatch-status");
        row({s("--expired-keys"), s("forget")}, "--expired-keys");
        row({s("--cache-5xx=yes")}, "--cache-5xx");
        row({s("--fault"), s("unread:hold:nxt=1")}, "--fault");
        row({s("--fault"), s("unread")}, "--fault");
        row({s("--fault"), s("half_way:fin")}, "--fault half_way:fin: atomic has no");
        row({s("--profile"), s("LAN")}, "--profile");
        row({s("--profile"), s("good"), s("--profile"), s("good")}, "--profile");
        row({s("--magic-amounts=on")}, "--magic-amounts");
        row({s("--recheck-declines"), s("yes")}, "yes");
        row({s("--key-ttl"), s("24")}, "--key-ttl");
        row({s("--key-ttl"), s("1ms")}, "--key-ttl");
        row({s("--lease"), s("0s")}, "--lease");
        row({s("--account"), s("card_ok")}, "--account");
        row({s("--account"), s("card_ok=-1")}, "--account");
        row({s("--account"), s("card_ok=1.5")}, "--account");
        row({s("--account"), s("=1")}, "--account");
        row({s("--account"), s("a=9007199254740992")}, "--account");
        row({s("--webhook"), s("ftp://x/")}, "--webhook");
        row({s("--webhook"), s("127.0.0.1:9000")}, "--webhook");
        row({s("--webhook"), s("http://x/"), s("--webhook-timeout"), s("0s")}, "--webhook-timeout");
        row({s("--webhook"), s("http://x/"), s("--webhook-max-wait"), s("25h")}, "--webhook-max-wait");
        row({s("--webhook-timeout"), s("2s")}, "--webhook-timeout");
        row({s("--max-connections"), s("0")}, "--max-connections");
        row({s("--allow-host"), s("http://x")}, "--allow-host");
        row({s("--store"), s("")}, "--store");
    }
    void aWrongOptionIsNamed()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, named);
        const auto read = readOptions(arguments);
        const auto *error = std::get_if<UsageError>(&read);
        QVERIFY(error);
        QVERIFY2(error->detail.startsWith(named), qPrintable(error->detail));
        QVERIFY(!error->detail.contains(QLatin1Char('\n')));
    }

    void withoutAccountsThereAreThree()
    {
        const auto read = readOptions({});
        const auto accounts = std::get<ProgramOptions>(read).server.bank.accounts;
        QCOMPARE(accounts.size(), 3);
        QCOMPARE(accounts[0].source, QStringLiteral("card_ok"));
        QCOMPARE(accounts[0].balanceMinor, 100'000);
        QCOMPARE(accounts[1].balanceMinor, 300);
        QVERIFY(accounts[2].declining);
    }
};

IKKAI_TEST_MAIN(ServerOptionsTest)
#include "tst_server_options.moc"
