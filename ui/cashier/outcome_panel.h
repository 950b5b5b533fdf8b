#pragma once

#include "ui/cashier/desk.h"
#include "ui/cashier/outcome_words.h"

#include <QtWidgets/QWidget>

#include <optional>

namespace ikkai {

class ActionBar;
class AttemptTrack;
class AttemptsList;
class DetailsCard;
class FlowText;
class Label;
class LargeChoice;
class NoteBox;
class OutcomeBanner;
class SideBySide;
class SupervisorPanel;

/// Everything about the checkout on the screen: banner, sentences, what happened, what can be done.
class OutcomePanel : public QWidget {
    Q_OBJECT

public:
    explicit OutcomePanel(Desk *desk, QWidget *parent = nullptr);

    void arrange(bool compact);
    /// Countdown, progress and elapsed time move; called ten times a second.
    void tick();

Q_SIGNALS:
    /// Prepare a sale in the entry: New charge for this order.
    void prefillWanted(const QString &order, qint64 amountMinor);
    void newSaleWanted();
    void openListWanted();
    void receiptWanted(const ikkai::Checkout &checkout);
    /// Compare with the bank: a contradiction is looked at there.
    void reconcileWanted();

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

private:
    /// One widget of the column; `gap` is what it keeps above it.
    struct Section {
        QWidget *widget;
        int gap;
        bool wanted = false;
        bool mayGive = false; ///< left out where the window is too low for all
    };

    void build();
    void place();
    void want(const QWidget *widget, bool wanted);
    [[nodiscard]] bool wants(const QWidget *widget) const;
    [[nodiscard]] int heightOf(const QWidget *widget) const;
    void retranslate();
    void refresh();
    void showCheckout(const Checkout &checkout);
    void showNothing();
    void showProgress(const Checkout &checkout);
    void showMiddle(const Outcome &outcome, const std::optional<Checkout> &checkout);
    void showNotice(const Outcome &outcome);
    void showFault(const JournalError &error);
    void showReady();
    void showNews();
    void showCheckState(const Checkout &checkout);
    void offerSupervisor();
    [[nodiscard]] QString openListLabel() const;
    void act(Action action);
    void secondSale();
    [[nodiscard]] bool pressCounts() const;
    void fillAttempts();

    Desk *m_desk;
    bool m_compact = false;
    QString m_shownKey;
    int m_rowsThatFit = 5;
    Outcome m_outcome;

    std::vector<Section> m_sections; ///< from top to bottom
    OutcomeBanner *m_banner;
    FlowText *m_lead;
    FlowText *m_sentence;
    FlowText *m_explanation;
    NoteBox *m_notice;
    NoteBox *m_tell;
    NoteBox *m_newsNote;
    SideBySide *m_sideBySide;
    QWidget *m_progressRow;
    Label *m_progressText;
    Label *m_countdownWords;
    Label *m_countdown;
    AttemptTrack *m_track;
    Label *m_happened;
    AttemptsList *m_attempts;
    Label *m_question;
    QWidget *m_choices;
    LargeChoice *m_tryAgain;
    LargeChoice *m_void;
    DetailsCard *m_details;
    SupervisorPanel *m_supervisor;
    ActionBar *m_actions;
};

} // namespace ikkai
