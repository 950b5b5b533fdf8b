#pragma once

#include "core/checkout/checkout.h"
#include "core/checkout/event.h"
#include "core/journal/journal.h"

#include <QtCore/QDate>
#include <QtCore/QList>
#include <QtCore/QObject>
#include <QtCore/QStringList>

#include <optional>
#include <variant>

namespace ikkai {

/// What is looked for; an empty member asks for nothing. All that are set must fit.
struct HistoryFilter {
    QStringList states; ///< outcome words, as in outcomeWord()
    QString text;       ///< part of an order, or the end of a reference (key); case does not matter
    std::optional<qint64> amountMinor;
    std::optional<QDate> day; ///< business day on which it started
    friend bool operator==(const HistoryFilter &, const HistoryFilter &) = default;
};

/// One row of the projection.
struct HistoryRow {
    IdempotencyKey key;
    OrderId order;
    Money money;
    QString source;
    QString state;     ///< outcome word
    QString settledBy; ///< answer, replay, inquiry, void; empty while open and where no word of the bank settled it
    int attempts = 0;
    int wireSends = 0;
    qint64 createdWallMs = 0;
    qint64 updatedWallMs = 0;
    std::optional<qint64> settledWallMs;
    QString terminalId;
    QString contradiction;    ///< outcome word that the bank said against it; else empty
    QString supervisorReason; ///< of an override or a write-off; else empty
    std::optional<IdempotencyKey> replaces;
    friend bool operator==(const HistoryRow &, const HistoryRow &) = default;
};

/// Newest first. `after`: the last row that is there already; none: from the newest.
struct HistoryRequest {
    int id = 0; ///< comes back with the page, so that pages of an older filter can be told apart
    HistoryFilter filter;
    std::optional<IdempotencyKey> after;
    int limit = 100; ///< at most 500; 0: only the count, which takes longer than a page where a text is looked for
    bool countAll = false;
};

struct HistoryPage {
    int id = 0;
    QList<HistoryRow> rows;
    bool isLast = false;
    std::optional<qint64> total; ///< of the filter, where it was asked for
};

struct HistoryDetail {
    Checkout checkout;
    QList<Event> events;
    std::optional<IdempotencyKey> replacedBy; ///< the checkout that a supervisor started instead
};

enum class ExportFormat { Csv, Json };

struct HistoryExport {
    HistoryFilter filter;
    ExportFormat format = ExportFormat::Csv;
    QString file; ///< written whole or not at all (QSaveFile)
};

/// Which request something belongs to.
struct HistoryAsked {
    /// The id of a page, the key of a record, or the file of an export.
    std::variant<int, IdempotencyKey, QString> by;
    friend bool operator==(const HistoryAsked &, const HistoryAsked &) = default;
};

/// Where history comes from. May live on a thread of its own: connect queued, ask by queued calls. Every request is
/// answered by exactly one of its signals or by `failed`, with one exception: a read for another filter overtakes the
/// reads before it, and those that are not answered yet never are, so that typing in a search field piles up no work.
class HistorySource : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

public Q_SLOTS:
    virtual void read(const ikkai::HistoryRequest &request) = 0;
    virtual void readDetail(const ikkai::IdempotencyKey &key) = 0;
    virtual void exportRows(const ikkai::HistoryExport &wanted) = 0;

Q_SIGNALS:
    void pageRead(const ikkai::HistoryPage &page);
    void detailRead(const ikkai::HistoryDetail &detail);
    void exported(const QString &file, qint64 rows);
    /// `what`: one English sentence that names the file.
    void failed(const QString &what, const ikkai::HistoryAsked &asked);
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::HistoryRequest)
Q_DECLARE_METATYPE(ikkai::HistoryPage)
Q_DECLARE_METATYPE(ikkai::HistoryDetail)
Q_DECLARE_METATYPE(ikkai::HistoryAsked)
Q_DECLARE_METATYPE(ikkai::HistoryExport)
