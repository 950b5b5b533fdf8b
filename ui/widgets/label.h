#pragma once

#include "ui/theme/theme.h"

#include <QtWidgets/QLabel>

namespace ikkai {

/// One line of text in one of the house's types and colours, as high as its type says. Too long for its place: cut
/// in the middle if that was allowed, else it asks for the room it needs.
class Label : public QLabel {
    Q_OBJECT

public:
    Label(theme::Type type, theme::Token token, QWidget *parent = nullptr);

    void setToken(theme::Token token);
    void setType(theme::Type type);
    void setMayCut(bool mayCut);
    [[nodiscard]] bool mayCut() const { return m_mayCut; }
    /// Keeps the place still while figures change: never narrower than this text.
    void setWidestText(const QString &text);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    theme::Type m_type;
    theme::Token m_token;
    bool m_mayCut = false;
    QString m_widest;
};

} // namespace ikkai
