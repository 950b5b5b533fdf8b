#pragma once

#include "ui/history/history_words.h"

#include <QtWidgets/QWidget>

namespace ikkai {

/// The cashier's banner in small: icon, word, amount and order of the checkout that is looked at.
class SmallBanner final : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
    Q_PROPERTY(QString role READ role)

public:
    explicit SmallBanner(QWidget *parent = nullptr);

    void show(const RowWords &words, const QString &amount, const QString &order);
    using QWidget::show;
    void setCompact(bool compact);
    [[nodiscard]] QString text() const; ///< word, amount, order
    [[nodiscard]] QString role() const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    RowWords m_words;
    QString m_amount;
    QString m_order;
    bool m_compact = false;
};

} // namespace ikkai
