#pragma once

#include "mock-server/control/request_journal.h"

namespace mockbank {

/// Writes the text format of Prometheus, version 0.0.4: a family at a time, its help and type before its samples.
class PrometheusText {
public:
    using Labels = QList<std::pair<QByteArray, QByteArray>>;
    enum class Type { Counter, Gauge, Histogram };

    /// Samples written from now on belong to this family.
    void family(const QByteArray &name, Type type, const QByteArray &help);
    void sample(double value, const Labels &labels = {});
    /// A whole histogram; `counts` has one member more than `bounds` and is not added up. What was counted in smaller
    /// units is divided by `unit`.
    void histogram(const QList<qint64> &bounds, const QList<quint64> &counts, qint64 sum, double unit,
                   const Labels &labels = {});

    [[nodiscard]] QByteArray text() const { return m_text; }

private:
    void line(const QByteArray &name, const Labels &labels, double value);

    QByteArray m_name;
    QByteArray m_text;
};

/// What `GET /metrics` tells of.
struct MetricsFacts {
    const WireCounters &wire;
    RequestJournal::Bounds journal;
    QJsonObject server; ///< counters of the network side
    QJsonValue bank;    ///< Bank::counters; null where the ledger did not answer in time
    qsizetype held = 0;
    qsizetype eventStreams = 0;
    std::size_t waiting = 0;
    QByteArray strategy;
    QByteArray instance;
    QByteArray run;
};

[[nodiscard]] QByteArray metricsText(const MetricsFacts &facts);

} // namespace mockbank
