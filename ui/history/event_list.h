#pragma once

#include "ui/history/event_lines.h"

#include <QtCore/QAbstractListModel>
#include <QtWidgets/QListView>

namespace ikkai {

/// The lines of one checkout's record.
class EventModel final : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void setLines(std::vector<EventLine> lines);
    [[nodiscard]] const EventLine &line(int row) const { return m_lines[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    /// DisplayRole is the whole line as a person would read it; ToolTipRole too, as a narrow window cuts it.
    QVariant data(const QModelIndex &index, int role) const override;

private:
    std::vector<EventLine> m_lines;
};

/// A record as a line with a dot for each event: time, plain words, the journal's name.
class EventList final : public QListView {
    Q_OBJECT

public:
    explicit EventList(QWidget *parent = nullptr);

    static constexpr int rowHeight = 36;

    void setLines(std::vector<EventLine> lines);
    [[nodiscard]] QStringList lines() const; ///< what each line says
    QSize sizeHint() const override { return {300, rowHeight * 4}; }
    QSize minimumSizeHint() const override { return {200, rowHeight * 2}; }

private:
    EventModel *m_model;
};

} // namespace ikkai
