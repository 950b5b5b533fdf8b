#pragma once

#include <QtWidgets/QHeaderView>
#include <QtWidgets/QTableView>

namespace ikkai {

class HistoryModel;

/// The captions over the table's columns.
class HistoryHeader final : public QHeaderView {
    Q_OBJECT

public:
    explicit HistoryHeader(QWidget *parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintSection(QPainter *painter, const QRect &rect, int logicalIndex) const override;
};

/// The rows of a HistoryModel: icon, word and colour for the outcome, figures of one width, a bar of ink at the
/// selected one. Asks the model for more before the end is in sight.
class HistoryTable final : public QTableView {
    Q_OBJECT

public:
    explicit HistoryTable(HistoryModel *model, QWidget *parent = nullptr);

    static constexpr int rowHeight = 48;

Q_SIGNALS:
    /// A press or Enter on a row, also on the selected one.
    void rowWanted(const QModelIndex &index);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    int sizeHintForRow(int) const override { return rowHeight; }

private:
    void fetchAhead();
    void keepPlace(int first, int last);
    void spread();
};

} // namespace ikkai
