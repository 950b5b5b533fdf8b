#include "core/journal/history_reader.h"

#include "core/checkout/recovery.h"
#include "core/domain/output_file.h"
#include "core/journal/history_export.h"
#include "core/journal/journal_fold.h"
#include "core/journal/sqlite_connection.h"

#include <QtCore/QFileInfo>

#include <algorithm>

namespace ikkai {

namespace history_reader {

constexpr int mostRows = 500;
constexpr size_t mostReadings = 64; ///< of one filter that wait; a window asks for one after the other
constexpr int exportedAtOnce = 500;

/// The checkout that a supervisor started instead of this one.
Result<std::optional<IdempotencyKey>, JournalError> replacementOf(SqliteConnection &database, const IdempotencyKey &key)
{
    const auto asked = database.ask(
        QStringLiteral("SELECT key FROM checkout WHERE replaces = ? ORDER BY key DESC LIMIT 1"), {key.text()});
    if (!asked)
        return asked.error();
    QSqlQuery &query = **asked;
    std::optional<IdempotencyKey> found;
    if (query.next()) {
        if (const auto read = IdempotencyKey::parse(query.value(0).toString()))
            found = read.value();
    }
    query.finish();
    return found;
}

Result<HistoryDetail, JournalError> detailOf(SqliteConnection &database, const IdempotencyKey &key)
{
    const auto events = readEvents(database, key);
    if (!events)
        return events.error();
    if (events->empty()) {
        return JournalError{JournalError::Kind::InputOutput, database.file(),
                            QStringLiteral("it holds no checkout %1").arg(key.text())};
    }
    const auto checkout = fold(events.value());
    if (!checkout) {
        return JournalError{JournalError::Kind::Corrupt, database.file(),
                            QStringLiteral("checkout %1: %2").arg(key.text(), checkout.error())};
    }
    const auto replacement = replacementOf(database, key);
    if (!replacement)
        return replacement.error();
    return HistoryDetail{checkout.value(), QList<Event>(events->begin(), events->end()), replacement.value()};
}

} // namespace history_reader

HistoryReader::HistoryReader(QString journalFile, BusinessCalendar calendar, QObject *parent)
    : HistorySource(parent)
    , m_file(std::move(journalFile))
    , m_calendar(std::move(calendar))
{
}

HistoryReader::~HistoryReader() = default;

void HistoryReader::read(const HistoryRequest &request)
{
    if (!m_readings.empty() && m_readings.back().request.filter != request.filter)
        m_readings.clear();
    if (m_readings.size() == history_reader::mostReadings)
        m_readings.pop_front();
    Reading reading{request, {}, {}, {}};
    reading.request.limit = std::clamp(request.limit, 0, history_reader::mostRows);
    reading.page.id = request.id;
    m_readings.push_back(std::move(reading));
    workSoon();
}

void HistoryReader::readDetail(const IdempotencyKey &key)
{
    if (const auto error = open()) {
        fail(*error, {key});
        return;
    }
    const auto detail = history_reader::detailOf(*m_database, key);
    if (detail)
        Q_EMIT detailRead(detail.value());
    else
        fail(detail.error(), {key});
}

void HistoryReader::exportRows(const HistoryExport &wanted)
{
    m_exports.push_back({wanted, nullptr, {}, 0});
    workSoon();
}

std::optional<JournalError> HistoryReader::open()
{
    if (m_database)
        return std::nullopt;
    auto database = std::make_unique<SqliteConnection>(m_file, JournalAccess::ReadOnly);
    if (auto error = database->open())
        return error;
    m_database = std::move(database);
    return std::nullopt;
}

void HistoryReader::fail(const JournalError &error, const HistoryAsked &asked)
{
    Q_EMIT failed(describe(error), asked);
}

/// By way of the event loop: what came in meanwhile is seen first.
void HistoryReader::workSoon()
{
    if (m_isWorkPosted)
        return;
    m_isWorkPosted = true;
    QMetaObject::invokeMethod(
        this, [this] { work(); }, Qt::QueuedConnection);
}

void HistoryReader::work()
{
    m_isWorkPosted = false;
    if (!m_readings.empty()) {
        const auto ended = step(m_readings.front());
        if (ended) {
            // Taken out first: a slot on this thread may ask for the next page at once.
            const HistoryPage page = m_readings.front().page;
            m_readings.pop_front();
            if (ended->ok())
                Q_EMIT pageRead(page);
            else
                fail(ended->error(), {page.id});
        }
    } else if (!m_exports.empty()) {
        stepExport();
    }
    if (!m_readings.empty() || !m_exports.empty())
        workSoon();
}

std::optional<Result<Done, JournalError>> HistoryReader::step(Reading &reading)
{
    using Ended = Result<Done, JournalError>;
    if (const auto error = open())
        return Ended(*error);
    const HistoryRequest &request = reading.request;
    HistoryPage &page = reading.page;
    if (!reading.walk)
        reading.walk.emplace(*m_database, request.filter, m_calendar, request.after);
    // One more than asked for says whether there are more.
    const qsizetype wanted = request.limit == 0 ? 0 : request.limit + 1;
    if (!reading.walk->isAtEnd() && page.rows.size() < wanted) {
        if (const auto error = reading.walk->read(static_cast<int>(wanted - page.rows.size()), page.rows))
            return Ended(*error);
        if (!reading.walk->isAtEnd() && page.rows.size() < wanted)
            return std::nullopt;
    }
    if (request.countAll) {
        if (!reading.counting) {
            reading.counting.emplace(*m_database, request.filter, m_calendar, std::nullopt);
            page.total = 0;
        }
        if (!reading.counting->isAtEnd()) {
            if (const auto error = reading.counting->count(*page.total))
                return Ended(*error);
            if (!reading.counting->isAtEnd())
                return std::nullopt;
        }
    }
    page.isLast = page.rows.size() < wanted;
    if (!page.isLast && wanted > 0)
        page.rows.removeLast();
    return Ended(Done{});
}

void HistoryReader::stepExport()
{
    Exporting &exporting = m_exports.front();
    const QString &name = exporting.wanted.file;
    if (!exporting.file) {
        if (const auto error = open()) {
            failExport(describe(*error));
            return;
        }
        if (belongsToJournal(name)) {
            failExport(QStringLiteral("%1 is the journal itself: choose another file.").arg(name));
            return;
        }
        if (const auto why = whyNotReplaced(name)) {
            failExport(QStringLiteral("%1 cannot be written: %2.").arg(name, *why));
            return;
        }
        exporting.file = std::make_unique<QSaveFile>(name);
        if (!exporting.file->open(QIODevice::WriteOnly)) {
            failExport(QStringLiteral("%1 cannot be written: %2.").arg(name, exporting.file->errorString()));
            return;
        }
        exporting.file->write(exportHead(exporting.wanted.format));
        exporting.walk.emplace(*m_database, exporting.wanted.filter, m_calendar, std::nullopt);
    }
    QList<HistoryRow> rows;
    if (const auto error = exporting.walk->read(history_reader::exportedAtOnce, rows)) {
        failExport(describe(*error));
        return;
    }
    for (const HistoryRow &row : rows)
        exporting.file->write(exportRow(exporting.wanted.format, row, exporting.rows++ == 0, m_calendar.zone));
    const bool isAtEnd = exporting.walk->isAtEnd();
    if (isAtEnd)
        exporting.file->write(exportFoot(exporting.wanted.format));
    // QSaveFile remembers a write that went wrong, and commit() answers for all of them.
    if (exporting.file->error() != QFileDevice::NoError || (isAtEnd && !exporting.file->commit())) {
        failExport(QStringLiteral("%1 cannot be written: %2.").arg(name, exporting.file->errorString()));
        return;
    }
    if (!isAtEnd)
        return;
    const Exporting done = std::move(exporting);
    m_exports.pop_front();
    Q_EMIT exported(done.wanted.file, done.rows);
}

void HistoryReader::failExport(const QString &what)
{
    const QString file = m_exports.front().wanted.file;
    m_exports.pop_front();
    Q_EMIT failed(what, {file});
}

bool HistoryReader::belongsToJournal(const QString &file) const
{
    const auto meant = [](const QString &name) {
        const QFileInfo info(name);
        return info.exists() ? info.canonicalFilePath() : info.absoluteFilePath();
    };
    const QString journal = meant(m_file);
    for (const char *ending : {"", "-wal", "-shm", "-journal", ".lock"}) {
        if (meant(file) == journal + QLatin1String(ending))
            return true;
    }
    return false;
}

} // namespace ikkai
