#include "ui/theme/ring_style.h"

#include "ui/theme/theme.h"

#include <QtGui/QFocusEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QApplication>
#include <QtWidgets/QFocusFrame>
#include <QtWidgets/QStyleFactory>
#include <QtWidgets/QStyleOption>

namespace ikkai::theme {

namespace {

void strokeRing(QPainter *painter, const QRect &rect, int radius)
{
    const qreal half = metrics::ringWidth / 2.0;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(color(Token::Focus), metrics::ringWidth));
    painter->drawRoundedRect(QRectF(rect).adjusted(half, half, -half, -half), radius, radius);
    painter->restore();
}

} // namespace

RingStyle::RingStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
}

void RingStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                              const QWidget *widget) const
{
    if (element == PE_FrameFocusRect) {
        strokeRing(painter, option->rect, 4);
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void RingStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                            const QWidget *widget) const
{
    if (element == CE_FocusFrame) {
        strokeRing(painter, option->rect, metrics::radiusControl + metrics::ringGap + 1);
        return;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

int RingStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    if (metric == PM_FocusFrameHMargin || metric == PM_FocusFrameVMargin)
        return metrics::ringWidth + metrics::ringGap;
    return QProxyStyle::pixelMetric(metric, option, widget);
}

int RingStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                         QStyleHintReturn *returnData) const
{
    switch (hint) {
    case SH_FocusFrame_AboveWidget:
        return 1;
    case SH_FocusFrame_Mask:
        return 0;
    case SH_UnderlineShortcut:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

FocusRing::FocusRing(QWidget *window)
    : QObject(window)
    , m_window(window)
{
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) { follow(now); });
    qApp->installEventFilter(this);
}

QWidget *FocusRing::ringed() const
{
    return m_frame ? m_frame->widget() : nullptr;
}

bool FocusRing::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::FocusIn:
        m_byMouse = static_cast<QFocusEvent *>(event)->reason() == Qt::MouseFocusReason;
        break;
    case QEvent::KeyPress:
        if (m_byMouse) {
            m_byMouse = false;
            follow(QApplication::focusWidget());
        }
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

void FocusRing::follow(QWidget *now)
{
    if (now && now->property(ringsParent).toBool())
        now = now->parentWidget();
    const bool wanted = now && !m_byMouse && now->window() == m_window && now != m_window;
    if (wanted) {
        if (!m_frame)
            m_frame = new QFocusFrame(m_window);
        m_frame->setWidget(now);
    } else if (m_frame) {
        m_frame->setWidget(nullptr);
    }
}

} // namespace ikkai::theme
