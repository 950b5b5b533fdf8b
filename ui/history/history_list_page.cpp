#include "ui/history/history_list_page.h"

#include "ui/history/history_client.h"
#include "ui/history/history_detail.h"
#include "ui/history/history_fields.h"
#include "ui/history/history_model.h"
#include "ui/history/history_table.h"
#include "ui/i18n/store_time.h"
#include "ui/object_names.h"
#include "ui/theme/theme.h"
#include "ui/widgets/amount_entry.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"

#include <QtCore/QEvent>
#include <QtCore/QFileInfo>
#include <QtGui/QPainter>
#include <QtWidgets/QButtonGroup>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>

#include <algorithm>

namespace ikkai {

namespace {

constexpr int barGap = 8;
constexpr int footerHeight = 44;

/// The white card behind table and footer.
class TableCard final : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme::color(theme::Token::Line), 1));
        painter.setBrush(theme::color(theme::Token::Surface));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusCard,
                                theme::metrics::radiusCard);
    }
};

} // namespace

HistoryListPage::HistoryListPage(HistorySource *source, const Clock &clock, QWidget *parent)
    : QWidget(parent)
    , m_clock(clock)
    , m_client(new HistoryClient(source, this))
    , m_model(new HistoryModel(m_client, this))
    , m_bar(new QWidget(this))
    , m_group(new QButtonGroup(this))
    , m_text(new SearchField(icons::Icon::Search, names::historySearch, m_bar))
    , m_amount(new SearchField(icons::Icon::None, names::historyAmount, m_bar))
    , m_day(new DayChooser(m_bar))
    , m_export(new Button(Button::Kind::Secondary, m_bar))
    , m_card(new TableCard(this))
    , m_table(new HistoryTable(m_model, m_card))
    , m_nothing(new QWidget(m_card))
    , m_empty(new FlowText(theme::Type::Body, theme::Token::Text, m_nothing))
    , m_showAll(new Button(Button::Kind::Secondary, m_nothing))
    , m_retry(new Button(Button::Kind::Secondary, m_nothing))
    , m_footer(new QWidget(m_card))
    , m_shown(new Label(theme::Type::Small, theme::Token::Muted, m_footer))
    , m_message(new Label(theme::Type::Small, theme::Token::OkText, m_footer))
    , m_more(new Button(Button::Kind::Link, m_footer))
    , m_detail(new HistoryDetailCard(this))
{
    build();
    connectParts();
    arrange(false);
    retranslate();
}

void HistoryListPage::build()
{
    setObjectName(names::historyPage);
    m_export->setObjectName(names::historyExport);
    m_empty->setObjectName(names::historyEmpty);
    m_showAll->setObjectName(names::historyShowAll);
    m_retry->setObjectName(names::historyRetry);
    m_shown->setObjectName(names::historyShown);
    m_message->setObjectName(names::historyMessage);
    m_more->setObjectName(names::historyMore);
    m_message->setMayCut(true);
    m_shown->setMayCut(true);
    QSizePolicy flows(QSizePolicy::Expanding, QSizePolicy::Preferred); // as many lines as it takes
    flows.setHeightForWidth(true);
    m_empty->setSizePolicy(flows);
    m_export->setShape(icons::Icon::Export);
    m_export->setFixedHeight(theme::metrics::minimumTarget);
    m_export->setSidePadding(12);
    m_more->setFixedHeight(footerHeight);

    m_group->setExclusive(true);
    for (const StateChip &each : stateChips()) {
        auto *chip = new ChipButton(m_bar);
        chip->setObjectName(names::historyFilter + QLatin1Char('.') + each.id);
        chip->setChecked(m_chips.empty());
        m_group->addButton(chip, static_cast<int>(m_chips.size()));
        m_chips.push_back(chip);
    }
    QWidget *before = m_chips.back();
    for (QWidget *next : std::initializer_list<QWidget *>{m_text->edit(), m_amount->edit(), m_day, m_export}) {
        setTabOrder(before, next);
        before = next;
    }

    auto *footer = new QHBoxLayout(m_footer);
    footer->setContentsMargins(16, 0, 16, 0);
    footer->setSpacing(16);
    footer->addWidget(m_shown);
    footer->addWidget(m_message, 1);
    footer->addStretch(1);
    footer->addWidget(m_more);
    m_footer->setFixedHeight(footerHeight);
    auto *offers = new QHBoxLayout;
    offers->setSpacing(12);
    offers->addWidget(m_showAll);
    offers->addWidget(m_retry);
    offers->addStretch(1);
    auto *nothing = new QVBoxLayout(m_nothing);
    nothing->setContentsMargins(16, 24, 16, 8);
    nothing->setSpacing(16);
    nothing->addWidget(m_empty);
    nothing->addLayout(offers);
    nothing->addStretch(1);
    auto *column = new QVBoxLayout(m_card);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    column->addWidget(m_table, 1);
    column->addWidget(m_nothing, 1);
    column->addWidget(m_footer);
}

void HistoryListPage::connectParts()
{
    connect(m_group, &QButtonGroup::idToggled, this, [this](int, bool checked) {
        if (checked)
            search();
    });
    connect(m_text, &SearchField::changed, this, &HistoryListPage::search);
    connect(m_amount, &SearchField::changed, this, &HistoryListPage::search);
    connect(m_day, &DayChooser::dayChanged, this, [this] {
        resizeEvent(nullptr); // its words are longer or shorter now
        search();
    });
    connect(m_export, &Button::clicked, this,
            [this] { openExportDialog(m_model->filter(), QStringLiteral("payments.csv")); });
    connect(m_showAll, &Button::clicked, this, &HistoryListPage::resetFilter);
    connect(m_retry, &Button::clicked, m_model, &HistoryModel::retry);
    connect(m_more, &Button::clicked, m_model, [this] { m_model->fetchMore({}); });
    connect(m_model, &HistoryModel::statusChanged, this, &HistoryListPage::refreshStatus);
    connect(m_model, &QAbstractItemModel::modelReset, this, &HistoryListPage::pinSelection);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &HistoryListPage::pinSelection);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &now) { choose(now); });
    connect(m_table, &HistoryTable::rowWanted, this, &HistoryListPage::choose);

    connect(m_client, &HistoryClient::detailRead, this, [this](const HistoryDetail &detail) {
        const IdempotencyKey key = detail.checkout.key;
        m_askedFor.reset();
        if (m_chosen == key)
            m_detail->showDetail(detail);
        if (m_chosen && (m_chosen != key || std::exchange(m_askAgain, false)))
            askForDetail(*m_chosen);
    });
    connect(m_client, &HistoryClient::detailFailed, this, [this](const IdempotencyKey &key, const QString &what) {
        m_askedFor.reset();
        if (m_chosen == key)
            m_detail->showTrouble(what);
        else if (m_chosen)
            askForDetail(*m_chosen);
    });
    connect(m_client, &HistoryClient::exported, this, [this](const QString &file, qint64 rows) {
        say(tr("Written to %1: %2").arg(QFileInfo(file).fileName(), countText(rows)), false);
    });
    connect(m_client, &HistoryClient::exportFailed, this,
            [this](const QString &, const QString &what) { say(tr("Not written: %1").arg(what), true); });

    connect(m_detail, &HistoryDetailCard::showWanted, this, &HistoryListPage::showCheckout);
    connect(m_detail, &HistoryDetailCard::reprintWanted, this, &HistoryListPage::receiptWanted);
    connect(m_detail, &HistoryDetailCard::linkWanted, this, [this](const IdempotencyKey &key) { show(key); });
    connect(m_detail, &HistoryDetailCard::exportWanted, this, [this](const IdempotencyKey &key) {
        HistoryFilter one;
        one.text = key.text();
        openExportDialog(one, QStringLiteral("payment-%1.json").arg(key.lastFour()));
    });
}

QDate HistoryListPage::today() const
{
    return businessDayOf(store::calendar(), m_clock.now().wallMs);
}

void HistoryListPage::setCurrency(const Currency &currency)
{
    m_currency = currency;
}

void HistoryListPage::arrange(bool compact)
{
    m_compact = compact;
    m_detail->arrange(compact);
    resizeEvent(nullptr);
}

void HistoryListPage::resizeEvent(QResizeEvent *)
{
    const int side = m_compact ? 16 : 24;
    placeBar();
    const int cardTop = m_bar->y() + m_bar->height() + (m_compact ? 10 : 14);
    const int tall = height() - cardTop - (m_compact ? 12 : 20);
    const int inside = width() - 2 * side;
    const int gap = m_compact ? 12 : 16;
    const int detail = std::clamp(inside * (m_compact ? 41 : 44) / 100, 400, 640);
    m_card->setGeometry(side, cardTop, inside - detail - gap, tall);
    m_detail->setGeometry(side + inside - detail, cardTop, detail, tall);
}

/// Chips at the left, fields at the right; in two rows where one is too short.
void HistoryListPage::placeBar()
{
    const int side = m_compact ? 16 : 24;
    const int wide = width() - 2 * side;
    const int line = theme::metrics::minimumTarget;
    int chips = -barGap;
    for (const ChipButton *chip : m_chips)
        chips += chip->sizeHint().width() + barGap;
    const int day = m_day->sizeHint().width();
    const int exports = m_export->sizeHint().width();
    constexpr int least = 150;
    constexpr int amount = 88;
    const int fields = least + amount + day + exports + 3 * barGap;
    const bool oneRow = chips + 2 * barGap + fields <= wide;
    m_bar->setGeometry(side, m_compact ? 12 : 16, wide, oneRow ? line : 2 * line + barGap);
    int x = 0;
    for (ChipButton *chip : m_chips) {
        chip->setGeometry(x, 0, chip->sizeHint().width(), line);
        x += chip->width() + barGap;
    }
    const int y = oneRow ? 0 : line + barGap;
    const int rest = wide - (fields - least);
    const int text = oneRow ? std::min(rest - chips - 2 * barGap, 220) : rest;
    x = wide - (fields - least + text);
    const auto put = [&x, y, line](QWidget *widget, int width) {
        widget->setGeometry(x, y, width, line);
        x += width + barGap;
    };
    put(m_text, text);
    put(m_amount, amount);
    put(m_day, day);
    put(m_export, exports);
}

void HistoryListPage::retranslate()
{
    const auto words = stateChips();
    for (std::size_t i = 0; i < m_chips.size(); ++i)
        m_chips[i]->show(words[i]);
    m_text->setHint(tr("Order or Ref"));
    m_amount->setHint(tr("Amount"));
    m_export->setText(tr("Export"));
    m_showAll->setText(tr("Show all"));
    m_retry->setText(tr("Read again"));
    m_table->setAccessibleName(tr("Payments, newest first"));
    m_day->retranslate();
    m_model->retranslate();
    m_detail->retranslate();
    m_message->clear();
    refreshStatus();
    resizeEvent(nullptr);
}

void HistoryListPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void HistoryListPage::showEvent(QShowEvent *)
{
    m_day->setToday(today());
    m_model->setToday(today());
    if (!m_chosen && m_model->rowCount() == 0)
        search();
}

void HistoryListPage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme::color(theme::Token::Window));
}

bool HistoryListPage::isFiltered() const
{
    return m_model->filter() != HistoryFilter{};
}

void HistoryListPage::search()
{
    HistoryFilter filter;
    filter.states = stateChips()[static_cast<std::size_t>(std::max(0, m_group->checkedId()))].states;
    QString text = m_text->text().trimmed();
    if (text.startsWith(QChar(u'…')))
        text.remove(0, 1); // a reference as it stands in the list
    filter.text = text;
    filter.day = m_day->day();
    const QString amount = m_amount->text().trimmed();
    QString wrong;
    if (!amount.isEmpty()) {
        filter.amountMinor = readPastedAmount(amount, m_currency);
        if (!filter.amountMinor)
            wrong = tr("This is not an amount: digits only.");
    }
    m_amount->setWrong(wrong);
    if (!wrong.isEmpty()) {
        say(wrong, true); // what is shown stays what was asked for before
        return;
    }
    m_message->clear();
    m_model->setFilter(filter);
}

void HistoryListPage::resetFilter()
{
    m_chips.front()->setChecked(true);
    m_text->edit()->clear();
    m_amount->edit()->clear();
    m_day->choose(std::nullopt);
    search();
}

void HistoryListPage::refreshStatus()
{
    const int rows = m_model->rowCount();
    const bool none = rows == 0;
    const QString &trouble = m_model->trouble();
    if (!trouble.isEmpty() && none)
        m_empty->setMarked(tr("<b>The record of payments cannot be read.</b> |%1").arg(trouble));
    else if (m_model->isReadingFirst())
        m_empty->setMarked(tr("Reading …"));
    else
        m_empty->setMarked(isFiltered() ? tr("No payment fits this search.") : tr("There are no payments yet."));
    m_nothing->setVisible(none || !trouble.isEmpty());
    m_empty->setVisible(none);
    m_table->setVisible(!none);
    m_retry->setVisible(!trouble.isEmpty());
    m_showAll->setVisible(none && isFiltered() && !m_model->isReadingFirst());

    const auto total = m_model->total();
    m_shown->setText(none    ? QString()
                     : total ? tr("%1 of %2 shown").arg(countText(rows), countText(*total))
                             : tr("%1 shown").arg(countText(rows)));
    const bool full = rows >= HistoryModel::mostRows;
    m_more->setVisible(!none && !m_model->isComplete() && !full);
    const qint64 rest = total ? std::min<qint64>(*total - rows, HistoryModel::pageRows) : HistoryModel::pageRows;
    m_more->setText(tr("%1 more").arg(countText(rest)));
    if (!trouble.isEmpty() && !none)
        say(tr("Older payments cannot be read: %1").arg(trouble), true);
    else if (full && !m_model->isComplete())
        say(tr("Search to see older payments."), false);
}

void HistoryListPage::choose(const QModelIndex &index)
{
    if (!index.isValid())
        return; // a row that no longer fits: what was chosen stays on show
    const HistoryRow &row = m_model->at(index.row());
    if (m_chosen == row.key && m_detail->hasDetail())
        return;
    m_chosen = row.key;
    m_detail->showRow(row);
    askForDetail(row.key);
}

void HistoryListPage::show(const IdempotencyKey &key)
{
    m_chosen = key;
    pinSelection();
    if (m_model->rowOfKey(key) < 0)
        m_table->selectionModel()->clear();
    askForDetail(key);
}

/// One at a time: who holds an arrow key down gets the record of the row at which they stop.
void HistoryListPage::askForDetail(const IdempotencyKey &key)
{
    if (m_askedFor) {
        m_askAgain = m_askAgain || m_askedFor == key;
        return;
    }
    m_askAgain = false;
    m_askedFor = key;
    m_client->readDetail(key);
}

/// The selection belongs to the checkout, not to the row.
void HistoryListPage::pinSelection()
{
    if (!m_chosen && m_model->rowCount() > 0) {
        m_table->setCurrentIndex(m_model->index(0, 0));
        return;
    }
    const int row = m_chosen ? m_model->rowOfKey(*m_chosen) : -1;
    if (row < 0 || m_table->currentIndex().row() == row)
        return;
    const QSignalBlocker quiet(m_table->selectionModel());
    m_table->selectionModel()->setCurrentIndex(m_model->index(row, 0),
                                               QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void HistoryListPage::noteChanged(const Checkout &checkout, bool recorded)
{
    if (!recorded)
        return; // the journal does not have it yet
    m_model->refresh(checkout.key);
    if (m_chosen == checkout.key)
        askForDetail(checkout.key);
}

void HistoryListPage::openExportDialog(const HistoryFilter &filter, const QString &name)
{
    auto *dialog = new QFileDialog(this, tr("Export"));
    dialog->setObjectName(names::historyExportDialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setNameFilters({tr("Table (*.csv)"), tr("JSON (*.json)")});
    if (name.endsWith(QStringLiteral(".json")))
        dialog->selectNameFilter(dialog->nameFilters().last());
    dialog->selectFile(name);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, filter](const QString &file) { exportFiltered(filter, file); });
    dialog->open();
}

void HistoryListPage::exportTo(const QString &file)
{
    exportFiltered(m_model->filter(), file);
}

void HistoryListPage::exportFiltered(const HistoryFilter &filter, const QString &file)
{
    const bool isJson = file.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive);
    say(tr("Writing …"), false);
    m_client->exportRows({filter, isJson ? ExportFormat::Json : ExportFormat::Csv, file});
}

void HistoryListPage::say(const QString &words, bool isTrouble)
{
    m_message->setToken(isTrouble ? theme::Token::BadText : theme::Token::Muted);
    m_message->setText(words);
    m_message->setToolTip(words);
}

} // namespace ikkai
