#include "ui/widgets/note_box.h"

#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"

#include <QtGui/QPainter>

namespace ikkai {

NoteBox::NoteBox(icons::Icon icon, QWidget *parent)
    : QWidget(parent)
    , m_icon(icon)
    , m_strong(new Label(theme::Type::Strong, theme::Token::NeuText, this))
    , m_words(new FlowText(theme::Type::Body, theme::Token::Text, this))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(52);
}

void NoteBox::setRole(theme::Role role)
{
    m_role = role;
    m_strong->setToken(theme::tokenOf(role, theme::Part::Text));
    update();
}

void NoteBox::setShape(icons::Icon icon)
{
    m_icon = icon;
    update();
}

void NoteBox::setWords(const QString &strong, const QString &marked)
{
    m_strong->setText(strong);
    m_words->setMarked(marked);
    setAccessibleName(strong + QLatin1Char(' ') + plainWords(marked));
    arrange();
}

void NoteBox::setCompact(bool compact)
{
    if (m_compact == compact)
        return;
    m_compact = compact;
    arrange();
}

QString NoteBox::text() const
{
    return m_words->text();
}

void NoteBox::arrange()
{
    const int least = m_compact ? 44 : 52;
    const bool withStrong = !m_strong->text().isEmpty() && !m_compact;
    m_strong->setVisible(withStrong);
    int x = m_compact ? 44 : 50;
    if (withStrong)
        x += m_strong->sizeHint().width() + 12;
    const int room = width() - x - 16;
    if (room < 60)
        return; // not laid out yet
    const int high = m_words->heightForWidth(room);
    const int tall = std::max(least, high + 22);
    if (height() != tall)
        setFixedHeight(tall);
    m_strong->setGeometry(m_compact ? 44 : 50, (tall - high) / 2, m_strong->sizeHint().width(), 22);
    m_words->setGeometry(x, (tall - high) / 2, room, high);
    update();
}

void NoteBox::resizeEvent(QResizeEvent *)
{
    arrange();
}

void NoteBox::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::color(m_role, theme::Part::Tint));
    painter.drawRoundedRect(rect(), theme::metrics::radiusControl, theme::metrics::radiusControl);
    icons::paint(painter, m_icon, QRectF(m_compact ? 14 : 17, (height() - 20) / 2.0, 20, 20),
                 theme::color(m_role, theme::Part::Text), theme::color(m_role, theme::Part::Tint));
}

} // namespace ikkai
