#pragma once

#include "core/checkout/checkout_service.h"
#include "core/closing/closing_desk.h"
#include "core/domain/clock.h"

#include <QtCore/QHash>
#include <QtCore/QList>
#include <QtCore/QObject>
#include <QtCore/QSet>

#include <optional>

namespace ikkai {

/// What became of one open row that the bank was asked about from the reconciliation.
struct Settling {
    enum class State {
        Asking,
        Settled,  ///< `outcome` is the bank's word
        NoWordYet ///< asked, and nothing that settles it came back
    };
    State state = State::Asking;
    QString outcome; ///< outcome word
    qint64 atWallMs = 0;
    qint64 askedMonotonicMs = 0;
    friend bool operator==(const Settling &, const Settling &) = default;
};

/// What the Close day page knows, and the one who asks for it: by queued calls, so nothing here waits for a disk or
/// for the bank. Holds no widget. One client per desk. GUI thread.
class ClosingClient final : public QObject {
    Q_OBJECT

public:
    enum class Run { Never, Running, Done, Cancelled, NotDone };

    /// `desk` and `service` may live on other threads; all must outlive the client.
    ClosingClient(ClosingDesk *desk, CheckoutService *service, const Clock &clock, QObject *parent = nullptr);

    [[nodiscard]] const std::optional<DayReport> &preview() const { return m_preview; }
    /// The day that was closed here just now, until it is put away.
    [[nodiscard]] const std::optional<DayReport> &closed() const { return m_closed; }
    /// Newest first; none: not read yet.
    [[nodiscard]] const std::optional<QList<DayReportHead>> &reports() const { return m_reports; }
    [[nodiscard]] const std::optional<DayReport> &opened() const { return m_opened; }
    [[nodiscard]] Run run() const { return m_run; }
    [[nodiscard]] const ReconcileProgress &progress() const { return m_progress; }
    [[nodiscard]] const std::optional<Reconciliation> &reconciliation() const { return m_reconciliation; }
    /// Counts the reconciliations that came to their end.
    [[nodiscard]] int madeCount() const { return m_made; }
    /// Of the row of this key; nullptr where nobody asked for it here.
    [[nodiscard]] const Settling *settling(const QString &key) const;
    /// Rows that the bank can settle and that nobody has settled yet.
    [[nodiscard]] int canBeSettled() const;
    [[nodiscard]] bool isWaitingFor(ClosingStep step) const { return m_waiting.contains(step); }
    /// Why the newest request of this kind did not work out; empty: it did.
    [[nodiscard]] QString trouble(ClosingStep step) const { return m_troubles.value(step); }

    // Requests. One that is on its way already is not asked twice.
    void readPreview();
    void closeDay();
    void putClosedAway();
    void listReports();
    void openReport(int number);
    void leaveReport();
    /// Number 0: the preview.
    void exportReport(int number, const QString &file);
    /// Over the preview's business day and everything that is still open.
    void reconcile();
    void cancelReconcile();
    void exportReconciliation(const QString &file);
    /// Asks the bank about the open checkout of this row; moves no money.
    void settle(const QString &key);
    void settleAll();
    /// The heart of the window. A page that is on the screen keeps up with what changed meanwhile.
    void tick(bool isOnScreen);

Q_SIGNALS:
    void changed();
    void dayClosed(const ikkai::DayReport &report);
    void written(const QString &file);
    void notWritten(const QString &what);

    // To the desk and the service.
    void previewWanted();
    void closeWanted();
    void reportsWanted();
    void reportWanted(int number);
    void exportReportWanted(int number, ikkai::ExportFormat format, const QString &file);
    void reconcileWanted(const ikkai::ReconcileRequest &request);
    void cancelWanted();
    void exportReconciliationWanted(ikkai::ExportFormat format, const QString &file);
    void checkWanted(const ikkai::IdempotencyKey &key);

private:
    void hearDesk(ClosingDesk *desk);
    void hearService(CheckoutService *service);
    bool begin(ClosingStep step);
    void end(ClosingStep step);
    void takeFailure(const QString &what, ClosingStep step);
    void takeCheckout(const Checkout &checkout, bool recorded);
    void takePlan(const InquiryPlan &plan);
    void takeReconciliation(const Reconciliation &reconciliation);
    [[nodiscard]] ReconcileRequest range() const;

    const Clock &m_clock;
    std::optional<DayReport> m_preview;
    std::optional<DayReport> m_closed;
    std::optional<QList<DayReportHead>> m_reports;
    std::optional<DayReport> m_opened;
    Run m_run = Run::Never;
    ReconcileProgress m_progress;
    std::optional<Reconciliation> m_reconciliation;
    int m_made = 0;
    QHash<QString, Settling> m_settling;
    QSet<ClosingStep> m_waiting;
    QHash<ClosingStep, QString> m_troubles;
    bool m_previewIsStale = true;
    int m_wantedNumber = 0; ///< 0: no report is open
    qint64 m_previewAskedMs = 0;
};

/// CSV, or JSON where the file's name says so.
[[nodiscard]] ExportFormat formatOfFile(const QString &file);

/// Minor units of each currency, in the order in which they first came.
class SumsByCurrency {
public:
    void add(const Currency &currency, qint64 amountMinor);
    [[nodiscard]] const QList<std::pair<Currency, qint64>> &all() const { return m_sums; }

private:
    QList<std::pair<Currency, qint64>> m_sums;
};

} // namespace ikkai
