#pragma once

#include <QtWidgets/QListView>

namespace ikkai {

/// A list on a white card with round corners; its delegate draws the rows.
class CardList : public QListView {
    Q_OBJECT

public:
    explicit CardList(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace ikkai
