#include "ui/history/small_banner.h"

#include "ui/theme/theme.h"

#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

namespace ikkai {

SmallBanner::SmallBanner(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCompact(false);
}

void SmallBanner::show(const RowWords &words, const QString &amount, const QString &order)
{
    m_words = words;
    m_amount = amount;
    m_order = order;
    setAccessibleName(text());
    update();
}

void SmallBanner::setCompact(bool compact)
{
    m_compact = compact;
    setFixedHeight(compact ? 76 : 88);
}

QString SmallBanner::text() const
{
    return QStringList{m_words.word, m_amount, m_order}.join(QLatin1Char(' '));
}

QString SmallBanner::role() const
{
    return QString::fromLatin1(theme::nameOf(m_words.role));
}

void SmallBanner::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor fill = theme::color(m_words.role, theme::Part::Solid);
    const QColor ink = theme::color(m_words.role, theme::Part::On);
    // Round at the top, straight where the card goes on.
    QPainterPath card;
    const QRectF whole = rect();
    card.addRoundedRect(whole.adjusted(0, 0, 0, theme::metrics::radiusCard), theme::metrics::radiusCard,
                        theme::metrics::radiusCard);
    painter.setClipRect(rect());
    painter.fillPath(card, fill);
    const int side = m_compact ? 44 : 52;
    icons::paint(painter, m_words.icon, QRectF(20, (height() - side) / 2.0, side, side), ink, fill);
    const int left = 20 + side + 17;
    const int room = width() - left - 20;
    painter.setPen(ink);
    painter.setFont(theme::font(theme::Type::ChoiceTitle));
    painter.drawText(QRect(left, m_compact ? 8 : 12, room, 32), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                     painter.fontMetrics().elidedText(m_words.word, Qt::ElideRight, room));
    QFont amount = theme::font(theme::Type::FiguresStrong);
    amount.setPixelSize(20);
    painter.setFont(amount);
    const int second = m_compact ? 40 : 46;
    painter.drawText(QRect(left, second, room, 30), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, m_amount);
    const int orderLeft = left + painter.fontMetrics().horizontalAdvance(m_amount) + 16;
    painter.setFont(theme::font(theme::Type::Figures));
    const int orderRoom = width() - orderLeft - 20;
    painter.drawText(QRect(orderLeft, second + 1, orderRoom, 30), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                     painter.fontMetrics().elidedText(m_order, Qt::ElideMiddle, orderRoom));
}

} // namespace ikkai
