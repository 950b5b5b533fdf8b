#include "ui/widgets/segments.h"

#include "ui/theme/theme.h"

#include <QtGui/QPainter>
#include <QtGui/QPainterPath>
#include <QtWidgets/QButtonGroup>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPushButton>

namespace ikkai {

namespace {

/// Paints only its own part of the row; the row paints outline and dividers.
class SegmentButton final : public QPushButton {
public:
    using QPushButton::QPushButton;

    QSize sizeHint() const override { return {60, theme::metrics::button}; }
    QSize minimumSizeHint() const override
    {
        const QFontMetrics metrics(theme::font(theme::Type::SmallStrong));
        return {metrics.horizontalAdvance(text()) + 10, theme::metrics::minimumTarget};
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        if (isChecked() || isDown()) {
            QPainterPath row;
            const QRect whole(-x(), -y(), parentWidget()->width(), parentWidget()->height());
            row.addRoundedRect(whole, theme::metrics::radiusControl, theme::metrics::radiusControl);
            painter.setClipPath(row);
            painter.fillRect(rect(), theme::color(isChecked() ? theme::Token::Ink : theme::Token::SelBg));
        }
        QFont font = theme::font(isChecked() ? theme::Type::Strong : theme::Type::Body);
        font.setPixelSize(15);
        if (QFontMetrics(font).horizontalAdvance(text()) > width() - 8)
            font.setPixelSize(14);
        painter.setFont(font);
        painter.setPen(theme::color(isChecked() ? theme::Token::OnInk : theme::Token::Text));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextDontClip, text());
    }
};

} // namespace

Segments::Segments(QWidget *parent)
    : QWidget(parent)
    , m_group(new QButtonGroup(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    setFixedHeight(theme::metrics::button);
    m_group->setExclusive(true);
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool checked) {
        if (checked)
            Q_EMIT chosenChanged(m_ids.value(id));
        update();
    });
}

void Segments::setSegments(const QList<Segment> &segments)
{
    for (const auto buttons = m_group->buttons(); QAbstractButton * old : buttons)
        delete old;
    m_ids.clear();
    for (const Segment &segment : segments) {
        auto *button = new SegmentButton(segment.label, this);
        button->setObjectName(objectName() + QLatin1Char('.') + segment.id);
        button->setCheckable(true);
        button->setAutoDefault(false);
        button->setChecked(m_ids.isEmpty());
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
        m_group->addButton(button, static_cast<int>(m_ids.size()));
        m_ids.append(segment.id);
        layout()->addWidget(button);
    }
}

void Segments::setLabels(const QList<Segment> &segments)
{
    for (const Segment &segment : segments) {
        if (QAbstractButton *button = m_group->button(static_cast<int>(m_ids.indexOf(segment.id))))
            button->setText(segment.label);
    }
}

QString Segments::chosen() const
{
    return m_ids.value(m_group->checkedId());
}

void Segments::choose(const QString &id)
{
    if (QAbstractButton *button = m_group->button(static_cast<int>(m_ids.indexOf(id))))
        button->setChecked(true);
}

void Segments::setTabPlace(QWidget *before, QWidget *after)
{
    for (const auto buttons = m_group->buttons(); QAbstractButton *button : buttons) {
        setTabOrder(before, button);
        before = button;
    }
    setTabOrder(before, after);
}

void Segments::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(theme::color(theme::Token::Outline), 1));
    painter.setBrush(theme::color(theme::Token::Surface));
    painter.drawRoundedRect(frame, theme::metrics::radiusControl, theme::metrics::radiusControl);
    painter.setPen(QPen(theme::color(theme::Token::Line), 1));
    const auto buttons = m_group->buttons();
    for (qsizetype i = 1; i < buttons.size(); ++i) {
        const qreal x = buttons[i]->x() + 0.5;
        painter.drawLine(QPointF(x, 1), QPointF(x, height() - 1));
    }
}

} // namespace ikkai
