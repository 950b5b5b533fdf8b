#pragma once

#include "core/domain/ids.h"

#include <QtWidgets/QWidget>

class QProgressBar;
class QStackedWidget;

namespace ikkai {

class Button;
class ClosingClient;
class DifferenceModel;
class DifferenceTable;
class BankChargesCard;
class FlowText;
class Label;
class NoteBox;
class SummaryTile;

/// This till and the bank, side by side: what agrees, what needs a person, what the bank's own answer settles at once,
/// what only the bank can explain.
class ReconcileTab : public QWidget {
    Q_OBJECT

public:
    /// `client` must outlive the tab.
    explicit ReconcileTab(ClosingClient *client, QWidget *parent = nullptr);

    void arrange(bool compact);
    void refresh();
    /// "checked 21:04:10, took 0.8 s"; empty before the first time.
    [[nodiscard]] QString checkedWords() const;

Q_SIGNALS:
    void recordWanted(const ikkai::IdempotencyKey &key);
    void closeWanted();

protected:
    void changeEvent(QEvent *event) override;

private:
    void build();
    QWidget *buildStart();
    QWidget *buildRunning();
    QWidget *buildResult();
    void retranslate();
    void refreshProgress();
    void refreshTiles();
    void refreshFoot();
    void act(int row);

    ClosingClient *m_client;
    DifferenceModel *m_model;
    QStackedWidget *m_pages;
    // Before
    FlowText *m_about;
    NoteBox *m_trouble;
    Button *m_begin;
    // Under way
    Label *m_phase;
    QProgressBar *m_bar;
    Button *m_cancel;
    // After
    SummaryTile *m_agree;
    SummaryTile *m_person;
    SummaryTile *m_settle;
    SummaryTile *m_elsewhere;
    QStackedWidget *m_middle;
    DifferenceTable *m_table;
    FlowText *m_clean;
    BankChargesCard *m_bankCharges;
    FlowText *m_confirmed;
    Button *m_close;
    Button *m_settleAll;
    bool m_compact = false;
};

} // namespace ikkai
