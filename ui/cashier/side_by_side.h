#pragma once

#include "core/checkout/checkout.h"

#include <QtWidgets/QWidget>

namespace ikkai {

class Label;

/// Two sides that do not fit: for a mismatch what this terminal has and what the bank has under one reference, for a
/// contradiction what was shown first and what the bank says now.
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
        Label *fact;   ///< large
        Label *detail; ///< below it
    };
    Side addSide(const QLatin1StringView &name);
    static void fill(const Side &side, const QString &caption, const QString &fact, const QString &detail);
    void showMismatch(const Checkout &checkout);
    void showContradiction(const Checkout &checkout);

    Side m_ours;
    Side m_theirs;
};

} // namespace ikkai
