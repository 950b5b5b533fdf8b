#pragma once

#include "core/closing/day_report.h"

#include "ui/closing/closing_words.h"

#include <QtCore/QAbstractListModel>
#include <QtWidgets/QListView>

#include <vector>

namespace ikkai {

/// One row of a list about a day.
struct ReportRow {
    enum class Kind {
        Heading, ///< `text` alone
        Quiet,   ///< `text` alone: that there is nothing
        Total,   ///< sign, `text` (how many), `amount`
        Line     ///< `time`, `text` (order), `amount`, sign, `note`; a button where `actionLabel` is not empty
    };
    enum class Way { None, ToCheckout, ToRecord };

    Kind kind = Kind::Heading;
    QString time;
    QString text;
    QString amount;
    OutcomeSign sign;
    QString note;
    Way way = Way::None;
    QString actionLabel;
    std::optional<IdempotencyKey> key;
};

/// Totals by outcome and currency, with what they are.
[[nodiscard]] std::vector<ReportRow> totalRows(const DayReport &report);
/// Carried over, settled of what was carried in, remarks: each with a way to it.
[[nodiscard]] std::vector<ReportRow> lineRows(const DayReport &report);

/// The rows of one list.
class ReportRowsModel final : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void setRows(std::vector<ReportRow> rows);
    [[nodiscard]] const ReportRow &at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    std::vector<ReportRow> m_rows;
};

/// A white card of such rows. A click on a row, Enter or Space go where its button says.
class ReportRowsList final : public QListView {
    Q_OBJECT

public:
    explicit ReportRowsList(QWidget *parent = nullptr);

    void setRows(std::vector<ReportRow> rows);

Q_SIGNALS:
    void actionWanted(const ikkai::ReportRow &row);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void press(const QModelIndex &index);

    ReportRowsModel *m_model;
};

} // namespace ikkai
