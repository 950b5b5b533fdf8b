#include "ui/cashier/side_by_side.h"

#include "ui/cashier/outcome_words.h"
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
              new Label(theme::Type::CompactAmount, theme::Token::Text, side),
              new Label(theme::Type::Figures, theme::Token::Text, side)};
    made.detail->setMayCut(true);
    made.fact->setMayCut(true);
    side->setObjectName(name);
    for (Label *label : {made.caption, made.fact, made.detail})
        column->addWidget(label);
    layout()->addWidget(side);
    static_cast<QHBoxLayout *>(layout())->setStretchFactor(side, 1);
    return made;
}

void SideBySide::fill(const Side &side, const QString &caption, const QString &fact, const QString &detail)
{
    side.caption->setText(caption);
    side.fact->setText(fact);
    side.detail->setText(detail);
    side.caption->parentWidget()->setAccessibleName(caption + QLatin1Char(' ') + fact + QLatin1Char(' ') + detail);
}

void SideBySide::show(const Checkout &checkout)
{
    if (checkout.contradiction && isFinal(checkout.state))
        showContradiction(checkout);
    else
        showMismatch(checkout);
}

void SideBySide::showMismatch(const Checkout &checkout)
{
    fill(m_ours, tr("This terminal has"), format(checkout.money), checkout.order.text());
    const auto *mismatch = std::get_if<state::KeyMismatch>(&checkout.state);
    if (!mismatch || !mismatch->theirs) {
        fill(m_theirs, tr("The bank has"), QStringLiteral("?"), tr("not known yet"));
        return;
    }
    const auto currency = Currency::parse(mismatch->theirs->currency);
    fill(m_theirs, tr("The bank has"),
         currency ? formatMinorUnits(mismatch->theirs->amountMinor, currency.value())
                  : QString::number(mismatch->theirs->amountMinor),
         mismatch->theirs->orderId);
}

void SideBySide::showContradiction(const Checkout &checkout)
{
    const auto at = [](qint64 wallMs) { return tr("at %1").arg(clockText(wallMs)); };
    fill(m_ours, tr("Shown here before"), outcomeSaid(outcomeWord(checkout.state)),
         at(checkout.settledWallMs.value_or(checkout.updatedWallMs)));
    fill(m_theirs, tr("The bank says now"), outcomeSaid(checkout.contradiction->said),
         at(checkout.contradiction->atWallMs));
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
