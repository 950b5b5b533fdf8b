#pragma once

#include "core/domain/money.h"

#include "ui/cashier/desk.h"

#include <QtCore/QStringList>
#include <QtWidgets/QWidget>

class QVBoxLayout;

namespace ikkai {

class AmountField;
class Button;
class FlowText;
class Keypad;
class Label;
class CaptionField;
class ReasonMark;
class Segments;

/// The next sale: order, way to pay, amount, keypad, Charge, and below it why Charge is shut.
class EntryPanel : public QWidget {
    Q_OBJECT

public:
    EntryPanel(Desk *desk, Currency currency, QStringList sources, QWidget *parent = nullptr);

    void arrange(bool compact, bool tallKeys);
    /// Fills in a sale and puts the focus on the amount.
    void prefill(const QString &order, qint64 amountMinor);
    /// What the cashier has fixed, if it is a whole sale.
    [[nodiscard]] std::optional<StartRequest> request(SecondSale secondSale = SecondSale::Ask) const;
    void focusAmount(Qt::FocusReason reason = Qt::OtherFocusReason);
    void focusOrder();
    /// A digit or Backspace that nobody else wanted; false if it is neither.
    bool takeKey(const QKeyEvent &event);

public Q_SLOTS:
    /// The button and Ctrl+Enter. Does nothing while Charge is shut.
    void charge();

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void retranslate();
    void refresh();
    void explain(const QString &marked, bool wrong);
    void takeStarted(const Checkout &checkout);
    void refuseInput();
    [[nodiscard]] QString shutText(const Desk::ShutReason &reason) const;
    [[nodiscard]] QString labelOf(const QString &source) const;

    Desk *m_desk;
    QStringList m_sources;
    Label *m_title;
    CaptionField *m_order;
    Segments *m_payBy;
    AmountField *m_amount;
    Keypad *m_keypad;
    Button *m_charge;
    QWidget *m_reasonRow;
    ReasonMark *m_mark;
    FlowText *m_reason;
    QVBoxLayout *m_layout;
    bool m_inputRefused = false;
    bool m_wasFrozen = false;
};

/// The order that most probably comes next: the trailing number, one up. Empty where there is none.
[[nodiscard]] QString orderAfter(const QString &order);

} // namespace ikkai
