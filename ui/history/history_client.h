#pragma once

#include "core/journal/history.h"

#include <QtCore/QObject>

namespace ikkai {

/// The one who asks a HistorySource from the GUI thread: by queued calls, so nothing here waits for a disk.
class HistoryClient final : public QObject {
    Q_OBJECT

public:
    /// `source` may live on another thread and must outlive the client.
    explicit HistoryClient(HistorySource *source, QObject *parent = nullptr);

    /// The number of the request, never given twice; the member `id` of `request` is not used.
    int read(HistoryRequest request);
    void readDetail(const IdempotencyKey &key);
    void exportRows(const HistoryExport &wanted);

Q_SIGNALS:
    void pageRead(const ikkai::HistoryPage &page);
    void readFailed(int id, const QString &what);
    void detailRead(const ikkai::HistoryDetail &detail);
    void detailFailed(const ikkai::IdempotencyKey &key, const QString &what);
    void exported(const QString &file, qint64 rows);
    void exportFailed(const QString &file, const QString &what);

    // To the source.
    void readWanted(const ikkai::HistoryRequest &request);
    void detailWanted(const ikkai::IdempotencyKey &key);
    void exportWanted(const ikkai::HistoryExport &wanted);

private:
    void takeFailure(const QString &what, const HistoryAsked &asked);

    int m_lastId = 0;
};

} // namespace ikkai
