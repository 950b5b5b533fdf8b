#include "ui/widgets/outcome_banner.h"

#include "ui/object_names.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"

#include <QtCore/QStringList>
#include <QtCore/QTimer>
#include <QtGui/QAccessible>
#include <QtGui/QPainter>
#include <QtWidgets/QStyle>

#include <algorithm>

namespace ikkai {

namespace {

constexpr int oneTurnMs = 1200;

struct BannerMeasures {
    int top, textLeft, right, icon, iconLeft, headlineLine, subLine, gap, amountLine, bottom;
};

BannerMeasures bannerMeasures(bool compact)
{
    if (compact)
        return {14, 113, 20, 80, 16, 58, 32, 0, 40, 14};
    return {20, 140, 28, 96, 24, 62, 34, 5, 48, 19};
}

} // namespace

OutcomeBanner::OutcomeBanner(QWidget *parent)
    : QFrame(parent)
    , m_headline(new FlowText(theme::Type::Headline, theme::Token::Text, this))
    , m_sub(new Label(theme::Type::SubHeadline, theme::Token::Text, this))
    , m_amount(new Label(theme::Type::BannerAmount, theme::Token::Text, this))
    , m_order(new Label(theme::Type::BannerFacts, theme::Token::Text, this))
    , m_reference(new Label(theme::Type::BannerFacts, theme::Token::Text, this))
    , m_turning(new QTimer(this))
{
    setObjectName(names::banner);
    m_headline->setObjectName(names::headline);
    m_sub->setObjectName(names::subHeadline);
    m_amount->setObjectName(names::bannerAmount);
    m_order->setObjectName(names::bannerOrder);
    m_reference->setObjectName(names::bannerReference);
    m_order->setMayCut(true);
    m_order->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(154);
    m_turning->setInterval(33);
    connect(m_turning, &QTimer::timeout, this, [this] { update(iconRect()); });
}

void OutcomeBanner::show(const Shown &shown)
{
    if (m_shown == shown)
        return;
    const bool otherWords =
        m_shown.headline != shown.headline || m_shown.order != shown.order || m_shown.reference != shown.reference;
    m_shown = shown;
    const theme::Token on = shown.role ? theme::tokenOf(*shown.role, theme::Part::On) : theme::Token::Text;
    m_headline->setToken(on);
    for (Label *label : {m_sub, m_amount, m_order, m_reference})
        label->setToken(on);
    m_headline->setMarked(shown.headline);
    m_sub->setText(shown.subHeadline);
    m_amount->setText(shown.amount);
    m_order->setText(shown.order);
    m_reference->setText(shown.reference);
    const QStringList said{plainWords(shown.headline), shown.subHeadline, shown.amount, shown.order};
    setAccessibleName(said.join(QLatin1Char(' ')).simplified());
    arrange();
    turnWhileWorking();
    update();
    if (otherWords)
        announce();
}

void OutcomeBanner::announce()
{
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
    Q_EMIT announced(accessibleName());
    QAccessibleEvent renamed(this, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&renamed);
}

QString OutcomeBanner::role() const
{
    return m_shown.role ? QString::fromLatin1(theme::nameOf(*m_shown.role)) : QString();
}

void OutcomeBanner::setCompact(bool compact)
{
    if (m_compact == compact)
        return;
    m_compact = compact;
    m_amount->setType(compact ? theme::Type::CompactAmount : theme::Type::BannerAmount);
    m_headline->setLineHeight(compact ? 58 : 0);
    QFont facts = theme::font(theme::Type::BannerFacts);
    facts.setPixelSize(compact ? 16 : 18);
    m_order->setFont(facts);
    m_reference->setFont(facts);
    arrange();
}

QRect OutcomeBanner::iconRect() const
{
    const BannerMeasures m = bannerMeasures(m_compact);
    return {m.iconLeft, (height() - m.icon) / 2, m.icon, m.icon};
}

void OutcomeBanner::arrange()
{
    const BannerMeasures m = bannerMeasures(m_compact);
    const int room = width() - m.textLeft - m.right;
    if (room < 100)
        return; // not laid out yet
    const int lines = std::max(1, m_headline->lineCount(room));
    for (Label *fact : {m_amount, m_order, m_reference})
        fact->setVisible(!fact->text().isEmpty());
    const bool sub = !m_shown.subHeadline.isEmpty();
    const bool alone = m_shown.amount.isEmpty(); // nothing below the word: it stands in the middle
    int y = alone ? m.top + (m.gap + m.amountLine) / 2 : m.top;
    m_headline->setGeometry(m.textLeft, y, room, lines * m.headlineLine);
    y += lines * m.headlineLine;
    m_sub->setVisible(sub);
    if (sub) {
        m_sub->setGeometry(m.textLeft, y, room, m.subLine);
        y += m.subLine;
    }
    y += m.gap;
    const int amountWidth = std::min(room, m_amount->sizeHint().width());
    m_amount->setGeometry(m.textLeft, y, amountWidth, m.amountLine);
    const int factsTop = y + m.amountLine - 26 - (m_compact ? 2 : 4);
    const int referenceWidth = m_reference->sizeHint().width();
    m_reference->setGeometry(width() - m.right - referenceWidth, factsTop, referenceWidth, 26);
    const int orderRight = m_reference->x() - (m_compact ? 16 : 24);
    const int orderLeft = m.textLeft + amountWidth + 16;
    m_order->setGeometry(orderLeft, factsTop, std::max(0, orderRight - orderLeft), 26);
    const int tall = (alone ? y - (m.gap + m.amountLine) / 2 : y) + m.amountLine + m.bottom;
    if (height() != tall)
        setFixedHeight(tall);
    update();
}

void OutcomeBanner::turnWhileWorking()
{
    const bool motion = style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0;
    const bool turning = m_shown.icon == icons::Icon::Working && isVisible() && motion;
    if (turning && !m_turning->isActive()) {
        m_since.start();
        m_turning->start();
    } else if (!turning) {
        m_turning->stop();
    }
}

void OutcomeBanner::resizeEvent(QResizeEvent *)
{
    arrange();
}

void OutcomeBanner::showEvent(QShowEvent *)
{
    turnWhileWorking();
}

void OutcomeBanner::hideEvent(QHideEvent *)
{
    turnWhileWorking();
}

void OutcomeBanner::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor fill =
        m_shown.role ? theme::color(*m_shown.role, theme::Part::Solid) : theme::color(theme::Token::Surface);
    const QColor ink = m_shown.role ? theme::color(*m_shown.role, theme::Part::On) : theme::color(theme::Token::Text);
    painter.setBrush(fill);
    painter.setPen(m_shown.role ? QPen(Qt::NoPen) : QPen(theme::color(theme::Token::Line), 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusCard,
                            theme::metrics::radiusCard);
    const qreal turn = m_turning->isActive() ? static_cast<qreal>(m_since.elapsed() % oneTurnMs) / oneTurnMs : 0.0;
    icons::paint(painter, m_shown.icon, iconRect(), ink, fill, turn);
}

} // namespace ikkai
