#include "ui/cashier/side_by_side.h"

#include "ui/object_names.h"
#include "ui/widgets/label.h"

#include <QtGui/QPainter>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace ikkai {

SideBySide::SideBySide(QWidget *parent)
    : QWidget(parent)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(20, 16, 20, 16);
    row->setSpacing(40);
    m_ours = addSide(names::mismatchOurs);
    m_theirs = addSide(names::mismatchTheirs);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

SideBySide::Side SideBySide::addSide(const QLatin1StringView &name)
{
    auto *side = new QWidget(this);
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    Side made{new Label(theme::Type::Small, theme::Token::Muted, side),
              new Label(theme::Type::Figures, theme::Token::Text, side),
              new Label(theme::Type::CompactAmount, theme::Token::Text, side)};
    made.order->setMayCut(true);
    side->setObjectName(name);
    for (Label *label : {made.caption, made.amount, made.order})
        column->addWidget(label);
    layout()->addWidget(side);
    static_cast<QHBoxLayout *>(layout())->setStretchFactor(side, 1);
    return made;
}

void SideBySide::show(const Checkout &checkout)
{
    const auto *mismatch = std::get_if<state::KeyMismatch>(&checkout.state);
    m_ours.caption->setText(tr("This terminal has"));
    m_ours.order->setText(checkout.order.text());
    m_ours.amount->setText(format(checkout.money));
    m_theirs.caption->setText(tr("The bank has"));
    if (mismatch && mismatch->theirs) {
        const auto currency = Currency::parse(mismatch->theirs->currency);
        m_theirs.order->setText(mismatch->theirs->orderId);
        m_theirs.amount->setText(currency ? formatMinorUnits(mismatch->theirs->amountMinor, currency.value())
                                          : QString::number(mismatch->theirs->amountMinor));
    } else {
        m_theirs.order->setText(tr("not asked yet"));
        m_theirs.amount->setText(QStringLiteral("?"));
    }
    for (const Side &side : {m_ours, m_theirs})
        side.caption->parentWidget()->setAccessibleName(side.caption->text() + QLatin1Char(' ') + side.amount->text() +
                                                        QLatin1Char(' ') + side.order->text());
}

void SideBySide::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme::color(theme::Token::Line), 1));
    painter.setBrush(theme::color(theme::Token::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusCard,
                            theme::metrics::radiusCard);
    const qreal middle = width() / 2.0;
    painter.drawLine(QPointF(middle, 16), QPointF(middle, height() - 16));
}

} // namespace ikkai
