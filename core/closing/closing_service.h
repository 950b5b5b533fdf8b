#pragma once

#include "core/closing/charge_list.h"
#include "core/closing/closing_desk.h"
#include "core/closing/closing_settings.h"
#include "core/domain/clock.h"
#include "core/domain/result.h"
#include "core/journal/journal_settings.h"

#include <functional>
#include <memory>
#include <optional>

namespace ikkai {

class DayBook;
class Reconciler;
struct JournalError;

/// Closes days and reconciles over the journal's file. Holds no connection between two requests, so that it may be made
/// on one thread and moved to the one it lives on, which should be none that a person waits for; `list` moves with it.
/// Closing writes through a connection of its own: this process has to hold the journal's lock for it. Reconciling
/// writes nothing.
class ClosingService final : public ClosingDesk {
    Q_OBJECT

public:
    /// `clock` must outlive this. `list` may be null where nothing is reconciled.
    ClosingService(ClosingSettings settings, const Clock &clock, std::unique_ptr<ChargeList> list,
                   QObject *parent = nullptr);
    ~ClosingService() override;

    void preview() override;
    void closeDay() override;
    void listReports() override;
    void readReport(int number) override;
    void exportReport(int number, ikkai::ExportFormat format, const QString &file) override;
    void reconcile(const ikkai::ReconcileRequest &request) override;
    void cancelReconcile() override;
    void exportReconciliation(ikkai::ExportFormat format, const QString &file) override;

private:
    /// False, and told, where the journal cannot be used.
    bool withBook(JournalAccess access, ClosingStep step,
                  const std::function<std::optional<JournalError>(DayBook &)> &work);
    /// The report, or the preview for number 0. None: told.
    std::optional<DayReport> reportOf(int number, ClosingStep step);
    void write(const QString &file, const QByteArray &bytes, ClosingStep step);

    ClosingSettings m_settings;
    const Clock &m_clock;
    Reconciler *m_reconciler = nullptr;
    std::optional<Reconciliation> m_newest;
};

} // namespace ikkai
