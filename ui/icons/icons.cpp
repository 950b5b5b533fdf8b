#include "ui/icons/icons.h"

#include "ui/icons/state_icons.h"

#include <QtCore/QPointF>
#include <QtCore/QRectF>
#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

namespace ikkai::icons {

namespace {

QPainterPath strokeLine(std::initializer_list<QPointF> points)
{
    QPainterPath path;
    bool first = true;
    for (const QPointF &point : points) {
        if (first)
            path.moveTo(point);
        else
            path.lineTo(point);
        first = false;
    }
    return path;
}

QPainterPath bookmarkShape()
{
    QPainterPath path = strokeLine({{6.5, 4}, {17.5, 4}, {17.5, 20.5}, {12, 16}, {6.5, 20.5}});
    path.closeSubpath();
    return path;
}

QPainterPath personShape()
{
    QPainterPath path;
    path.addEllipse(QPointF(12, 7.5), 4, 4);
    path.moveTo(5, 21);
    path.cubicTo(5, 16.5, 8, 14.5, 12, 14.5);
    path.cubicTo(16, 14.5, 19, 16.5, 19, 21);
    return path;
}

QPainterPath leaveShape()
{
    QPainterPath path = strokeLine({{10, 4}, {4, 4}, {4, 20}, {10, 20}});
    path.addPath(strokeLine({{9, 12}, {21, 12}}));
    path.addPath(strokeLine({{16.5, 7.5}, {21, 12}, {16.5, 16.5}}));
    return path;
}

QPainterPath chatShape()
{
    QPainterPath path =
        strokeLine({{3.5, 4.5}, {20.5, 4.5}, {20.5, 16.5}, {9, 16.5}, {4.5, 20.5}, {4.5, 16.5}, {3.5, 16.5}});
    path.closeSubpath();
    return path;
}

QPainterPath infoShape()
{
    QPainterPath path;
    path.addEllipse(QPointF(12, 12), 9, 9);
    path.addPath(strokeLine({{12, 11.5}, {12, 16.5}}));
    path.addPath(strokeLine({{12, 7.6}, {12, 7.7}}));
    return path;
}

QPainterPath globeShape()
{
    QPainterPath path;
    path.addEllipse(QPointF(12, 12), 9, 9);
    path.addEllipse(QPointF(12, 12), 4, 9);
    path.addPath(strokeLine({{3, 12}, {21, 12}}));
    return path;
}

QPainterPath powerShape()
{
    QPainterPath path = strokeLine({{12, 3}, {12, 11}});
    path.arcMoveTo(QRectF(4.5, 4.5, 15, 15), 60);
    path.arcTo(QRectF(4.5, 4.5, 15, 15), 60, -300);
    return path;
}

QPainterPath gradShape()
{
    QPainterPath path = strokeLine({{1.5, 9.5}, {12, 4.5}, {22.5, 9.5}, {12, 14.5}});
    path.closeSubpath();
    path.moveTo(6, 12);
    path.lineTo(6, 16.5);
    path.cubicTo(8.5, 19.5, 15.5, 19.5, 18, 16.5);
    path.lineTo(18, 12);
    path.addPath(strokeLine({{22.2, 9.8}, {22.2, 15.5}}));
    return path;
}

QPainterPath backspaceShape()
{
    QPainterPath path = strokeLine({{8.5, 4.5}, {22, 4.5}, {22, 19.5}, {8.5, 19.5}, {2, 12}});
    path.closeSubpath();
    path.addPath(strokeLine({{11.5, 9}, {17.5, 15}}));
    path.addPath(strokeLine({{17.5, 9}, {11.5, 15}}));
    return path;
}

QPainterPath printShape()
{
    QPainterPath path = strokeLine({{7, 9}, {7, 3.5}, {17, 3.5}, {17, 9}});
    path.addRoundedRect(QRectF(3, 9, 18, 8), 1.5, 1.5);
    path.addRect(QRectF(7, 14, 10, 6.5));
    return path;
}

QPainterPath copyShape()
{
    QPainterPath path;
    path.addRoundedRect(QRectF(8.5, 8.5, 12, 12), 1.5, 1.5);
    path.addPath(strokeLine({{15.5, 4}, {4, 4}, {4, 15.5}}));
    return path;
}

QPainterPath repeatShape()
{
    QPainterPath path;
    path.arcMoveTo(QRectF(4, 4, 16, 16), 160);
    path.arcTo(QRectF(4, 4, 16, 16), 160, -130);
    path.addPath(strokeLine({{19.5, 3.5}, {19.3, 8}, {14.8, 7.8}}));
    path.arcMoveTo(QRectF(4, 4, 16, 16), -20);
    path.arcTo(QRectF(4, 4, 16, 16), -20, -130);
    path.addPath(strokeLine({{4.5, 20.5}, {4.7, 16}, {9.2, 16.2}}));
    return path;
}

QPainterPath triangleShape()
{
    QPainterPath path = strokeLine({{12, 3.5}, {22, 20.5}, {2, 20.5}});
    path.closeSubpath();
    path.addPath(strokeLine({{12, 9.5}, {12, 14}}));
    path.addPath(strokeLine({{12, 17.2}, {12, 17.3}}));
    return path;
}

QPainterPath searchShape()
{
    QPainterPath path;
    path.addEllipse(QPointF(10.5, 10.5), 6.5, 6.5);
    path.addPath(strokeLine({{15.5, 15.5}, {20.5, 20.5}}));
    return path;
}

QPainterPath exportShape()
{
    QPainterPath path = strokeLine({{4, 13.5}, {4, 20}, {20, 20}, {20, 13.5}});
    path.addPath(strokeLine({{12, 15.5}, {12, 4}}));
    path.addPath(strokeLine({{7.5, 8.5}, {12, 4}, {16.5, 8.5}}));
    return path;
}

QPainterPath clockShape()
{
    QPainterPath path;
    path.addEllipse(QPointF(12, 12), 9, 9);
    path.addPath(strokeLine({{12, 6.5}, {12, 12}, {15.5, 14}}));
    return path;
}

/// A wall on each side and what happens to the arrow between them.
QPainterPath lossShape(Icon icon)
{
    QPainterPath path = strokeLine({{2, 3}, {2, 21}});
    path.addPath(strokeLine({{22, 3}, {22, 21}}));
    const auto cross = [&path](qreal x, qreal y) {
        path.addPath(strokeLine({{x - 2.6, y - 2.6}, {x + 2.6, y + 2.6}}));
        path.addPath(strokeLine({{x + 2.6, y - 2.6}, {x - 2.6, y + 2.6}}));
    };
    if (icon == Icon::RequestLost) {
        path.addPath(strokeLine({{2, 12}, {10, 12}}));
        cross(13.5, 12);
    } else if (icon == Icon::AnswerLost) {
        path.addPath(strokeLine({{2, 7}, {19, 7}}));
        path.addPath(strokeLine({{16.5, 4.5}, {19.5, 7}, {16.5, 9.5}}));
        path.addPath(strokeLine({{22, 17}, {15.5, 17}}));
        cross(12, 17);
    } else {
        path.addPath(strokeLine({{2, 8}, {18.5, 8}}));
        path.addPath(strokeLine({{16, 5.5}, {19, 8}, {16, 10.5}}));
        cross(20.5, 17);
    }
    return path;
}

QPainterPath strokeShape(Icon icon)
{
    switch (icon) {
    case Icon::Clock:
        return clockShape();
    case Icon::Check:
        return strokeLine({{4.5, 12.5}, {9.5, 17.5}, {19.5, 7}});
    case Icon::Cross: {
        QPainterPath path = strokeLine({{6, 6}, {18, 18}});
        path.addPath(strokeLine({{18, 6}, {6, 18}}));
        return path;
    }
    case Icon::Bookmark:
        return bookmarkShape();
    case Icon::Person:
        return personShape();
    case Icon::Leave:
        return leaveShape();
    case Icon::Chat:
        return chatShape();
    case Icon::Info:
        return infoShape();
    case Icon::Globe:
        return globeShape();
    case Icon::Power:
        return powerShape();
    case Icon::Grad:
        return gradShape();
    case Icon::Backspace:
        return backspaceShape();
    case Icon::Print:
        return printShape();
    case Icon::Copy:
        return copyShape();
    case Icon::Repeat:
        return repeatShape();
    case Icon::Search:
        return searchShape();
    case Icon::Export:
        return exportShape();
    case Icon::Down:
        return strokeLine({{6, 9}, {12, 15}, {18, 9}});
    case Icon::Triangle:
        return triangleShape();
    case Icon::Dash: {
        QPainterPath path;
        path.addRoundedRect(QRectF(3.5, 3.5, 17, 17), 3, 3);
        path.addPath(strokeLine({{8, 12}, {16, 12}}));
        return path;
    }
    case Icon::Half: {
        QPainterPath path;
        path.addEllipse(QPointF(12, 12), 9, 9);
        for (const qreal x : {8.0, 12.0, 16.0})
            path.addPath(strokeLine({{x, 12}, {x + 0.1, 12}}));
        return path;
    }
    case Icon::RequestLost:
    case Icon::AnswerLost:
    case Icon::CrashMidway:
        return lossShape(icon);
    case Icon::None:
    case Icon::Paid:
    case Icon::Once:
    case Icon::Refused:
    case Icon::Unknown:
    case Icon::Working:
    case Icon::NotSent:
    case Icon::Voided:
    case Icon::Contradiction:
    case Icon::Brand:
        break;
    }
    return {};
}

} // namespace

void paint(QPainter &painter, Icon icon, const QRectF &rect, const QColor &ink, const QColor &hole, qreal turn)
{
    if (icon == Icon::None)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (!detail::paintState(painter, icon, rect, ink, hole, turn)) {
        painter.translate(rect.topLeft());
        painter.scale(rect.width() / 24.0, rect.height() / 24.0);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(ink, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPath(strokeShape(icon));
    }
    painter.restore();
}

} // namespace ikkai::icons
