#pragma once

#include <QtGui/QColor>

class QPainter;
class QRectF;

namespace ikkai::icons {

/// Each state has its own silhouette, so that it reads in grey; the rest are plain strokes.
enum class Icon {
    None,
    // states, filled, 64 grid
    Paid,          ///< disc with a check
    Once,          ///< the same, with a small "1x" disc from 28 px up; below that a ring with a check
    Refused,       ///< octagon with a cross
    Unknown,       ///< square on its corner with a question mark
    Working,       ///< thin ring, three dots, a thick quarter that turns
    NotSent,       ///< rounded square with a dash
    Voided,        ///< rounded square with an arrow that turns back
    Contradiction, ///< triangle with an exclamation mark
    Brand,         ///< ring with one stroke
    // strokes, 24 grid
    Clock,
    Check,
    Cross,
    Bookmark,
    Person,
    Leave,
    Chat,
    Info,
    Globe,
    Power,
    Grad,
    Backspace,
    Print,
    Copy,
    Repeat,
    Triangle,
    Dash,
    Half, ///< under way, in lists: a ring with dots
    RequestLost,
    AnswerLost,
    CrashMidway,
    Search,
    Export,
    Down,
};

/// `ink` draws, `hole` is what shows through a filled state icon. `turn` (0..1) moves Working's quarter.
void paint(QPainter &painter, Icon icon, const QRectF &rect, const QColor &ink, const QColor &hole, qreal turn = 0);

} // namespace ikkai::icons
