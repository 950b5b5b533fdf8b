#pragma once

#include "core/journal/history.h"

#include "ui/history/history_words.h"

#include <QtWidgets/QWidget>

#include <array>
#include <optional>
#include <utility>

namespace ikkai {

class Button;
class EventList;
class Label;
class NoteBox;
class SmallBanner;

/// Everything the journal knows of one checkout: what became of it, its facts, its events. What contradicts comes
/// first, in red.
class HistoryDetailCard final : public QWidget {
    Q_OBJECT

public:
    explicit HistoryDetailCard(QWidget *parent = nullptr);

    /// Says at once what a row tells; the record follows with `showDetail`.
    void showRow(const HistoryRow &row);
    void showDetail(const HistoryDetail &detail);
    void showTrouble(const QString &what);
    void clear();
    void arrange(bool compact);
    void retranslate();
    [[nodiscard]] std::optional<IdempotencyKey> key() const;
    [[nodiscard]] bool hasDetail() const { return m_detail.has_value(); }

Q_SIGNALS:
    /// Put this open checkout on the cashier's screen.
    void showWanted(const ikkai::IdempotencyKey &key);
    void reprintWanted(const ikkai::Checkout &checkout);
    void exportWanted(const ikkai::IdempotencyKey &key);
    /// Look at the checkout that is linked to this one.
    void linkWanted(const ikkai::IdempotencyKey &key);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    enum class Fact { Key, PayBy, Started, Settled, BankCharge, VoidKey };

    void build();
    void refresh();
    void showFacts(const Checkout &checkout);
    void setFact(Fact fact, const QString &name, const QString &value); ///< hidden where there is no value
    void showLinks(const Checkout &checkout);
    void showNotes(const Checkout &checkout);

    std::optional<HistoryRow> m_row;
    std::optional<HistoryDetail> m_detail;
    QString m_trouble;
    bool m_compact = false;

    Label *m_empty;
    SmallBanner *m_banner;
    NoteBox *m_contradiction;
    NoteBox *m_supervisor;
    QWidget *m_factsBox;
    std::array<std::pair<Label *, Label *>, 6> m_facts{}; ///< caption and words, in the order of Fact
    Button *m_replaces;
    Button *m_replacedBy;
    Label *m_recordTitle;
    Label *m_recordCount;
    EventList *m_events;
    QWidget *m_buttons;
    Button *m_show;
    Button *m_reprint;
    Button *m_copy;
    Button *m_export;
};

} // namespace ikkai
