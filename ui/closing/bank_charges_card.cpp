#include "ui/closing/bank_charges_card.h"

#include "ui/closing/report_rows.h"
#include "ui/i18n/store_time.h"
#include "ui/object_names.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"

#include <QtCore/QEvent>
#include <QtCore/QStringList>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace ikkai {

namespace {

/// The bank's words of a charge, as outcome words.
OutcomeSign chargeSign(const BankChargeRow &row)
{
    const bool isReversed = row.reversed || row.status == QLatin1StringView("voided");
    return outcomeSign(isReversed ? QStringLiteral("voided") : row.status);
}

} // namespace

BankChargesCard::BankChargesCard(QWidget *parent)
    : Card(parent)
    , m_title(new Label(theme::Type::CardTitle, theme::Token::Text, this))
    , m_text(new FlowText(theme::Type::Body, theme::Token::Muted, this))
    , m_rows(new ReportRowsList(this))
    , m_copy(new Button(Button::Kind::Secondary, this))
    , m_back(new Button(Button::Kind::Primary, this))
{
    setObjectName(names::bankCharges);
    m_text->setObjectName(names::bankChargesText);
    m_rows->setObjectName(names::bankChargesList);
    m_copy->setObjectName(names::bankChargesCopy);
    m_back->setObjectName(names::bankChargesBack);
    m_copy->setShape(icons::Icon::Copy);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_copy);
    buttons->addSpacing(12);
    buttons->addWidget(m_back);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(10);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addWidget(m_rows, 1);
    column->addLayout(buttons);
    connect(m_back, &Button::clicked, this, &BankChargesCard::backWanted);
    connect(m_copy, &Button::clicked, this, [this] { QGuiApplication::clipboard()->setText(lines()); });
    retranslate();
}

BankChargesCard::~BankChargesCard() = default;

void BankChargesCard::setDifference(const Difference &difference)
{
    m_difference = std::make_unique<Difference>(difference);
    retranslate();
}

QString BankChargesCard::lines() const
{
    if (!m_difference)
        return {};
    QStringList all;
    for (const BankChargeRow &row : m_difference->theirs) {
        const auto currency = Currency::parse(row.currency);
        all << tr("%1: charge %2, order %3, terminal %4, %5, %6")
                   .arg(store::dayAndClock(row.createdWallMs), row.chargeId, row.orderId, row.terminalId,
                        formatMinorUnits(row.amountMinor, currency ? *currency : m_difference->currency), row.status);
    }
    return all.join(QLatin1Char('\n'));
}

void BankChargesCard::retranslate()
{
    m_title->setText(tr("Only the bank has this"));
    m_copy->setText(tr("Copy"));
    m_back->setText(tr("Back to the list"));
    m_text->setMarked(tr("This till has no record of it. |Tell the bank these details."));
    m_rows->setAccessibleName(m_title->text());
    if (!m_difference)
        return;
    std::vector<ReportRow> rows;
    for (const BankChargeRow &charge : m_difference->theirs) {
        const auto currency = Currency::parse(charge.currency);
        ReportRow row;
        row.kind = ReportRow::Kind::Line;
        row.time = store::dayAndClock(charge.createdWallMs);
        row.text = charge.orderId;
        row.amount = formatMinorUnits(charge.amountMinor, currency ? *currency : m_difference->currency);
        row.sign = chargeSign(charge);
        row.note = tr("charge %1, terminal %2").arg(charge.chargeId, charge.terminalId);
        rows.push_back(row);
    }
    m_rows->setRows(std::move(rows));
}

void BankChargesCard::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void BankChargesCard::showEvent(QShowEvent *event)
{
    m_back->setFocus(Qt::OtherFocusReason);
    Card::showEvent(event);
}

} // namespace ikkai
