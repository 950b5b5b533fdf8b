#pragma once

#include "ui/cashier/attempt_words.h"

#include <QtCore/QAbstractListModel>
#include <QtWidgets/QListView>

namespace ikkai {

/// The lines of "what happened". Only what changed is told to the view.
class AttemptsModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Roles { RowRole = Qt::UserRole + 1 };

    using QAbstractListModel::QAbstractListModel;

    void setRows(const std::vector<AttemptRow> &rows);
    [[nodiscard]] const AttemptRow &row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    /// DisplayRole is the whole line as a person would read it.
    QVariant data(const QModelIndex &index, int role) const override;

private:
    std::vector<AttemptRow> m_rows;
};

/// A card with one line per try: number, time, icon and word, how long it took. As high as its lines.
class AttemptsList final : public QListView {
    Q_OBJECT

public:
    explicit AttemptsList(QWidget *parent = nullptr);

    void setRows(const std::vector<AttemptRow> &rows);
    [[nodiscard]] QStringList lines() const; ///< what each line says

    static constexpr int rowHeight = 44;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    AttemptsModel *m_model;
};

} // namespace ikkai
