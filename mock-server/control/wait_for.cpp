#include "mock-server/control/wait_for.h"

#include "mock-server/control/control_json.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QPointer>
#include <QtCore/QTimer>

#include <algorithm>

namespace mockbank {

namespace wait_for {

constexpr qint64 maxCount = 10'000;
constexpr qint64 maxTimeoutMs = 600'000;
constexpr qint64 defaultTimeoutMs = 5'000;
constexpr qint64 maxSince = 9'007'199'254'740'991; // what JSON can say exactly
constexpr int scanPage = 500;
constexpr qsizetype maxToldRecords = 500;
constexpr qsizetype maxToldBytes = 4 * 1024 * 1024;

/// An arrival counts once its request is complete, unless it is asked for by how it ended.
bool counts(const JournalRecord &record, const JournalFilter &filter)
{
    return record.complete || filter.ended.has_value();
}

/// Not 408: clients and proxies send such a request again by themselves, and this one is done.
Response notMet(qsizetype seen, qsizetype count)
{
    Response response = toResponse({409,
                                    QByteArrayLiteral("wait-for-not-met"),
                                    QStringLiteral("Not met in time"),
                                    QStringLiteral("%1 of %2 arrivals came within the time").arg(seen).arg(count),
                                    true,
                                    {},
                                    {}});
    QJsonObject body = QJsonDocument::fromJson(response.body).object();
    body.insert(QStringLiteral("met"), false);
    body.insert(QStringLiteral("seen"), seen);
    body.insert(QStringLiteral("count"), count);
    response.body = QJsonDocument(body).toJson(QJsonDocument::Compact);
    return response;
}

Response tooManyWaiters()
{
    Response response = toResponse({503,
                                    QByteArrayLiteral("too-many-waiters"),
                                    QStringLiteral("Too many callers wait"),
                                    QStringLiteral("%1 callers wait already").arg(WaitFor::maxWaiters),
                                    true,
                                    {},
                                    {}});
    response.headers.emplaceBack("Retry-After", "1");
    return response;
}

} // namespace wait_for

using namespace wait_for;

WaitFor::WaitFor(RequestJournal &journal)
    : m_journal(journal)
{
}

WaitFor::~WaitFor()
{
    m_journal.setObserver(nullptr);
}

void WaitFor::call(const std::shared_ptr<Exchange> &exchange)
{
    const auto body = readObject(exchange->request.body, {QStringLiteral("count"), QStringLiteral("filter"),
                                                          QStringLiteral("timeout_ms"), QStringLiteral("since")});
    if (const auto *refusal = std::get_if<Response>(&body)) {
        exchange->answer(*refusal);
        return;
    }
    const QJsonObject json = std::get<QJsonObject>(body);
    const auto number = [&](const QString &name, qint64 otherwise, qint64 low, qint64 high) {
        const QJsonValue value = json.value(name);
        return value.isUndefined() ? std::optional(otherwise) : exactInteger(value, low, high);
    };
    const auto refuse = [&](const QString &name, qint64 low, qint64 high) {
        exchange->answer(unprocessable(name, QStringLiteral("must be an integer from %1 to %2").arg(low).arg(high)));
    };
    const auto count = number(QStringLiteral("count"), 1, 1, maxCount);
    if (!count)
        return refuse(QStringLiteral("count"), 1, maxCount);
    const auto timeoutMs = number(QStringLiteral("timeout_ms"), defaultTimeoutMs, 0, maxTimeoutMs);
    if (!timeoutMs)
        return refuse(QStringLiteral("timeout_ms"), 0, maxTimeoutMs);
    const auto since = number(QStringLiteral("since"), 0, 0, maxSince);
    if (!since)
        return refuse(QStringLiteral("since"), 0, maxSince);
    const auto filter = readFilter(json.value(QLatin1StringView("filter")));
    if (const auto *refusal = std::get_if<Response>(&filter)) {
        exchange->answer(*refusal);
        return;
    }
    if (m_waiters.size() >= maxWaiters) {
        exchange->answer(tooManyWaiters());
        return;
    }

    Waiter waiter{exchange, std::get<JournalFilter>(filter), static_cast<quint64>(*since), *count, {}};
    for (std::optional<quint64> after = waiter.since; after && waiter.seen.size() < waiter.count;) {
        const auto wanted = std::min<qsizetype>(scanPage, waiter.count - waiter.seen.size());
        const RequestJournal::Page page = m_journal.page(waiter.filter, *after, static_cast<int>(wanted));
        for (const JournalRecord &record : page.records) {
            if (counts(record, waiter.filter))
                waiter.seen.insert(record.n);
        }
        after = page.next;
    }
    if (waiter.seen.size() >= waiter.count) {
        exchange->answer(metAnswer(waiter));
        return;
    }
    const quint64 id = ++m_lastId;
    m_waiters.emplace(id, std::move(waiter));
    m_journal.setObserver([this](const JournalRecord *record) { look(record); });
    exchange->setClientGone([guard = QPointer(this), id] {
        if (guard)
            guard->forget(id);
    });
    QTimer::singleShot(static_cast<int>(*timeoutMs), this, [this, id] { timedOut(id); });
}

void WaitFor::forget(quint64 id)
{
    m_waiters.erase(id);
    if (m_waiters.empty())
        m_journal.setObserver(nullptr);
}

void WaitFor::look(const JournalRecord *record)
{
    bool met = false;
    for (auto &[id, waiter] : m_waiters) {
        if (!record)
            waiter.seen.clear();
        else if (record->n > waiter.since && counts(*record, waiter.filter) && waiter.filter.matches(*record))
            waiter.seen.insert(record->n);
        met = met || waiter.seen.size() >= waiter.count;
    }
    // The journal is in the middle of its own work.
    if (met && !std::exchange(m_answering, true))
        QMetaObject::invokeMethod(this, &WaitFor::answerMet, Qt::QueuedConnection);
}

void WaitFor::answerMet()
{
    m_answering = false;
    for (auto it = m_waiters.begin(); it != m_waiters.end();) {
        if (it->second.seen.size() < it->second.count) {
            ++it;
            continue;
        }
        const Waiter waiter = std::move(it->second);
        it = m_waiters.erase(it);
        waiter.exchange->answer(metAnswer(waiter));
    }
    if (m_waiters.empty())
        m_journal.setObserver(nullptr);
}

void WaitFor::timedOut(quint64 id)
{
    const auto found = m_waiters.find(id);
    if (found == m_waiters.end())
        return;
    const Waiter waiter = std::move(found->second);
    forget(id);
    waiter.exchange->answer(waiter.seen.size() >= waiter.count ? metAnswer(waiter)
                                                               : notMet(waiter.seen.size(), waiter.count));
}

Response WaitFor::metAnswer(const Waiter &waiter)
{
    QList<quint64> numbers(waiter.seen.begin(), waiter.seen.end());
    std::ranges::sort(numbers);
    QJsonArray records;
    qsizetype bytes = 0;
    for (const quint64 n : numbers) {
        if (records.size() >= maxToldRecords || bytes > maxToldBytes)
            break;
        if (const auto record = m_journal.find(n)) {
            records.append(toJson(*record, m_journal.sameAttempt(*record)));
            bytes += record->cost();
        }
    }
    return jsonResponse(200, {{QStringLiteral("met"), true},
                              {QStringLiteral("seen"), numbers.size()},
                              {QStringLiteral("count"), waiter.count},
                              {QStringLiteral("records"), records}});
}

} // namespace mockbank
