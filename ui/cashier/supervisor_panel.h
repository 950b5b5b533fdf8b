#pragma once

#include "ui/cashier/desk.h"

#include <QtWidgets/QWidget>

#include <optional>

namespace ikkai {

class Button;
class CaptionField;
class FlowText;
class Label;
class NoteBox;

/// What only a supervisor may do: start an order anew although it is open, or close a payment that nobody can settle.
/// Asks for PIN and reason and says what became of it. Part of the window, no dialog; Enter moves no money.
class SupervisorPanel : public QWidget {
    Q_OBJECT

public:
    explicit SupervisorPanel(Desk *desk, QWidget *parent = nullptr);

    /// Opens, updates or closes it by what the desk holds; true while it is open.
    bool showAsk(const std::optional<SupervisorAsk> &ask);
    void arrange(bool compact);
    void retranslate();

Q_SIGNALS:
    /// The button that does it; whether the press counts is the owner's business.
    void confirmPressed(const QString &pin, const QString &reason);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();
    void refresh();
    void keepDigits(const QString &typed);
    void showAnswer();
    [[nodiscard]] QString answerWords(const SupervisorAnswer &answer) const;
    [[nodiscard]] QString missing() const;

    Desk *m_desk;
    std::optional<SupervisorAsk> m_ask;
    bool m_compact = false;
    Label *m_title;
    FlowText *m_means;
    CaptionField *m_pin;
    CaptionField *m_reason;
    FlowText *m_missing;
    NoteBox *m_answer;
    Button *m_cancel;
    Button *m_confirm;
};

/// The digits of `typed`, full-width ones as ASCII; the rest is dropped.
[[nodiscard]] QString digitsOf(const QString &typed);

} // namespace ikkai
