#pragma once

#include "core/checkout/checkout_service.h"
#include "core/domain/business_day.h"
#include "core/domain/clock.h"
#include "core/domain/money.h"

#include "ui/header_bar.h"
#include "ui/i18n/language.h"
#include "ui/receipts/print_memory.h"
#include "ui/theme/tokens.h"

#include <QtCore/QStringList>
#include <QtWidgets/QMainWindow>

class QStackedWidget;

namespace ikkai {

class CashierPage;
class CloseDayPage;
class ClosingDesk;
class Desk;
class HistoryListPage;
class HistorySource;
class OpenListPage;
class ReceiptPage;
class TrainerDock;
class TrainerLink;
class TrainingBand;
struct DayReport;

enum class WindowRole { Cashier, Trainer };

struct MainWindowOptions {
    WindowRole role = WindowRole::Cashier;
    Language language = Language::Japanese;
    QString terminalId = QStringLiteral("till-1");
    theme::Mode theme = theme::Mode::Light;
    Currency currency = Currency::jpy();
    QStringList sources{QStringLiteral("card_ok"), QStringLiteral("card_low"), QStringLiteral("card_decline")};
    BusinessCalendar calendar; ///< times on the screen are the store's
};

/// The other sides of the window; each must outlive it. They may live on other threads, but for `trainer`, which lives
/// on the GUI thread. A page whose side is null says that it is not there.
struct WindowParts {
    CheckoutService *service = nullptr; ///< always there
    const Clock *clock = nullptr;       ///< always there
    HistorySource *history = nullptr;
    ClosingDesk *closing = nullptr;
    TrainerLink *trainer = nullptr; ///< used in the trainer's role only
};

/// The window of the till. Shows what the service says and asks the service by queued values; opens no dialog, waits
/// for nothing. One per application (it sets style, palette and language). GUI thread.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow(MainWindowOptions options, const WindowParts &parts, QWidget *parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Language language() const { return m_language.language(); }

public Q_SLOTS:
    void setLanguage(ikkai::Language language);
    void showPage(ikkai::HeaderBar::Page page);
    /// One beat, ten a second by the window's own timer: countdown, clock, freshness. Tests may beat by hand.
    void tick();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void build(const WindowParts &parts);
    void buildPages(const WindowParts &parts);
    void buildTrainer(TrainerLink *trainer);
    void arrange();
    void refresh();
    void keepFocusHome(const QWidget *old);
    QWidget *buildHistory(const WindowParts &parts);
    QWidget *buildCloseDay(const WindowParts &parts);
    void showCheckout(const IdempotencyKey &key);
    void showRecord(const IdempotencyKey &key);
    void buildReceipts(const WindowParts &parts);
    void showReceipt(const Checkout &checkout, PrintOrigin origin);
    void showDayReport(const DayReport &report);
    void showTrainer(bool shown);
    void keepRoomForDock();
    [[nodiscard]] bool dockHasToFloat() const;

    MainWindowOptions m_options;
    const Clock &m_clock;
    LanguageSwitch m_language;
    Desk *m_desk;
    TrainingBand *m_band = nullptr;
    TrainerDock *m_dock = nullptr;
    HeaderBar *m_header = nullptr;
    QStackedWidget *m_pages = nullptr;
    CashierPage *m_cashier = nullptr;
    OpenListPage *m_open = nullptr;
    ReceiptPage *m_receipts = nullptr;    ///< behind the pages of the header
    HistoryListPage *m_history = nullptr; ///< null where there is no source for it
    CloseDayPage *m_closeDay = nullptr;   ///< null where there is no desk for it
    HeaderBar::Page m_shown = HeaderBar::Page::Charge;
    bool m_closingWasAsked = false;
};

} // namespace ikkai
