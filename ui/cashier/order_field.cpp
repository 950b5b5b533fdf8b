#include "ui/cashier/order_field.h"

#include "ui/object_names.h"
#include "ui/theme/ring_style.h"
#include "ui/theme/theme.h"

#include <QtGui/QPainter>

namespace ikkai {

OrderField::OrderField(QWidget *parent)
    : QLineEdit(parent)
{
    setObjectName(names::orderField);
    setFrame(false);
    setProperty(theme::ownPanel, true);
    setMaxLength(64);
    setFixedHeight(theme::metrics::button);
    QFont font = theme::font(theme::Type::Figures);
    font.setPixelSize(18);
    setFont(font);
}

void OrderField::setCaption(const QString &caption)
{
    m_caption = caption;
    setAccessibleName(caption);
    const int width = QFontMetrics(theme::font(theme::Type::Small)).horizontalAdvance(caption);
    setTextMargins(14 + width + 10, 0, 12, 0);
    update();
}

void OrderField::paintEvent(QPaintEvent *event)
{
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const qreal stroke = hasFocus() ? 2 : 1;
        painter.setPen(QPen(theme::color(hasFocus() ? theme::Token::Ink : theme::Token::Outline), stroke));
        painter.setBrush(theme::color(theme::Token::Surface));
        painter.drawRoundedRect(QRectF(rect()).adjusted(stroke / 2, stroke / 2, -stroke / 2, -stroke / 2),
                                theme::metrics::radiusControl, theme::metrics::radiusControl);
        painter.setFont(theme::font(theme::Type::Small));
        painter.setPen(theme::color(theme::Token::Muted));
        painter.drawText(QRect(15, 0, width(), height()), Qt::AlignLeft | Qt::AlignVCenter, m_caption);
    }
    QLineEdit::paintEvent(event);
}

} // namespace ikkai
