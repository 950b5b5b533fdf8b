#include "app/export_command.h"

#include "app/print.h"
#include "core/journal/history_reader.h"
#include "core/journal/sqlite_journal.h"

#include <QtCore/QCoreApplication>

namespace ikkai::app {

int runExport(const Options &options)
{
    if (const auto journal = SqliteJournal::open(options.journal, SqliteJournal::Access::ReadOnly); !journal)
        return complain(stopFor(journal.error()));
    HistoryReader reader(options.journal, options.calendar);
    QObject::connect(&reader, &HistorySource::exported, &reader, [](const QString &file, qint64 rows) {
        printLine(QStringLiteral("%1: %2 checkouts.").arg(file).arg(rows));
        QCoreApplication::exit(0);
    });
    QObject::connect(&reader, &HistorySource::failed, &reader, [](const QString &what) {
        QCoreApplication::exit(complain({1, what}));
    });
    QMetaObject::invokeMethod(
        &reader,
        [&reader, &options] {
            reader.exportRows({options.filter, options.format, options.outputFile});
        },
        Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace ikkai::app
