#include "ui/history/history_table.h"

#include "ui/history/history_model.h"
#include "ui/object_names.h"
#include "ui/theme/theme.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QStyledItemDelegate>

#include <algorithm>

namespace ikkai {

namespace {

constexpr int sidePadding = 16;
constexpr int headerHeight = 40;
constexpr int outcomeLeft = 24;
constexpr int fetchAheadRows = 40;

class HistoryDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override
    {
        return {100, HistoryTable::rowHeight};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const auto *model = static_cast<const HistoryModel *>(index.model());
        const bool selected = option.state & QStyle::State_Selected;
        QRect rect = option.rect;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (selected) {
            painter->fillRect(rect, theme::color(theme::Token::SelBg));
            if (index.column() == HistoryModel::Time)
                painter->fillRect(QRect(rect.left(), rect.top(), 4, rect.height()), theme::color(theme::Token::Ink));
        }
        painter->setPen(QPen(theme::color(theme::Token::Line), 1));
        painter->drawLine(QPointF(rect.left(), rect.bottom() + 0.5), QPointF(rect.right() + 1, rect.bottom() + 0.5));
        const int left = index.column() == HistoryModel::Time ? sidePadding : 0;
        const int right = index.column() == HistoryModel::Reference ? sidePadding : 0;
        rect.adjust(left, 0, -right, 0);
        if (index.column() == HistoryModel::Outcome)
            paintOutcome(*painter, rect, model->wordsAt(index.row()), selected);
        else
            paintText(*painter, rect, index);
        painter->restore();
    }

private:
    static void paintText(QPainter &painter, const QRect &rect, const QModelIndex &index)
    {
        const bool amount = index.column() == HistoryModel::Amount;
        const bool quiet = index.column() == HistoryModel::Time || index.column() == HistoryModel::Reference;
        painter.setFont(theme::font(amount ? theme::Type::FiguresStrong : theme::Type::Figures));
        painter.setPen(theme::color(quiet ? theme::Token::Muted : theme::Token::Text));
        const bool atRight = amount || index.column() == HistoryModel::Reference;
        const QString text = painter.fontMetrics().elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideMiddle,
                                                              rect.width() + (atRight ? 0 : -8));
        painter.drawText(rect, (atRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, text);
    }

    static void paintOutcome(QPainter &painter, const QRect &rect, const RowWords &words, bool selected)
    {
        const int x = rect.left() + outcomeLeft;
        icons::paint(painter, words.icon, QRectF(x, rect.top() + (rect.height() - 22) / 2.0, 22, 22),
                     theme::color(words.role, theme::Part::Line),
                     theme::color(selected ? theme::Token::SelBg : theme::Token::Surface));
        painter.setFont(theme::font(selected ? theme::Type::Strong : theme::Type::Body));
        painter.setPen(theme::color(words.role, theme::Part::Text));
        const int room = rect.right() - x - 28 - 8;
        painter.drawText(QRect(x + 28, rect.top(), room, rect.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(words.word, Qt::ElideRight, room));
    }
};

} // namespace

HistoryHeader::HistoryHeader(QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(false);
    setHighlightSections(false);
    setSectionResizeMode(QHeaderView::Fixed);
    setMinimumSectionSize(20);
    setFixedHeight(headerHeight);
    viewport()->setAutoFillBackground(false);
}

QSize HistoryHeader::sizeHint() const
{
    return {100, headerHeight};
}

void HistoryHeader::paintSection(QPainter *painter, const QRect &rect, int logicalIndex) const
{
    const bool amount = logicalIndex == HistoryModel::Amount;
    const bool reference = logicalIndex == HistoryModel::Reference;
    const int left = logicalIndex == HistoryModel::Time      ? sidePadding
                     : logicalIndex == HistoryModel::Outcome ? outcomeLeft
                                                             : 0;
    const QRect inside = rect.adjusted(left, 0, reference ? -sidePadding : 0, 0);
    painter->save();
    painter->setFont(theme::font(theme::Type::SmallStrong));
    painter->setPen(theme::color(theme::Token::Muted));
    painter->drawText(inside, (amount || reference ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                      model()->headerData(logicalIndex, Qt::Horizontal, Qt::DisplayRole).toString());
    painter->setPen(QPen(theme::color(theme::Token::Line), 1));
    painter->drawLine(QPointF(rect.left(), rect.bottom() + 0.5), QPointF(rect.right() + 1, rect.bottom() + 0.5));
    painter->restore();
}

HistoryTable::HistoryTable(HistoryModel *model, QWidget *parent)
    : QTableView(parent)
{
    setObjectName(names::historyTable);
    setHorizontalHeader(new HistoryHeader(this));
    setItemDelegate(new HistoryDelegate(this));
    setModel(model);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setCornerButtonEnabled(false);
    setWordWrap(false);
    setTabKeyNavigation(false); // Tab goes on to the next control
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->setVisible(false);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(rowHeight);
    verticalHeader()->setDefaultSectionSize(rowHeight);
    viewport()->setAutoFillBackground(false);
    QPalette clear = palette();
    clear.setColor(QPalette::Base, Qt::transparent);
    setPalette(clear);
    connect(this, &QTableView::clicked, this, &HistoryTable::rowWanted);
    connect(model, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex &, int first, int last) { keepPlace(first, last); });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &HistoryTable::fetchAhead);
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &HistoryTable::fetchAhead);
}

/// Who reads further down stays there while new payments come in above.
void HistoryTable::keepPlace(int first, int last)
{
    auto *bar = verticalScrollBar();
    const int place = bar->value();
    if (place == 0 || first * rowHeight >= place)
        return;
    updateGeometries();
    bar->setValue(place + (last - first + 1) * rowHeight);
}

void HistoryTable::fetchAhead()
{
    const auto *bar = verticalScrollBar();
    if (isVisible() && bar->maximum() > 0 && bar->maximum() - bar->value() < fetchAheadRows * rowHeight)
        model()->fetchMore({});
}

void HistoryTable::spread()
{
    const int wide = viewport()->width();
    const bool narrow = wide < 600;
    const int time = sidePadding + (narrow ? 90 : 94);
    const int amount = narrow ? 84 : 96;
    const int reference = sidePadding + 62;
    const int order = std::clamp(wide / 8, 68, 160);
    horizontalHeader()->resizeSection(HistoryModel::Time, time);
    horizontalHeader()->resizeSection(HistoryModel::Order, order);
    horizontalHeader()->resizeSection(HistoryModel::Amount, amount);
    horizontalHeader()->resizeSection(HistoryModel::Outcome, std::max(120, wide - time - order - amount - reference));
    horizontalHeader()->resizeSection(HistoryModel::Reference, reference);
}

void HistoryTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    spread();
    fetchAhead();
}

void HistoryTable::keyPressEvent(QKeyEvent *event)
{
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        Q_EMIT rowWanted(currentIndex());
        event->accept();
        return;
    }
    QTableView::keyPressEvent(event);
}

} // namespace ikkai
