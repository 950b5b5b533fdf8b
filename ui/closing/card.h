#pragma once

#include <QtWidgets/QWidget>

class QTableView;

namespace ikkai {

/// A white card with round corners; what lies on it is laid out by whoever made it.
class Card : public QWidget {
    Q_OBJECT

public:
    explicit Card(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

/// A table as the house draws them: no grid, captions of its own kind, one selected row, Tab goes on. It lies on a
/// Card.
void dressCardTable(QTableView *table, int headHeight, int rowHeight);

} // namespace ikkai
