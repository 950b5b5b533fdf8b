#include "ui/history/history_client.h"

namespace ikkai {

HistoryClient::HistoryClient(HistorySource *source, QObject *parent)
    : QObject(parent)
{
    // Queued always, also where both live on one thread: the same order of things in the till and in its tests.
    connect(this, &HistoryClient::readWanted, source, &HistorySource::read, Qt::QueuedConnection);
    connect(this, &HistoryClient::detailWanted, source, &HistorySource::readDetail, Qt::QueuedConnection);
    connect(this, &HistoryClient::exportWanted, source, &HistorySource::exportRows, Qt::QueuedConnection);
    connect(source, &HistorySource::pageRead, this, &HistoryClient::pageRead, Qt::QueuedConnection);
    connect(source, &HistorySource::detailRead, this, &HistoryClient::detailRead, Qt::QueuedConnection);
    connect(source, &HistorySource::exported, this, &HistoryClient::exported, Qt::QueuedConnection);
    connect(source, &HistorySource::failed, this, &HistoryClient::takeFailure, Qt::QueuedConnection);
}

int HistoryClient::read(HistoryRequest request)
{
    request.id = ++m_lastId;
    Q_EMIT readWanted(request);
    return request.id;
}

void HistoryClient::readDetail(const IdempotencyKey &key)
{
    Q_EMIT detailWanted(key);
}

void HistoryClient::exportRows(const HistoryExport &wanted)
{
    Q_EMIT exportWanted(wanted);
}

void HistoryClient::takeFailure(const QString &what, const HistoryAsked &asked)
{
    if (const auto *id = std::get_if<int>(&asked.by))
        Q_EMIT readFailed(*id, what);
    else if (const auto *key = std::get_if<IdempotencyKey>(&asked.by))
        Q_EMIT detailFailed(*key, what);
    else
        Q_EMIT exportFailed(std::get<QString>(asked.by), what);
}

} // namespace ikkai
