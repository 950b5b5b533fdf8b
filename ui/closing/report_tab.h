#pragma once

#include "core/domain/ids.h"

#include <QtWidgets/QWidget>

class QStackedWidget;

namespace ikkai {

class Button;
class ClosingClient;
class FlowText;
class NoteBox;
class ReportView;

/// What closing would report now, and the closing itself. The question before it stands in the page, where the button
/// was: a day cannot be opened again. Open payments never stand in the way: they are carried over.
class ReportTab : public QWidget {
    Q_OBJECT

public:
    /// `client` must outlive the tab.
    explicit ReportTab(ClosingClient *client, QWidget *parent = nullptr);

    void arrange(bool compact);
    /// Puts the question; what is pressed next closes.
    void ask();
    void refresh();

Q_SIGNALS:
    void checkoutWanted(const ikkai::IdempotencyKey &key);
    void recordWanted(const ikkai::IdempotencyKey &key);
    /// The report that was closed just now.
    void reportWanted(int number);

protected:
    void changeEvent(QEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void build();
    void retranslate();
    void showFoot();
    [[nodiscard]] int openCount() const;

    ClosingClient *m_client;
    FlowText *m_reading;
    NoteBox *m_trouble;
    ReportView *m_view;
    QStackedWidget *m_foot;
    FlowText *m_hint;
    Button *m_close;
    FlowText *m_question;
    Button *m_notYet;
    Button *m_confirm;
    FlowText *m_done;
    Button *m_showClosed;
    Button *m_putAway;
    bool m_asks = false;
};

} // namespace ikkai
