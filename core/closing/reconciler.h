#pragma once

#include "core/closing/charge_list.h"
#include "core/closing/closing_desk.h"
#include "core/closing/closing_settings.h"
#include "core/closing/reconcile.h"
#include "core/domain/clock.h"

#include <QtCore/QObject>
#include <QtCore/QSet>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ikkai {

class OurRows;
struct JournalError;

/// One reconciliation at a time, from the bank's first page to the last inquiry: reads the bank's list, then the
/// journal (so that what the bank told is known here by then), compares, reads the rows that differ again on both sides
/// and asks the bank once for each of their keys, and for each checkout that is open here without a charge there.
/// Moves no money and writes nothing. Lives on one thread, with `list`; its steps yield to the event loop.
class Reconciler final : public QObject {
    Q_OBJECT

public:
    /// `clock` and `list` must outlive this.
    Reconciler(ClosingSettings settings, const Clock &clock, ChargeList &list, QObject *parent = nullptr);
    ~Reconciler() override;

    [[nodiscard]] bool isRunning() const { return m_run != nullptr; }
    /// Ends in exactly one of finished, failed, or `cancelled` after cancel(). Not while one is running.
    void start(const ReconcileRequest &request);
    /// Soon: `cancelled`, unless it has ended by then.
    void cancel();

Q_SIGNALS:
    void progressed(const ikkai::ReconcileProgress &progress);
    void finished(const ikkai::Reconciliation &reconciliation);
    void cancelled();
    void failed(const QString &what);

private:
    struct Run;
    struct Span {
        qint64 fromWallMs = 0;
        qint64 toWallMs = 0;
    };
    using Step = void (Reconciler::*)();

    /// Runs a step from the event loop, unless this run has ended by then.
    void next(Step step);
    void end();
    void fail(const QString &what);
    bool failedOn(const std::optional<JournalError> &error);
    void tell(ReconcileProgress::Phase phase, qint64 done, qint64 total);

    void begin();
    void takePage(const QList<BankChargeRow> &rows);
    void takeEnd(const ChargeListEnd &end);
    void takeFailure(const ChargeListError &error);
    void takeInquiry(const KeyInquiry &answer);

    void readJournal();
    void compare();
    void readBankAgain();
    void askForKeys();
    void finish();

    std::optional<JournalError> withRows(const std::function<std::optional<JournalError>(OurRows &)> &work);
    [[nodiscard]] ReconcileSettings comparison() const;
    [[nodiscard]] bool isInQuestion(const BankChargeRow &row) const;
    [[nodiscard]] bool isInQuestion(const OurRow &row) const;
    void putInQuestion();
    [[nodiscard]] std::vector<Span> spansToReadAgain() const;
    void addWhatInquiriesTold(const std::vector<OurRow> &ours, std::vector<BankChargeRow> &theirs) const;
    void confirm(Difference &difference) const;

    ClosingSettings m_settings;
    const Clock &m_clock;
    ChargeList &m_list;
    std::unique_ptr<Run> m_run;
    quint64 m_runs = 0; ///< that were begun
};

} // namespace ikkai
