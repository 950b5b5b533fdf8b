#include "ui/cashier/attempts_list.h"

#include "ui/object_names.h"
#include "ui/theme/theme.h"

#include <QtGui/QPainter>
#include <QtWidgets/QStyledItemDelegate>

#include <algorithm>

namespace ikkai {

namespace {

class AttemptDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override
    {
        return {200, AttemptsList::rowHeight};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const auto &row = static_cast<const AttemptsModel *>(index.model())->row(index.row());
        const QRect rect = option.rect;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (index.row() > 0) {
            painter->setPen(QPen(theme::color(theme::Token::Line), 1));
            painter->drawLine(QPointF(rect.left(), rect.top() + 0.5), QPointF(rect.right() + 1, rect.top() + 0.5));
        }
        const auto text = [&](int left, int width, theme::Type type, theme::Token token, int align, const QString &words) {
            painter->setFont(theme::font(type));
            painter->setPen(theme::color(token));
            painter->drawText(QRect(rect.left() + left, rect.top(), width, rect.height()),
                              align | Qt::AlignVCenter | Qt::TextDontClip, words);
        };
        const int tailWidth = QFontMetrics(theme::font(theme::Type::Figures)).horizontalAdvance(row.tail);
        text(16, 24, theme::Type::FiguresStrong, theme::Token::Text, Qt::AlignLeft, row.number);
        text(48, 84, theme::Type::Figures, theme::Token::Muted, Qt::AlignLeft, row.time);
        icons::paint(*painter, row.icon, QRectF(rect.left() + 141, rect.top() + (rect.height() - 18) / 2.0, 18, 18),
                     theme::color(row.role, theme::Part::Line), theme::color(theme::Token::Surface));
        const theme::Type wordType = row.strong ? theme::Type::Strong : theme::Type::Body;
        text(176, 300, wordType, theme::Token::Text, Qt::AlignLeft, row.word);
        const int detailLeft = 176 + QFontMetrics(theme::font(wordType)).horizontalAdvance(row.word) + 16;
        const int detailRoom = rect.width() - detailLeft - tailWidth - 32;
        if (detailRoom > 40) {
            const QFontMetrics metrics(theme::font(theme::Type::Body));
            text(detailLeft, detailRoom, theme::Type::Body, row.strong ? theme::Token::Text : theme::Token::Muted,
                 Qt::AlignLeft, metrics.elidedText(row.detail, Qt::ElideRight, detailRoom));
        }
        text(rect.width() - 16 - tailWidth, tailWidth + 1, theme::Type::Figures, theme::Token::Muted, Qt::AlignRight,
             row.tail);
        painter->restore();
    }
};

} // namespace

void AttemptsModel::setRows(const std::vector<AttemptRow> &rows)
{
    if (rows == m_rows)
        return;
    const std::size_t common = std::min(rows.size(), m_rows.size());
    for (std::size_t i = 0; i < common; ++i) {
        if (m_rows[i] == rows[i])
            continue;
        m_rows[i] = rows[i];
        const QModelIndex changed = index(static_cast<int>(i));
        Q_EMIT dataChanged(changed, changed);
    }
    if (rows.size() > m_rows.size()) {
        beginInsertRows({}, static_cast<int>(m_rows.size()), static_cast<int>(rows.size()) - 1);
        m_rows = rows;
        endInsertRows();
    } else if (rows.size() < m_rows.size()) {
        beginRemoveRows({}, static_cast<int>(rows.size()), static_cast<int>(m_rows.size()) - 1);
        m_rows = rows;
        endRemoveRows();
    }
}

int AttemptsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant AttemptsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    const AttemptRow &line = row(index.row());
    return QStringList{line.number, line.time, line.word, line.detail, line.tail}
        .join(QLatin1Char(' '))
        .simplified();
}

AttemptsList::AttemptsList(QWidget *parent)
    : QListView(parent)
    , m_model(new AttemptsModel(this))
{
    setObjectName(names::attemptsList);
    setModel(m_model);
    setItemDelegate(new AttemptDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::NoSelection);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setUniformItemSizes(true);
    viewport()->setAutoFillBackground(false);
    QPalette clear = palette();
    clear.setColor(QPalette::Base, Qt::transparent);
    setPalette(clear);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(rowHeight + 2);
}

void AttemptsList::setRows(const std::vector<AttemptRow> &rows)
{
    m_model->setRows(rows);
    const int tall = static_cast<int>(std::max<std::size_t>(1, rows.size())) * rowHeight + 2;
    if (height() != tall)
        setFixedHeight(tall);
}

QStringList AttemptsList::lines() const
{
    QStringList all;
    for (int row = 0; row < m_model->rowCount(); ++row)
        all << m_model->data(m_model->index(row), Qt::DisplayRole).toString();
    return all;
}

QSize AttemptsList::sizeHint() const
{
    return {400, std::max(1, m_model->rowCount()) * rowHeight + 2};
}

void AttemptsList::paintEvent(QPaintEvent *event)
{
    {
        QPainter painter(viewport());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme::color(theme::Token::Line), 1));
        painter.setBrush(theme::color(theme::Token::Surface));
        painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusCard,
                                theme::metrics::radiusCard);
    }
    QListView::paintEvent(event);
}

} // namespace ikkai
