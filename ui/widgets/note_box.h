#pragma once

#include "ui/icons/icons.h"
#include "ui/theme/theme.h"

#include <QtWidgets/QWidget>

namespace ikkai {

class FlowText;
class Label;

/// A tinted strip: icon, a strong word, a sentence. What to tell the customer, or what is odd.
class NoteBox : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)

public:
    explicit NoteBox(icons::Icon icon, QWidget *parent = nullptr);

    void setRole(theme::Role role);
    void setShape(icons::Icon icon);
    void setWords(const QString &strong, const QString &marked);
    void setCompact(bool compact); ///< lower, and without the strong word
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void arrange();

    icons::Icon m_icon;
    theme::Role m_role = theme::Role::Neu;
    bool m_compact = false;
    Label *m_strong;
    FlowText *m_words;
};

} // namespace ikkai
