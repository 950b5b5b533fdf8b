#pragma once

#include "ui/history/history_words.h"
#include "ui/widgets/button.h"

#include <QtCore/QDate>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QWidget>

#include <optional>

class QCalendarWidget;
class QFrame;
class QLineEdit;

namespace ikkai {

/// A round choice of a few: icon and word; filled with ink while it is chosen.
class ChipButton final : public QPushButton {
    Q_OBJECT

public:
    explicit ChipButton(QWidget *parent = nullptr);

    void show(const StateChip &chip);
    using QWidget::show;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    StateChip m_chip;
};

/// A field with a shape at its left and a hint inside.
class SearchField final : public QWidget {
    Q_OBJECT

public:
    SearchField(icons::Icon icon, const QLatin1StringView &name, QWidget *parent = nullptr);

    void setHint(const QString &hint);
    [[nodiscard]] QString text() const;
    [[nodiscard]] QLineEdit *edit() const { return m_edit; }
    /// What stands here cannot be read; `why` is said to people who listen and shown by the field's outline.
    void setWrong(const QString &why);
    [[nodiscard]] bool isWrong() const { return m_isWrong; }

Q_SIGNALS:
    /// A moment after the last key.
    void changed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    icons::Icon m_icon;
    QLineEdit *m_edit;
    bool m_isWrong = false;
};

/// The day that is looked at, or any. Its calendar is a popup that waits for nobody.
class DayChooser final : public Button {
    Q_OBJECT

public:
    explicit DayChooser(QWidget *parent = nullptr);

    void setToday(const QDate &today);
    void choose(const std::optional<QDate> &day);
    [[nodiscard]] const std::optional<QDate> &day() const { return m_day; }
    void retranslate();
    QSize sizeHint() const override;

Q_SIGNALS:
    void dayChanged();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void open();
    void take(const std::optional<QDate> &day);

    std::optional<QDate> m_day;
    QDate m_today;
    QFrame *m_popup;
    QCalendarWidget *m_calendar;
    Button *m_any;
    Button *m_todayButton;
};

} // namespace ikkai
