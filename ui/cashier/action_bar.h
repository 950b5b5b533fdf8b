#pragma once

#include "ui/cashier/outcome_words.h"

#include <QtCore/QHash>
#include <QtWidgets/QWidget>

class QHBoxLayout;

namespace ikkai {

class Button;
class Label;

/// The buttons under the outcome. Which of them are there is the table's business (outcome_words).
class ActionBar : public QWidget {
    Q_OBJECT

public:
    explicit ActionBar(QWidget *parent = nullptr);

    /// Shows exactly these, left ones left, the first one of the right side filled.
    void show(const std::vector<Offer> &offers, bool explains);
    void showSecondSale(const QString &label);  ///< empty: hidden
    void showOpenList(const QString &label);    ///< empty: hidden
    void showNews(const QString &label);        ///< empty: hidden
    void setLeaveOpenHint(const QString &hint); ///< beside Leave open
    /// Beside Check now: "Asks the bank by itself in" and "12 s"; the figures may be empty.
    void setCheckState(const QString &words, const QString &seconds);
    void arrange(bool compact);
    void retranslate();
    /// Neither "What does this mean?" nor Details is pressed any more.
    void closeCards();
    [[nodiscard]] bool explains() const; ///< "What does this mean?" is pressed
    [[nodiscard]] bool details() const;  ///< Details is pressed

    using QWidget::show;

Q_SIGNALS:
    void pressed(ikkai::Action action);
    void explainToggled(bool on);
    void detailsToggled(bool on);
    void secondSalePressed();
    void openListPressed();
    void newsPressed();

private:
    Button *add(Action action, const QLatin1StringView &name);

    QHash<int, Button *> m_buttons;
    Button *m_explain;
    Button *m_secondSale;
    Button *m_openList;
    Button *m_news;
    Label *m_leaveHint;
    Label *m_checkState;
    Label *m_checkSeconds;
    QHBoxLayout *m_row;
    bool m_compact = false;
};

} // namespace ikkai
