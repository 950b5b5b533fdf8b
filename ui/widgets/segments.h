#pragma once

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtWidgets/QWidget>

class QButtonGroup;

namespace ikkai {

/// One choice of a few, side by side: checkable buttons in a group, arrow keys move.
class Segments : public QWidget {
    Q_OBJECT

public:
    struct Segment {
        QString id; ///< also the end of its object name: `<name of the control>.<id>`
        QString label;
    };

    explicit Segments(QWidget *parent = nullptr);

    /// Replaces the segments; the first one is chosen. Call after the object name is set.
    void setSegments(const QList<Segment> &segments);
    void setLabels(const QList<Segment> &segments); ///< new words for the same ids
    [[nodiscard]] QString chosen() const;
    void choose(const QString &id);
    /// Tab comes here after `before` and goes on to `after`.
    void setTabPlace(QWidget *before, QWidget *after);

Q_SIGNALS:
    void chosenChanged(const QString &id);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QButtonGroup *m_group;
    QStringList m_ids;
};

} // namespace ikkai
