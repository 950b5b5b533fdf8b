#pragma once

#include "ui/icons/icons.h"

#include <QtWidgets/QPushButton>

namespace ikkai {

/// One of two large answers of equal weight: a tile, whom it is for, what it does. Never the default, never pressed by
/// Enter.
class LargeChoice : public QPushButton {
    Q_OBJECT

public:
    explicit LargeChoice(icons::Icon icon, QWidget *parent = nullptr);

    /// `lines`: one or two sentences with `|` between phrases; while disabled, the reason takes their place.
    void setWords(const QString &eyebrow, const QString &compactEyebrow, const QString &title,
                  const QStringList &lines);
    void setShutReason(const QString &reason); ///< empty: it works
    [[nodiscard]] QString shutReason() const { return m_reason; }
    void setCompact(bool compact);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void rename();
    void paintLines(QPainter &painter, int left, int top, int step) const;

    icons::Icon m_icon;
    QString m_eyebrow;
    QString m_compactEyebrow;
    QString m_title;
    QStringList m_lines;
    QString m_reason;
    bool m_compact = false;
};

} // namespace ikkai
