#pragma once

#include "ui/icons/icons.h"
#include "ui/theme/theme.h"

#include <QtWidgets/QWidget>

namespace ikkai {

/// A number that sums up many rows, with its sign, its words and a quieter line: tinted, 80 high.
class SummaryTile : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)

public:
    SummaryTile(icons::Icon icon, theme::Role role, QWidget *parent = nullptr);

    void setWords(const QString &number, const QString &words, const QString &quiet);
    void setCompact(bool compact);
    [[nodiscard]] QString text() const;

    QSize sizeHint() const override { return {296, tall}; }
    QSize minimumSizeHint() const override { return {200, tall}; }

    static constexpr int tall = 80;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    icons::Icon m_icon;
    theme::Role m_role;
    QString m_number;
    QString m_words;
    QString m_quiet;
    bool m_compact = false;
};

} // namespace ikkai
