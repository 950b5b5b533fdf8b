#include "ui/widgets/attempt_track.h"

#include "ui/object_names.h"
#include "ui/theme/theme.h"

#include <QtCore/QEvent>
#include <QtGui/QAccessible>
#include <QtGui/QPainter>
#include <QtWidgets/QAccessibleWidget>

#include <algorithm>

namespace ikkai {

namespace {

constexpr qreal barTop = 25;
constexpr qreal barHeight = 19;

/// A progress bar to a screen reader, with "try 3 of 5" as its value.
class TrackAccessible final : public QAccessibleWidget {
public:
    explicit TrackAccessible(QWidget *widget)
        : QAccessibleWidget(widget, QAccessible::ProgressBar)
    {
    }
    QString text(QAccessible::Text text) const override
    {
        if (text == QAccessible::Value)
            return static_cast<AttemptTrack *>(widget())->value();
        return QAccessibleWidget::text(text);
    }
};

QAccessibleInterface *makeTrackAccessible(const QString &className, QObject *object)
{
    if (className == QLatin1StringView("ikkai::AttemptTrack"))
        return new TrackAccessible(static_cast<QWidget *>(object));
    return nullptr;
}

QString wholeSeconds(qint64 ms)
{
    return QString::number(ms / 1000);
}

} // namespace

AttemptTrack::AttemptTrack(QWidget *parent)
    : QWidget(parent)
{
    static const bool installed = [] {
        QAccessible::installFactory(makeTrackAccessible);
        return true;
    }();
    Q_UNUSED(installed)
    setObjectName(names::attemptTrack);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(76);
    setAccessibleName(tr("Tries"));
}

void AttemptTrack::show(const Run &run)
{
    if (m_run == run)
        return;
    const bool otherValue = m_run.value != run.value;
    m_run = run;
    if (otherValue) {
        QAccessibleValueChangeEvent changed(this, m_run.value);
        QAccessible::updateAccessibility(&changed);
    }
    update();
}

void AttemptTrack::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        setAccessibleName(tr("Tries"));
    QWidget::changeEvent(event);
}

qreal AttemptTrack::xOf(qint64 ms) const
{
    const qint64 limit = std::max<qint64>(1, m_run.limitMs);
    const qint64 within = std::clamp<qint64>(ms, 0, limit);
    return static_cast<qreal>(within) * (width() - 1) / static_cast<qreal>(limit) + 0.5;
}

void AttemptTrack::paintBlock(QPainter &painter, const Block &block, const QRectF &bar) const
{
    using theme::Part;
    using theme::Role;
    const qreal left = xOf(block.fromMs);
    const qreal right = std::max(left + 14, xOf(block.toMs));
    const QRectF shape(left, bar.top(), std::min(right, bar.right()) - left, bar.height());
    const Role role = block.kind == Block::Kind::Silent    ? Role::Unk
                      : block.kind == Block::Kind::NotSent ? Role::Neu
                                                           : Role::Wrk;
    const bool dashed = block.kind == Block::Kind::Next || block.kind == Block::Kind::Running;
    QPen outline(theme::color(role, Part::Line), dashed ? 2 : 1.5);
    if (dashed)
        outline.setDashPattern({3, 2});
    if (block.kind == Block::Kind::Next) {
        painter.setBrush(theme::color(theme::Token::Surface));
    } else if (block.kind == Block::Kind::Running) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme::color(theme::Token::Surface));
        painter.drawRoundedRect(shape, 5, 5);
        QRectF done = shape;
        done.setRight(std::clamp(xOf(m_run.nowMs), left, shape.right()));
        painter.setBrush(theme::color(role, Part::Tint));
        painter.drawRoundedRect(done, 5, 5);
        painter.setBrush(Qt::NoBrush);
    } else {
        painter.setBrush(theme::color(role, Part::Tint));
    }
    painter.setPen(outline);
    painter.drawRoundedRect(shape.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    if (shape.width() >= 14) {
        painter.setFont(theme::font(theme::Type::SmallFiguresStrong));
        painter.setPen(theme::color(role, Part::Text));
        painter.drawText(shape, Qt::AlignCenter | Qt::TextDontClip, QString::number(block.number));
    }
}

void AttemptTrack::paintNow(QPainter &painter) const
{
    const qreal x = xOf(m_run.nowMs);
    const QColor ink = theme::color(theme::Token::Ink);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawRect(QRectF(x - 1.5, barTop - 11, 3, barHeight + 17));
    painter.drawPolygon(QPolygonF{{x - 7, barTop - 12}, {x + 7, barTop - 12}, {x, barTop - 4}});
    painter.setFont(theme::font(theme::Type::SmallFiguresStrong));
    painter.setPen(theme::color(theme::Token::Text));
    const QString label = tr("now, %1 s").arg(wholeSeconds(m_run.nowMs));
    const int labelWidth = painter.fontMetrics().horizontalAdvance(label);
    const bool fitsRight = x + 14 + labelWidth < width();
    painter.drawText(QRectF(fitsRight ? x + 14 : x - 14 - labelWidth, 4, labelWidth + 1, 18),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, label);
}

void AttemptTrack::paintScale(QPainter &painter) const
{
    painter.setFont(theme::font(theme::Type::SmallFigures));
    const QRectF row(0, barTop + barHeight + 9, width(), 18);
    painter.setPen(theme::color(theme::Token::Muted));
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, tr("%1 s").arg(0));
    const QString limit = tr("limit %1 s").arg(wholeSeconds(m_run.limitMs));
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, limit);
    const qreal free = width() - painter.fontMetrics().horizontalAdvance(limit) - 30;
    const qint64 step = m_run.limitMs > 20'000 ? 10'000 : m_run.limitMs > 8'000 ? 5'000 : 1'000;
    for (qint64 at = step; at < m_run.limitMs; at += step) {
        const qreal x = xOf(at);
        if (x > free)
            break;
        painter.setPen(QPen(theme::color(theme::Token::Outline), 1));
        painter.drawLine(QPointF(x, barTop + barHeight), QPointF(x, barTop + barHeight + 6));
        painter.setPen(theme::color(theme::Token::Muted));
        painter.drawText(QRectF(x - 30, row.top(), 60, row.height()),
                         Qt::AlignCenter | Qt::TextDontClip, tr("%1 s").arg(wholeSeconds(at)));
    }
}

void AttemptTrack::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF bar(0.5, barTop + 0.5, width() - 1, barHeight);
    painter.setPen(QPen(theme::color(theme::Token::Outline), 1));
    painter.setBrush(theme::color(theme::Token::Sunken));
    painter.drawRoundedRect(bar, 5, 5);
    paintScale(painter);
    for (const Block &block : m_run.blocks)
        paintBlock(painter, block, bar);
    paintNow(painter);
}

} // namespace ikkai
