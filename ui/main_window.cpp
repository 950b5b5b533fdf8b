#include "ui/main_window.h"

#include "ui/cashier/cashier_page.h"
#include "ui/cashier/desk.h"
#include "ui/cashier/entry_panel.h"
#include "ui/cashier/open_list_page.h"
#include "ui/cashier/outcome_words.h"
#include "ui/closing/close_day_page.h"
#include "ui/closing/day_paper.h"
#include "ui/history/history_list_page.h"
#include "ui/i18n/store_time.h"
#include "ui/object_names.h"
#include "ui/receipts/receipt_page.h"
#include "ui/theme/ring_style.h"
#include "ui/theme/theme.h"
#include "ui/trainer/trainer_dock.h"
#include "ui/trainer/trainer_link.h"
#include "ui/trainer/training_band.h"
#include "ui/widgets/page_not_here.h"

#include <QtCore/QTimer>
#include <QtGui/QCloseEvent>
#include <QtGui/QKeyEvent>
#include <QtGui/QScreen>
#include <QtGui/QShortcut>
#include <QtWidgets/QApplication>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace ikkai {

namespace {

constexpr int heartMs = 100;

} // namespace

MainWindow::MainWindow(MainWindowOptions options, const WindowParts &parts, QWidget *parent)
    : QMainWindow(parent)
    , m_options(std::move(options))
    , m_clock(*parts.clock)
    , m_desk(new Desk(parts.service, m_clock, this))
{
    theme::apply(m_options.theme);
    store::useCalendar(m_options.calendar);
    m_language.use(m_options.language);
    setObjectName(names::mainWindow);
    build(parts);
    new theme::FocusRing(this);

    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *old, QWidget *) { keepFocusHome(old); });

    auto *heart = new QTimer(this);
    heart->setInterval(heartMs);
    connect(heart, &QTimer::timeout, this, &MainWindow::tick);
    heart->start();
    connect(m_desk, &Desk::changed, this, &MainWindow::refresh);
    connect(m_desk, &Desk::rejected, this, [this] { showPage(HeaderBar::Page::Charge); });
    refresh();
    tick();
    m_cashier->entry()->focusOrder();
}

MainWindow::~MainWindow()
{
    // The base class moves the focus while it goes, when there is no MainWindow any more to hear of it.
    disconnect(qApp, nullptr, this, nullptr);
    if (m_dock)
        disconnect(m_dock, nullptr, this, nullptr);
}

void MainWindow::build(const WindowParts &parts)
{
    TrainerLink *trainer = m_options.role == WindowRole::Trainer ? parts.trainer : nullptr;
    auto *top = new QWidget(this);
    auto *column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    if (m_options.role == WindowRole::Trainer) {
        m_band = new TrainingBand(top);
        column->addWidget(m_band);
    }
    m_header = new HeaderBar(m_options.terminalId, trainer != nullptr, top);
    m_header->setLanguage(m_options.language);
    column->addWidget(m_header);
    setMenuWidget(top);

    buildPages(parts);
    buildReceipts(parts);
    m_pages->setMinimumSize(theme::metrics::minimumWidth,
                            theme::metrics::minimumHeight - theme::metrics::band - theme::metrics::header);
    m_pages->installEventFilter(this);
    setCentralWidget(m_pages);
    setMinimumSize(theme::metrics::minimumWidth, theme::metrics::minimumHeight);
    resize(theme::metrics::defaultWidth, theme::metrics::defaultHeight);
    setWindowTitle(tr("Ikkai") + QLatin1Char(' ') + m_options.terminalId);

    connect(m_header, &HeaderBar::pageWanted, this, &MainWindow::showPage);
    connect(m_header, &HeaderBar::otherLanguageWanted, this,
            [this] { setLanguage(language() == Language::English ? Language::Japanese : Language::English); });
    connect(m_cashier, &CashierPage::openListWanted, this, [this] { showPage(HeaderBar::Page::Open); });
    connect(m_cashier, &CashierPage::reconcileWanted, this, [this] {
        if (m_closeDay)
            m_closeDay->showTab(CloseDayPage::Tab::Reconcile);
        showPage(HeaderBar::Page::CloseDay);
    });
    connect(m_open, &OpenListPage::chosen, this, &MainWindow::showCheckout);
    for (const auto keys : {Qt::CTRL | Qt::Key_Return, Qt::CTRL | Qt::Key_Enter}) {
        auto *shortcut = new QShortcut(QKeySequence(keys), this);
        shortcut->setAutoRepeat(false);
        connect(shortcut, &QShortcut::activated, this, [this] {
            if (m_pages->currentWidget() == m_cashier)
                m_cashier->entry()->charge();
        });
    }
    if (trainer)
        buildTrainer(trainer);
}

/// In the order of HeaderBar::Page.
void MainWindow::buildPages(const WindowParts &parts)
{
    m_pages = new QStackedWidget(this);
    m_cashier = new CashierPage(m_desk, m_options.currency, m_options.sources, m_pages);
    m_open = new OpenListPage(m_desk, m_pages);
    m_pages->addWidget(m_cashier);
    m_pages->addWidget(m_open);
    m_pages->addWidget(buildHistory(parts));
    m_pages->addWidget(buildCloseDay(parts));
}

/// The paper's page stands behind those of the header: whoever asked for it comes back to where they were.
void MainWindow::buildReceipts(const WindowParts &parts)
{
    m_receipts = new ReceiptPage(m_clock, nullptr, m_pages);
    m_pages->addWidget(m_receipts);
    connect(parts.service, &CheckoutService::checkoutChanged, m_receipts, &ReceiptPage::noteChanged,
            Qt::QueuedConnection);
    connect(m_cashier, &CashierPage::receiptWanted, this,
            [this](const Checkout &checkout) { showReceipt(checkout, PrintOrigin::Outcome); });
    if (m_history) {
        connect(m_history, &HistoryListPage::receiptWanted, this,
                [this](const Checkout &checkout) { showReceipt(checkout, PrintOrigin::History); });
    }
    if (m_closeDay)
        connect(m_closeDay, &CloseDayPage::printWanted, this, &MainWindow::showDayReport);
    connect(m_receipts, &ReceiptPage::closed, this, [this] { showPage(m_shown); });
}

void MainWindow::showReceipt(const Checkout &checkout, PrintOrigin origin)
{
    m_pages->setCurrentWidget(m_receipts);
    m_receipts->show(checkout, origin);
}

void MainWindow::showDayReport(const DayReport &report)
{
    m_pages->setCurrentWidget(m_receipts);
    m_receipts->showOther([report] { return dayPaperOf(report); }, dayPaperFile(report));
}

QWidget *MainWindow::buildHistory(const WindowParts &parts)
{
    if (!parts.history)
        return new PageNotHere(m_pages);
    m_history = new HistoryListPage(parts.history, m_clock, m_pages);
    m_history->setCurrency(m_options.currency);
    connect(parts.service, &CheckoutService::checkoutChanged, m_history, &HistoryListPage::noteChanged);
    connect(m_history, &HistoryListPage::showCheckout, this, &MainWindow::showCheckout);
    return m_history;
}

QWidget *MainWindow::buildCloseDay(const WindowParts &parts)
{
    if (!parts.closing)
        return new PageNotHere(m_pages);
    m_closeDay = new CloseDayPage(parts.closing, parts.service, m_clock, m_pages);
    connect(m_closeDay, &CloseDayPage::checkoutWanted, this, &MainWindow::showCheckout);
    connect(m_closeDay, &CloseDayPage::recordWanted, this, &MainWindow::showRecord);
    return m_closeDay;
}

void MainWindow::showCheckout(const IdempotencyKey &key)
{
    m_desk->show(key);
    showPage(HeaderBar::Page::Charge);
}

void MainWindow::showRecord(const IdempotencyKey &key)
{
    showPage(HeaderBar::Page::History);
    if (m_history)
        m_history->show(key);
}

void MainWindow::buildTrainer(TrainerLink *trainer)
{
    m_dock = new TrainerDock(trainer, this);
    addDockWidget(Qt::RightDockWidgetArea, m_dock);
    connect(m_band, &TrainingBand::stopWanted, trainer, &TrainerLink::disarmAll);
    connect(m_dock, &TrainerDock::armedCountChanged, m_band, &TrainingBand::setArmed);
    connect(m_header, &HeaderBar::trainerWanted, this, &MainWindow::showTrainer);
    connect(m_dock, &QDockWidget::visibilityChanged, m_header, &HeaderBar::setTrainerShown);
    connect(m_dock, &QDockWidget::visibilityChanged, this, &MainWindow::keepRoomForDock);
    connect(m_dock, &QDockWidget::topLevelChanged, this, &MainWindow::keepRoomForDock);
    // Below the cards the list of bank events takes what is left: the taller, the better.
    const int tallest = screen() ? screen()->availableGeometry().height() : 800;
    resize(theme::metrics::defaultWidth + (dockHasToFloat() ? 0 : TrainerDock::wide),
           std::clamp(tallest, theme::metrics::minimumHeight, 1000));
    showTrainer(!dockHasToFloat());
}

bool MainWindow::dockHasToFloat() const
{
    // A screen that takes the till but not the till and the dock side by side.
    const int room = screen() ? screen()->availableGeometry().width() : 0;
    return room >= theme::metrics::minimumWidth && room < theme::metrics::minimumWidth + TrainerDock::wide;
}

/// A window that is made too narrow for both would put the dock over the till.
void MainWindow::keepRoomForDock()
{
    const bool isBeside = !m_dock->isHidden() && !m_dock->isFloating();
    setMinimumWidth(theme::metrics::minimumWidth + (isBeside ? TrainerDock::wide : 0));
}

/// Where a control with the focus is shut or hidden, Qt hands the focus to whatever comes next; the next Enter would
/// press that. It goes to the amount instead, where Enter does nothing.
void MainWindow::keepFocusHome(const QWidget *old)
{
    if (!old || !m_cashier->isAncestorOf(old) || m_pages->currentWidget() != m_cashier)
        return;
    if (!old->isEnabled() || !old->isVisibleTo(this))
        m_cashier->entry()->focusAmount(Qt::MouseFocusReason);
}

void MainWindow::showTrainer(bool shown)
{
    if (shown)
        m_dock->setFloating(dockHasToFloat());
    m_dock->setVisible(shown);
    if (shown && m_dock->isFloating()) // over the outcome rather than over the till
        m_dock->move(screen()->availableGeometry().right() - m_dock->width(), pos().y() + 2 * theme::metrics::header);
    m_header->setTrainerShown(shown);
}

void MainWindow::setLanguage(Language language)
{
    m_language.use(language);
    m_header->setLanguage(language);
}

void MainWindow::showPage(HeaderBar::Page page)
{
    m_shown = page;
    m_pages->setCurrentIndex(static_cast<int>(page));
    m_header->setPage(page);
    m_closingWasAsked = false;
    m_open->warnBeforeClosing(false);
    if (page == HeaderBar::Page::Charge)
        m_cashier->entry()->focusAmount();
}

void MainWindow::tick()
{
    m_desk->tick();
    m_header->setTime(shortClockText(m_clock.now().wallMs));
    m_cashier->tick();
    if (m_closeDay)
        m_closeDay->tick();
}

void MainWindow::refresh()
{
    m_header->setLink(m_desk->link());
    m_header->setOpenCount(static_cast<int>(m_desk->open().size()));
}

void MainWindow::arrange()
{
    const bool compact = theme::isCompact(m_pages->width(), height());
    const int room = height() - theme::metrics::header - (m_band ? theme::metrics::band : 0);
    m_cashier->arrange(compact, room >= 656);
    m_open->arrange(compact);
    m_receipts->arrange(compact);
    if (m_history)
        m_history->arrange(compact);
    if (m_closeDay)
        m_closeDay->arrange(compact);
}

bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    // The page's own size decides, not the window's: the trainer's dock takes its part.
    if (watched == m_pages && event->type() == QEvent::Resize)
        arrange();
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::keyPressEvent(QKeyEvent *event)
{
    // Digits belong to the amount, wherever the focus is on the cashier's page.
    if (m_pages->currentWidget() == m_cashier && m_cashier->entry()->takeKey(*event)) {
        event->accept();
        return;
    }
    QMainWindow::keyPressEvent(event);
}

void MainWindow::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        setWindowTitle(tr("Ikkai") + QLatin1Char(' ') + m_options.terminalId);
    QMainWindow::changeEvent(event);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    // Nothing open is forgotten at exit: a person who closes the window sees the list first.
    if (event->spontaneous() && !m_desk->open().isEmpty() && !m_closingWasAsked) {
        showPage(HeaderBar::Page::Open);
        m_open->warnBeforeClosing(true);
        m_closingWasAsked = true;
        event->ignore();
        return;
    }
    QMainWindow::closeEvent(event);
}

} // namespace ikkai
