#include "app/journal_door.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>

namespace ikkai::app {

Result<JournalLock, Stop> lockJournal(const QString &journal)
{
    const QDir folder = QFileInfo(journal).dir();
    if (!folder.exists() && !folder.mkpath(QStringLiteral("."))) {
        return stopFor({JournalError::Kind::CannotOpen, journal,
                        QStringLiteral("the folder %1 cannot be made").arg(folder.path())});
    }
    auto locked = JournalLock::take(journal);
    if (!locked)
        return stopFor(locked.error());
    return std::move(locked).value();
}

} // namespace ikkai::app
