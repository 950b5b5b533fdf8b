#pragma once

#include <QtWidgets/QWidget>

class QGridLayout;

namespace ikkai {

class Button;

/// Digits 0 to 9, 00, C and backspace for fingers. It takes no keyboard focus: whoever has a keyboard types digits.
class Keypad : public QWidget {
    Q_OBJECT

public:
    explicit Keypad(QWidget *parent = nullptr);

    void setKeyHeight(int px);

Q_SIGNALS:
    void digitsPressed(const QString &digits);
    void backspacePressed();
    void clearPressed();

protected:
    void changeEvent(QEvent *event) override;

private:
    Button *addDigits(const QString &digits, int row, int column, int columns);
    void retranslate();

    QGridLayout *m_grid;
    Button *m_clear = nullptr;
    Button *m_backspace = nullptr;
    QList<Button *> m_digits;
};

} // namespace ikkai
