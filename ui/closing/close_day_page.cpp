#include "ui/closing/close_day_page.h"

#include "ui/closing/closed_days_tab.h"
#include "ui/closing/closing_client.h"
#include "ui/closing/day_paper.h"
#include "ui/closing/reconcile_tab.h"
#include "ui/closing/report_tab.h"
#include "ui/i18n/store_time.h"
#include "ui/object_names.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtCore/QEvent>
#include <QtCore/QFileInfo>
#include <QtWidgets/QButtonGroup>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

namespace ikkai {

/// The name of a tab; the one that is shown is filled with ink.
class TabButton final : public Button {
public:
    explicit TabButton(QWidget *parent)
        : Button(Kind::Flat, parent)
    {
        setCheckable(true);
        setSidePadding(16);
        setFixedHeight(theme::metrics::minimumTarget);
        connect(this, &Button::toggled, this,
                [this](bool isShown) { setType(isShown ? theme::Type::Strong : theme::Type::Body); });
        setType(theme::Type::Body);
    }

protected:
    [[nodiscard]] Look look() const override
    {
        using theme::color;
        using theme::Token;
        if (isChecked())
            return {color(Token::Ink), Qt::transparent, color(Token::OnInk), color(Token::OnInk)};
        return {isDown() ? color(Token::SelBg) : QColor(Qt::transparent), Qt::transparent, color(Token::Muted),
                color(Token::Muted)};
    }
};

CloseDayPage::CloseDayPage(ClosingDesk *desk, CheckoutService *service, const Clock &clock, QWidget *parent)
    : QWidget(parent)
    , m_clock(clock)
    , m_client(new ClosingClient(desk, service, clock, this))
    , m_title(new Label(theme::Type::ChoiceTitle, theme::Token::Text, this))
    , m_reportTab(new TabButton(this))
    , m_reconcileTab(new TabButton(this))
    , m_daysTab(new TabButton(this))
    , m_status(new Label(theme::Type::Small, theme::Token::Muted, this))
    , m_again(new Button(Button::Kind::Secondary, this))
    , m_print(new Button(Button::Kind::Secondary, this))
    , m_export(new Button(Button::Kind::Secondary, this))
    , m_tabs(new QStackedWidget(this))
    , m_report(new ReportTab(m_client, m_tabs))
    , m_reconcile(new ReconcileTab(m_client, m_tabs))
    , m_days(new ClosedDaysTab(m_client, m_tabs))
{
    build();
    connectParts();
    arrange(false);
    retranslate();
    showTab(Tab::Report);
}

void CloseDayPage::build()
{
    setObjectName(names::closeDayPage);
    m_title->setObjectName(names::closeDayTitle);
    m_reportTab->setObjectName(names::tabReport);
    m_reconcileTab->setObjectName(names::tabReconcile);
    m_daysTab->setObjectName(names::tabClosedDays);
    m_status->setObjectName(names::closeDayStatus);
    m_again->setObjectName(names::checkAgainButton);
    m_print->setObjectName(names::closePrintButton);
    m_export->setObjectName(names::closeExportButton);
    m_status->setMayCut(true);
    m_status->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_again->setShape(icons::Icon::Repeat);
    m_print->setShape(icons::Icon::Print);
    m_export->setShape(icons::Icon::Export);
    for (Button *button : {m_again, m_print, m_export}) {
        button->setFixedHeight(theme::metrics::minimumTarget);
        button->setSidePadding(15);
    }
    auto *group = new QButtonGroup(this);
    for (TabButton *button : {m_reportTab, m_reconcileTab, m_daysTab})
        group->addButton(button);

    m_tabs->addWidget(m_report); // in the order of Tab
    m_tabs->addWidget(m_reconcile);
    m_tabs->addWidget(m_days);
    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_title);
    head->addSpacing(16);
    head->addWidget(m_reportTab);
    head->addWidget(m_reconcileTab);
    head->addWidget(m_daysTab);
    head->addSpacing(8);
    head->addWidget(m_status, 1);
    head->addSpacing(4);
    head->addWidget(m_again);
    head->addWidget(m_print);
    head->addWidget(m_export);
    auto *column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addWidget(m_tabs, 1);
}

void CloseDayPage::connectParts()
{
    connect(m_reportTab, &Button::clicked, this, [this] { showTab(Tab::Report); });
    connect(m_reconcileTab, &Button::clicked, this, [this] { showTab(Tab::Reconcile); });
    connect(m_daysTab, &Button::clicked, this, [this] { showTab(Tab::ClosedDays); });
    connect(m_again, &Button::clicked, m_client, &ClosingClient::reconcile);
    connect(m_export, &Button::clicked, this, &CloseDayPage::openExportDialog);
    connect(m_print, &Button::clicked, this, [this] {
        if (const DayReport *report = shownReport())
            Q_EMIT printWanted(*report);
    });
    connect(m_report, &ReportTab::checkoutWanted, this, &CloseDayPage::checkoutWanted);
    connect(m_report, &ReportTab::recordWanted, this, &CloseDayPage::recordWanted);
    connect(m_report, &ReportTab::reportWanted, this, [this](int number) {
        showTab(Tab::ClosedDays);
        m_days->open(number);
    });
    connect(m_reconcile, &ReconcileTab::recordWanted, this, &CloseDayPage::recordWanted);
    connect(m_reconcile, &ReconcileTab::closeWanted, this, [this] {
        showTab(Tab::Report);
        m_report->ask();
    });
    connect(m_days, &ClosedDaysTab::recordWanted, this, &CloseDayPage::recordWanted);
    connect(m_client, &ClosingClient::changed, this, &CloseDayPage::refresh);
    connect(m_client, &ClosingClient::written, this,
            [this](const QString &file) { say(tr("Written to %1").arg(QFileInfo(file).fileName()), false); });
    connect(m_client, &ClosingClient::notWritten, this,
            [this](const QString &what) { say(tr("Not written: %1").arg(what), true); });
}

void CloseDayPage::arrange(bool compact)
{
    m_compact = compact;
    const int side = compact ? 16 : 24;
    layout()->setContentsMargins(side, compact ? 12 : 16, side, compact ? 4 : 8);
    layout()->setSpacing(compact ? 10 : 14);
    m_report->arrange(compact);
    m_reconcile->arrange(compact);
    m_days->arrange(compact);
    refresh();
}

void CloseDayPage::showTab(Tab tab)
{
    m_tabs->setCurrentIndex(static_cast<int>(tab));
    m_reportTab->setChecked(tab == Tab::Report);
    m_reconcileTab->setChecked(tab == Tab::Reconcile);
    m_daysTab->setChecked(tab == Tab::ClosedDays);
    m_said.clear();
    if (tab == Tab::ClosedDays && isVisible())
        m_client->listReports();
    refresh();
}

CloseDayPage::Tab CloseDayPage::tab() const
{
    return static_cast<Tab>(m_tabs->currentIndex());
}

void CloseDayPage::tick()
{
    m_client->tick(isVisible());
}

const DayReport *CloseDayPage::shownReport() const
{
    switch (tab()) {
    case Tab::Report:
        return m_client->preview() ? &*m_client->preview() : nullptr;
    case Tab::ClosedDays:
        return m_client->opened() ? &*m_client->opened() : nullptr;
    case Tab::Reconcile:
        break;
    }
    return nullptr;
}

void CloseDayPage::refresh()
{
    const bool reconciles = tab() == Tab::Reconcile;
    const bool isDone = m_client->run() == ClosingClient::Run::Done;
    m_again->setVisible(reconciles && isDone);
    m_print->setVisible(shownReport() != nullptr);
    m_export->setVisible(shownReport() != nullptr || (reconciles && isDone));
    const QString day = store::day(m_client->preview() ? m_client->preview()->businessDay
                                                       : businessDayOf(store::calendar(), m_clock.now().wallMs));
    m_title->setText(tr("Close day, %1").arg(day));
    if (!m_said.isEmpty()) {
        m_status->setToken(m_saidIsTrouble ? theme::Token::BadText : theme::Token::Muted);
        m_status->setText(m_said);
    } else {
        m_status->setToken(theme::Token::Muted);
        m_status->setText(reconciles && !m_compact ? m_reconcile->checkedWords() : QString());
    }
    m_status->setToolTip(m_status->text());
}

void CloseDayPage::say(const QString &words, bool isTrouble)
{
    m_said = words;
    m_saidIsTrouble = isTrouble;
    refresh();
}

QString CloseDayPage::exportName() const
{
    if (tab() == Tab::Reconcile) {
        const qint64 atMs = m_client->reconciliation() ? m_client->reconciliation()->checkedWallMs : 0;
        const QDate day = businessDayOf(store::calendar(), atMs);
        return QStringLiteral("reconciliation-%1.csv").arg(day.toString(Qt::ISODate));
    }
    const DayReport *report = shownReport();
    return (report ? dayFileStem(*report) : QStringLiteral("day")) + QStringLiteral(".csv");
}

void CloseDayPage::openExportDialog()
{
    auto *dialog = new QFileDialog(this, tr("Export"));
    dialog->setObjectName(names::closeExportDialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setNameFilters({tr("Table (*.csv)"), tr("JSON (*.json)")});
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
        dialog->setDefaultSuffix(filter.contains(QLatin1StringView(".json")) ? QStringLiteral("json")
                                                                             : QStringLiteral("csv"));
    });
    dialog->selectFile(exportName());
    connect(dialog, &QFileDialog::fileSelected, this, &CloseDayPage::exportTo);
    dialog->open();
}

void CloseDayPage::exportTo(const QString &file)
{
    say(tr("Writing…"), false);
    if (tab() == Tab::Reconcile)
        m_client->exportReconciliation(file);
    else if (const DayReport *report = shownReport())
        m_client->exportReport(report->number, file);
}

void CloseDayPage::retranslate()
{
    m_reportTab->setText(tr("Report"));
    m_reconcileTab->setText(tr("Reconcile"));
    m_daysTab->setText(tr("Closed days"));
    m_again->setText(tr("Check again"));
    m_print->setText(tr("Print"));
    m_export->setText(tr("Export"));
}

void CloseDayPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        refresh();
    }
    QWidget::changeEvent(event);
}

void CloseDayPage::showEvent(QShowEvent *event)
{
    m_client->readPreview();
    if (tab() == Tab::ClosedDays)
        m_client->listReports();
    QWidget::showEvent(event);
}

} // namespace ikkai
