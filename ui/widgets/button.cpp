#include "ui/widgets/button.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>

#include <algorithm>

namespace ikkai {

namespace {

constexpr int shapeSize = 20;
constexpr int shapeGap = 10;
constexpr int hintGap = 14;

} // namespace

Button::Button(Kind kind, QWidget *parent)
    : QPushButton(parent)
    , m_kind(kind)
{
    setAutoDefault(false);
    setDefault(false);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    if (kind == Kind::Key)
        m_type = theme::Type::KeyDigit;
    if (kind == Kind::Key || kind == Kind::QuietKey) {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
        m_sidePadding = 4;
    }
    if (kind == Kind::Flat)
        m_sidePadding = 20;
    if (kind == Kind::Link)
        m_sidePadding = 0;
}

void Button::setKind(Kind kind)
{
    m_kind = kind;
    update();
}

void Button::setShape(icons::Icon icon)
{
    m_shape = icon;
    updateGeometry();
    update();
}

void Button::setHint(const QString &hint)
{
    m_hint = hint;
    updateGeometry();
    update();
}

void Button::setType(theme::Type type)
{
    m_type = type;
    updateGeometry();
    update();
}

void Button::setSidePadding(int px)
{
    m_sidePadding = px;
    updateGeometry();
}

void Button::setEnterPresses(bool presses)
{
    m_enterPresses = presses;
}

int Button::contentWidth() const
{
    int width = QFontMetrics(theme::font(m_type)).horizontalAdvance(text());
    if (m_shape != icons::Icon::None)
        width += shapeSize + (text().isEmpty() ? 0 : shapeGap);
    if (!m_hint.isEmpty())
        width += hintGap + QFontMetrics(theme::font(theme::Type::Small)).horizontalAdvance(m_hint);
    return width;
}

QSize Button::sizeHint() const
{
    const int least = m_kind == Kind::Key || m_kind == Kind::QuietKey ? 56 : theme::metrics::minimumTarget;
    return {std::max(least, contentWidth() + 2 * m_sidePadding + 2), std::max(least, theme::metrics::button)};
}

QSize Button::minimumSizeHint() const
{
    const QSize wanted = sizeHint();
    return {wanted.width(), m_kind == Kind::Key || m_kind == Kind::QuietKey ? 56 : theme::metrics::minimumTarget};
}

Button::Look Button::look() const
{
    using theme::color;
    using theme::Token;
    const bool pressed = isDown();
    if (m_kind == Kind::Kill)
        return {pressed ? color(Token::TrnTint) : color(Token::KillBg), Qt::transparent, color(Token::KillText),
                color(Token::KillText)};
    if (!isEnabled()) {
        const bool bare = m_kind == Kind::Flat || m_kind == Kind::Link;
        return {bare ? QColor(Qt::transparent) : color(Token::DisBg), Qt::transparent, color(Token::DisText),
                color(Token::DisText)};
    }
    switch (m_kind) {
    case Kind::Primary:
        return {pressed ? color(Token::Muted) : color(Token::Ink), Qt::transparent, color(Token::OnInk),
                color(Token::OnInk)};
    case Kind::Arm:
        return {pressed ? color(Token::TrnStripe) : color(Token::TrnSolid), Qt::transparent, color(Token::TrnOn),
                color(Token::TrnOn)};
    case Kind::Secondary:
        return {pressed || isChecked() ? color(Token::SelBg) : color(Token::Surface), color(Token::Outline), color(Token::Text),
                color(Token::Muted)};
    case Kind::Key:
        return {pressed ? color(Token::SelBg) : color(Token::Surface), color(Token::Line), color(Token::Text),
                color(Token::Muted)};
    case Kind::QuietKey:
        return {pressed ? color(Token::SelBg) : color(Token::DisBg), Qt::transparent, color(Token::Text),
                color(Token::Muted)};
    case Kind::Flat:
    case Kind::Link:
    case Kind::Kill:
        break;
    }
    const bool marked = pressed || (isCheckable() && isChecked());
    return {marked && m_kind == Kind::Flat ? color(Token::SelBg) : QColor(Qt::transparent), Qt::transparent,
            color(Token::Text), color(Token::Muted)};
}

void Button::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Look colors = look();
    if (colors.fill.alpha() > 0 || colors.border.alpha() > 0) {
        painter.setBrush(colors.fill);
        painter.setPen(colors.border.alpha() > 0 ? QPen(colors.border, 1) : QPen(Qt::NoPen));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusControl,
                                theme::metrics::radiusControl);
    }

    const QFont labelFont = theme::font(m_type);
    const QFontMetrics metrics(labelFont);
    int x = m_kind == Kind::Link ? 0 : (width() - contentWidth()) / 2;
    if (m_shape != icons::Icon::None) {
        const int side = m_kind == Kind::QuietKey ? 26 : shapeSize;
        const int left = m_kind == Kind::QuietKey && text().isEmpty() ? (width() - side) / 2 : x;
        icons::paint(painter, m_shape, QRectF(left, (height() - side) / 2.0, side, side), colors.text, colors.fill);
        x += shapeSize + shapeGap;
    }
    painter.setFont(labelFont);
    painter.setPen(colors.text);
    const int baseline = (height() - metrics.height()) / 2 + metrics.ascent();
    painter.drawText(x, baseline, text());
    const int labelWidth = metrics.horizontalAdvance(text());
    if (m_kind == Kind::Link) {
        const qreal line = (height() + theme::lineHeight(m_type)) / 2.0 - 0.5;
        painter.setPen(QPen(colors.text, 1));
        painter.drawLine(QPointF(x, line), QPointF(x + labelWidth, line));
    }
    if (!m_hint.isEmpty()) {
        painter.setFont(theme::font(theme::Type::Small));
        painter.setPen(colors.quiet);
        painter.drawText(x + labelWidth + hintGap, baseline, m_hint);
    }
}

void Button::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        event->accept();
        if (m_enterPresses && !event->isAutoRepeat())
            click();
        return;
    }
    if (event->isAutoRepeat() && !autoRepeat()) {
        event->accept(); // a key held down is one press
        return;
    }
    QPushButton::keyPressEvent(event);
}

} // namespace ikkai
