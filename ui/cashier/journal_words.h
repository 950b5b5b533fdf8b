#pragma once

#include "core/journal/journal.h"

#include <QtCore/QString>

namespace ikkai {

/// When the journal stopped working: before the window could open, or while it is open.
enum class JournalMoment { AtStart, WhileOpen };

/// What a fault of the journal means to the people at the till. Sentences may carry `<b>` and `|` between phrases.
struct JournalFaultWords {
    QString headline;
    QString means;  ///< why nothing is charged
    QString works;  ///< what still works
    QString toDo;   ///< what to do about it
    QString record; ///< file and the system's own words, for support; not translated
};

/// In the language in force; call again after a change of language.
[[nodiscard]] JournalFaultWords journalFaultWords(const JournalError &error, JournalMoment moment);

/// The reason below Charge: "The disk is full: cannot record, so cannot charge."
[[nodiscard]] QString journalShutReason(const JournalError &error);

/// No press of Charge can mend it: the terminal has to be started anew.
[[nodiscard]] bool needsRestart(const JournalError &error);

} // namespace ikkai
