#include "tests/crash/rounds.h"

#include "core/journal/sqlite_journal.h"
#include "tests/crash/words.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QThread>

#include <cstdio>

namespace ikkai::crash {

namespace {

QStringList openKeys(const QString &journal)
{
    QStringList keys;
    const auto opened = SqliteJournal::open(journal, SqliteJournal::Access::ReadOnly);
    if (!opened)
        return keys; // not there yet
    if (const auto open = (*opened)->openKeys()) {
        for (const IdempotencyKey &key : *open)
            keys.append(key.text());
    }
    return keys;
}

QString counted(const QMap<QString, int> &counts)
{
    QStringList words;
    for (auto it = counts.begin(); it != counts.end(); ++it)
        words.append(s("%1 %2").arg(it.key()).arg(it.value()));
    return words.join(s(", "));
}

} // namespace

Rounds::Rounds(Plan plan)
    : m_plan(std::move(plan))
    , m_chaos(m_plan.seed)
    , m_bank(m_plan.folder, m_plan.strategy)
{
}

bool Rounds::run()
{
    QElapsedTimer clock;
    clock.start();
    if (!m_bank.start() || !playRounds())
        return false;
    const bool isHealed = heal();
    const bool isSettled = settleAll();
    return judge(clock.elapsed()) && isHealed && isSettled; // what was found is told in any case
}

bool Rounds::playRounds()
{
    while (m_terminalKills < m_plan.rounds || m_bankKills < m_plan.rounds) {
        const int terminalsLeft = m_plan.rounds - m_terminalKills;
        const int banksLeft = m_plan.rounds - m_bankKills;
        playRound(m_chaos.below(terminalsLeft + banksLeft) < terminalsLeft ? Victim::Terminal : Victim::Bank);
        if (!m_bankIsUp || m_missed > 20 * m_plan.rounds)
            return false;
    }
    return true;
}

void Rounds::playRound(Victim victim)
{
    m_bank.control("DELETE", "faults");
    armFaults();
    stirHeld();
    const Moment moment = momentOf(m_chaos);
    TillProcess till(m_plan.folder, tillArguments(chooseCommand()));
    if (victim == Victim::Terminal)
        killTerminal(till, moment);
    else
        killBank(till, moment);
}

void Rounds::armFaults()
{
    const int faults = m_chaos.percent(65) ? (m_chaos.percent(30) ? 2 : 1) : 0;
    for (int i = 0; i < faults; ++i)
        m_faults += m_bank.arm(m_chaos.fault()) ? 1 : 0;
}

void Rounds::stirHeld()
{
    if (!m_chaos.percent(25))
        return;
    static const std::vector<const char *> actions{"release", "drop", "cut"};
    for (const QString &id : m_bank.held())
        m_bank.decideHeld(id, m_chaos.oneOf(actions));
}

QStringList Rounds::chooseCommand()
{
    const QStringList open = openKeys(journal());
    if (open.isEmpty() || m_chaos.percent(60))
        return newCharge();
    const QString key = open.at(m_chaos.below(int(open.size())));
    const int what = m_chaos.below(100);
    if (what < 45)
        return {s("resolve"), s("--key"), key, s("--void"), s("--wait"), s("700ms")};
    if (what < 70)
        return {s("resolve"), s("--key"), key, s("--try-again")};
    if (what < 80)
        return {s("resolve"), s("--key"), key, s("--check"), s("--wait"), s("500ms")};
    return {s("recover"), s("--wait"), s("700ms")};
}

QStringList Rounds::newCharge()
{
    // Now and then somebody rings up an order again: it is open, or it is a second sale.
    const bool isOldOrder = !m_orders.isEmpty() && m_chaos.percent(6);
    if (!isOldOrder)
        m_orders.append(s("A-%1").arg(m_orders.size() + 1));
    const QString order =
        isOldOrder ? m_chaos.oneOf(std::vector<QString>(m_orders.begin(), m_orders.end())) : m_orders.constLast();
    const int source = m_chaos.below(100);
    QStringList command{s("charge"),
                        s("--order"),
                        order,
                        s("--amount"),
                        QString::number(301 + m_chaos.below(99'000)),
                        s("--source"),
                        source < 86   ? s("card_ok")
                        : source < 93 ? s("card_low")
                                      : s("card_decline")};
    if (isOldOrder)
        command.append(s("--second-sale"));
    return command;
}

QStringList Rounds::tillArguments(const QStringList &command) const
{
    const QStringList hurried{s("--attempt-deadline"), s("150ms"), s("--budget"),      s("1500ms"),
                              s("--backoff-base"),     s("20ms"),  s("--backoff-cap"), s("60ms"),
                              s("--max-attempts"),     s("3")};
    const QStringList patient{s("--attempt-deadline"), s("2s"),  s("--budget"), s("15s"),
                              s("--backoff-base"),     s("50ms")};
    const QStringList base = command + QStringList{s("--json"), s("--journal"), journal()};
    if (command.constFirst() == s("verify-journal"))
        return base;
    const QStringList bank{s("--server"), m_bank.url()};
    if (command.constFirst() == s("reconcile"))
        return base + bank;
    return base + bank + (m_healed ? patient : hurried);
}

void Rounds::killTerminal(TillProcess &till, const Moment &moment)
{
    if (!till.reach(moment) || !till.kill()) {
        ++m_missed;
        return hear(till);
    }
    note(till);
    const auto &lines = till.lines();
    const QString lastWord = lines.empty() ? s("nothing") : lines.back().value(s("event")).toString();
    const bool wasAtWork = lastWord != s("outcome") && lastWord != s("recovered");
    (wasAtWork ? m_terminalKills : m_missed) += 1;
    ++m_killedAfter[lastWord];
}

void Rounds::killBank(TillProcess &till, const Moment &moment)
{
    const bool isWorking = till.reach(moment);
    if (!m_bank.kill()) {
        std::fprintf(stderr, "the bank had ended by itself\n");
        m_bankIsUp = false;
        return;
    }
    (isWorking ? m_bankKills : m_missed) += 1;
    till.wait(m_chaos.below(150));
    m_bankIsUp = m_bank.start();
    hear(till);
}

void Rounds::hear(TillProcess &till)
{
    const auto code = till.finish(patienceMs);
    note(till);
    static const QList<int> stories{0, 10, 11, 12, 13, 14};
    if (!code || !stories.contains(*code)) {
        ++m_oddEnds;
        std::fprintf(stderr, "the terminal ended with %d: %s\n", code.value_or(-1), qUtf8Printable(till.complaint()));
    }
}

void Rounds::note(TillProcess &till)
{
    static const QSet<QString> finalWords{s("approved"), s("declined"), s("refused"), s("not_sent"), s("voided")};
    for (const QJsonObject &line : till.lines()) {
        for (const char *member : {"state", "outcome"}) {
            const QString word = line.value(QLatin1String(member)).toString();
            if (finalWords.contains(word))
                m_told[line.value(s("key")).toString()].insert(word);
        }
    }
}

int Rounds::runTill(const QStringList &command)
{
    TillProcess till(m_plan.folder, tillArguments(command));
    const auto code = till.finish(patienceMs);
    note(till);
    if (!code || *code == 1 || *code == 2 || *code == 3 || *code == 20) {
        std::fprintf(stderr, "payment-terminal %s ended with %d: %s\n", qUtf8Printable(command.constFirst()),
                     code.value_or(-1), qUtf8Printable(till.complaint()));
        for (const QJsonObject &line : till.lines())
            std::fprintf(stderr, "  %s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    }
    return code.value_or(-1);
}

bool Rounds::heal()
{
    m_healed = true;
    m_bank.control("DELETE", "faults");
    for (const QString &id : m_bank.held()) { // some requests arrive now, the others when all is settled
        if (m_chaos.percent(50))
            m_bank.decideHeld(id, "release");
    }
    const int code = runTill({s("recover"), s("--wait"), patience()});
    return code == 0 || code == 12;
}

bool Rounds::settleAll()
{
    for (int pass = 0; pass < 3; ++pass) {
        for (const QString &key : openKeys(journal())) {
            // The last pass voids: what is too old to be tried again can be, too.
            const bool voids = pass == 2 || m_chaos.percent(50);
            runTill({s("resolve"), s("--wait"), patience(), s("--key"), key, voids ? s("--void") : s("--try-again")});
        }
    }
    for (const QString &id : m_bank.held())
        m_bank.decideHeld(id, "release");
    for (int looks = 0; looks < 50 && !m_bank.held().isEmpty(); ++looks)
        QThread::msleep(20);
    return runTill({s("recover"), s("--wait"), patience()}) == 0;
}

bool Rounds::judge(qint64 tookMs)
{
    const auto checkouts = checkoutsOf(journal(), m_orders);
    if (!checkouts)
        return false;
    const Balance books = balance(*checkouts, m_bank.ledger(), m_told);
    const int verify = runTill({s("verify-journal")});
    const int reconcile = runTill({s("reconcile")});
    for (const QString &complaint : books.complaints)
        std::fprintf(stderr, "%s\n", qUtf8Printable(complaint));
    std::printf("killed the terminal after: %s\n", qUtf8Printable(counted(m_killedAfter)));
    std::printf("seed %llu: killed the terminal %d times and the bank %d times, %d faults; %d checkouts (%s); "
                "%d charges, %d reversals; charged twice %d, lost %d, unrecorded %d, taken back %d, contradicted %d, "
                "open %d, odd ends %d; verify-journal %d, reconcile %d; %lld.%lld s\n",
                static_cast<unsigned long long>(m_plan.seed), m_terminalKills, m_bankKills, m_faults,
                int(checkouts->size()), qUtf8Printable(counted(books.byOutcome)), books.charges, books.reversals,
                books.chargedTwice, books.lost, books.unrecorded, books.tookBack, books.contradicted, books.open,
                m_oddEnds, verify, reconcile, tookMs / 1'000, tookMs % 1'000 / 100);
    return books.isClean() && books.open == 0 && m_oddEnds == 0 && verify == 0 && reconcile == 0;
}

} // namespace ikkai::crash
