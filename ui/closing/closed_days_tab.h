#pragma once

#include "core/closing/day_report.h"

#include <QtCore/QAbstractTableModel>
#include <QtWidgets/QWidget>

class QStackedWidget;
class QTableView;

namespace ikkai {

class Button;
class ClosingClient;
class FlowText;
class Label;
class NoteBox;
class ReportView;

/// Closed days, newest first.
class ClosedDaysModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Number, Day, ClosedAt, Settled, Carried, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setHeads(const QList<DayReportHead> &heads);
    void retranslate();
    [[nodiscard]] const DayReportHead &at(int row) const { return m_heads.at(row); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<DayReportHead> m_heads;
};

/// The list of closed days, and the report of the one that is opened.
class ClosedDaysTab : public QWidget {
    Q_OBJECT

public:
    /// `client` must outlive the tab.
    explicit ClosedDaysTab(ClosingClient *client, QWidget *parent = nullptr);

    void arrange(bool compact);
    void open(int number);
    void refresh();

Q_SIGNALS:
    void recordWanted(const ikkai::IdempotencyKey &key);

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void build();
    void retranslate();
    void spread();

    ClosingClient *m_client;
    ClosedDaysModel *m_model;
    QStackedWidget *m_pages;
    QTableView *m_table;
    FlowText *m_empty;
    NoteBox *m_trouble;
    Button *m_open;
    Button *m_back;
    Label *m_title;
    ReportView *m_view;
};

} // namespace ikkai
