#include "app/verify_command.h"

#include "app/event_lines.h"
#include "app/print.h"
#include "core/journal/journal_verification.h"

#include <QtCore/QJsonArray>

namespace ikkai::app {

namespace {

QJsonObject verifiedLine(const JournalVerification &found)
{
    QJsonArray differences;
    for (const ProjectionDifference &difference : found.differences) {
        differences.append(QJsonObject{{QStringLiteral("key"), difference.key},
                                       {QStringLiteral("column"), difference.column},
                                       {QStringLiteral("stored"), difference.stored},
                                       {QStringLiteral("expected"), difference.expected}});
    }
    return {{QStringLiteral("event"), QStringLiteral("verified")},
            {QStringLiteral("sound"), isSound(found)},
            {QStringLiteral("checkouts"), found.checkouts},
            {QStringLiteral("events"), found.events},
            {QStringLiteral("difference_count"), found.differenceCount},
            {QStringLiteral("differences"), differences},
            {QStringLiteral("unreadable_count"), found.unreadableCount},
            {QStringLiteral("unreadable"), QJsonArray::fromStringList(found.unreadable)},
            {QStringLiteral("damage"), QJsonArray::fromStringList(found.damage)}};
}

void tellSentences(const JournalVerification &found)
{
    for (const ProjectionDifference &difference : found.differences) {
        printLine(QStringLiteral("%1: %2 is \"%3\", the events say \"%4\"")
                      .arg(difference.key, difference.column, difference.stored, difference.expected));
    }
    for (const QString &event : found.unreadable)
        printLine(event);
    for (const QString &damage : found.damage)
        printLine(QStringLiteral("SQLite says: ") + damage);
    printLine(
        QStringLiteral("%1 checkouts, %2 events: %3")
            .arg(found.checkouts)
            .arg(found.events)
            .arg(isSound(found)
                     ? QStringLiteral("as the events say.")
                     : QStringLiteral("%1 differences, %2 events that cannot be read%3.")
                           .arg(found.differenceCount)
                           .arg(found.unreadableCount)
                           .arg(found.damage.isEmpty() ? QString() : QStringLiteral(", and the file is damaged"))));
}

/// The exit code.
int verify(const Options &options)
{
    const auto found = verifyJournal(options.journal);
    if (!found)
        return complain(stopFor(found.error()));
    if (options.json)
        printLine(verifiedLine(*found));
    else
        tellSentences(*found);
    return isSound(*found) ? 0 : differencesFound;
}

} // namespace

int runVerifyJournal(const Options &options)
{
    const int before = verify(options);
    if (!options.rebuild || before == 0 || before == 3)
        return before;
    const auto rebuilt = rebuildJournal(options.journal, {options.calendar});
    if (!rebuilt)
        return complain(stopFor(rebuilt.error()));
    if (options.json)
        printLine(
            QJsonObject{{QStringLiteral("event"), QStringLiteral("rebuilt")}, {QStringLiteral("checkouts"), *rebuilt}});
    else
        printLine(QStringLiteral("Made anew from the events: %1 checkouts.").arg(*rebuilt));
    return verify(options); // a damaged file stays damaged
}

} // namespace ikkai::app
