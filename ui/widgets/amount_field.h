#pragma once

#include "ui/widgets/amount_entry.h"

#include <QtWidgets/QWidget>

namespace ikkai {

/// Shows an AmountEntry and feeds it from keyboard, input method, clipboard and keypad.
class AmountField : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
    Q_PROPERTY(qlonglong amountMinor READ minor)

public:
    explicit AmountField(Currency currency, QWidget *parent = nullptr);

    [[nodiscard]] qint64 minor() const { return m_entry.minor(); }
    [[nodiscard]] Currency currency() const { return m_entry.currency(); }
    [[nodiscard]] QString text() const { return m_entry.shown(); }

    void setMinor(qint64 amountMinor);
    /// The amount that stands here was a proposal or was charged already: the next digit begins a new one.
    void beginAnew() { m_beginsAnew = true; }
    void typeDigits(const QString &digits);
    void backspace();
    void clear();
    void setCompact(bool compact);

    /// True if this key is one the field understands wherever the focus is: a digit or Backspace.
    static bool takesKey(const QKeyEvent &event);

    QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;
    QSize sizeHint() const override { return {200, 72}; }

Q_SIGNALS:
    void changed();
    /// What was typed or pasted was not taken: not digits, or too much.
    void refused(const QString &given);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void inputMethodEvent(QInputMethodEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void tell();
    bool wasScanned(const QKeyEvent &event);
    void take(const QString &given, bool taken);

    AmountEntry m_entry;
    QString m_composing; ///< what an input method shows before it commits
    bool m_compact = false;
    bool m_beginsAnew = false;
    int m_quickDigits = 0; ///< digits that followed each other faster than fingers can
    quint64 m_lastDigitMs = 0;
};

} // namespace ikkai
