#include "ui/cashier/details_card.h"

#include "ui/cashier/happenings.h"
#include "ui/cashier/outcome_words.h"
#include "ui/object_names.h"
#include "ui/theme/theme.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>
#include <QtGui/QPainter>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace ikkai {

namespace {

struct DetailWords {
    Q_DECLARE_TR_FUNCTIONS(DetailWords)
};

QString detailLine(const QString &name, const QString &value)
{
    return name + QStringLiteral(": ") + (value.isEmpty() ? QStringLiteral("–") : value);
}

const ChargeDetails *chargeDetailsOf(const State &state)
{
    if (const auto *approved = std::get_if<state::Approved>(&state))
        return &approved->details;
    if (const auto *declined = std::get_if<state::Declined>(&state))
        return &declined->details;
    return nullptr;
}

} // namespace

DetailsCard::DetailsCard(QWidget *parent)
    : QWidget(parent)
    , m_text(new QPlainTextEdit(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 6, 10);
    column->addWidget(m_text);
    m_text->setObjectName(names::detailsText);
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFont(theme::font(theme::Type::Body));
    m_text->setTabChangesFocus(true);
    m_text->setAccessibleName(tr("Details"));
    m_text->viewport()->setAutoFillBackground(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void DetailsCard::setText(const QString &text)
{
    if (m_text->toPlainText() != text) {
        const int place = m_text->verticalScrollBar()->value();
        m_text->setPlainText(text);
        m_text->verticalScrollBar()->setValue(place);
    }
    m_text->setAccessibleName(tr("Details"));
}

void DetailsCard::showEvent(QShowEvent *)
{
    m_text->verticalScrollBar()->setValue(0);
}

void DetailsCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme::color(theme::Token::Line), 1));
    painter.setBrush(theme::color(theme::Token::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusCard,
                            theme::metrics::radiusCard);
}

QString detailsOf(const Checkout &checkout, const CheckoutLog &log, const Stamp &now)
{
    QStringList lines{DetailWords::tr("What happened")};
    constexpr int allOfThem = 1'000;
    for (const AttemptRow &row : happenings(checkout, log, now, allOfThem)) {
        QStringList parts{row.word, row.detail, row.tail};
        parts.removeAll(QString());
        const QString tryOf =
            row.number.isEmpty() ? QString() : DetailWords::tr("Try %1").arg(row.number) + QLatin1String(": ");
        lines << row.time + QStringLiteral("  ") + tryOf + parts.join(QLatin1String(", "));
    }
    lines << QString();
    lines << QStringList{
        detailLine(DetailWords::tr("Order"), checkout.order.text()),
        detailLine(DetailWords::tr("Amount"), format(checkout.money)),
        detailLine(DetailWords::tr("Started"), clockText(checkout.startedAt.wallMs)),
        detailLine(DetailWords::tr("Idempotency key"), checkout.key.text()),
        detailLine(DetailWords::tr("Account"), checkout.source.text()),
        detailLine(DetailWords::tr("Terminal"), checkout.terminalId),
        detailLine(DetailWords::tr("Bank"), checkout.bankAt),
        detailLine(DetailWords::tr("Ledger"), checkout.ledgerId),
        detailLine(DetailWords::tr("State"), outcomeWord(checkout.state)),
        detailLine(DetailWords::tr("Sent on the wire"), QString::number(totalWireSends(checkout))),
    };
    if (const ChargeDetails *details = chargeDetailsOf(checkout.state)) {
        lines << detailLine(DetailWords::tr("Charge at the bank"), details->bankChargeId);
        lines << detailLine(DetailWords::tr("Request at the bank"), details->requestId);
    }
    if (checkout.voidIntent) {
        lines << detailLine(DetailWords::tr("Key of the void"), checkout.voidIntent->key.text());
        lines << detailLine(DetailWords::tr("Void sent on the wire"), QString::number(checkout.voidIntent->wireSends));
    }
    if (checkout.replaces)
        lines << detailLine(DetailWords::tr("Started instead of"), checkout.replaces->text());
    return lines.join(QLatin1Char('\n'));
}

} // namespace ikkai
