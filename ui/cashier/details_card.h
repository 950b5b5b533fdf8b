#pragma once

#include "ui/cashier/happenings.h"

#include <QtWidgets/QWidget>

class QPlainTextEdit;

namespace ikkai {

class Button;
class FlowText;

/// What stays out of the cashier's sentences: the key, every try, what the bank calls it. Or the answer to "What does
/// this mean?".
class DetailsCard : public QWidget {
    Q_OBJECT

public:
    explicit DetailsCard(QWidget *parent = nullptr);

    void setText(const QString &text);

protected:
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QPlainTextEdit *m_text;
};

/// The details as lines of "name: value", to read out or to copy.
/// `log`: what is known besides what the checkout keeps.
[[nodiscard]] QString detailsOf(const Checkout &checkout, const CheckoutLog &log, const Stamp &now);

} // namespace ikkai
