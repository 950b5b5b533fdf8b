#include "ui/widgets/large_choice.h"

#include "ui/theme/theme.h"
#include "ui/widgets/flow_text.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>

namespace ikkai {

LargeChoice::LargeChoice(icons::Icon icon, QWidget *parent)
    : QPushButton(parent)
    , m_icon(icon)
{
    setAutoDefault(false);
    setDefault(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LargeChoice::setWords(const QString &eyebrow, const QString &compactEyebrow, const QString &title,
                           const QStringList &lines)
{
    m_eyebrow = eyebrow;
    m_compactEyebrow = compactEyebrow;
    m_title = title;
    m_lines = lines;
    rename();
    update();
}

void LargeChoice::setShutReason(const QString &reason)
{
    m_reason = reason;
    setEnabled(reason.isEmpty());
    rename();
    update();
}

void LargeChoice::rename()
{
    setAccessibleName(plainWords(m_title));
    setAccessibleDescription(m_reason.isEmpty() ? plainWords(m_eyebrow + QLatin1Char(' ') + m_lines.join(QLatin1Char(' ')))
                                                : plainWords(m_reason));
}

void LargeChoice::setCompact(bool compact)
{
    if (m_compact == compact)
        return;
    m_compact = compact;
    updateGeometry();
    update();
}

QSize LargeChoice::sizeHint() const
{
    return {m_compact ? 300 : 400, m_compact ? 106 : 150};
}

void LargeChoice::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->isAutoRepeat()) {
        event->accept();
        return;
    }
    QPushButton::keyPressEvent(event);
}

void LargeChoice::paintLines(QPainter &painter, int left, int top, int step) const
{
    QStringList lines = m_lines;
    if (!m_reason.isEmpty())
        lines = m_reason.split(QLatin1Char('\n')).mid(0, m_compact ? 1 : 2);
    else if (m_compact)
        lines = lines.mid(lines.size() - 1); // the second sentence is the one that calms
    painter.setFont(theme::font(theme::Type::Body));
    QFont font = painter.font();
    font.setPixelSize(15);
    for (const QString &line : lines) {
        if (QFontMetrics(font).horizontalAdvance(plainWords(line)) > width() - left - 14)
            font.setPixelSize(14);
    }
    painter.setFont(font);
    for (const QString &line : lines) {
        painter.drawText(QRect(left, top, width() - left - 10, step), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                         plainWords(line));
        top += step;
    }
}

void LargeChoice::paintEvent(QPaintEvent *)
{
    using theme::color;
    using theme::Token;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool works = isEnabled();
    const QColor text = color(works ? Token::Text : Token::DisText);
    const QColor quiet = color(works ? Token::Muted : Token::DisText);
    painter.setBrush(color(!works ? Token::DisBg : isDown() ? Token::SelBg : Token::Surface));
    painter.setPen(works ? QPen(color(Token::Ink), 2) : QPen(color(Token::Outline), 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), theme::metrics::radiusCard - 1,
                            theme::metrics::radiusCard - 1);

    const int left = m_compact ? 19 : 96;
    int eyebrowLeft = left;
    if (m_compact) {
        icons::paint(painter, m_icon, QRectF(18, 18, 20, 20), text, color(Token::Surface));
        eyebrowLeft = 46;
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(works ? color(Token::Ink) : color(Token::Outline));
        painter.drawRoundedRect(QRectF(22, 22, 56, 56), theme::metrics::radiusControl, theme::metrics::radiusControl);
        icons::paint(painter, m_icon, QRectF(36, 36, 28, 28), works ? color(Token::OnInk) : color(Token::Surface),
                     color(Token::Ink));
    }
    QFont eyebrow = theme::font(theme::Type::Body);
    if (m_compact)
        eyebrow.setPixelSize(15);
    painter.setFont(eyebrow);
    painter.setPen(quiet);
    painter.drawText(QRect(eyebrowLeft, m_compact ? 17 : 23, width() - eyebrowLeft - 10, 22),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                     plainWords(m_compact ? m_compactEyebrow : m_eyebrow));
    QFont title = theme::font(m_compact ? theme::Type::Question : theme::Type::ChoiceTitle);
    if (QFontMetrics(title).horizontalAdvance(plainWords(m_title)) > width() - left - 12)
        title.setPixelSize(title.pixelSize() - 2);
    painter.setFont(title);
    painter.setPen(text);
    painter.drawText(QRect(left, m_compact ? 39 : 45, width() - left - 10, 32),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, plainWords(m_title));
    painter.setPen(works ? text : quiet);
    paintLines(painter, left, m_compact ? 69 : 83, 22);
}

} // namespace ikkai
