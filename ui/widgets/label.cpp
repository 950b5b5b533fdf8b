#include "ui/widgets/label.h"

#include <QtGui/QPainter>

#include <algorithm>

namespace ikkai {

Label::Label(theme::Type type, theme::Token token, QWidget *parent)
    : QLabel(parent)
    , m_type(type)
    , m_token(token)
{
    setFont(theme::font(type));
    setTextFormat(Qt::PlainText);
    setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void Label::setToken(theme::Token token)
{
    if (m_token == token)
        return;
    m_token = token;
    update();
}

void Label::setType(theme::Type type)
{
    if (m_type == type)
        return;
    m_type = type;
    setFont(theme::font(type));
    updateGeometry();
}

void Label::setMayCut(bool mayCut)
{
    m_mayCut = mayCut;
    updateGeometry();
}

void Label::setWidestText(const QString &text)
{
    if (m_widest == text)
        return;
    m_widest = text;
    updateGeometry();
}

QSize Label::sizeHint() const
{
    const QFontMetrics metrics(font());
    const int width = std::max(metrics.horizontalAdvance(text()), metrics.horizontalAdvance(m_widest));
    return {width + 1, theme::lineHeight(m_type)};
}

QSize Label::minimumSizeHint() const
{
    return {m_mayCut ? 40 : sizeHint().width(), theme::lineHeight(m_type)};
}

void Label::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(theme::color(m_token));
    const QString shown = m_mayCut ? fontMetrics().elidedText(text(), Qt::ElideMiddle, width()) : text();
    // A font may be higher than its line (CJK is): centre it on the line, do not cut it.
    painter.drawText(rect(), static_cast<int>(alignment()) | Qt::TextSingleLine | Qt::TextDontClip, shown);
}

} // namespace ikkai
