#pragma once

#include "core/checkout/checkout.h"
#include "core/domain/money.h"

#include <QtCore/QStringList>
#include <QtWidgets/QWidget>

namespace ikkai {

class Desk;
class EntryPanel;
class OutcomePanel;

/// The next sale at the left, the checkout on the screen at the right.
class CashierPage : public QWidget {
    Q_OBJECT

public:
    CashierPage(Desk *desk, Currency currency, const QStringList &sources, QWidget *parent = nullptr);

    void arrange(bool compact, bool tallKeys);
    void tick();
    [[nodiscard]] EntryPanel *entry() const { return m_entry; }

Q_SIGNALS:
    void openListWanted();
    void receiptWanted(const ikkai::Checkout &checkout);
    void reconcileWanted();

private:
    EntryPanel *m_entry;
    OutcomePanel *m_outcome;
};

} // namespace ikkai
