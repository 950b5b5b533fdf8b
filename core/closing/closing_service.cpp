#include "core/closing/closing_service.h"

#include "core/closing/day_book.h"
#include "core/closing/day_report_codec.h"
#include "core/closing/reconciler.h"
#include "core/closing/reconciliation_codec.h"
#include "core/domain/output_file.h"
#include "core/journal/sqlite_connection.h"

#include <QtCore/QSaveFile>

namespace ikkai {

ClosingService::ClosingService(ClosingSettings settings, const Clock &clock, std::unique_ptr<ChargeList> list,
                               QObject *parent)
    : ClosingDesk(parent)
    , m_settings(std::move(settings))
    , m_clock(clock)
{
    if (!list)
        return;
    list->setParent(this);
    m_reconciler = new Reconciler(m_settings, clock, *list.release(), this);
    connect(m_reconciler, &Reconciler::progressed, this, &ClosingDesk::progressed);
    connect(m_reconciler, &Reconciler::cancelled, this, &ClosingDesk::cancelled);
    connect(m_reconciler, &Reconciler::failed, this,
            [this](const QString &what) { Q_EMIT failed(what, ClosingStep::Reconcile); });
    connect(m_reconciler, &Reconciler::finished, this, [this](const Reconciliation &reconciliation) {
        m_newest = reconciliation;
        Q_EMIT reconciled(reconciliation);
    });
}

/// The reconciler goes before the list that it reads.
ClosingService::~ClosingService()
{
    delete m_reconciler;
}

bool ClosingService::withBook(JournalAccess access, ClosingStep step,
                              const std::function<std::optional<JournalError>(DayBook &)> &work)
{
    SqliteConnection database(m_settings.journalFile, access);
    std::optional<JournalError> error = database.open({m_settings.calendar});
    if (!error) {
        DayBook book(database, m_settings.calendar, m_settings.terminalId);
        error = work(book);
    }
    if (error)
        Q_EMIT failed(describe(*error), step);
    return !error;
}

std::optional<DayReport> ClosingService::reportOf(int number, ClosingStep step)
{
    std::optional<DayReport> report;
    const bool isRead = withBook(JournalAccess::ReadOnly, step, [&](DayBook &book) -> std::optional<JournalError> {
        if (number == 0) {
            const auto next = book.preview(m_clock.now().wallMs);
            if (!next)
                return next.error();
            report = next.value();
            return std::nullopt;
        }
        const auto closed = book.report(number);
        if (!closed)
            return closed.error();
        report = closed.value();
        return std::nullopt;
    });
    if (isRead && !report)
        Q_EMIT failed(QStringLiteral("%1 has no closed day %2.").arg(m_settings.journalFile).arg(number), step);
    return report;
}

void ClosingService::preview()
{
    if (const auto report = reportOf(0, ClosingStep::Preview))
        Q_EMIT previewRead(*report);
}

void ClosingService::closeDay()
{
    DayReport report;
    const auto close = [&](DayBook &book) -> std::optional<JournalError> {
        const auto closed = book.close(m_clock.now().wallMs);
        if (!closed)
            return closed.error();
        report = closed.value();
        return std::nullopt;
    };
    if (withBook(JournalAccess::Write, ClosingStep::CloseDay, close))
        Q_EMIT dayClosed(report);
}

void ClosingService::listReports()
{
    QList<DayReportHead> heads;
    const auto list = [&](DayBook &book) -> std::optional<JournalError> {
        const auto read = book.heads();
        if (!read)
            return read.error();
        heads = read.value();
        return std::nullopt;
    };
    if (withBook(JournalAccess::ReadOnly, ClosingStep::ListReports, list))
        Q_EMIT reportsRead(heads);
}

void ClosingService::readReport(int number)
{
    if (number < 1) {
        Q_EMIT failed(QStringLiteral("%1 is no number of a closed day.").arg(number), ClosingStep::ReadReport);
        return;
    }
    if (const auto report = reportOf(number, ClosingStep::ReadReport))
        Q_EMIT reportRead(*report);
}

void ClosingService::exportReport(int number, ExportFormat format, const QString &file)
{
    const auto report = reportOf(number, ClosingStep::ExportReport);
    if (!report)
        return;
    write(file, format == ExportFormat::Json ? dayReportJson(*report) : dayReportCsv(*report),
          ClosingStep::ExportReport);
}

void ClosingService::reconcile(const ReconcileRequest &request)
{
    if (!m_reconciler)
        Q_EMIT failed(QStringLiteral("There is no bank to compare with."), ClosingStep::Reconcile);
    else if (m_reconciler->isRunning())
        Q_EMIT failed(QStringLiteral("The bank's list is being read already."), ClosingStep::Reconcile);
    else
        m_reconciler->start(request);
}

void ClosingService::cancelReconcile()
{
    if (m_reconciler)
        m_reconciler->cancel();
}

void ClosingService::exportReconciliation(ExportFormat format, const QString &file)
{
    if (!m_newest) {
        Q_EMIT failed(QStringLiteral("Nothing has been compared with the bank yet, so %1 was not written.").arg(file),
                      ClosingStep::ExportReconciliation);
        return;
    }
    const QString zone = QString::fromUtf8(m_settings.calendar.zone.id());
    write(file, format == ExportFormat::Json ? reconciliationJson(*m_newest, zone) : reconciliationCsv(*m_newest, zone),
          ClosingStep::ExportReconciliation);
}

void ClosingService::write(const QString &file, const QByteArray &bytes, ClosingStep step)
{
    if (const auto why = whyNotReplaced(file)) {
        Q_EMIT failed(QStringLiteral("%1 could not be written: %2.").arg(file, *why), step);
        return;
    }
    QSaveFile out(file); // whole or not at all
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit())
        Q_EMIT failed(QStringLiteral("%1 could not be written: %2.").arg(file, out.errorString()), step);
    else
        Q_EMIT exported(file);
}

} // namespace ikkai
