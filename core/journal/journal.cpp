#include "core/journal/journal.h"

namespace ikkai {

QString describe(const JournalError &error)
{
    const auto sentence = [&error](const char *what) {
        const QString detail = error.detail.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(error.detail);
        return QStringLiteral("The journal %1 %2%3.").arg(error.file, QLatin1String(what), detail);
    };
    switch (error.kind) {
    case JournalError::Kind::CannotOpen:
        return sentence("cannot be opened");
    case JournalError::Kind::ReadOnly:
        return sentence("is read-only");
    case JournalError::Kind::DiskFull:
        return sentence("cannot grow: the disk is full");
    case JournalError::Kind::Corrupt:
        return sentence("is damaged");
    case JournalError::Kind::NewerVersion:
        return sentence("was written by a newer version of this program");
    case JournalError::Kind::Locked:
        return sentence("is in use");
    case JournalError::Kind::InputOutput:
        return sentence("could not be read or written");
    }
    return sentence("failed");
}

} // namespace ikkai
