#include "ui/closing/row_painting.h"

#include <QtGui/QPainter>
#include <QtWidgets/QStyleOptionViewItem>

namespace ikkai::rows {

namespace {

constexpr int barWidth = 4;
constexpr int signSize = 24;
constexpr int smallestPx = 14;

} // namespace

void ground(QPainter &painter, const QStyleOptionViewItem &option, bool isFirstCell)
{
    const QRect rect = option.rect;
    if (option.state & QStyle::State_Selected) {
        painter.fillRect(rect, theme::color(theme::Token::SelBg));
        if (isFirstCell)
            painter.fillRect(QRect(rect.left(), rect.top(), barWidth, rect.height()), theme::color(theme::Token::Ink));
    }
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme::color(theme::Token::Line));
}

void text(QPainter &painter, const QRect &rect, theme::Type type, const QColor &color, Qt::Alignment side,
          const QString &words)
{
    QFont font = theme::font(type);
    while (font.pixelSize() > smallestPx && QFontMetrics(font).horizontalAdvance(words) > rect.width())
        font.setPixelSize(font.pixelSize() - 1);
    painter.setFont(font);
    painter.setPen(color);
    const QString fitting = painter.fontMetrics().elidedText(words, Qt::ElideMiddle, rect.width());
    painter.drawText(rect, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine | Qt::TextDontClip, fitting);
}

void sign(QPainter &painter, const QRect &rect, icons::Icon icon, theme::Role role)
{
    const QRectF place(rect.left(), rect.top() + (rect.height() - signSize) / 2.0, signSize, signSize);
    icons::paint(painter, icon, place, theme::color(role, theme::Part::Line), theme::color(theme::Token::Surface));
}

void button(QPainter &painter, const QRect &rect, const QString &label, ButtonLook look, bool hasFocus)
{
    using theme::color;
    using theme::Token;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isPrimary = look == ButtonLook::Primary;
    if (look != ButtonLook::Words) {
        painter.setBrush(isPrimary ? color(Token::Ink) : color(Token::Surface));
        painter.setPen(isPrimary ? QPen(Qt::NoPen) : QPen(color(Token::Outline), 1));
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusControl,
                                theme::metrics::radiusControl);
    }
    QFont font = theme::font(look == ButtonLook::Words ? theme::Type::Body : theme::Type::Strong);
    font.setPixelSize(15);
    if (QFontMetrics(font).horizontalAdvance(label) > rect.width() - 12)
        font.setPixelSize(14);
    painter.setFont(font);
    const Token words = look == ButtonLook::Words ? Token::Muted : (isPrimary ? Token::OnInk : Token::Text);
    painter.setPen(color(words));
    painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip,
                     painter.fontMetrics().elidedText(label, Qt::ElideRight, rect.width() - 8));
    if (hasFocus && look != ButtonLook::Words) {
        constexpr int away = theme::metrics::ringGap + 1;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color(Token::Focus), theme::metrics::ringWidth));
        painter.drawRoundedRect(QRectF(rect).adjusted(-away, -away, away, away), theme::metrics::radiusControl + away,
                                theme::metrics::radiusControl + away);
    }
    painter.restore();
}

} // namespace ikkai::rows
