#pragma once

#include "ui/closing/closing_words.h"

#include <QtCore/QAbstractTableModel>
#include <QtWidgets/QTableView>

#include <vector>

namespace ikkai {

class ClosingClient;

/// The differences of the newest reconciliation, worst first, each with what came of asking about it.
class DifferenceModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { What, Order, Here, AtBank, BankMinusHere, DoColumn, ColumnCount };

    /// `client` must outlive the model.
    explicit DifferenceModel(ClosingClient *client, QObject *parent = nullptr);

    /// After the client changed: rows are reset only where the reconciliation is another one.
    void refresh();
    void retranslate();
    [[nodiscard]] const Difference &at(int row) const { return m_rows[static_cast<std::size_t>(row)].difference; }
    [[nodiscard]] const DifferenceWords &wordsAt(int row) const { return m_rows[static_cast<std::size_t>(row)].words; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        Difference difference;
        DifferenceWords words;
    };

    ClosingClient *m_client;
    std::vector<Row> m_rows;
    int m_made = 0; ///< the reconciliation whose rows these are
};

/// The table of differences: a white card, one button a row, pressed by a click on it or by Enter or Space on the row.
class DifferenceTable final : public QTableView {
    Q_OBJECT

public:
    explicit DifferenceTable(DifferenceModel *model, QWidget *parent = nullptr);

    static constexpr int rowHeight = 56;
    static constexpr int headHeight = 40;

    void retranslate();

Q_SIGNALS:
    void actionWanted(int row);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void spread();
};

} // namespace ikkai
