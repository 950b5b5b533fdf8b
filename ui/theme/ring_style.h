#pragma once

#include <QtCore/QPointer>
#include <QtWidgets/QProxyStyle>

class QFocusFrame;

namespace ikkai::theme {

/// A widget with this property true is the inside of its parent: the ring goes round the parent.
inline constexpr const char *ringsParent = "ringsParent";

/// Fusion with the house's focus ring: 3 px, 2 px outside the control, round like the control. Item views and others
/// that draw a focus rectangle inside themselves get the same stroke there.
class RingStyle final : public QProxyStyle {
    Q_OBJECT

public:
    RingStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *returnData) const override;
};

/// Puts the ring round whatever has the keyboard focus inside one window. A press of the mouse moves the focus without
/// a ring; the next key shows it.
class FocusRing final : public QObject {
    Q_OBJECT

public:
    explicit FocusRing(QWidget *window);

    /// The control that wears the ring now, or nullptr.
    [[nodiscard]] QWidget *ringed() const;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void follow(QWidget *now);

    QWidget *m_window;
    QPointer<QFocusFrame> m_frame;
    bool m_byMouse = false;
};

} // namespace ikkai::theme
