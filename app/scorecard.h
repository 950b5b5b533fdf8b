#pragma once

#include "app/options.h"

#include <QtCore/QObject>
#include <QtCore/QTemporaryDir>

#include <memory>
#include <optional>
#include <vector>

namespace ikkai::app {

/// One way to make trouble, the same for every strategy.
struct ScorecardFault {
    QString name; ///< what the table calls it
    QString spec; ///< armed for the next try of each checkout; empty for none
    qint64 processingMs = 0;
    qint64 lockS = 600;  ///< how long `redis_lock` locks
    qint64 settleMs = 0; ///< how long money may still move after the last word
};

/// What came of one strategy under one fault.
struct ScorecardRow {
    QString strategy;
    QString fault;
    int checkouts = 0;
    int chargedTwice = 0;  ///< orders with more than one charge
    int lost = 0;          ///< belief approved without a movement, or a movement under a final "not charged"
    int eventsLost = 0;    ///< movements nobody was told of
    int eventsPhantom = 0; ///< told without a movement
    int unknown = 0;       ///< no final word at the end
    int notFired = 0;      ///< the fault did not strike
    std::optional<double> secondsToKnown; ///< mean over those with a final word
};

/// A pair that the strategy has no place for.
struct ScorecardGap {
    QString strategy;
    QString fault;
    QString why;
};

struct Scorecard {
    std::vector<ScorecardRow> rows;
    std::vector<ScorecardGap> gaps;
};

/// Every fault that can be armed, none, work that takes longer than a try waits, and a lock that ends before the work.
[[nodiscard]] std::vector<ScorecardFault> scorecardFaults();

/// Plays strategies against faults: real terminals with their journals, real banks, real sockets on loopback. Lives on
/// the main thread and needs its event loop.
class ScorecardRun : public QObject {
    Q_OBJECT

public:
    explicit ScorecardRun(const Options &options, QObject *parent = nullptr);
    ~ScorecardRun() override;

    /// No row is left of what the options ask for.
    [[nodiscard]] bool isEmpty() const { return m_jobs.empty(); }
    void begin();
    [[nodiscard]] const Scorecard &scorecard() const { return m_scorecard; }

Q_SIGNALS:
    void rowEnded(const ikkai::app::ScorecardRow &row);
    void gapFound(const ikkai::app::ScorecardGap &gap);
    void ended();
    void failed(const QString &why);

private:
    struct Job {
        QString strategy;
        ScorecardFault fault;
    };
    class Lane;
    void nextJob();
    void laneEnded(Lane *lane);
    void endJob();

    Options m_options;
    QTemporaryDir m_folder;
    std::vector<Job> m_jobs;
    size_t m_job = 0;
    std::vector<std::unique_ptr<Lane>> m_lanes;
    size_t m_lanesEnded = 0;
    Scorecard m_scorecard;
};

} // namespace ikkai::app
