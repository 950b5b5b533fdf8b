#include "ui/history/history_client.h"

#include <type_traits>

namespace ikkai {

HistoryClient::HistoryClient(HistorySource *source, QObject *parent)
    : QObject(parent)
{
    // Queued always, also where both live on one thread: the same order of things in the till and in its tests.
    connect(this, &HistoryClient::readWanted, source, &HistorySource::read, Qt::QueuedConnection);
    connect(this, &HistoryClient::detailWanted, source, &HistorySource::readDetail, Qt::QueuedConnection);
    connect(this, &HistoryClient::exportWanted, source, &HistorySource::exportRows, Qt::QueuedConnection);
    connect(
        source, &HistorySource::pageRead, this,
        [this](const HistoryPage &page) {
            if (take<HistoryRequest>())
                Q_EMIT pageRead(page);
        },
        Qt::QueuedConnection);
    connect(
        source, &HistorySource::detailRead, this,
        [this](const HistoryDetail &detail) {
            if (const auto key = take<IdempotencyKey>())
                Q_EMIT detailRead(*key, detail);
        },
        Qt::QueuedConnection);
    connect(
        source, &HistorySource::exported, this,
        [this](const QString &file, qint64 rows) {
            if (take<HistoryExport>())
                Q_EMIT exported(file, rows);
        },
        Qt::QueuedConnection);
    connect(source, &HistorySource::failed, this, &HistoryClient::takeFailure, Qt::QueuedConnection);
}

int HistoryClient::read(HistoryRequest request)
{
    request.id = ++m_lastId;
    m_asked.push_back(request);
    Q_EMIT readWanted(request);
    return request.id;
}

void HistoryClient::readDetail(const IdempotencyKey &key)
{
    m_asked.push_back(key);
    Q_EMIT detailWanted(key);
}

void HistoryClient::exportRows(const HistoryExport &wanted)
{
    m_asked.push_back(wanted);
    Q_EMIT exportWanted(wanted);
}

template <class T>
std::optional<T> HistoryClient::take()
{
    if (m_asked.empty() || !std::holds_alternative<T>(m_asked.front()))
        return std::nullopt; // somebody else asked the source
    T asked = std::get<T>(std::move(m_asked.front()));
    m_asked.pop_front();
    return asked;
}

void HistoryClient::takeFailure(const QString &what)
{
    if (m_asked.empty())
        return;
    const Asked asked = std::move(m_asked.front());
    m_asked.pop_front();
    if (const auto *page = std::get_if<HistoryRequest>(&asked))
        Q_EMIT readFailed(page->id, what);
    else if (const auto *key = std::get_if<IdempotencyKey>(&asked))
        Q_EMIT detailFailed(*key, what);
    else
        Q_EMIT exportFailed(std::get<HistoryExport>(asked).file, what);
}

} // namespace ikkai
