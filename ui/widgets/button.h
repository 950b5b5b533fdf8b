#pragma once

#include "ui/icons/icons.h"
#include "ui/theme/theme.h"

#include <QtWidgets/QPushButton>

namespace ikkai {

/// A push button painted by the house's tokens: one outline, one fill, no shadow. Never a default button: Enter presses
/// it only while it has the focus, and never where pressing moves money.
class Button : public QPushButton {
    Q_OBJECT

public:
    enum class Kind {
        Primary,   ///< filled with ink
        Secondary, ///< outlined
        Flat,      ///< words only
        Link,      ///< underlined words
        Key,       ///< a digit of the keypad
        QuietKey,  ///< C and backspace
        Kill,      ///< on the training band
        Arm,       ///< filled with the training colour
    };

    Button(Kind kind, QWidget *parent = nullptr);

    void setKind(Kind kind);
    void setShape(icons::Icon icon);
    void setHint(const QString &hint); ///< quieter words after the label, as in "Ctrl+Enter"
    void setType(theme::Type type);
    void setSidePadding(int px);
    /// Enter is ignored; Space, a press and a shortcut of its own still work.
    void setEnterPresses(bool presses);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

    struct Look {
        QColor fill;
        QColor border;
        QColor text;
        QColor quiet;
    };
    [[nodiscard]] virtual Look look() const;

private:
    [[nodiscard]] int contentWidth() const;

    Kind m_kind;
    icons::Icon m_shape = icons::Icon::None;
    QString m_hint;
    theme::Type m_type = theme::Type::Strong;
    int m_sidePadding = 20;
    bool m_enterPresses = true;
};

} // namespace ikkai
