#include "ui/closing/closed_days_tab.h"

#include "ui/closing/card.h"
#include "ui/closing/closing_client.h"
#include "ui/closing/closing_words.h"
#include "ui/closing/report_view.h"
#include "ui/closing/row_painting.h"
#include "ui/i18n/store_time.h"
#include "ui/object_names.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"
#include "ui/widgets/note_box.h"

#include <QtCore/QEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QStyledItemDelegate>
#include <QtWidgets/QTableView>
#include <QtWidgets/QVBoxLayout>

#include <array>

namespace ikkai {

namespace {

constexpr int dayRowHeight = 48;
constexpr int dayHeadHeight = 40;

enum DaysPage { ListPage, ReportPage };

class DayDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool atRight = index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
        const bool isCarried = index.column() == ClosedDaysModel::Carried &&
                               static_cast<const ClosedDaysModel *>(index.model())->at(index.row()).carried > 0;
        painter->save();
        rows::ground(*painter, option, index.column() == 0);
        rows::text(*painter, option.rect.adjusted(16, 0, -16, 0),
                   index.column() == ClosedDaysModel::Day ? theme::Type::Strong : theme::Type::Figures,
                   theme::color(isCarried ? theme::Token::UnkText : theme::Token::Text),
                   atRight ? Qt::AlignRight : Qt::AlignLeft, index.data().toString());
        painter->restore();
    }
};

} // namespace

void ClosedDaysModel::setHeads(const QList<DayReportHead> &heads)
{
    if (heads == m_heads)
        return;
    beginResetModel();
    m_heads = heads;
    endResetModel();
}

void ClosedDaysModel::retranslate()
{
    if (m_heads.isEmpty())
        return;
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

int ClosedDaysModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_heads.size());
}

int ClosedDaysModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ClosedDaysModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return headerData(index.column(), Qt::Horizontal, role);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    const DayReportHead &head = at(index.row());
    switch (index.column()) {
    case Number:
        return countWords(head.number);
    case Day:
        return store::day(head.businessDay, head.closedWallMs);
    case ClosedAt:
        return store::dayAndClock(head.closedWallMs);
    case Settled:
        return countWords(head.settled);
    case Carried:
        return head.carried == 0 ? tr("none", "carried over") : countWords(head.carried);
    default:
        return {};
    }
}

QVariant ClosedDaysModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const bool isFigure = section == Number || section == Settled || section == Carried;
    if (role == Qt::TextAlignmentRole)
        return isFigure ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter)
                        : QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    switch (section) {
    case Number:
        return tr("No.");
    case Day:
        return tr("Day");
    case ClosedAt:
        return tr("Closed at");
    case Settled:
        return tr("Payments settled");
    case Carried:
        return tr("Carried over");
    default:
        return {};
    }
}

ClosedDaysTab::ClosedDaysTab(ClosingClient *client, QWidget *parent)
    : QWidget(parent)
    , m_client(client)
    , m_model(new ClosedDaysModel(this))
    , m_pages(new QStackedWidget(this))
    , m_table(new QTableView)
    , m_empty(new FlowText(theme::Type::Sentence, theme::Token::Text, this))
    , m_trouble(new NoteBox(icons::Icon::Contradiction, this))
    , m_open(new Button(Button::Kind::Primary))
    , m_back(new Button(Button::Kind::Secondary))
    , m_title(new Label(theme::Type::CardTitle, theme::Token::Text))
    , m_view(new ReportView(names::closedReport))
{
    build();
    const auto openAt = [this](const QModelIndex &index) {
        if (index.isValid())
            open(m_model->at(index.row()).number);
    };
    connect(m_table, &QTableView::activated, this, openAt);
    connect(m_table, &QTableView::doubleClicked, this, openAt);
    connect(m_open, &Button::clicked, this, [this, openAt] { openAt(m_table->currentIndex()); });
    connect(m_back, &Button::clicked, this, [this] {
        m_client->leaveReport();
        m_table->setFocus(Qt::OtherFocusReason);
    });
    connect(m_view, &ReportView::recordWanted, this, &ClosedDaysTab::recordWanted);
    connect(m_client, &ClosingClient::changed, this, &ClosedDaysTab::refresh);
    retranslate();
    refresh();
}

void ClosedDaysTab::build()
{
    m_empty->setObjectName(names::closedDaysEmpty);
    m_trouble->setObjectName(names::closedDaysTrouble);
    m_trouble->setRole(theme::Role::Bad);
    m_table->setObjectName(names::closedDays);
    m_open->setObjectName(names::closedDaysOpen);
    m_back->setObjectName(names::closedDaysBack);
    m_title->setObjectName(names::closedDaysTitle);
    m_table->setModel(m_model);
    m_table->setItemDelegate(new DayDelegate(m_table));
    dressCardTable(m_table, dayHeadHeight, dayRowHeight);
    m_table->viewport()->installEventFilter(this);
    m_open->setType(theme::Type::Primary);
    m_open->setFixedHeight(56);

    auto *list = new QWidget(m_pages);
    auto *card = new Card(list);
    auto *onCard = new QVBoxLayout(card);
    onCard->setContentsMargins(1, 1, 1, 1);
    onCard->addWidget(m_table);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(0, 4, 0, 5);
    foot->addStretch(1);
    foot->addWidget(m_open);
    auto *listColumn = new QVBoxLayout(list);
    listColumn->setContentsMargins(0, 0, 0, 0);
    listColumn->setSpacing(10);
    listColumn->addWidget(card, 1);
    listColumn->addLayout(foot);

    auto *report = new QWidget(m_pages);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(5, 5, 0, 0);
    head->setSpacing(16);
    head->addWidget(m_back);
    head->addWidget(m_title, 1);
    auto *reportColumn = new QVBoxLayout(report);
    reportColumn->setContentsMargins(0, 0, 0, 16);
    reportColumn->setSpacing(10);
    reportColumn->addLayout(head);
    reportColumn->addWidget(m_view, 1);

    m_pages->addWidget(list);
    m_pages->addWidget(report);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(m_trouble);
    column->addWidget(m_empty);
    column->addWidget(m_pages, 1);
    column->addStretch(0);
}

void ClosedDaysTab::arrange(bool compact)
{
    m_view->arrange(compact);
}

void ClosedDaysTab::open(int number)
{
    m_client->openReport(number);
}

void ClosedDaysTab::spread()
{
    constexpr std::array shares{100, 260, 260, 190};
    const int whole = m_table->viewport()->width();
    int used = 0;
    for (std::size_t column = 0; column < shares.size(); ++column) {
        const int width = whole * shares[column] / 1000;
        m_table->setColumnWidth(static_cast<int>(column), width);
        used += width;
    }
    m_table->setColumnWidth(ClosedDaysModel::Carried, whole - used);
}

bool ClosedDaysTab::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        spread();
    return QWidget::eventFilter(watched, event);
}

void ClosedDaysTab::refresh()
{
    const auto &reports = m_client->reports();
    if (reports)
        m_model->setHeads(*reports);
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0)
        m_table->setCurrentIndex(m_model->index(0, 0));
    const QString notOpened = m_client->trouble(ClosingStep::ReadReport);
    const QString notListed = m_client->trouble(ClosingStep::ListReports);
    m_trouble->setVisible(!notOpened.isEmpty() || !notListed.isEmpty());
    m_trouble->setWords(tr("Not read"), notOpened.isEmpty() ? notListed : notOpened);

    const auto &opened = m_client->opened();
    const bool none = reports && reports->isEmpty();
    m_empty->setVisible(!opened && none);
    m_pages->setVisible(opened || (reports && !none));
    m_pages->setCurrentIndex(opened ? ReportPage : ListPage);
    if (!opened)
        return;
    m_view->setReport(*opened);
    m_title->setText(tr("No. %1: %2, closed %3")
                         .arg(countWords(opened->number), store::day(opened->businessDay, opened->closedWallMs),
                              store::dayAndClock(opened->closedWallMs)));
}

void ClosedDaysTab::retranslate()
{
    m_empty->setMarked(tr("No day was closed yet."));
    m_table->setAccessibleName(tr("Closed days, newest first"));
    m_open->setText(tr("Open the report"));
    m_back->setText(tr("All closed days"));
    m_model->retranslate();
}

void ClosedDaysTab::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        refresh();
    }
    QWidget::changeEvent(event);
}

} // namespace ikkai
