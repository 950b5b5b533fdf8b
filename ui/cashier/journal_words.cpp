#include "ui/cashier/journal_words.h"

#include <QtCore/QCoreApplication>

namespace ikkai {

namespace {

using JournalKind = JournalError::Kind;

struct JournalWords {
    Q_DECLARE_TR_FUNCTIONS(JournalWords)

public:
    static QString headline(JournalKind kind)
    {
        switch (kind) {
        case JournalKind::DiskFull:
            return tr("The disk |is full");
        case JournalKind::ReadOnly:
            return tr("The journal |cannot be written");
        case JournalKind::InputOutput:
            return tr("The disk |does not work");
        case JournalKind::Corrupt:
            return tr("The journal |is damaged");
        case JournalKind::NewerVersion:
            return tr("The journal |is too new");
        case JournalKind::Locked:
            return tr("Open in |another window");
        case JournalKind::CannotOpen:
            return tr("The journal |does not open");
        }
        return {};
    }

    static QString means(JournalKind kind)
    {
        switch (kind) {
        case JournalKind::DiskFull:
            return tr("There is no room to write a charge down. |<b>What cannot be recorded is not sent.</b>");
        case JournalKind::ReadOnly:
            return tr("The terminal may read its journal |but not write into it. |<b>What cannot be recorded is not "
                      "sent.</b>");
        case JournalKind::InputOutput:
            return tr("The disk does not take or give back |what the terminal writes down. |<b>What cannot be recorded "
                      "is not sent.</b>");
        case JournalKind::Corrupt:
            return tr("What the journal holds cannot be trusted. |<b>Nothing is started from it.</b>");
        case JournalKind::NewerVersion:
            return tr("A newer Ikkai wrote it, and this one could misread it. |<b>It is left as it is.</b>");
        case JournalKind::Locked:
            return tr("Another Ikkai works with the same journal. |<b>Two at once could charge twice.</b>");
        case JournalKind::CannotOpen:
            return tr("The terminal cannot get at its journal. |<b>What cannot be recorded is not sent.</b>");
        }
        return {};
    }

    static QString works(JournalKind kind, JournalMoment moment)
    {
        if (moment == JournalMoment::WhileOpen)
            return tr("Payments that are open stay on the Open list. |What the bank answers is shown, |and written "
                      "down as soon as that is possible.");
        if (kind == JournalKind::Locked)
            return tr("The other window goes on as before.");
        if (kind == JournalKind::Corrupt)
            return tr("The file was not changed. |What can be read of it can be exported and compared with the bank.");
        return tr("Nothing is lost: |open payments stand in the journal |and are asked about at the next start.");
    }

    static QString toDo(JournalKind kind, JournalMoment moment)
    {
        const bool open = moment == JournalMoment::WhileOpen;
        switch (kind) {
        case JournalKind::DiskFull:
            return open ? tr("Make room on the disk, |then press Charge again.")
                        : tr("Make room on the disk, |then start the terminal again.");
        case JournalKind::ReadOnly:
            return open ? tr("Let this user write the file, |then press Charge again.")
                        : tr("Let this user write the file and its folder, |then start the terminal again.");
        case JournalKind::InputOutput:
            return tr(
                "Leave the terminal switched on and call support: |the disk may be dying. |Sell at another till.");
        case JournalKind::Corrupt:
            return tr("Call support and keep the file. |<b>payment-terminal verify-journal</b> says what is wrong.");
        case JournalKind::NewerVersion:
            return tr("Start the newer version, |or bring this one up to date.");
        case JournalKind::Locked:
            return open ? tr("Close the other program, |then press Charge again.")
                        : tr("Use the window that is open. |If there is none, end the program named below.");
        case JournalKind::CannotOpen:
            return tr("See that the folder is there and may be opened, |then start the terminal again.");
        }
        return {};
    }

    static QString shut(JournalKind kind)
    {
        switch (kind) {
        case JournalKind::DiskFull:
            return tr("The disk is full: |cannot record, so cannot charge.");
        case JournalKind::ReadOnly:
            return tr("The journal is read-only: |cannot record, so cannot charge.");
        case JournalKind::InputOutput:
            return tr("The disk does not work: |cannot record, so cannot charge.");
        case JournalKind::Corrupt:
            return tr("The journal is damaged: |cannot record, so cannot charge.");
        case JournalKind::NewerVersion:
            return tr("The journal is too new: |cannot record, so cannot charge.");
        case JournalKind::Locked:
            return tr("The journal is in use: |cannot record, so cannot charge.");
        case JournalKind::CannotOpen:
            return tr("The journal does not open: |cannot record, so cannot charge.");
        }
        return {};
    }
};

} // namespace

JournalFaultWords journalFaultWords(const JournalError &error, JournalMoment moment)
{
    const QString record = error.detail.isEmpty() ? error.file : error.file + QLatin1Char('\n') + error.detail;
    return {JournalWords::headline(error.kind), JournalWords::means(error.kind),
            JournalWords::works(error.kind, moment), JournalWords::toDo(error.kind, moment), record.trimmed()};
}

QString journalShutReason(const JournalError &error)
{
    return JournalWords::shut(error.kind);
}

bool needsRestart(const JournalError &error)
{
    return error.kind == JournalKind::Corrupt || error.kind == JournalKind::NewerVersion ||
           error.kind == JournalKind::CannotOpen;
}

} // namespace ikkai
