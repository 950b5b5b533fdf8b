#pragma once

#include "core/checkout/checkout.h"

#include <QtWidgets/QWidget>

namespace ikkai {

class Label;

/// Two records under one reference: what this terminal has, what the bank has.
class SideBySide : public QWidget {
    Q_OBJECT

public:
    explicit SideBySide(QWidget *parent = nullptr);

    void show(const Checkout &checkout);
    using QWidget::show;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Side {
        Label *caption;
        Label *order;
        Label *amount;
    };
    Side addSide(const QLatin1StringView &name);

    Side m_ours;
    Side m_theirs;
};

} // namespace ikkai
