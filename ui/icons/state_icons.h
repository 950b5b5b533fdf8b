#pragma once

#include "ui/icons/icons.h"

namespace ikkai::icons::detail {

/// Draws a filled state icon; false where `icon` is not one.
bool paintState(QPainter &painter, Icon icon, const QRectF &rect, const QColor &ink, const QColor &hole, qreal turn);

} // namespace ikkai::icons::detail
