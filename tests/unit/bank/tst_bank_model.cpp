#include "tests/support/property.h"
#include "tests/support/test.h"
#include "tests/unit/bank/hand_ledger.h"
#include "tests/unit/store/store_bench.h"

#include <array>
#include <map>
#include <set>

using namespace ikkai::test;
using namespace mockbank;
using namespace std::chrono_literals;

namespace {

enum class Trouble { None, CommitLost, CommitDurable, Hindered };

/// Makes the next commit go wrong.
void arm(const SharedVault &vault, Trouble trouble)
{
    StoreTroubles *troubles = vault.troubles.get();
    troubles->beforeCommit = nullptr;
    troubles->afterCommit = nullptr;
    if (trouble == Trouble::CommitLost || trouble == Trouble::Hindered) {
        troubles->beforeCommit = [troubles, trouble] {
            troubles->beforeCommit = nullptr;
            if (trouble == Trouble::Hindered)
                throw StoreBusy(QStringLiteral("could not serialize access"));
            throw StoreError(QStringLiteral("disk full"));
        };
    } else if (trouble == Trouble::CommitDurable) {
        troubles->afterCommit = [troubles] {
            troubles->afterCommit = nullptr;
            throw StoreError(QStringLiteral("no answer from the disk"));
        };
    }
}

QByteArray keyName(int key)
{
    return "key-" + QByteArray::number(key);
}

/// What a stranger would expect of the bank, told in the simplest way: one thing at a time, no processing time.
class SimpleBank {
public:
    static constexpr qint64 ttlMs = 24 * 3'600'000;

    explicit SimpleBank(const SharedVault &vault)
        : m_vault(vault)
    {
    }

    void charge(HandLedger &bank, int key, qint64 amount, Trouble trouble)
    {
        const Answer answer = bank.charge(keyName(key), amount).value();
        Known &known = m_known[key];
        const bool isFirst = known.what == Known::Unseen;
        RC_ASSERT(answer.moneyMoved == (isFirst && amount <= balance && trouble != Trouble::CommitLost));
        if (isFirst && trouble == Trouble::CommitLost) {
            RC_ASSERT(answer.status == 503);
        } else if (isFirst) {
            const bool approved = amount <= balance;
            RC_ASSERT(answer.status == (approved ? 201 : 402));
            RC_ASSERT(!answer.replayed);
            balance -= approved ? amount : 0;
            known = {approved ? Known::Charged : Known::Declined, amount, answer.body, now(), {}, approved};
        } else if (amount != known.amount) {
            RC_ASSERT(answer.status == 422);
        } else if (known.what == Known::Voided) {
            RC_ASSERT(answer.status == 410);
            RC_ASSERT(problem(answer) == QStringLiteral("idempotency-key-voided"));
            RC_ASSERT(result(answer) == known.result());
        } else if (now() - known.atMs >= ttlMs) {
            RC_ASSERT(answer.status == 410);
            RC_ASSERT(json(answer).value(QStringLiteral("ledger")).toString() ==
                      (known.charged ? QStringLiteral("charged") : QStringLiteral("declined")));
        } else {
            RC_ASSERT(answer.status == (known.charged ? 201 : 402));
            RC_ASSERT(answer.replayed);
            RC_ASSERT(answer.body == known.body);
        }
    }

    void voidCharge(HandLedger &bank, int voidKey, int key, qint64 amount, Trouble trouble)
    {
        const Answer answer = bank.voidCharge("void-" + QByteArray::number(voidKey), keyName(key), amount);
        Known &known = m_known[key];
        const auto sent = m_sent.find(voidKey);
        const bool owned = sent != m_sent.end();
        const bool differs = known.what != Known::Unseen && amount != known.amount;
        if (owned && (sent->second.key != key || sent->second.amount != amount)) {
            RC_ASSERT(answer.status == 422);
            return;
        }
        if (differs) {
            RC_ASSERT(answer.status == 422);
            return;
        }
        if (trouble == Trouble::CommitLost && known.what != Known::Voided) {
            RC_ASSERT(answer.status == 503);
            RC_ASSERT(!answer.moneyMoved);
            return;
        }
        RC_ASSERT(answer.status == 200);
        if (known.what == Known::Voided) {
            RC_ASSERT(answer.body == known.voidBody);
            RC_ASSERT(answer.replayed);
            RC_ASSERT(!answer.moneyMoved);
        } else {
            RC_ASSERT(!answer.replayed);
            RC_ASSERT(answer.moneyMoved == known.charged);
            const QString expected = known.what == Known::Unseen ? QStringLiteral("prevented")
                                     : known.charged             ? QStringLiteral("reversed")
                                                                 : QStringLiteral("not_charged");
            RC_ASSERT(result(answer) == expected);
            balance += known.charged ? amount : 0;
            known.what = Known::Voided;
            known.amount = amount;
            known.voidBody = answer.body;
        }
        if (!owned && trouble != Trouble::CommitLost)
            m_sent[voidKey] = {key, amount, now() + ttlMs};
    }

    void inquire(HandLedger &bank, int key)
    {
        const Answer answer = bank.inquire(keyName(key));
        const Known &known = m_known[key];
        RC_ASSERT(answer.status == (known.what == Known::Unseen ? 404 : 200));
        if (known.what == Known::Charged || known.what == Known::Declined)
            RC_ASSERT(answer.body == known.body);
        if (known.what == Known::Voided) {
            const QJsonObject voided = json(answer).value(QStringLiteral("voided")).toObject();
            RC_ASSERT(voided.value(QStringLiteral("result")).toString() == known.result());
        }
    }

    /// The sweep has run.
    void forgetSwept()
    {
        std::erase_if(m_sent, [&](const auto &sent) { return sent.second.expiresMs <= now(); });
    }

    void checkBooks(HandLedger &bank) const
    {
        RC_ASSERT(bank.balance() == balance);
        std::map<QByteArray, int> charges;
        std::map<QByteArray, int> reversals;
        bank.withStore([&](Store &store) {
            for (const Movement &movement : store.movements(0, 1000))
                ++(movement.kind == MovementKind::Charge ? charges : reversals)[movement.name.key];
            RC_ASSERT(store.outbox(0, 1000, OutboxRows::All).size() == store.movements(0, 1000).size());
        });
        for (const auto &[key, known] : m_known) {
            RC_ASSERT(charges[keyName(key)] == (known.charged ? 1 : 0));
            RC_ASSERT(reversals[keyName(key)] == (known.charged && known.what == Known::Voided ? 1 : 0));
        }
    }

    /// The vault's clock, and what a hand has set it ahead.
    qint64 now() const { return m_vault.clock->nowMs() + aheadMs; }

    qint64 balance = 100'000;
    qint64 aheadMs = 0;

private:
    struct Known {
        enum What { Unseen, Charged, Declined, Voided } what = Unseen;
        qint64 amount = 0;
        QByteArray body;
        qint64 atMs = 0;
        QByteArray voidBody;
        bool charged = false;

        QString result() const
        {
            return QJsonDocument::fromJson(voidBody).object().value(QStringLiteral("result")).toString();
        }
    };
    struct Sent {
        int key = 0;
        qint64 amount = 0;
        qint64 expiresMs = 0;
    };
    const SharedVault &m_vault;
    std::map<int, Known> m_known;
    std::map<int, Sent> m_sent;
};

/// Two banks on one store, with processing time, stalls and faults: what may never be seen, in the order in which the
/// answers left.
class Witness {
public:
    std::function<void(Answer)> charge(int key)
    {
        return [this, key](const Answer &answer) {
            Seen &seen = m_seen[key];
            if (answer.status == 201) {
                RC_ASSERT(seen.voidBody.isEmpty()); // never approved again
                RC_ASSERT(seen.body.isEmpty() || seen.body == answer.body);
                seen.body = answer.body;
            }
            moves += answer.moneyMoved ? 1 : 0;
            if (problem(answer) == QLatin1String("idempotency-key-voided"))
                RC_ASSERT(result(answer) == QLatin1String("reversed") || seen.body.isEmpty());
        };
    }
    std::function<void(Answer)> voiding(int key)
    {
        return [this, key](const Answer &answer) {
            Seen &seen = m_seen[key];
            if (answer.status != 200)
                return;
            RC_ASSERT(seen.voidBody.isEmpty() || seen.voidBody == answer.body);
            seen.voidBody = answer.body;
            moves += answer.moneyMoved ? 1 : 0;
        };
    }
    void checkBooks(HandLedger &bank, int keys, qint64 amountOf(int))
    {
        QList<Movement> movements;
        bank.withStore([&](Store &store) { movements = store.movements(0, 1000); });
        RC_ASSERT(moves <= movements.size());
        qint64 balance = 100'000;
        for (int key = 0; key < keys; ++key) {
            int charges = 0;
            int reversals = 0;
            for (const Movement &movement : movements) {
                if (movement.name.key == keyName(key))
                    ++(movement.kind == MovementKind::Charge ? charges : reversals);
            }
            RC_ASSERT(charges <= 1);
            RC_ASSERT(reversals <= charges);
            balance -= (charges - reversals) * amountOf(key);
            const Seen &seen = m_seen[key];
            RC_ASSERT(seen.body.isEmpty() || charges == 1);
            const QString said =
                QJsonDocument::fromJson(seen.voidBody).object().value(QStringLiteral("result")).toString();
            RC_ASSERT(said.isEmpty() || reversals == (said == QLatin1String("reversed") ? 1 : 0));
            RC_ASSERT(said.isEmpty() || charges == reversals);
        }
        RC_ASSERT(bank.balance() == balance);
    }
    bool isVoided(int key) { return !m_seen[key].voidBody.isEmpty(); }

private:
    struct Seen {
        QByteArray body;
        QByteArray voidBody;
    };
    std::map<int, Seen> m_seen;
    qsizetype moves = 0;
};

} // namespace

/// Random sequences of everything that happens to a bank, against a model that a cashier would understand.
class TestBankModel : public Test {
    Q_OBJECT

    /// The kinds that are worth hundreds of sequences; PostgreSQL does not wait for the disk here, as nothing crashes
    /// it.
    static void kinds()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("SQLite memory") << QStringLiteral("memory");
        QTest::newRow("PostgreSQL") << QStringLiteral("postgres");
    }

    /// The bench's store as new, on virtual time.
    static SharedVault fresh(const StoreBench &bench)
    {
        SharedVault vault([&bench] { return bench.open(); });
        if (bench.shared())
            vault.troubles->ownClock = [clock = vault.clock] { return clock->nowMs(); };
        HandLedger(vault, 0ms).reset(true);
        return vault;
    }

    static void hurry(const StoreBench &bench)
    {
        if (bench.shared()) {
            (void)PostgresServer::instance()->run(bench.text(), {QStringLiteral("ALTER SYSTEM SET fsync = off"),
                                                                 QStringLiteral("SELECT pg_reload_conf()")});
        }
    }

    /// As long as a case gets; shorter ones where each word goes to another process.
    template <typename Deed>
    static rc::Gen<std::vector<Deed>> sequence(const StoreBench &bench, const rc::Gen<Deed> &deed)
    {
        return rc::gen::scale(bench.shared() ? 0.2 : 1.0, rc::gen::container<std::vector<Deed>>(deed));
    }

private Q_SLOTS:
    void the_bank_does_what_the_simplest_bank_would_do_data() { kinds(); }
    void the_bank_does_what_the_simplest_bank_would_do()
    {
        STORE_OF_KIND(bench);
        hurry(bench);
        struct Deed {
            int what;
            int key;
            int voidKey;
            bool otherAmount;
            int trouble;
        };
        QVERIFY(holds("the bank does what the simplest bank would do", [&] {
            const auto deeds = *sequence<Deed>(
                bench, rc::gen::construct<Deed>(rc::gen::inRange(0, 12), rc::gen::inRange(0, 3), rc::gen::inRange(0, 3),
                                                rc::gen::weightedElement<bool>({{4, false}, {1, true}}),
                                                rc::gen::weightedElement<int>({{6, 0}, {1, 1}, {1, 2}, {1, 3}})));
            const SharedVault vault = fresh(bench);
            SimpleBank model(vault);
            auto bank = std::make_unique<HandLedger>(vault, 0ms);
            for (const Deed &deed : deeds) {
                const qint64 amount = (deed.key == 2 ? 60'000 : 45'000 + deed.key) + (deed.otherAmount ? 7 : 0);
                const auto trouble = Trouble(deed.trouble);
                switch (deed.what) {
                case 0:
                case 1:
                case 2:
                case 3:
                    arm(vault, trouble);
                    model.charge(*bank, deed.key, amount, trouble);
                    break;
                case 4:
                case 5:
                case 6:
                    arm(vault, trouble);
                    model.voidCharge(*bank, deed.voidKey, deed.key, amount, trouble);
                    break;
                case 7:
                    arm(vault, trouble);
                    model.inquire(*bank, deed.key);
                    break;
                case 8:
                    vault.clock->advance(deed.voidKey == 0 ? 25h : std::chrono::milliseconds(7000));
                    bank->run();
                    model.forgetSwept();
                    break;
                case 9:
                    model.aheadMs += 13 * 3'600'000;
                    RC_ASSERT(bank->setClock({ClockChange::What::Advance, 13 * 3'600'000}).has_value());
                    model.forgetSwept();
                    break;
                case 10:
                    bank.reset();
                    bank = std::make_unique<HandLedger>(vault, 0ms);
                    break;
                default:
                    bank->run();
                    break;
                }
                arm(vault, Trouble::None);
            }
            model.checkBooks(*bank);
        }));
    }

    void whatever_two_banks_go_through_a_key_has_one_effect_data() { kinds(); }
    void whatever_two_banks_go_through_a_key_has_one_effect()
    {
        STORE_OF_KIND(bench);
        hurry(bench);
        struct Deed {
            int bank;
            int what;
            int key;
            int wait;
            int trouble;
        };
        constexpr int keys = 3;
        const auto amountOf = [](int key) -> qint64 { return 1000 + key; };
        QVERIFY(holds("whatever two banks go through a key has one effect", [&] {
            const auto deeds = *sequence<Deed>(
                bench,
                rc::gen::construct<Deed>(rc::gen::inRange(0, 2), rc::gen::inRange(0, 17), rc::gen::inRange(0, keys),
                                         rc::gen::element(0, 0, 700, 1500, 4000, 11'000),
                                         rc::gen::weightedElement<int>({{8, 0}, {1, 1}, {1, 2}, {1, 3}})));
            const std::chrono::milliseconds processing(*rc::gen::element(0, 1500));
            const SharedVault vault = fresh(bench);
            const std::array<QByteArray, 2> names{"bank-1", "bank-2"};
            std::array<std::unique_ptr<HandLedger>, 2> banks;
            for (size_t i = 0; i < 2; ++i)
                banks[i] = std::make_unique<HandLedger>(vault, processing, names[i]);
            Witness witness;
            int voids = 0;
            const auto post = [&](HandLedger &bank, int key, LedgerFault fault = LedgerFault::None) {
                (void)bank.post(keyName(key), amountOf(key), fault, 2000);
                std::get<ChargeTask>(bank.waiting.back()).done = witness.charge(key);
            };
            const auto postVoid = [&](HandLedger &bank, int key, LedgerFault fault = LedgerFault::None) {
                const QByteArray voidKey = "void-" + QByteArray::number(++voids % 4) + keyName(key);
                VoidArrival sent = voidArrival(voidKey, voidBody(keyName(key), amountOf(key)));
                sent.fault = fault;
                (void)bank.postVoid(sent);
                std::get<VoidTask>(bank.waiting.back()).done = witness.voiding(key);
            };
            for (const Deed &deed : deeds) {
                std::unique_ptr<HandLedger> &bank = banks[size_t(deed.bank)];
                arm(vault, Trouble(deed.trouble));
                switch (deed.what) {
                case 0:
                case 1:
                case 2:
                    post(*bank, deed.key);
                    break;
                case 3:
                    post(*bank, deed.key, LedgerFault::FailBeforeCommit);
                    break;
                case 4:
                    post(*bank, deed.key, LedgerFault::CrashBeforeCommit);
                    break;
                case 5:
                    post(*bank, deed.key, LedgerFault::Busy);
                    break;
                case 6:
                    post(*bank, deed.key, LedgerFault::ExpireKey);
                    break;
                case 7:
                case 8:
                    postVoid(*bank, deed.key);
                    break;
                case 9:
                    postVoid(*bank, deed.key, LedgerFault::FailBeforeCommit);
                    break;
                case 10:
                    (void)bank->inquire(keyName(deed.key));
                    break;
                case 11: // the process dies and comes back
                    arm(vault, Trouble::None);
                    bank.reset();
                    bank = std::make_unique<HandLedger>(vault, processing, names[size_t(deed.bank)]);
                    break;
                case 12:
                    (void)bank->setClock({ClockChange::What::Advance, deed.wait * 10'000LL});
                    break;
                case 13:
                    (void)bank->setClock({deed.wait ? ClockChange::What::Freeze : ClockChange::What::Resume, 0});
                    break;
                default:
                    bank->run();
                    break;
                }
                vault.clock->advance(std::chrono::milliseconds(deed.wait));
            }
            arm(vault, Trouble::None);
            (void)banks[0]->setClock({ClockChange::What::Reset, 0});
            witness.checkBooks(*banks[0], keys, amountOf);

            // Everything heals: each key can be brought to an end, and then it is voided for ever.
            for (int tries = 0; tries < 6; ++tries) {
                for (const int waitS : {11, 2}) {
                    vault.clock->advance(std::chrono::seconds(waitS));
                    for (auto &bank : banks)
                        bank->run();
                }
                for (int key = 0; key < keys; ++key)
                    postVoid(*banks[0], key);
                banks[0]->run();
            }
            for (int key = 0; key < keys; ++key) {
                RC_ASSERT(witness.isVoided(key));
                RC_ASSERT(banks[1]->charge(keyName(key), amountOf(key))->status == 410);
            }
            witness.checkBooks(*banks[1], keys, amountOf);
            RC_ASSERT(banks[1]->balance() == 100'000);
        }));
    }
};

IKKAI_TEST_MAIN(TestBankModel)
#include "tst_bank_model.moc"
