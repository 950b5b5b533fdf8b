#include "ui/widgets/caption_field.h"

#include "ui/theme/ring_style.h"
#include "ui/theme/theme.h"

#include <QtGui/QPainter>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>

namespace ikkai {

CaptionField::CaptionField(QLatin1StringView name, int mostCharacters, QWidget *parent)
    : QWidget(parent)
    , m_edit(new QLineEdit(this))
{
    m_edit->setObjectName(name);
    m_edit->setFrame(false);
    m_edit->setMaxLength(mostCharacters);
    m_edit->setProperty(theme::ringsParent, true);
    QFont font = theme::font(theme::Type::Figures);
    font.setPixelSize(18);
    m_edit->setFont(font);
    setFixedHeight(theme::metrics::button);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusProxy(m_edit);
    connect(qApp, &QApplication::focusChanged, this, [this] { update(); });
}

void CaptionField::setCaption(const QString &caption)
{
    m_caption = caption;
    m_edit->setAccessibleName(caption);
    resizeEvent(nullptr);
    update();
}

QString CaptionField::text() const
{
    return m_edit->text();
}

void CaptionField::setText(const QString &text)
{
    m_edit->setText(text);
}

void CaptionField::resizeEvent(QResizeEvent *)
{
    const int left = 15 + QFontMetrics(theme::font(theme::Type::Small)).horizontalAdvance(m_caption) + 8;
    m_edit->setGeometry(left, 2, width() - left - 10, height() - 4);
}

void CaptionField::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool focused = m_edit->hasFocus();
    const qreal stroke = focused ? 2 : 1;
    painter.setPen(QPen(theme::color(focused ? theme::Token::Ink : theme::Token::Outline), stroke));
    painter.setBrush(theme::color(theme::Token::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(stroke / 2, stroke / 2, -stroke / 2, -stroke / 2),
                            theme::metrics::radiusControl, theme::metrics::radiusControl);
    painter.setFont(theme::font(theme::Type::Small));
    painter.setPen(theme::color(theme::Token::Muted));
    painter.drawText(QRect(15, 0, width(), height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, m_caption);
}

} // namespace ikkai
