#pragma once

#include "tests/crash/bank_process.h"
#include "tests/crash/books.h"
#include "tests/crash/chaos.h"
#include "tests/crash/till_process.h"

#include <QtCore/QStringList>

namespace ikkai::crash {

struct Plan {
    int rounds = 20; ///< kills of the terminal, and as many of the bank
    quint64 seed = 1;
    QString folder;                              ///< journal, ledger and logs
    QString strategy = QStringLiteral("atomic"); ///< of the bank; the others charge twice, and this must see it
};

/// A terminal and a bank that are killed (SIGKILL) in turn, at any moment of charges, voids, retries and recoveries,
/// under faults of every kind; then everything heals, what is open is settled as a cashier would, and the journal is
/// held against the ledger.
class Rounds {
public:
    explicit Rounds(Plan plan);

    /// All of it, with one line at the end. True where nothing was charged twice, nothing lost, nothing left open and
    /// the terminal's own checks agree.
    bool run();

private:
    enum class Victim { Terminal, Bank };

    bool playRounds();
    void playRound(Victim victim);
    void armFaults();
    void stirHeld();
    QStringList chooseCommand();
    QStringList newCharge();
    void killTerminal(TillProcess &till, const Moment &moment);
    void killBank(TillProcess &till, const Moment &moment);
    /// Its end, and what it said.
    void hear(TillProcess &till);
    void note(TillProcess &till);

    bool heal();
    bool settleAll();
    int runTill(const QStringList &command);
    [[nodiscard]] QStringList tillArguments(const QStringList &command) const;
    [[nodiscard]] bool judge(qint64 tookMs);
    /// Of the healed: a bank that looks at no key answers no void, however long one waits.
    [[nodiscard]] QString patience() const
    {
        return m_plan.strategy == QStringLiteral("atomic") ? QStringLiteral("10s") : QStringLiteral("300ms");
    }
    [[nodiscard]] QString journal() const { return m_plan.folder + QStringLiteral("/till.sqlite"); }

    Plan m_plan;
    Chaos m_chaos;
    BankProcess m_bank;
    QStringList m_orders;
    Told m_told;
    bool m_healed = false;
    bool m_bankIsUp = true;
    int m_terminalKills = 0;
    int m_bankKills = 0;
    int m_missed = 0;
    int m_faults = 0;
    int m_oddEnds = 0;                ///< exit codes that no story of a charge has, or none at all
    QMap<QString, int> m_killedAfter; ///< the terminal's last word before it was killed
};

} // namespace ikkai::crash
