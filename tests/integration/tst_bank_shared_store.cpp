#include "tests/support/postgres_server.h"
#include "tests/support/raw_http.h"
#include "tests/support/test.h"
#include "tests/unit/bank/bank_desk.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>

#include <csignal>
#include <random>
#include <set>
#include <thread>

using namespace ikkai::test;
using namespace mockbank;
using namespace std::chrono_literals;

/// Several banks, each with its own clock and its own ledger thread, that share their money in one PostgreSQL.
class BankSharedStoreTest : public ikkai::test::Test {
    Q_OBJECT

    static constexpr int patienceMs = 30'000;
    static constexpr qint64 fortune = 100'000'000;

    static BankOptions optionsOf(const QString &store, int number, std::chrono::milliseconds processing = 0ms)
    {
        BankOptions options;
        options.store = store;
        options.instance = QStringLiteral("bank-%1").arg(number);
        options.processing = processing;
        for (const char *source : {"card_a", "card_b", "card_c", "card_ok"})
            options.accounts.append({QString::fromLatin1(source), fortune, false});
        return options;
    }
    static ChargeArrival chargeFrom(const QByteArray &key, qint64 amount, const QString &source)
    {
        return arrival(key, chargeBody(amount, QStringLiteral("A-") + QString::fromLatin1(key), source));
    }
    /// As clients do it: the same key again while it is in progress.
    static Answer chargeUntilSettled(Desk &desk, const ChargeArrival &sent)
    {
        QElapsedTimer patience;
        patience.start();
        while (true) {
            Answer answer = desk.charge(sent);
            if (answer.status != 409 || patience.elapsed() > patienceMs)
                return answer;
        }
    }
    static QJsonArray allMovements(Desk &desk)
    {
        QJsonArray all;
        qint64 after = 0;
        while (true) {
            const QJsonObject page = desk.movementsPage(after, 100);
            for (const QJsonValue &movement : page.value(QStringLiteral("movements")).toArray())
                all.append(movement);
            const QJsonValue next = page.value(QStringLiteral("next"));
            if (next.isNull())
                return all;
            after = next.toInteger();
        }
    }
    static int movementsUnder(const QJsonArray &movements, const QByteArray &key)
    {
        return int(std::count_if(movements.begin(), movements.end(), [&](const QJsonValue &movement) {
            return movement[QStringLiteral("idempotency_key")].toString().toLatin1() == key;
        }));
    }
    static void advance(Desk &desk, std::chrono::milliseconds by)
    {
        QVERIFY(desk.setClock({ClockChange::What::Advance, by.count()}));
    }

    /// mock-payment-server as a process.
    struct Program {
        QProcess process;
        quint16 port = 0;
        QString token;

        bool start(const QString &store, const QString &instance, const QStringList &more = {})
        {
            const QString file = folder.filePath(QStringLiteral("token"));
            process.start(QStringLiteral(MOCK_PAYMENT_SERVER),
                          QStringList{QStringLiteral("--store"), store, QStringLiteral("--instance"), instance,
                                      QStringLiteral("--token-file"), file, QStringLiteral("--account"),
                                      QStringLiteral("card_ok=100000")} +
                              more);
            while (!process.canReadLine()) {
                if (!process.waitForReadyRead(patienceMs))
                    return false;
            }
            const QJsonObject line = QJsonDocument::fromJson(process.readLine()).object();
            port = quint16(QUrl(line.value(QStringLiteral("url")).toString()).port(0));
            QFile tokenFile(file);
            if (tokenFile.open(QIODevice::ReadOnly))
                token = QString::fromLatin1(tokenFile.readAll()).trimmed();
            return port > 0;
        }
        QByteArray bytes(const QByteArray &method, const QByteArray &path, const QByteArray &headers,
                         const QByteArray &body) const
        {
            return method + ' ' + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
                   headers + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
        }
        QByteArray chargeBytes(const QByteArray &key) const
        {
            return bytes("POST", "/v1/charges", "Idempotency-Key: " + key + "\r\n",
                         R"({"order_id":"A-1","amount":1200,"currency":"JPY","source":"card_ok"})");
        }
        RawAnswer exchange(const QByteArray &request) const
        {
            RawConnection connection(port);
            connection.send(request);
            return connection.read(patienceMs);
        }
        RawAnswer control(const QByteArray &method, const QByteArray &path, const QByteArray &json = {}) const
        {
            return exchange(bytes(method, path, "Authorization: Bearer " + token.toLatin1() + "\r\n", json));
        }
        void kill9()
        {
            ::kill(pid_t(process.processId()), SIGKILL);
            process.waitForFinished(patienceMs);
        }
        ~Program()
        {
            if (process.state() != QProcess::NotRunning)
                kill9();
        }
        QTemporaryDir folder;
    };

private Q_SLOTS:
    void initTestCase()
    {
        if (!PostgresServer::instance())
            QSKIP(qPrintable(PostgresServer::absence()));
    }

    void banks_at_one_store_are_one_ledger_and_bear_different_names()
    {
        const QString store = PostgresServer::instance()->newDatabase();
        Desk one(optionsOf(store, 1));
        Desk two(optionsOf(store, 2));
        QCOMPARE(one.bank->ledgerId(), two.bank->ledgerId());
        QString error;
        QVERIFY(!Bank::open(optionsOf(store, 1), &error));
        QVERIFY2(error.contains(QStringLiteral("\"bank-1\"")), qPrintable(error));
        QCOMPARE(one.charge("key-1", 1200).status, 201);
        QCOMPARE(two.balance(), fortune - 1200);
        QCOMPARE(json(two.inquire("key-1")).value(QStringLiteral("status")).toString(), QStringLiteral("approved"));
        QCOMPARE(result(two.voidCharge(voidArrival("void-1", voidBody("key-1", 1200)))), QStringLiteral("reversed"));
        const Answer late = one.charge("key-1", 1200);
        QCOMPARE(late.status, 410);
        QCOMPARE(one.balance(), fortune);
        QCOMPARE(one.outbox().size(), 2);
    }

    void case_16_one_key_at_two_banks_at_the_same_moment_is_charged_once_data()
    {
        QTest::addColumn<int>("processingMs");
        QTest::newRow("at once") << 0;
        QTest::newRow("claim and charge apart") << 1;
    }
    void case_16_one_key_at_two_banks_at_the_same_moment_is_charged_once()
    {
        QFETCH(int, processingMs);
        const QString store = PostgresServer::instance()->newDatabase();
        Desk one(optionsOf(store, 1, std::chrono::milliseconds(processingMs)));
        Desk two(optionsOf(store, 2, std::chrono::milliseconds(processingMs)));
        constexpr int rounds = 100;
        int inProgress = 0;
        for (int round = 0; round < rounds; ++round) {
            const ChargeArrival sent = chargeFrom("key-" + QByteArray::number(round), 100, QStringLiteral("card_ok"));
            auto first = one.chargeLater(sent);
            auto second = two.chargeLater(sent);
            std::array answers{first.get(), second.get()};
            std::array banks{&one, &two};
            for (size_t n = 0; n < 2; ++n) {
                if (answers[n].status == 409) {
                    QCOMPARE(problem(answers[n]), QStringLiteral("idempotency-key-in-progress"));
                    ++inProgress;
                    answers[n] = chargeUntilSettled(*banks[n], sent);
                }
            }
            QCOMPARE(answers[0].status, 201);
            QCOMPARE(answers[1].status, 201);
            QCOMPARE(answers[0].body, answers[1].body);
            QVERIFY(answers[0].replayed != answers[1].replayed);
        }
        QCOMPARE(allMovements(one).size(), rounds);
        QCOMPARE(two.balance(), fortune - rounds * 100);
        if (processingMs > 0)
            QVERIFY(inProgress > 0);
    }

    void case_14_a_bank_that_died_in_mid_charge_is_taken_over_after_its_lease()
    {
        const QString store = PostgresServer::instance()->newDatabase();
        const auto stillClock = std::make_shared<HandClock>(); // so that the charging step never comes
        BankOptions options = optionsOf(store, 1, 2s);
        options.clock = stillClock;
        auto one = std::make_unique<Desk>(options);
        Desk two(optionsOf(store, 2));
        const ChargeArrival sent = arrival("key-1", chargeBody(1200));
        const auto lost = one->chargeLater(sent);
        QTRY_COMPARE(two.keys().size(), 1);
        one.reset();
        // Its lease lives on: nobody can know that it is dead.
        QCOMPARE(two.charge(sent).status, 409);
        QCOMPARE(two.inquire("key-1").status, 202);
        QCOMPARE(two.voidCharge(voidArrival("void-1", voidBody("key-1", 1200))).status, 409);
        advance(two, 10s);
        const Answer answer = two.charge(sent);
        QCOMPARE(answer.status, 201);
        QVERIFY(!answer.replayed);
        QCOMPARE(allMovements(two).size(), 1);
    }

    void after_the_lease_of_a_dead_bank_a_void_prevents_and_an_inquiry_moves_nothing()
    {
        const QString store = PostgresServer::instance()->newDatabase();
        BankOptions options = optionsOf(store, 1, 2s);
        options.clock = std::make_shared<HandClock>();
        auto one = std::make_unique<Desk>(options);
        Desk two(optionsOf(store, 2));
        const auto first = one->chargeLater(arrival("key-1", chargeBody(1200)));
        const auto second = one->chargeLater(arrival("key-2", chargeBody(1200)));
        QTRY_COMPARE(two.keys().size(), 2);
        one.reset();
        advance(two, 10s);
        QCOMPARE(result(two.voidCharge(voidArrival("void-1", voidBody("key-1", 1200)))), QStringLiteral("prevented"));
        QCOMPARE(two.inquire("key-2").status, 404);
        QCOMPARE(two.charge("key-1", 1200).status, 410);
        QVERIFY(allMovements(two).isEmpty());
        QCOMPARE(two.balance(), fortune);
    }

    void a_bank_that_comes_back_ends_its_own_leases_only()
    {
        const QString store = PostgresServer::instance()->newDatabase();
        BankOptions options = optionsOf(store, 1, 2s);
        options.clock = std::make_shared<HandClock>();
        BankOptions other = optionsOf(store, 2, 2s);
        other.clock = std::make_shared<HandClock>();
        auto one = std::make_unique<Desk>(options);
        Desk two(other);
        const auto mine = one->chargeLater(arrival("key-1", chargeBody(1200)));
        const auto theirs = two.chargeLater(arrival("key-2", chargeBody(1200)));
        QTRY_COMPARE(one->keys().size(), 2);
        one.reset();
        one = std::make_unique<Desk>(optionsOf(store, 1));
        QCOMPARE(one->charge("key-1", 1200).status, 201);
        QCOMPARE(one->charge("key-2", 1200).status, 409);
    }

    void case_15_a_bank_that_stalled_past_its_lease_does_not_charge_again()
    {
        const QString store = PostgresServer::instance()->newDatabase();
        const auto stalled = std::make_shared<HandClock>();
        BankOptions options = optionsOf(store, 1, 2s);
        options.clock = stalled;
        Desk one(options);
        Desk two(optionsOf(store, 2));
        const ChargeArrival sent = arrival("key-1", chargeBody(1200));
        auto late = one.chargeLater(sent);
        QTRY_COMPARE(two.keys().size(), 1);
        advance(two, 10s);
        const Answer taken = two.charge(sent);
        QCOMPARE(taken.status, 201);
        stalled->advance(2s); // it wakes up, and believes that the claim is its own
        const Answer answer = late.get();
        QCOMPARE(answer.status, 201);
        QCOMPARE(answer.body, taken.body);
        QVERIFY(answer.replayed);
        QCOMPARE(allMovements(two).size(), 1);
        QCOMPARE(two.balance(), fortune - 1200);
    }

    void leases_go_by_the_databases_clock_whatever_the_machines_clocks_say()
    {
        const QString store = PostgresServer::instance()->newDatabase();
        const auto behind = std::make_shared<HandClock>();
        const auto ahead = std::make_shared<HandClock>();
        behind->setForward(-48h);
        ahead->setForward(72h);
        BankOptions slow = optionsOf(store, 1, 2s);
        slow.clock = behind;
        BankOptions fast = optionsOf(store, 2);
        fast.clock = ahead;
        Desk one(slow);
        Desk two(fast);
        const ChargeArrival sent = arrival("key-1", chargeBody(1200));
        auto running = one.chargeLater(sent);
        QTRY_COMPARE(two.keys().size(), 1);
        QCOMPARE(two.charge(sent).status, 409); // by two's clock the lease ended days ago
        behind->advance(2s);
        QCOMPARE(running.get().status, 201);
        const Answer replay = two.charge(sent);
        QCOMPARE(replay.status, 201); // and its time to live too
        QVERIFY(replay.replayed);
        QVERIFY(qAbs(one.bank->nowMs() - two.bank->nowMs()) < 60'000);
    }

    void the_clock_set_at_one_bank_is_the_clock_of_all()
    {
        const QString store = PostgresServer::instance()->newDatabase();
        Desk one(optionsOf(store, 1));
        Desk two(optionsOf(store, 2));
        QCOMPARE(one.charge("key-1", 1200).status, 201);
        advance(one, 25h);
        const Answer expired = two.charge("key-1", 1200);
        QCOMPARE(expired.status, 410);
        QCOMPARE(json(expired).value(QStringLiteral("ledger")).toString(), QStringLiteral("charged"));
    }

    void a_ledger_that_one_bank_resets_is_another_one_at_all()
    {
        const QString store = PostgresServer::instance()->newDatabase();
        Desk one(optionsOf(store, 1));
        Desk two(optionsOf(store, 2));
        const QString before = two.bank->ledgerId();
        QCOMPARE(one.charge("key-1", 1200).status, 201);
        const std::optional<QString> reset = one.reset(true);
        QVERIFY(reset && *reset != before);
        ChargeArrival old = arrival("key-2", chargeBody(1200));
        old.expectLedger = before.toLatin1();
        QCOMPARE(two.charge(old).status, 421);
        QCOMPARE(two.bank->ledgerId(), *reset);
        const Answer anew = two.charge("key-1", 1200);
        QCOMPARE(anew.status, 201);
        QVERIFY(!anew.replayed);
        QCOMPARE(allMovements(one).size(), 1);
        QCOMPARE(one.balance(), fortune - 1200);
    }

    void a_server_that_restarts_under_two_banks_loses_no_yen()
    {
        PostgresServer &server = *PostgresServer::instance();
        const QString store = server.newDatabase();
        Desk one(optionsOf(store, 1));
        Desk two(optionsOf(store, 2));
        QCOMPARE(one.charge("key-1", 100).status, 201);
        server.crash();
        QCOMPARE(one.charge("key-2", 100).status, 503);
        server.start();
        QCOMPARE(chargeUntilSettled(one, arrival("key-2", chargeBody(100))).status, 201);
        // Two has not noticed yet; whatever it says first, the next try settles.
        const Answer first = two.charge("key-3", 100);
        QVERIFY2(first.status == 201 || first.status == 503, first.body.constData());
        QCOMPARE(two.charge("key-3", 100).status, 201);
        QCOMPARE(allMovements(two).size(), 3);
        QCOMPARE(one.balance(), fortune - 300);
    }

    void three_banks_under_load_conserve_the_money_and_answer_every_key_alike()
    {
        const QString store = PostgresServer::instance()->newDatabase();
        std::array<std::unique_ptr<Desk>, 3> banks;
        for (int n = 0; n < 3; ++n)
            banks[size_t(n)] = std::make_unique<Desk>(optionsOf(store, n + 1, n == 2 ? 1ms : 0ms));

        struct Told {
            std::mutex mutex;
            std::map<QByteArray, std::set<QByteArray>> bodies;
            std::map<QByteArray, int> firsts;
            QByteArrayList troubles;
        } told;
        constexpr int keys = 120;
        constexpr int workers = 9;
        constexpr int shotsPerWorker = 80;
        const auto work = [&](int worker) {
            std::mt19937 random(unsigned(20260714 + worker));
            Desk &desk = *banks[size_t(worker % 3)];
            const std::array sources{QStringLiteral("card_a"), QStringLiteral("card_b"), QStringLiteral("card_c")};
            for (int shot = 0; shot < shotsPerWorker;) {
                // Several at a time, so that batches of several accounts and keys meet.
                std::vector<std::pair<ChargeArrival, std::future<Answer>>> open;
                for (int n = 0; n < 8; ++n, ++shot) {
                    const int key = int(random() % keys);
                    const ChargeArrival sent =
                        chargeFrom("key-" + QByteArray::number(key), 10 + key, sources[size_t(key) % sources.size()]);
                    open.emplace_back(sent, desk.chargeLater(sent));
                }
                for (auto &[sent, future] : open) {
                    Answer answer = future.get();
                    if (answer.status == 409)
                        answer = chargeUntilSettled(desk, sent);
                    const std::scoped_lock lock(told.mutex);
                    if (answer.status != 201)
                        told.troubles.append(QByteArray::number(answer.status) + ' ' + answer.body);
                    told.bodies[sent.key].insert(answer.body);
                    told.firsts[sent.key] += answer.replayed ? 0 : 1;
                }
            }
        };
        std::vector<std::thread> threads;
        for (int worker = 0; worker < workers; ++worker)
            threads.emplace_back(work, worker);
        for (std::thread &thread : threads)
            thread.join();

        QVERIFY2(told.troubles.isEmpty(), told.troubles.join('\n').left(500).constData());
        const QJsonArray movements = allMovements(*banks[0]);
        QCOMPARE(size_t(movements.size()), told.bodies.size());
        qint64 spent = 0;
        for (const auto &[key, bodies] : told.bodies) {
            QVERIFY2(bodies.size() == 1 && told.firsts[key] == 1, key.constData());
            QCOMPARE(movementsUnder(movements, key), 1);
        }
        for (const QJsonValue &movement : movements)
            spent += movement[QStringLiteral("amount")].toInteger();
        qint64 left = 0;
        for (const char *source : {"card_a", "card_b", "card_c"})
            left += banks[1]->balance(QString::fromLatin1(source));
        QCOMPARE(left + spent, 3 * fortune);
        QCOMPARE(size_t(banks[2]->outbox().size()), told.bodies.size());
        for (const auto &desk : banks)
            QCOMPARE(desk->counters().value(QStringLiteral("commit_failures")).toInt(), 0);
        qInfo("batches repeated because banks met: %d, %d, %d",
              banks[0]->counters().value(QStringLiteral("busy_repeats")).toInt(),
              banks[1]->counters().value(QStringLiteral("busy_repeats")).toInt(),
              banks[2]->counters().value(QStringLiteral("busy_repeats")).toInt());
    }

    void a_process_killed_in_mid_charge_is_taken_over_by_another_process()
    {
        const QString store = PostgresServer::instance()->newDatabase();
        Program one;
        Program two;
        QVERIFY(one.start(store, QStringLiteral("bank-1"), {QStringLiteral("--processing"), QStringLiteral("60s")}));
        QVERIFY(two.start(store, QStringLiteral("bank-2")));
        RawConnection waiting(one.port);
        waiting.send(one.chargeBytes("key-1"));
        QTRY_COMPARE(two.control("GET", "/control/keys").json()[QStringLiteral("keys")].toArray().size(), 1);
        one.kill9();
        QCOMPARE(two.exchange(two.chargeBytes("key-1")).status, 409);
        QCOMPARE(two.control("POST", "/control/clock", R"({"advance_ms":10000})").status, 200);
        QCOMPARE(two.exchange(two.chargeBytes("key-1")).status, 201);
        // The killed one comes back under its name at once, and knows.
        Program again;
        QString withPassword = store;
        withPassword.replace(QStringLiteral("postgres@"), QStringLiteral("postgres:hunter2@"));
        QVERIFY(again.start(withPassword, QStringLiteral("bank-1")));
        const RawAnswer replay = again.exchange(again.chargeBytes("key-1"));
        QCOMPARE(replay.status, 201);
        QCOMPARE(replay.header("Idempotent-Replayed"), "true");
        const QJsonArray movements =
            again.control("GET", "/control/ledger?limit=10").json()[QStringLiteral("movements")].toArray();
        QCOMPARE(movements.size(), 1);
        const RawAnswer state = again.control("GET", "/control/state");
        QCOMPARE(state.json()[QStringLiteral("store")].toString(), store);
        QVERIFY(!state.body.contains("hunter2"));
    }

    void processes_killed_at_random_moments_lose_nothing_and_charge_nothing_twice()
    {
        const QString store = PostgresServer::instance()->newDatabase();
        std::mt19937 random(7);
        std::set<QByteArray> approved;
        constexpr int rounds = 6;
        int key = 0;
        for (int round = 0; round < rounds; ++round) {
            Program one;
            Program two;
            QVERIFY(one.start(store, QStringLiteral("bank-1")));
            QVERIFY(two.start(store, QStringLiteral("bank-2")));
            std::vector<std::unique_ptr<RawConnection>> open;
            QByteArrayList sent;
            const int before = int(random() % 12);
            for (int n = 0; n < 12; ++n) {
                const QByteArray name = "key-" + QByteArray::number(++key);
                sent.append(name);
                open.push_back(std::make_unique<RawConnection>(one.port));
                open.back()->send(one.chargeBytes(name));
                if (n == before)
                    one.kill9();
            }
            // Whoever was not answered asks the other bank, which is the same bank.
            for (size_t n = 0; n < open.size(); ++n) {
                const QByteArray &name = sent.at(qsizetype(n));
                RawAnswer answer = open[n]->read(patienceMs);
                while (answer.status != 201) {
                    answer = two.exchange(two.chargeBytes(name));
                    if (answer.status == 409)
                        QCOMPARE(two.control("POST", "/control/clock", R"({"advance_ms":10000})").status, 200);
                    else
                        QCOMPARE(answer.status, 201);
                }
                approved.insert(name);
            }
        }
        Desk desk(optionsOf(store, 3));
        const QJsonArray movements = allMovements(desk);
        QCOMPARE(size_t(movements.size()), approved.size());
        for (const QByteArray &name : approved)
            QCOMPARE(movementsUnder(movements, name), 1);
        QCOMPARE(desk.balance(), 100'000 - 1200 * qint64(approved.size()));
        QCOMPARE(size_t(desk.outbox().size()), approved.size());
    }
};

IKKAI_TEST_MAIN(BankSharedStoreTest)
#include "tst_bank_shared_store.moc"
