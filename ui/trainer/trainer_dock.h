#pragma once

#include "ui/trainer/trainer_link.h"

#include <QtCore/QAbstractListModel>
#include <QtWidgets/QDockWidget>

#include <array>
#include <deque>

class QListView;

namespace ikkai {

class FaultCard;
class FlowText;
class Label;

/// What happened at the bank, the newest at the bottom; the oldest go when it is full.
class BankEventsModel final : public QAbstractListModel {
    Q_OBJECT

public:
    static constexpr int most = 2'000;

    using QAbstractListModel::QAbstractListModel;

    void add(const BankEventLine &line);
    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    std::deque<BankEventLine> m_lines;
};

/// The trainer's tools: three failures to arm, and the plain list of what the bank did.
class TrainerDock : public QDockWidget {
    Q_OBJECT

public:
    explicit TrainerDock(TrainerLink *link, QWidget *parent = nullptr);

    static constexpr int wide = 376;

Q_SIGNALS:
    void armedCountChanged(int count);

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();
    void takeFaults(const QList<FaultLights> &faults);
    void takeEvent(const BankEventLine &line);

    std::array<FaultCard *, 3> m_cards{};
    BankEventsModel *m_events;
    QListView *m_list;
    Label *m_title;
    Label *m_sub;
    Label *m_eventsTitle;
    FlowText *m_message;
};

} // namespace ikkai
