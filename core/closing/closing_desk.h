#pragma once

#include "core/closing/day_report.h"
#include "core/closing/reconciliation.h"
#include "core/journal/history.h"

#include <QtCore/QObject>

namespace ikkai {

struct ReconcileRequest {
    /// Of the bank's `created_at`. 0: from the oldest open checkout or the last closed business day on, whichever began
    /// earlier; from the first checkout on where there is neither.
    qint64 fromWallMs = 0;
    qint64 toWallMs = 0; ///< 0: until now
};

struct ReconcileProgress {
    enum class Phase { ReadingTheBank, ReadingTheJournal, Comparing, Confirming };
    Phase phase = Phase::ReadingTheBank;
    qint64 done = 0;
    qint64 total = 0; ///< 0: not known. Of the bank's list an estimate: as many as this till has
};

/// Which request a `failed` answers: a reconciliation runs beside the others.
enum class ClosingStep {
    Unnamed,
    Preview,
    CloseDay,
    ListReports,
    ReadReport,
    ExportReport,
    Reconcile,
    ExportReconciliation
};

/// Closing of days and reconciliation. May live on a thread of its own: connect queued, ask by queued calls. Every
/// request is answered by exactly one of its signals or by `failed`.
class ClosingDesk : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

public Q_SLOTS:
    /// What closing would report now: the oldest business day that has something to close, or today.
    virtual void preview() = 0;
    virtual void closeDay() = 0;
    virtual void listReports() = 0;
    virtual void readReport(int number) = 0;
    /// Number 0: the preview.
    virtual void exportReport(int number, ikkai::ExportFormat format, const QString &file) = 0;
    virtual void reconcile(const ikkai::ReconcileRequest &request) = 0;
    /// Ends a reconciliation under way: `cancelled`.
    virtual void cancelReconcile() = 0;
    /// The newest reconciliation.
    virtual void exportReconciliation(ikkai::ExportFormat format, const QString &file) = 0;

Q_SIGNALS:
    void previewRead(const ikkai::DayReport &report);
    void dayClosed(const ikkai::DayReport &report);
    void reportsRead(const QList<ikkai::DayReportHead> &reports); ///< newest first
    void reportRead(const ikkai::DayReport &report);
    void progressed(const ikkai::ReconcileProgress &progress);
    void reconciled(const ikkai::Reconciliation &reconciliation);
    void cancelled();
    void exported(const QString &file);
    /// `what`: one English sentence that names the file or the bank.
    void failed(const QString &what, ikkai::ClosingStep step = ikkai::ClosingStep::Unnamed);
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::ReconcileRequest)
Q_DECLARE_METATYPE(ikkai::ReconcileProgress)
Q_DECLARE_METATYPE(ikkai::ClosingStep)
