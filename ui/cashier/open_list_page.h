#pragma once

#include "core/checkout/checkout.h"

#include <QtCore/QAbstractListModel>
#include <QtWidgets/QWidget>

#include <vector>

class QListView;

namespace ikkai {

class Button;
class Desk;
class FlowText;
class Label;

/// Every unsettled checkout, oldest first.
class OpenModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Roles { KeyRole = Qt::UserRole + 1 };

    explicit OpenModel(const Desk *desk, QObject *parent = nullptr);

    void setOpen(const QList<Checkout> &open);
    /// Words or countdowns have changed.
    void repaint();
    /// What goes on with this one by itself: "asks the bank in 12 s", "cancelling again in 4 s".
    [[nodiscard]] QString goesOn(int row) const;
    [[nodiscard]] const Checkout &at(int row) const { return m_open[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    const Desk *m_desk;
    std::vector<Checkout> m_open;
};

/// The Open list: live state word per row; choosing one puts it on the cashier's screen.
class OpenListPage : public QWidget {
    Q_OBJECT

public:
    explicit OpenListPage(Desk *desk, QWidget *parent = nullptr);

    void arrange(bool compact);
    /// Says that these stay open if the window is closed now.
    void warnBeforeClosing(bool warn);

Q_SIGNALS:
    void chosen(const ikkai::IdempotencyKey &key);

protected:
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    void retranslate();
    void choose(const QModelIndex &index);
    void tick();

    Desk *m_desk;
    OpenModel *m_model;
    Label *m_title;
    FlowText *m_sentence;
    FlowText *m_empty;
    QListView *m_list;
    Button *m_open;
    bool m_warns = false;
    qint64 m_paintedSecond = 0;
};

} // namespace ikkai
