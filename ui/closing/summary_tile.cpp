#include "ui/closing/summary_tile.h"

#include <QtGui/QPainter>

#include <algorithm>

namespace ikkai {

namespace {

constexpr int numberPx = 28;
constexpr int quietPx = 15;
constexpr int smallestTilePx = 14;

/// A font no larger than fits the width, and no smaller than can be read.
QFont fitting(QFont font, const QString &words, int width)
{
    while (font.pixelSize() > smallestTilePx && QFontMetrics(font).horizontalAdvance(words) > width)
        font.setPixelSize(font.pixelSize() - 1);
    return font;
}

} // namespace

SummaryTile::SummaryTile(icons::Icon icon, theme::Role role, QWidget *parent)
    : QWidget(parent)
    , m_icon(icon)
    , m_role(role)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(tall);
}

void SummaryTile::setWords(const QString &number, const QString &words, const QString &quiet)
{
    if (m_number == number && m_words == words && m_quiet == quiet)
        return;
    m_number = number;
    m_words = words;
    m_quiet = quiet;
    setAccessibleName(text());
    update();
}

void SummaryTile::setCompact(bool compact)
{
    m_compact = compact;
    update();
}

QString SummaryTile::text() const
{
    return m_number + QLatin1Char(' ') + m_words + QStringLiteral(", ") + m_quiet;
}

void SummaryTile::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::color(m_role, theme::Part::Tint));
    painter.drawRoundedRect(rect(), theme::metrics::radiusCard, theme::metrics::radiusCard);
    const int side = m_compact ? 28 : 36;
    const int left = m_compact ? 12 : 21;
    icons::paint(painter, m_icon, QRectF(left, (tall - side) / 2.0, side, side),
                 theme::color(m_role, theme::Part::Line), theme::color(m_role, theme::Part::Tint));

    const int x = left + side + (m_compact ? 10 : 16);
    const int room = width() - x - 10;
    QFont number = theme::font(theme::Type::FiguresStrong);
    number.setPixelSize(numberPx);
    const int numberWidth = QFontMetrics(number).horizontalAdvance(m_number);
    painter.setPen(theme::color(m_role, theme::Part::Text));
    constexpr int baseline = 42;
    painter.setFont(number);
    painter.drawText(x, baseline, m_number);
    painter.setFont(fitting(theme::font(theme::Type::Strong), m_words, room - numberWidth - 8));
    painter.drawText(x + numberWidth + 8, baseline,
                     painter.fontMetrics().elidedText(m_words, Qt::ElideRight, room - numberWidth - 8));
    QFont quiet = theme::font(theme::Type::Body);
    quiet.setPixelSize(quietPx);
    painter.setFont(fitting(quiet, m_quiet, room));
    painter.setPen(theme::color(theme::Token::Text));
    painter.drawText(x, 62, painter.fontMetrics().elidedText(m_quiet, Qt::ElideRight, room));
}

} // namespace ikkai
