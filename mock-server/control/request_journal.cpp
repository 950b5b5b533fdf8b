#include "mock-server/control/request_journal.h"

#include "mock-server/http/idempotency_key.h"

#include <QtCore/QDateTime>

#include <algorithm>
#include <chrono>

namespace mockbank {

namespace request_journal {

// Records go to disk in handfuls: one call to the system serves many.
constexpr std::size_t spillHandful = 64;
constexpr qsizetype pageBytes = 4 * 1024 * 1024;
constexpr qsizetype statusLineBytes = 12; // HTTP/1.1 201

qint64 steadyUs()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

qint64 since(const JournalRecord &record)
{
    return steadyUs() - record.startUs;
}

/// Attempt-Number, 0 where there is none that counts.
int attemptNumber(const Request &request)
{
    const QByteArray text = request.value("Attempt-Number").trimmed();
    const bool digits =
        !text.isEmpty() && text.size() <= 7 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    return digits ? text.toInt() : 0;
}

int statusIn(const QByteArray &sent)
{
    if (sent.size() < statusLineBytes || !sent.startsWith("HTTP/1.1 "))
        return 0;
    bool isNumber = false;
    const int status = sent.mid(9, 3).toInt(&isNumber);
    return isNumber ? status : 0;
}

bool movesMoney(const BankEvent &event)
{
    return event.kind == "committed" ||
           (event.kind == "voided" &&
            event.data.value(QLatin1StringView("result")).toString() == QLatin1StringView("reversed"));
}

JournalEnd toJournalEnd(ExchangeEnd how, bool complete, bool crashing)
{
    switch (how) {
    case ExchangeEnd::Answered:
        return JournalEnd::Answered;
    case ExchangeEnd::Fin:
        return JournalEnd::Fin;
    case ExchangeEnd::Rst:
        return crashing ? JournalEnd::Crash : JournalEnd::Rst;
    case ExchangeEnd::ClientGone:
        break;
    }
    return complete ? JournalEnd::ClientGone : JournalEnd::Incomplete;
}

/// Kept for the record of the arrival that a fault strikes.
QJsonObject faultOf(const QJsonObject &event)
{
    QJsonObject fault;
    for (const auto name :
         {QLatin1StringView("rule_id"), QLatin1StringView("spec"), QLatin1StringView("placement"),
          QLatin1StringView("manifestation"), QLatin1StringView("light"), QLatin1StringView("source"),
          QLatin1StringView("draw_millionths"), QLatin1StringView("delay_ms"), QLatin1StringView("reached"),
          QLatin1StringView("charged"), QLatin1StringView("knowable")}) {
        if (event.contains(name))
            fault.insert(name, event.value(name));
    }
    return fault;
}

} // namespace request_journal

using namespace request_journal;

RequestJournal::RequestJournal(const JournalLimits &limits)
    : m_limits(limits)
    , m_spill(limits.diskBytes)
{
}

RequestJournal::Entry *RequestJournal::inMemory(quint64 n)
{
    if (m_records.empty() || n < m_records.front().record.n)
        return nullptr;
    const quint64 guess = n - m_records.front().record.n;
    if (guess < m_records.size() && m_records[guess].record.n == n)
        return &m_records[guess];
    const auto found = std::ranges::lower_bound(m_records, n, {}, [](const Entry &entry) { return entry.record.n; });
    return found != m_records.end() && found->record.n == n ? &*found : nullptr;
}

bool RequestJournal::change(quint64 n, const std::function<void(JournalRecord &)> &edit)
{
    if (Entry *entry = inMemory(n)) {
        edit(entry->record);
        weigh(entry);
        tell(entry->record);
        return true;
    }
    auto record = m_spill.read(n);
    if (!record)
        return false;
    edit(*record);
    m_spill.put({*record}, [this](const JournalCard &card) { forgotten(card); });
    tell(*record);
    return true;
}

void RequestJournal::weigh(Entry *entry)
{
    const qsizetype cost = entry->record.cost();
    m_memoryBytes += cost - entry->cost;
    entry->cost = cost;
}

void RequestJournal::tell(const JournalRecord &record)
{
    if (m_observer)
        m_observer(&record);
}

void RequestJournal::forgotten(const JournalCard &card)
{
    const auto seen = m_attempts.constFind(card.attemptId);
    if (seen != m_attempts.constEnd() && seen->last == card.n)
        m_attempts.erase(seen);
}

void RequestJournal::spillWhatIsTooMuch()
{
    const auto tooMuch = [this] {
        return static_cast<qsizetype>(m_records.size()) > m_limits.memoryRecords ||
               m_memoryBytes > m_limits.memoryBytes;
    };
    // The newest stays whatever it costs: it is being worked on.
    while (tooMuch() && m_records.size() > 1) {
        QList<JournalRecord> handful;
        const std::size_t most = std::min(spillHandful, m_records.size() - 1);
        while (static_cast<std::size_t>(handful.size()) < most) {
            Entry &oldest = m_records.front();
            m_memoryBytes -= oldest.cost;
            handful.append(std::move(oldest.record));
            m_records.pop_front();
        }
        m_spill.put(handful, [this](const JournalCard &card) { forgotten(card); });
    }
}

void RequestJournal::headRead(Exchange &exchange, const QByteArray &route)
{
    begin(exchange, route, 0);
}

void RequestJournal::copyRead(Exchange &copy, const QByteArray &route, quint64 original)
{
    begin(copy, route, original);
    requestRead(copy);
    ++m_counted.routes[route].ended[endName(JournalEnd::Copy)];
    change(copy.arrivalId, [](JournalRecord &record) { record.end = JournalEnd::Copy; });
}

void RequestJournal::begin(Exchange &exchange, const QByteArray &route, quint64 copyOf)
{
    const Request &request = exchange.request;
    Entry entry;
    JournalRecord &record = entry.record;
    record.n = exchange.arrivalId;
    record.requestId = exchange.requestId;
    record.connection = exchange.connectionNumber;
    record.peer = exchange.peer;
    record.run = m_run;
    record.route = route;
    record.copyOf = copyOf;
    record.method = request.method;
    record.path = request.path;
    record.query = request.query;
    record.http11 = request.http11;
    record.headers = withoutSecrets(request.headers);
    record.receivedAtMs = QDateTime::currentMSecsSinceEpoch();
    record.startUs = steadyUs();
    m_newest = record.n;
    readAttempt(&record, request);
    exchange.witness = this;
    exchange.notes.route = route;
    ++m_counted.routes[route].arrivals;
    m_records.push_back(std::move(entry));
    weigh(&m_records.back());
    spillWhatIsTooMuch();
}

void RequestJournal::readAttempt(JournalRecord *record, const Request &request)
{
    QString why;
    record->key = readIdempotencyKey(request.values("Idempotency-Key"), &why).value_or(QByteArray());
    record->attempt = attemptNumber(request);
    record->firstOfSame = record->n;
    if (record->key.isEmpty() || record->attempt == 0)
        return;
    // Bytes sent again by a transport are the same bytes, so the API key tells the merchants apart well enough.
    const size_t id = qHashMulti(0, record->route, record->key, record->attempt, request.value("Authorization"));
    record->attemptId = std::max<quint64>(id, 1);
    Seen &seen = m_attempts[record->attemptId];
    if (seen.count == 0)
        seen.first = record->n;
    else if (record->copyOf == 0)
        ++m_counted.resends;
    seen.last = record->n;
    ++seen.count;
    record->firstOfSame = seen.first;
    record->nthOfSame = seen.count;
}

void RequestJournal::requestRead(Exchange &exchange)
{
    exchange.notes.completeUs = steadyUs();
    change(exchange.arrivalId, [&](JournalRecord &record) {
        record.completeUs = since(record);
        record.complete = true;
        record.body = exchange.request.body.first(std::min(exchange.request.body.size(), JournalRecord::keptBytes));
    });
}

void RequestJournal::requestLost(const Exchange &exchange, const QByteArray &why)
{
    change(exchange.arrivalId, [&](JournalRecord &record) { record.lostBecause = why; });
    ++m_counted.incomplete;
}

void RequestJournal::bankDid(const BankEvent &event)
{
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    const auto add = [&](JournalRecord &record) {
        record.steps.append({event.kind, nowMs});
        record.committed = record.committed || movesMoney(event);
    };
    // No filter asks for what the bank did, so nobody is told.
    if (Entry *entry = inMemory(event.arrivalId))
        add(entry->record);
    else
        change(event.arrivalId, add);
}

void RequestJournal::observe(const LoggedEvent &event)
{
    m_run = event.run;
    if (event.kind == "crashed") {
        m_crashing = true;
        return;
    }
    if (event.kind == "started") {
        m_crashing = false;
        return;
    }
    const QJsonValue arrival = event.data.value(QLatin1StringView("arrival_id"));
    if (arrival.isUndefined()) {
        if (event.kind.startsWith("held_")) {
            const auto n =
                m_held.take(static_cast<quint64>(event.data.value(QLatin1StringView("held_id")).toInteger()));
            change(n, [&](JournalRecord &record) { record.heldAction = event.kind.mid(5); });
        }
        return;
    }
    observeArrival(static_cast<quint64>(arrival.toInteger()), event);
}

void RequestJournal::observeArrival(quint64 n, const LoggedEvent &event)
{
    const QJsonObject &data = event.data;
    if (event.kind == "arrival" || event.kind == "inquiry" || event.kind == "void" || event.kind == "list") {
        change(n, [&](JournalRecord &record) {
            record.order = data.value(QLatin1StringView("order_id")).toString();
            if (record.key.isEmpty())
                record.key = data.value(QLatin1StringView("idempotency_key")).toString().toLatin1();
        });
    } else if (event.kind == "fault") {
        const QString light = data.value(QLatin1StringView("light")).toString();
        if (light == QLatin1StringView("fired")) {
            ++m_counted.faultsFired[{data.value(QLatin1StringView("placement")).toString(),
                                     data.value(QLatin1StringView("manifestation")).toString()}];
        }
        if (light == QLatin1StringView("matched") || light == QLatin1StringView("fired"))
            change(n, [&](JournalRecord &record) { record.fault = faultOf(data); });
    } else if (event.kind == "answer" || event.kind == "answer_started") {
        if (Entry *entry = inMemory(n)) {
            entry->record.replayed = data.value(QLatin1StringView("replayed")).toBool();
            entry->record.madeUp = data.value(QLatin1StringView("made_up")).toBool();
        } else {
            change(n, [&](JournalRecord &record) {
                record.replayed = data.value(QLatin1StringView("replayed")).toBool();
                record.madeUp = data.value(QLatin1StringView("made_up")).toBool();
            });
        }
    } else if (event.kind == "held") {
        const auto held = static_cast<quint64>(data.value(QLatin1StringView("held_id")).toInteger());
        m_held.insert(held, n);
        change(n, [&](JournalRecord &record) {
            record.heldId = held;
            record.heldAction.clear();
            if (record.end == JournalEnd::Open)
                record.end = JournalEnd::Held;
        });
    }
}

void RequestJournal::writing(Exchange &exchange, const QByteArray &bytes)
{
    WitnessNotes &notes = exchange.notes;
    if (!std::exchange(notes.begun, true) && notes.completeUs >= 0)
        m_counted.routes[notes.route].answerUs.add(steadyUs() - notes.completeUs);
    m_counted.routes[notes.route].bytesWritten += bytes.size();
    if (notes.statusLine.size() < statusLineBytes)
        notes.statusLine += bytes.first(std::min(bytes.size(), statusLineBytes - notes.statusLine.size()));
    const auto write = [&](JournalRecord &record) {
        const qint64 us = since(record);
        if (record.firstByteUs < 0)
            record.firstByteUs = us;
        record.lastByteUs = us;
        record.bytesWritten += bytes.size();
        if (record.sent.isEmpty())
            record.sent = bytes.size() > JournalRecord::keptBytes ? bytes.first(JournalRecord::keptBytes) : bytes;
        else if (record.sent.size() < JournalRecord::keptBytes)
            record.sent += bytes.first(std::min(bytes.size(), JournalRecord::keptBytes - record.sent.size()));
        if (record.status == 0)
            record.status = statusIn(notes.statusLine);
        if (record.end == JournalEnd::Held)
            record.end = JournalEnd::Open;
    };
    change(exchange.arrivalId, write);
}

void RequestJournal::ended(const Exchange &exchange, ExchangeEnd how)
{
    const WitnessNotes &notes = exchange.notes;
    const JournalEnd end = toJournalEnd(how, notes.completeUs >= 0, m_crashing);
    ++m_counted.routes[notes.route].ended[endName(end)];
    if (notes.begun)
        ++m_counted.routes[notes.route].answers[statusIn(notes.statusLine)];
    change(exchange.arrivalId, [&](JournalRecord &record) {
        record.endedUs = since(record);
        record.end = end;
        // Else its end is the effect of an action, which is told next.
        if (how == ExchangeEnd::ClientGone || m_crashing)
            m_held.remove(record.heldId);
    });
}

void RequestJournal::delivered(quint64 arrivalId, const QByteArray &route)
{
    ++m_counted.routes[route].delivered;
    change(arrivalId, [](JournalRecord &record) {
        record.delivered = true;
        record.deliveredUs = since(record);
    });
}

void RequestJournal::clear()
{
    m_records.clear();
    m_memoryBytes = 0;
    m_spill.clear();
    m_attempts.clear();
    m_held.clear();
    if (m_observer)
        m_observer(nullptr);
}

RequestJournal::Page RequestJournal::page(const JournalFilter &filter, quint64 after, int limit)
{
    Page page;
    qsizetype bytes = 0;
    const auto isFull = [&] { return page.records.size() >= limit || bytes > pageBytes; };
    const auto add = [&](const JournalRecord &record) {
        if (!filter.matches(record))
            return;
        page.records.append(record);
        bytes += record.cost();
    };
    const auto &cards = m_spill.cards();
    for (auto card = std::ranges::upper_bound(cards, after, {}, &JournalCard::n); card != cards.end(); ++card) {
        if (isFull())
            break;
        if (!filter.mayMatch(*card))
            continue;
        if (const auto record = m_spill.read(card->n))
            add(*record);
    }
    const auto number = [](const Entry &entry) { return entry.record.n; };
    for (auto entry = std::ranges::upper_bound(m_records, after, {}, number); entry != m_records.end(); ++entry) {
        if (isFull())
            break;
        add(entry->record);
    }
    if (isFull())
        page.next = page.records.last().n;
    return page;
}

std::optional<JournalRecord> RequestJournal::find(quint64 n)
{
    const Entry *entry = inMemory(n);
    return entry ? std::optional(entry->record) : m_spill.read(n);
}

SameAttempt RequestJournal::sameAttempt(const JournalRecord &record) const
{
    const auto seen = m_attempts.constFind(record.attemptId);
    if (record.attemptId == 0 || seen == m_attempts.constEnd())
        return {record.nthOfSame, record.n};
    return {seen->count, seen->last};
}

RequestJournal::Bounds RequestJournal::bounds() const
{
    Bounds bounds;
    bounds.newest = m_newest;
    if (!m_spill.cards().empty())
        bounds.oldest = m_spill.cards().front().n;
    else if (!m_records.empty())
        bounds.oldest = m_records.front().record.n;
    bounds.inMemory = static_cast<qsizetype>(m_records.size());
    bounds.onDisk = static_cast<qsizetype>(m_spill.cards().size());
    bounds.memoryBytes = m_memoryBytes;
    bounds.diskBytes = m_spill.fileBytes();
    bounds.dropped = m_spill.dropped();
    return bounds;
}

} // namespace mockbank
