#include "ui/history/event_list.h"

#include "ui/object_names.h"
#include "ui/theme/theme.h"

#include <QtGui/QPainter>
#include <QtWidgets/QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace ikkai {

namespace {

constexpr int dotLeft = 8;
constexpr int timeLeft = 26;
constexpr int wordsLeft = 124;

class EventLineDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override
    {
        return {200, EventList::rowHeight};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const auto *model = static_cast<const EventModel *>(index.model());
        const EventLine &line = model->line(index.row());
        const QRect rect = option.rect;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & QStyle::State_HasFocus)
            painter->fillRect(rect, theme::color(theme::Token::SelBg));
        const QPointF dot(rect.left() + dotLeft, rect.top() + rect.height() / 2.0);
        painter->setPen(QPen(theme::color(theme::Token::Line), 2));
        if (index.row() > 0)
            painter->drawLine(QPointF(dot.x(), rect.top()), dot);
        if (index.row() + 1 < model->rowCount())
            painter->drawLine(dot, QPointF(dot.x(), rect.bottom() + 1));
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme::color(line.role, theme::Part::Line));
        painter->drawEllipse(dot, 5, 5);

        const auto text = [&](int left, int width, theme::Type type, const QColor &color, int align,
                              const QString &words) {
            painter->setFont(theme::font(type));
            painter->setPen(color);
            painter->drawText(QRect(rect.left() + left, rect.top(), width, rect.height()), align | Qt::AlignVCenter,
                              painter->fontMetrics().elidedText(words, Qt::ElideRight, width));
        };
        text(timeLeft, wordsLeft - timeLeft, theme::Type::SmallFigures, theme::color(theme::Token::Muted),
             Qt::AlignLeft, line.time);
        const theme::Type type = line.strong ? theme::Type::Strong : theme::Type::Body;
        QFont font = theme::font(type);
        font.setPixelSize(15);
        const int nameWidth = QFontMetrics(theme::font(theme::Type::SmallWire)).horizontalAdvance(line.name) + 2;
        const int room = rect.width() - wordsLeft;
        const int wanted = QFontMetrics(font).horizontalAdvance(line.words);
        // Plain words come first: where both do not fit, the journal's name gives way, to a tool tip.
        const bool both = wanted + 8 + nameWidth <= room;
        painter->setFont(font);
        painter->setPen(line.strong ? theme::color(line.role, theme::Part::Text) : theme::color(theme::Token::Text));
        painter->drawText(QRect(rect.left() + wordsLeft, rect.top(), room, rect.height()),
                          Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(font).elidedText(line.words, Qt::ElideRight, room));
        if (both)
            text(rect.width() - nameWidth - 2, nameWidth + 2, theme::Type::SmallWire, theme::color(theme::Token::Muted),
                 Qt::AlignRight, line.name);
        painter->restore();
    }
};

} // namespace

void EventModel::setLines(std::vector<EventLine> lines)
{
    if (lines == m_lines)
        return;
    // A record only grows: what is new comes in at the end, and who reads stays where they are.
    const bool grows = lines.size() > m_lines.size() && std::equal(m_lines.begin(), m_lines.end(), lines.begin());
    if (grows && !m_lines.empty()) {
        beginInsertRows({}, rowCount(), static_cast<int>(lines.size()) - 1);
        m_lines = std::move(lines);
        endInsertRows();
        return;
    }
    beginResetModel();
    m_lines = std::move(lines);
    endResetModel();
}

int EventModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

QVariant EventModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole)
        return {};
    const EventLine &each = line(index.row());
    return QStringList{each.time, each.words, each.name}.join(QLatin1Char(' '));
}

EventList::EventList(QWidget *parent)
    : QListView(parent)
    , m_model(new EventModel(this))
{
    setObjectName(names::historyEvents);
    setModel(m_model);
    setItemDelegate(new EventLineDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setSelectionMode(QAbstractItemView::NoSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    viewport()->setAutoFillBackground(false);
    QPalette clear = palette();
    clear.setColor(QPalette::Base, Qt::transparent);
    setPalette(clear);
}

void EventList::setLines(std::vector<EventLine> lines)
{
    m_model->setLines(std::move(lines));
}

QStringList EventList::lines() const
{
    QStringList all;
    for (int row = 0; row < m_model->rowCount(); ++row)
        all << m_model->data(m_model->index(row), Qt::DisplayRole).toString();
    return all;
}

} // namespace ikkai
