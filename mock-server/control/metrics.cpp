#include "mock-server/control/metrics.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>

#include <array>
#include <cmath>

#include <unistd.h>

namespace mockbank {

namespace metrics {

constexpr double microseconds = 1e6;
constexpr double milliseconds = 1e3;

QByteArray escaped(const QByteArray &value, bool quote)
{
    QByteArray out = value;
    out.replace('\\', "\\\\").replace('\n', "\\n");
    if (quote)
        out.replace('"', "\\\"");
    return out;
}

QByteArray number(double value)
{
    const bool whole = std::trunc(value) == value && std::abs(value) < 1e15;
    return whole ? QByteArray::number(static_cast<qint64>(value)) : QByteArray::number(value, 'g', 12);
}

double countOf(const QJsonObject &object, const char *name)
{
    return static_cast<double>(object.value(QLatin1StringView(name)).toInteger());
}

/// {"bounds","counts","sum"} as the bank tells it.
void writeHistogram(PrometheusText *out, const QJsonObject &json, double unit)
{
    QList<qint64> bounds;
    for (const QJsonValue &bound : json.value(QLatin1StringView("bounds")).toArray())
        bounds.append(bound.toInteger());
    QList<quint64> counts;
    for (const QJsonValue &count : json.value(QLatin1StringView("counts")).toArray())
        counts.append(static_cast<quint64>(count.toInteger()));
    if (counts.size() == bounds.size() + 1)
        out->histogram(bounds, counts, json.value(QLatin1StringView("sum")).toInteger(), unit);
}

struct Outcome {
    const char *counter;
    const char *label;
};
constexpr std::array outcomes{
    Outcome{"charges", "approved"},
    Outcome{"declines", "declined"},
    Outcome{"replays", "replayed"},
    Outcome{"in_progress", "in_progress"},
    Outcome{"mismatches", "mismatch"},
    Outcome{"rolled_back", "rolled_back"},
    Outcome{"expired", "expired"},
    Outcome{"key_voided", "key_voided"},
    Outcome{"voids_reversed", "void_reversed"},
    Outcome{"voids_prevented", "void_prevented"},
    Outcome{"voids_not_charged", "void_not_charged"},
    Outcome{"void_replays", "void_replayed"},
    Outcome{"voids_in_progress", "void_in_progress"},
    Outcome{"void_mismatches", "void_mismatch"},
};

struct Plain {
    const char *counter;
    const char *name;
    const char *help;
    PrometheusText::Type type = PrometheusText::Type::Counter;
};
constexpr std::array bankCounters{
    Plain{"inquiries", "ikkai_bank_inquiries_total", "Inquiries answered by the ledger."},
    Plain{"lists", "ikkai_bank_lists_total", "Pages of charges listed."},
    Plain{"takeovers", "ikkai_bank_claim_takeovers_total", "Lapsed claims that a charge took over."},
    Plain{"claims_deleted", "ikkai_bank_claims_deleted_total", "Claims let go without a charge."},
    Plain{"swept", "ikkai_bank_answers_swept_total", "Stored answers forgotten after their time to live."},
    Plain{"steps", "ikkai_bank_steps_total", "Steps of charges and voids."},
    Plain{"commits", "ikkai_bank_commits_total", "Transactions committed."},
    Plain{"commits_batched", "ikkai_bank_commits_batched_total", "Transactions that carried more than one step."},
    Plain{"commit_failures", "ikkai_bank_commit_failures_total", "Transactions that the store refused."},
    Plain{"busy_repeats", "ikkai_bank_busy_repeats_total", "Transactions repeated because of another writer."},
    Plain{"running", "ikkai_bank_running", "Charges between two of their steps.", PrometheusText::Type::Gauge},
};
constexpr std::array serverCounters{
    Plain{"connections", "ikkai_connections_total", "Connections accepted."},
    Plain{"connections_open", "ikkai_connections_open", "Connections open now.", PrometheusText::Type::Gauge},
    Plain{"connections_beyond_limit", "ikkai_connections_beyond_limit_total", "Connections beyond the limit."},
    Plain{"control_requests", "ikkai_control_requests_total", "Requests to the control API."},
    Plain{"health_requests", "ikkai_health_requests_total", "Requests to /healthz."},
    Plain{"other_requests", "ikkai_other_requests_total", "Requests to no path of the contract."},
    Plain{"restarts", "ikkai_restarts_total", "Simulated crashes."},
};

template <std::size_t Size>
void writePlain(PrometheusText *out, const std::array<Plain, Size> &list, const QJsonObject &counters)
{
    for (const Plain &plain : list) {
        if (!counters.contains(QLatin1StringView(plain.counter)))
            continue;
        out->family(plain.name, plain.type, plain.help);
        out->sample(countOf(counters, plain.counter));
    }
}

void writeWire(PrometheusText *out, const WireCounters &wire)
{
    using Type = PrometheusText::Type;
    const auto routes = wire.routes.keys();
    out->family("ikkai_arrivals_total", Type::Counter, "Requests to the data plane whose head was read.");
    for (const QByteArray &route : routes)
        out->sample(static_cast<double>(wire.routes[route].arrivals), {{"route", route}});
    out->family("ikkai_arrivals_incomplete_total", Type::Counter, "Arrivals whose request never was whole.");
    out->sample(static_cast<double>(wire.incomplete));
    out->family("ikkai_resends_total", Type::Counter, "Arrivals of an attempt that had arrived before.");
    out->sample(static_cast<double>(wire.resends));
    out->family("ikkai_answers_total", Type::Counter,
                "Answers begun, by status; 0 where no whole status line was written.");
    for (const QByteArray &route : routes) {
        const auto &answers = wire.routes[route].answers;
        for (auto it = answers.begin(); it != answers.end(); ++it)
            out->sample(static_cast<double>(it.value()), {{"route", route}, {"status", QByteArray::number(it.key())}});
    }
    out->family("ikkai_answers_delivered_total", Type::Counter,
                "Whole answers that the client's system acknowledged to the last byte.");
    for (const QByteArray &route : routes)
        out->sample(static_cast<double>(wire.routes[route].delivered), {{"route", route}});
    out->family("ikkai_answer_bytes_total", Type::Counter, "Bytes of answers given to the network.");
    for (const QByteArray &route : routes)
        out->sample(static_cast<double>(wire.routes[route].bytesWritten), {{"route", route}});
    out->family("ikkai_exchanges_ended_total", Type::Counter, "How exchanges ended.");
    for (const QByteArray &route : routes) {
        const auto &ended = wire.routes[route].ended;
        for (auto it = ended.begin(); it != ended.end(); ++it)
            out->sample(static_cast<double>(it.value()), {{"route", route}, {"how", it.key()}});
    }
    out->family("ikkai_answer_seconds", Type::Histogram,
                "From the complete request to the first byte of its answer, faults included.");
    for (const QByteArray &route : routes) {
        const auto &us = wire.routes[route].answerUs;
        out->histogram({us.bounds.begin(), us.bounds.end()}, {us.counts.begin(), us.counts.end()}, us.sum, microseconds,
                       {{"route", route}});
    }
    out->family("ikkai_faults_fired_total", Type::Counter, "Faults played.");
    for (auto it = wire.faultsFired.begin(); it != wire.faultsFired.end(); ++it) {
        out->sample(static_cast<double>(it.value()),
                    {{"placement", it.key().first.toUtf8()}, {"manifestation", it.key().second.toUtf8()}});
    }
}

void writeBank(PrometheusText *out, const QJsonValue &bank)
{
    using Type = PrometheusText::Type;
    out->family("ikkai_ledger_up", Type::Gauge, "1 where the ledger answered in time.");
    out->sample(bank.isObject() ? 1 : 0);
    if (!bank.isObject())
        return;
    const QJsonObject counters = bank.toObject();
    out->family("ikkai_bank_outcomes_total", Type::Counter,
                "What became of charges and voids, in this run of the bank.");
    for (const Outcome &outcome : outcomes)
        out->sample(countOf(counters, outcome.counter), {{"outcome", outcome.label}});
    out->family("ikkai_bank_conflicts_total", Type::Counter, "Charges and voids answered 409, still in progress.");
    out->sample(countOf(counters, "in_progress") + countOf(counters, "voids_in_progress"));
    writePlain(out, bankCounters, counters);
    out->family("ikkai_bank_commit_batch_size", Type::Histogram, "Steps in one transaction.");
    writeHistogram(out, counters.value(QLatin1StringView("batch_sizes")).toObject(), 1);
    out->family("ikkai_bank_commit_seconds", Type::Histogram, "How long a commit took.");
    writeHistogram(out, counters.value(QLatin1StringView("commit_us")).toObject(), microseconds);
    const QJsonObject outbox = counters.value(QLatin1StringView("outbox")).toObject();
    if (outbox.isEmpty())
        return;
    out->family("ikkai_outbox_pending", Type::Gauge, "Events that wait to be delivered.");
    out->sample(countOf(outbox, "pending"));
    out->family("ikkai_outbox_delivered", Type::Gauge, "Events that were delivered.");
    out->sample(countOf(outbox, "delivered"));
    out->family("ikkai_outbox_lag_seconds", Type::Gauge, "Age of the oldest event that waits.");
    out->sample(countOf(outbox, "oldest_pending_ms") / milliseconds);
}

void writeProcess(PrometheusText *out)
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return;
    const QByteArrayList pages = file.read(256).split(' ');
    const auto pageBytes = static_cast<double>(::sysconf(_SC_PAGESIZE));
    if (pages.size() < 2)
        return;
    using Type = PrometheusText::Type;
    out->family("process_virtual_memory_bytes", Type::Gauge, "Address space of the process.");
    out->sample(pages[0].toDouble() * pageBytes);
    out->family("process_resident_memory_bytes", Type::Gauge, "Memory of the process that is in use.");
    out->sample(pages[1].toDouble() * pageBytes);
}

} // namespace metrics

using namespace metrics;

void PrometheusText::family(const QByteArray &name, Type type, const QByteArray &help)
{
    m_name = name;
    const QByteArray typeName = type == Type::Counter ? "counter" : type == Type::Gauge ? "gauge" : "histogram";
    m_text += "# HELP " + name + ' ' + escaped(help, false) + "\n# TYPE " + name + ' ' + typeName + '\n';
}

void PrometheusText::sample(double value, const Labels &labels)
{
    line(m_name, labels, value);
}

void PrometheusText::histogram(const QList<qint64> &bounds, const QList<quint64> &counts, qint64 sum, double unit,
                               const Labels &labels)
{
    quint64 total = 0;
    for (qsizetype i = 0; i < counts.size(); ++i) {
        total += counts[i];
        const QByteArray bound =
            i < bounds.size() ? number(static_cast<double>(bounds[i]) / unit) : QByteArrayLiteral("+Inf");
        line(m_name + "_bucket", labels + Labels{{"le", bound}}, static_cast<double>(total));
    }
    line(m_name + "_sum", labels, static_cast<double>(sum) / unit);
    line(m_name + "_count", labels, static_cast<double>(total));
}

void PrometheusText::line(const QByteArray &name, const Labels &labels, double value)
{
    m_text += name;
    char separator = '{';
    for (const auto &[label, text] : labels) {
        m_text += separator + label + "=\"" + escaped(text, true) + '"';
        separator = ',';
    }
    m_text += (labels.isEmpty() ? " " : "} ") + number(value) + '\n';
}

QByteArray metricsText(const MetricsFacts &facts)
{
    using Type = PrometheusText::Type;
    PrometheusText out;
    out.family("ikkai_bank_info", Type::Gauge, "The bank that tells.");
    out.sample(1, {{"strategy", facts.strategy}, {"instance", facts.instance}, {"run", facts.run}});
    writeWire(&out, facts.wire);
    out.family("ikkai_held_messages", Type::Gauge, "Requests and answers held by faults now.");
    out.sample(static_cast<double>(facts.held));
    out.family("ikkai_event_streams", Type::Gauge, "Readers of /control/events.");
    out.sample(static_cast<double>(facts.eventStreams));
    out.family("ikkai_wait_for_callers", Type::Gauge, "Callers of /control/wait-for that wait.");
    out.sample(static_cast<double>(facts.waiting));
    out.family("ikkai_journal_records", Type::Gauge, "Records kept of arrivals.");
    out.sample(static_cast<double>(facts.journal.inMemory), {{"where", "memory"}});
    out.sample(static_cast<double>(facts.journal.onDisk), {{"where", "disk"}});
    out.family("ikkai_journal_bytes", Type::Gauge, "What the records take, about.");
    out.sample(static_cast<double>(facts.journal.memoryBytes), {{"where", "memory"}});
    out.sample(static_cast<double>(facts.journal.diskBytes), {{"where", "disk"}});
    out.family("ikkai_journal_dropped_total", Type::Counter, "Records pushed out by newer ones.");
    out.sample(static_cast<double>(facts.journal.dropped));
    writePlain(&out, serverCounters, facts.server);
    writeBank(&out, facts.bank);
    writeProcess(&out);
    return out.text();
}

} // namespace mockbank
