#include "ui/cashier/cashier_page.h"

#include "ui/cashier/entry_panel.h"
#include "ui/cashier/outcome_panel.h"
#include "ui/object_names.h"

#include <QtWidgets/QHBoxLayout>

namespace ikkai {

CashierPage::CashierPage(Desk *desk, Currency currency, const QStringList &sources, QWidget *parent)
    : QWidget(parent)
    , m_entry(new EntryPanel(desk, currency, sources, this))
    , m_outcome(new OutcomePanel(desk, this))
{
    setObjectName(names::cashierPage);
    auto *row = new QHBoxLayout(this);
    row->addWidget(m_entry);
    row->addWidget(m_outcome, 1);
    connect(m_outcome, &OutcomePanel::prefillWanted, m_entry, &EntryPanel::prefill);
    connect(m_outcome, &OutcomePanel::newSaleWanted, m_entry, [this] { m_entry->focusAmount(Qt::MouseFocusReason); });
    connect(m_outcome, &OutcomePanel::openListWanted, this, &CashierPage::openListWanted);
    connect(m_outcome, &OutcomePanel::receiptWanted, this, &CashierPage::receiptWanted);
    connect(m_outcome, &OutcomePanel::reconcileWanted, this, &CashierPage::reconcileWanted);
    arrange(false, true);
}

void CashierPage::arrange(bool compact, bool tallKeys)
{
    const int side = compact ? 16 : 24;
    layout()->setContentsMargins(side, compact ? 12 : 16, side, 0);
    layout()->setSpacing(compact ? 16 : 24);
    m_entry->arrange(compact, tallKeys);
    m_outcome->arrange(compact);
}

void CashierPage::tick()
{
    m_outcome->tick();
}

} // namespace ikkai
