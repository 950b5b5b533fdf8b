#include "ui/icons/state_icons.h"

#include <QtCore/QRectF>
#include <QtGui/QPainter>
#include <QtGui/QPainterPath>
#include <QtGui/QPolygonF>

#include <cmath>

namespace ikkai::icons::detail {

namespace {

QPen markPen(const QColor &color, qreal width)
{
    return {color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
}

void markCheck(QPainter &painter, const QColor &color, qreal width)
{
    painter.setPen(markPen(color, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(QPolygonF{{20, 33}, {28.5, 41.5}, {45, 23.5}});
}

void drawPaid(QPainter &painter, const QColor &ink, const QColor &hole)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawEllipse(QPointF(32, 32), 27, 27);
    markCheck(painter, hole, 5.5);
}

/// "1x" drawn by strokes: at this size a font's hinting would decide how it looks.
void drawOnce(QPainter &painter, const QColor &ink, const QColor &hole, qreal px)
{
    if (px < 28) {
        painter.setPen(markPen(ink, 5.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(32, 32), 25, 25);
        markCheck(painter, ink, 6);
        return;
    }
    drawPaid(painter, ink, hole);
    const QPointF centre(51, 51);
    painter.setPen(Qt::NoPen);
    painter.setBrush(hole);
    painter.drawEllipse(centre, 14.2, 14.2);
    painter.setBrush(ink);
    painter.drawEllipse(centre, 11.4, 11.4);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(markPen(hole, 2.6));
    painter.drawPolyline(QPolygonF{{44.6, 48}, {47.2, 46}, {47.2, 56}});
    painter.drawLine(QPointF(51.6, 50.6), QPointF(56.6, 55.8));
    painter.drawLine(QPointF(56.6, 50.6), QPointF(51.6, 55.8));
}

void drawRefused(QPainter &painter, const QColor &ink, const QColor &hole)
{
    QPolygonF octagon;
    for (int corner = 0; corner < 8; ++corner) {
        const double angle = (22.5 + 45.0 * corner) * 3.14159265358979 / 180.0;
        octagon << QPointF(32 + 29.4 * std::cos(angle), 32 + 29.4 * std::sin(angle));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPolygon(octagon);
    painter.setPen(markPen(hole, 6.5));
    painter.drawLine(QPointF(23.5, 23.5), QPointF(40.5, 40.5));
    painter.drawLine(QPointF(40.5, 23.5), QPointF(23.5, 40.5));
}

void drawUnknown(QPainter &painter, const QColor &ink, const QColor &hole)
{
    painter.setPen(QPen(ink, 4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(ink);
    painter.drawPolygon(QPolygonF{{32, 5}, {59, 32}, {32, 59}, {5, 32}});
    QPainterPath question;
    question.moveTo(24.5, 26);
    question.cubicTo(24.5, 16.5, 39.5, 16.5, 39.5, 26);
    question.cubicTo(39.5, 31.5, 32, 31, 32, 37.5);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(markPen(hole, 5.2));
    painter.drawPath(question);
    painter.setPen(Qt::NoPen);
    painter.setBrush(hole);
    painter.drawEllipse(QPointF(32, 45.6), 3.4, 3.4);
}

void drawWorking(QPainter &painter, const QColor &ink, qreal turn)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(markPen(ink, 2));
    painter.drawEllipse(QPointF(32, 32), 25, 25);
    const int start = static_cast<int>((90.0 - turn * 360.0) * 16.0);
    painter.setPen(QPen(ink, 6.4, Qt::SolidLine, Qt::RoundCap));
    painter.drawArc(QRectF(7, 7, 50, 50), start, -95 * 16);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    for (const qreal x : {22.0, 32.0, 42.0})
        painter.drawEllipse(QPointF(x, 32), 3.3, 3.3);
}

void drawBox(QPainter &painter, const QColor &ink)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawRoundedRect(QRectF(7, 7, 50, 50), 9, 9);
}

void drawNotSent(QPainter &painter, const QColor &ink, const QColor &hole)
{
    drawBox(painter, ink);
    painter.setPen(markPen(hole, 6));
    painter.drawLine(QPointF(20, 32), QPointF(44, 32));
}

void drawVoided(QPainter &painter, const QColor &ink, const QColor &hole)
{
    drawBox(painter, ink);
    QPainterPath arrow;
    arrow.moveTo(21, 27);
    arrow.lineTo(37, 27);
    arrow.cubicTo(48, 27, 48, 43, 37, 43);
    arrow.lineTo(25, 43);
    arrow.moveTo(28, 19.5);
    arrow.lineTo(20.5, 27);
    arrow.lineTo(28, 34.5);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(markPen(hole, 5.2));
    painter.drawPath(arrow);
}

void drawContradiction(QPainter &painter, const QColor &ink, const QColor &hole)
{
    painter.setPen(QPen(ink, 6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(ink);
    painter.drawPolygon(QPolygonF{{32, 9}, {58, 54}, {6, 54}});
    painter.setPen(markPen(hole, 5.6));
    painter.drawLine(QPointF(32, 25), QPointF(32, 38));
    painter.setPen(Qt::NoPen);
    painter.setBrush(hole);
    painter.drawEllipse(QPointF(32, 47), 3.5, 3.5);
}

void drawBrand(QPainter &painter, const QColor &ink, qreal px)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(markPen(ink, px > 48 ? 3.5 : 6)); // a large ring needs no bold line
    painter.drawEllipse(QPointF(32, 32), 28, 28);
    painter.drawLine(QPointF(21, 32), QPointF(43, 32));
}

} // namespace

bool paintState(QPainter &painter, Icon icon, const QRectF &rect, const QColor &ink, const QColor &hole, qreal turn)
{
    if (icon < Icon::Paid || icon > Icon::Brand)
        return false;
    painter.save();
    painter.translate(rect.topLeft());
    painter.scale(rect.width() / 64.0, rect.height() / 64.0);
    switch (icon) {
    case Icon::Paid:
        drawPaid(painter, ink, hole);
        break;
    case Icon::Once:
        drawOnce(painter, ink, hole, rect.width());
        break;
    case Icon::Refused:
        drawRefused(painter, ink, hole);
        break;
    case Icon::Unknown:
        drawUnknown(painter, ink, hole);
        break;
    case Icon::Working:
        drawWorking(painter, ink, turn);
        break;
    case Icon::NotSent:
        drawNotSent(painter, ink, hole);
        break;
    case Icon::Voided:
        drawVoided(painter, ink, hole);
        break;
    case Icon::Contradiction:
        drawContradiction(painter, ink, hole);
        break;
    default:
        drawBrand(painter, ink, rect.width());
        break;
    }
    painter.restore();
    return true;
}

} // namespace ikkai::icons::detail
