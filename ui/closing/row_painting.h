#pragma once

#include "ui/icons/icons.h"
#include "ui/theme/theme.h"

#include <QtCore/QRect>
#include <QtCore/QString>

class QPainter;
class QStyleOptionViewItem;

/// How rows of closing's lists and tables are drawn: the same hairlines, signs and buttons in all of them. Rows are
/// painted, not made of widgets: there may be thousands.
namespace ikkai::rows {

/// The ground of a row and the hairline below it; the selected one has a bar of ink at the left of its first cell.
void ground(QPainter &painter, const QStyleOptionViewItem &option, bool isFirstCell);

/// One line of text on the middle of `rect`: where it does not fit smaller, down to what can be read, then shortened in
/// its middle.
void text(QPainter &painter, const QRect &rect, theme::Type type, const QColor &color, Qt::Alignment side,
          const QString &words);

/// A sign of 24 px at the left of `rect`.
void sign(QPainter &painter, const QRect &rect, icons::Icon icon, theme::Role role);

enum class ButtonLook { Primary, Secondary, Words };
/// A button of `rect`'s size; Words: nothing to press, only what stands in its place.
void button(QPainter &painter, const QRect &rect, const QString &label, ButtonLook look, bool hasFocus);

} // namespace ikkai::rows
