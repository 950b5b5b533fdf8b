#pragma once

#include "ui/main_window.h"
#include "ui/object_names.h"
#include "ui/theme/theme.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"

#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QScrollBar>

namespace ikkai::test {

inline QRect inWindow(const QWidget *widget)
{
    return {widget->mapTo(widget->window(), QPoint(0, 0)), widget->size()};
}

inline bool isPiece(const QWidget *widget)
{
    return qobject_cast<const QAbstractButton *>(widget) || qobject_cast<const Label *>(widget) ||
           qobject_cast<const FlowText *>(widget) || qobject_cast<const QLineEdit *>(widget) ||
           widget->objectName() == names::attemptTrack || widget->objectName() == names::amountField;
}

inline QString nameOf(const QWidget *widget)
{
    return QStringLiteral("%1 (%2, \"%3\")")
        .arg(QString::fromLatin1(widget->metaObject()->className()), widget->objectName(),
             widget->property("text").toString());
}

/// A list of what there is, which may be any number, scrolls; nothing else does.
enum class Scrolling { Nowhere, InLists };

/// What is wrong with the layout that is on the screen, or nothing.
inline QString trouble(const MainWindow &window, Scrolling scrolling = Scrolling::Nowhere)
{
    QList<const QWidget *> pieces;
    for (const QWidget *widget : window.findChildren<QWidget *>()) {
        if (widget->isVisible() && isPiece(widget))
            pieces << widget;
    }
    for (const QWidget *piece : std::as_const(pieces)) {
        const QRect rect = inWindow(piece);
        if (!window.rect().contains(rect))
            return nameOf(piece) + QStringLiteral(" is outside the window");
        for (const QWidget *parent = piece->parentWidget(); parent && parent != &window;
             parent = parent->parentWidget()) {
            if (!inWindow(parent).contains(rect))
                return nameOf(piece) + QStringLiteral(" is cut by ") + nameOf(parent);
        }
        if (const auto *flow = qobject_cast<const FlowText *>(piece)) {
            if (flow->heightForWidth(flow->width()) > flow->height() || flow->widestLine(flow->width()) > flow->width())
                return nameOf(piece) + QStringLiteral(" does not fit its place");
        } else if (const auto *label = qobject_cast<const Label *>(piece)) {
            if (!label->mayCut() && label->sizeHint().width() > label->width() + 1)
                return nameOf(piece) + QStringLiteral(" is cut");
        } else if (const auto *button = qobject_cast<const QAbstractButton *>(piece)) {
            if (button->minimumSizeHint().width() > button->width())
                return nameOf(piece) + QStringLiteral(" is too narrow for its words");
            const bool key = button->objectName().startsWith(names::keypad);
            const int least = key ? 56 : theme::metrics::minimumTarget;
            if (button->width() < least || button->height() < least)
                return nameOf(piece) + QStringLiteral(" is too small for a finger");
        }
        if (piece->font().pixelSize() > 0 && piece->font().pixelSize() < 14)
            return nameOf(piece) + QStringLiteral(" is too small to read");
    }
    for (qsizetype a = 0; a < pieces.size(); ++a) {
        for (qsizetype b = a + 1; b < pieces.size(); ++b) {
            if (pieces[a]->isAncestorOf(pieces[b]) || pieces[b]->isAncestorOf(pieces[a]))
                continue;
            if (inWindow(pieces[a]).intersects(inWindow(pieces[b])))
                return nameOf(pieces[a]) + QStringLiteral(" lies on ") + nameOf(pieces[b]);
        }
    }
    for (const QScrollBar *bar : window.findChildren<QScrollBar *>()) {
        if (scrolling == Scrolling::Nowhere && bar->isVisible() && bar->maximum() > 0 && bar->window() == &window)
            return QStringLiteral("something scrolls");
    }
    return {};
}

} // namespace ikkai::test
