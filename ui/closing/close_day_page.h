#pragma once

#include "core/checkout/checkout_service.h"
#include "core/closing/closing_desk.h"
#include "core/domain/clock.h"

#include <QtWidgets/QWidget>

class QStackedWidget;

namespace ikkai {

class Button;
class ClosedDaysTab;
class ClosingClient;
class Label;
class ReconcileTab;
class ReportTab;
class TabButton;

/// Close day: the report and its closing, the comparison with the bank, the days that are closed. All work on disk and
/// wire is the desk's; the page only posts requests. GUI thread.
class CloseDayPage : public QWidget {
    Q_OBJECT

public:
    enum class Tab { Report, Reconcile, ClosedDays };

    /// `desk` and `service` may live on other threads; all must outlive the page. The desk answers this page alone.
    CloseDayPage(ClosingDesk *desk, CheckoutService *service, const Clock &clock, QWidget *parent = nullptr);

    void arrange(bool compact);
    void showTab(Tab tab);
    [[nodiscard]] Tab tab() const;
    [[nodiscard]] ClosingClient *client() const { return m_client; }
    /// The heart of the window.
    void tick();

public Q_SLOTS:
    /// Writes what the shown tab holds: CSV, or JSON where the name ends in .json.
    void exportTo(const QString &file);

Q_SIGNALS:
    /// Put this open checkout on the cashier's screen.
    void checkoutWanted(const ikkai::IdempotencyKey &key);
    /// The record of this checkout, in History.
    void recordWanted(const ikkai::IdempotencyKey &key);
    /// Paper of this report; number 0: of what closing would report now.
    void printWanted(const ikkai::DayReport &report);

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void build();
    void connectParts();
    void retranslate();
    void refresh();
    void openExportDialog();
    void say(const QString &words, bool isTrouble);
    /// The report that Export and Print are about now, if any.
    [[nodiscard]] const DayReport *shownReport() const;
    [[nodiscard]] QString exportName() const;

    const Clock &m_clock;
    ClosingClient *m_client;
    Label *m_title;
    TabButton *m_reportTab;
    TabButton *m_reconcileTab;
    TabButton *m_daysTab;
    Label *m_status;
    Button *m_again;
    Button *m_print;
    Button *m_export;
    QStackedWidget *m_tabs;
    ReportTab *m_report;
    ReconcileTab *m_reconcile;
    ClosedDaysTab *m_days;
    bool m_compact = false;
    QString m_said; ///< until another tab is shown
    bool m_saidIsTrouble = false;
};

} // namespace ikkai
