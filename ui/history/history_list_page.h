#pragma once

#include "core/domain/clock.h"
#include "core/journal/history.h"

#include <QtWidgets/QWidget>

#include <vector>

class QButtonGroup;

namespace ikkai {

class Button;
class ChipButton;
class DayChooser;
class FlowText;
class HistoryClient;
class HistoryDetailCard;
class HistoryModel;
class HistoryTable;
class Label;
class SearchField;

/// History: every checkout of the journal, newest first, with search and the record of the one that is chosen. All
/// disk work is the source's; the page only posts requests. (The page of rows in core is a HistoryPage, so this widget
/// is not.) GUI thread.
class HistoryListPage final : public QWidget {
    Q_OBJECT

public:
    /// `source` may live on another thread; both must outlive the page. The source answers this page alone.
    HistoryListPage(HistorySource *source, const Clock &clock, QWidget *parent = nullptr);

    void arrange(bool compact);
    /// How an amount that is searched for is read. Yen by default.
    void setCurrency(const Currency &currency);
    /// Chooses this checkout and shows its record, also where the list does not have it.
    void show(const IdempotencyKey &key);
    using QWidget::show;

public Q_SLOTS:
    /// The journal has something new of this checkout (CheckoutService::checkoutChanged). Selection and place stay.
    void noteChanged(const ikkai::Checkout &checkout, bool recorded);
    /// Writes what the filter finds to a file: CSV, or JSON where the name ends in .json.
    void exportTo(const QString &file);

Q_SIGNALS:
    /// Put this open checkout on the cashier's screen.
    void showCheckout(const ikkai::IdempotencyKey &key);
    /// A second paper of this checkout: whatever is printed from here is marked as a reprint.
    void receiptWanted(const ikkai::Checkout &checkout);

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void build();
    void connectParts();
    void retranslate();
    void placeBar();
    void search();
    void resetFilter();
    void refreshStatus();
    void choose(const QModelIndex &index);
    void pinSelection();
    void askForDetail(const IdempotencyKey &key);
    void openExportDialog(const HistoryFilter &filter, const QString &name);
    void exportFiltered(const HistoryFilter &filter, const QString &file);
    void say(const QString &words, bool isTrouble);
    [[nodiscard]] QDate today() const;
    [[nodiscard]] bool isFiltered() const;

    const Clock &m_clock;
    Currency m_currency = Currency::jpy();
    HistoryClient *m_client;
    HistoryModel *m_model;
    bool m_compact = false;

    std::optional<IdempotencyKey> m_chosen;   ///< pinned by key: rows come and go
    std::optional<IdempotencyKey> m_askedFor; ///< this record is on its way
    bool m_askAgain = false;                  ///< something changed since it was asked for

    QWidget *m_bar;
    QButtonGroup *m_group;
    std::vector<ChipButton *> m_chips;
    SearchField *m_text;
    SearchField *m_amount;
    DayChooser *m_day;
    Button *m_export;
    QWidget *m_card;
    HistoryTable *m_table;
    QWidget *m_nothing; ///< what is said in place of rows, and the ways on
    FlowText *m_empty;
    Button *m_showAll;
    Button *m_retry;
    QWidget *m_footer;
    Label *m_shown;
    Label *m_message;
    Button *m_more;
    HistoryDetailCard *m_detail;
};

} // namespace ikkai
