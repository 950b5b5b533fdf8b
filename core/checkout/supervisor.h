#pragma once

#include "core/domain/clock.h"
#include "core/domain/ids.h"
#include "core/journal/journal.h"

#include <QtCore/QString>

#include <deque>
#include <functional>
#include <memory>

namespace ikkai {

/// What became of a supervisor's request. Exactly one for each.
struct SupervisorAnswer {
    enum class What {
        Done,
        WrongPin,    ///< `triesLeft` more
        Locked,      ///< too many wrong ones: the PIN has to be set anew
        NoPin,       ///< none was ever set
        NoReason,    ///< the reason is empty
        NotPossible, ///< the checkout is not in a state for it; `detail` says why
        CannotRecord ///< `detail` names the file
    };
    What what = What::Done;
    IdempotencyKey key;
    int triesLeft = 0;
    QString detail;
};

/// Runs `work`, which may take long, somewhere else, and then `done` with its result on the caller's thread.
using Elsewhere = std::function<void(std::function<bool()> work, std::function<void(bool)> done)>;

/// Lets a supervisor in: one PIN at a time, and a wrong one is counted in the journal before it is known to be wrong,
/// so that pulling the plug wins no try. Lives on the journal's thread.
class Supervisor {
public:
    Supervisor(Journal &journal, Elsewhere elsewhere);

    struct Verdict {
        SupervisorAnswer::What what = SupervisorAnswer::What::Done;
        int triesLeft = 0;
        QString detail;
    };
    /// `decided` is called once, perhaps at once; never after the supervisor is gone.
    void admit(const QString &pin, std::function<void(const Verdict &)> decided);

private:
    struct Waiting {
        QString pin;
        std::function<void(const Verdict &)> decided;
    };

    void next();
    void decide(const Verdict &verdict);

    Journal &m_journal;
    Elsewhere m_elsewhere;
    std::deque<Waiting> m_waiting;
    bool m_busy = false;
    std::shared_ptr<bool> m_alive; ///< work elsewhere outlives nobody
};

} // namespace ikkai
