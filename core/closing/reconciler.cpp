#include "core/closing/reconciler.h"

#include "core/closing/our_rows.h"
#include "core/journal/sqlite_connection.h"

#include <QtCore/QMap>

#include <algorithm>
#include <iterator>

namespace ikkai {

namespace reconciler {

using Sums = QList<std::pair<Currency, qint64>>;

/// What agreed, without what was in question then and with what agrees of it now.
Sums sumsAfter(const Sums &all, const Sums &before, const Sums &now)
{
    QMap<QString, std::pair<Currency, qint64>> sums;
    const auto add = [&sums](const Sums &some, int sign) {
        for (const auto &[currency, amountMinor] : some)
            sums.insert(currency.code(),
                        {currency, sums.value(currency.code(), {currency, 0}).second + sign * amountMinor});
    };
    add(all, 1);
    add(before, -1);
    add(now, 1);
    Sums left;
    for (const auto &sum : std::as_const(sums)) {
        if (sum.second != 0)
            left.append(sum);
    }
    return left;
}

} // namespace reconciler

/// All of one reconciliation.
struct Reconciler::Run {
    ReconcileRequest request;
    QString ledgerId;
    Stamp startedAt;
    qint64 expectedRows = 0; ///< of the bank: as many as started here
    qint64 bankNowWallMs = 0;
    qint64 readWallMs = 0; ///< when our rows were read

    std::vector<BankChargeRow> theirs;
    std::vector<OurRow> ours;
    Reconciliation first; ///< before anything was asked again

    QSet<QString> keysInQuestion;
    QSet<QString> ordersInQuestion;
    std::vector<Span> spans; ///< to read again, last one first
    bool isReadingAgain = false;
    std::vector<BankChargeRow> again;
    QSet<QString> keysToAsk;
    QHash<QString, KeyInquiry> told; ///< by key
    qint64 confirmSteps = 0;
};

Reconciler::Reconciler(ClosingSettings settings, const Clock &clock, ChargeList &list, QObject *parent)
    : QObject(parent)
    , m_settings(std::move(settings))
    , m_clock(clock)
    , m_list(list)
{
    connect(&list, &ChargeList::pageRead, this, &Reconciler::takePage);
    connect(&list, &ChargeList::finished, this, &Reconciler::takeEnd);
    connect(&list, &ChargeList::failed, this, &Reconciler::takeFailure);
    connect(&list, &ChargeList::inquired, this, &Reconciler::takeInquiry);
}

Reconciler::~Reconciler() = default;

void Reconciler::start(const ReconcileRequest &request)
{
    m_run = std::make_unique<Run>();
    m_run->request = request;
    m_run->startedAt = m_clock.now();
    ++m_runs;
    next(&Reconciler::begin);
}

void Reconciler::cancel()
{
    next(&Reconciler::end); // never from inside a step, which needs its run
}

void Reconciler::end()
{
    m_run.reset();
    m_list.cancel();
    Q_EMIT cancelled();
}

void Reconciler::next(Step step)
{
    QMetaObject::invokeMethod(
        this,
        [this, step, run = m_runs] {
            if (m_run && m_runs == run)
                (this->*step)();
        },
        Qt::QueuedConnection);
}

void Reconciler::fail(const QString &what)
{
    m_run.reset();
    m_list.cancel();
    Q_EMIT failed(what);
}

bool Reconciler::failedOn(const std::optional<JournalError> &error)
{
    if (error)
        fail(describe(*error));
    return error.has_value();
}

void Reconciler::tell(ReconcileProgress::Phase phase, qint64 done, qint64 total)
{
    Q_EMIT progressed({phase, done, total});
}

std::optional<JournalError> Reconciler::withRows(const std::function<std::optional<JournalError>(OurRows &)> &work)
{
    SqliteConnection database(m_settings.journalFile, JournalAccess::ReadOnly);
    if (auto error = database.open())
        return error;
    OurRows rows(database);
    rows.useLedger(m_run->ledgerId);
    return database.snapshot([&] { return work(rows); });
}

void Reconciler::begin()
{
    const ReconcileRequest asked = m_run->request;
    if (asked.fromWallMs < 0 || asked.toWallMs < 0 || (asked.toWallMs != 0 && asked.toWallMs <= asked.fromWallMs))
        return fail(QStringLiteral("The end of the time to compare is not after its beginning."));
    const auto error = withRows([this](OurRows &rows) -> std::optional<JournalError> {
        const auto ledger = rows.newestLedger();
        if (!ledger)
            return ledger.error();
        m_run->ledgerId = ledger.value();
        if (m_run->request.fromWallMs == 0) {
            const auto from = rows.defaultFromWallMs(m_settings.calendar);
            if (!from)
                return from.error();
            m_run->request.fromWallMs = from.value();
        }
        const auto count = rows.countStarted(m_run->request.fromWallMs, m_run->request.toWallMs);
        if (!count)
            return count.error();
        m_run->expectedRows = count.value();
        return std::nullopt;
    });
    if (failedOn(error))
        return;
    tell(ReconcileProgress::Phase::ReadingTheBank, 0, m_run->expectedRows);
    ChargeListRequest request;
    request.expectLedger = m_run->ledgerId;
    request.fromWallMs = m_run->request.fromWallMs;
    request.toWallMs = m_run->request.toWallMs;
    m_list.read(request);
}

void Reconciler::takePage(const QList<BankChargeRow> &rows)
{
    if (!m_run)
        return;
    if (m_run->isReadingAgain) {
        for (const BankChargeRow &row : rows) {
            if (isInQuestion(row))
                m_run->again.push_back(row);
        }
        return;
    }
    m_run->theirs.insert(m_run->theirs.end(), rows.begin(), rows.end());
    const auto done = static_cast<qint64>(m_run->theirs.size());
    tell(ReconcileProgress::Phase::ReadingTheBank, done, std::max(done, m_run->expectedRows));
}

void Reconciler::takeEnd(const ChargeListEnd &end)
{
    if (!m_run)
        return;
    if (m_run->isReadingAgain)
        return next(&Reconciler::readBankAgain);
    m_run->bankNowWallMs = end.bankWallMs;
    if (m_run->ledgerId.isEmpty())
        m_run->ledgerId = end.ledgerId;
    next(&Reconciler::readJournal);
}

void Reconciler::takeFailure(const ChargeListError &error)
{
    if (m_run)
        fail(error.detail);
}

void Reconciler::readJournal()
{
    using Phase = ReconcileProgress::Phase;
    tell(Phase::ReadingTheJournal, 0, 0);
    std::vector<OurRow> ours;
    const auto error = withRows([&](OurRows &rows) -> std::optional<JournalError> {
        const auto told = [this](qint64 done) { tell(Phase::ReadingTheJournal, done, 0); };
        if (auto failure = rows.readStarted(m_run->request.fromWallMs, m_run->request.toWallMs, ours, told))
            return failure;
        // What the bank has and this range has not: sold before it, or never here.
        QSet<QString> known;
        known.reserve(static_cast<qsizetype>(ours.size()));
        for (const OurRow &row : ours)
            known.insert(row.key);
        QSet<QString> missing;
        for (const BankChargeRow &row : m_run->theirs) {
            if (!known.contains(row.key))
                missing.insert(row.key);
        }
        const size_t before = ours.size();
        if (auto failure = rows.readKeys(missing, ours))
            return failure;
        for (size_t i = before; i < ours.size(); ++i)
            missing.remove(ours[i].key);
        // A charge under a key that is not ours may be the second one of an order that is.
        QSet<QString> orders;
        for (const BankChargeRow &row : m_run->theirs) {
            if (missing.contains(row.key) && (row.terminalId.isEmpty() || row.terminalId == m_settings.terminalId))
                orders.insert(row.orderId);
        }
        std::vector<OurRow> ofOrders;
        if (auto failure = rows.readOrders(orders, ofOrders))
            return failure;
        for (size_t i = before; i < ours.size(); ++i)
            known.insert(ours[i].key);
        for (OurRow &row : ofOrders) {
            if (!known.contains(row.key))
                ours.push_back(std::move(row));
        }
        return std::nullopt;
    });
    if (failedOn(error))
        return;
    m_run->ours = std::move(ours);
    m_run->readWallMs = m_clock.now().wallMs;
    next(&Reconciler::compare);
}

ReconcileSettings Reconciler::comparison() const
{
    ReconcileSettings settings;
    settings.terminalId = m_settings.terminalId;
    settings.fromWallMs = m_run->request.fromWallMs;
    settings.toWallMs = m_run->request.toWallMs;
    settings.nowWallMs = m_run->readWallMs;
    settings.bankNowWallMs = m_run->bankNowWallMs;
    return settings;
}

void Reconciler::compare()
{
    tell(ReconcileProgress::Phase::Comparing, 0, 0);
    m_run->first = reconcile(m_run->ours, m_run->theirs, comparison());
    putInQuestion();
    m_run->spans = spansToReadAgain();
    m_run->confirmSteps = static_cast<qint64>(m_run->spans.size()) + m_run->keysToAsk.size();
    m_run->isReadingAgain = true;
    next(&Reconciler::readBankAgain);
}

/// Each difference with all that has to do with its orders and keys, and what is open here.
void Reconciler::putInQuestion()
{
    Run &run = *m_run;
    for (const Difference &difference : std::as_const(run.first.differences)) {
        run.keysToAsk.insert(difference.key);
        run.keysInQuestion.insert(difference.key);
        run.ordersInQuestion.insert(difference.orderId);
        for (const BankChargeRow &row : difference.theirs) {
            run.keysInQuestion.insert(row.key);
            run.ordersInQuestion.insert(row.orderId);
        }
    }
    static const QStringList asksForIt{QStringLiteral("unknown"), QStringLiteral("sending"), QStringLiteral("waiting")};
    const ReconcileSettings settings = comparison();
    for (const OurRow &row : run.ours) {
        // What was declined or prevented is in no list of charges: only an inquiry tells it.
        if (!asksForIt.contains(row.state) || row.createdWallMs > settings.nowWallMs - settings.holdBackMs)
            continue;
        run.keysToAsk.insert(row.key);
        run.keysInQuestion.insert(row.key);
        run.ordersInQuestion.insert(row.orderId);
    }
    // Whole keys, so that half of one is never compared.
    QSet<QString> more;
    for (const OurRow &row : run.ours) {
        if (run.ordersInQuestion.contains(row.orderId))
            more.insert(row.key);
    }
    for (const BankChargeRow &row : run.theirs) {
        if (run.ordersInQuestion.contains(row.orderId))
            more.insert(row.key);
    }
    run.keysInQuestion.unite(more);
}

bool Reconciler::isInQuestion(const BankChargeRow &row) const
{
    return m_run->keysInQuestion.contains(row.key) || m_run->ordersInQuestion.contains(row.orderId);
}

bool Reconciler::isInQuestion(const OurRow &row) const
{
    return m_run->keysInQuestion.contains(row.key) || m_run->ordersInQuestion.contains(row.orderId);
}

/// The moments at which the bank's rows of the differences were made; one span over all of them where there are many.
std::vector<Reconciler::Span> Reconciler::spansToReadAgain() const
{
    std::vector<Span> spans;
    for (const Difference &difference : m_run->first.differences) {
        for (const BankChargeRow &row : difference.theirs)
            spans.push_back({row.createdWallMs, row.createdWallMs + 1});
    }
    std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.fromWallMs < b.fromWallMs; });
    const auto isSame = [](const Span &a, const Span &b) { return a.fromWallMs == b.fromWallMs; };
    spans.erase(std::unique(spans.begin(), spans.end(), isSame), spans.end());
    constexpr size_t mostSpans = 32;
    if (spans.size() > mostSpans)
        return {{spans.front().fromWallMs, spans.back().toWallMs}};
    return spans;
}

void Reconciler::readBankAgain()
{
    using Phase = ReconcileProgress::Phase;
    const qint64 left = static_cast<qint64>(m_run->spans.size()) + m_run->keysToAsk.size();
    tell(Phase::Confirming, m_run->confirmSteps - left, m_run->confirmSteps);
    if (m_run->spans.empty())
        return askForKeys();
    const Span span = m_run->spans.back();
    m_run->spans.pop_back();
    ChargeListRequest request;
    request.expectLedger = m_run->ledgerId;
    request.fromWallMs = span.fromWallMs;
    request.toWallMs = span.toWallMs;
    m_list.read(request);
}

void Reconciler::askForKeys()
{
    if (m_run->keysToAsk.isEmpty())
        return next(&Reconciler::finish);
    const QSet<QString> keys = m_run->keysToAsk;
    const QString ledgerId = m_run->ledgerId;
    for (const QString &key : keys)
        m_list.inquire(key, ledgerId);
}

void Reconciler::takeInquiry(const KeyInquiry &answer)
{
    if (!m_run || m_run->told.contains(answer.key))
        return;
    m_run->told.insert(answer.key, answer);
    const qint64 left = m_run->keysToAsk.size() - m_run->told.size();
    tell(ReconcileProgress::Phase::Confirming, m_run->confirmSteps - left, m_run->confirmSteps);
    if (left == 0)
        next(&Reconciler::finish);
}

/// What the bank says of a key for which its list has no charge, in the form of a row.
void Reconciler::addWhatInquiriesTold(const std::vector<OurRow> &ours, std::vector<BankChargeRow> &theirs) const
{
    QSet<QString> listed;
    for (const BankChargeRow &row : theirs)
        listed.insert(row.key);
    for (const OurRow &row : ours) {
        const KeyInquiry told = m_run->told.value(row.key);
        if (!told.charge || listed.contains(row.key))
            continue;
        const BankCharge &charge = *told.charge;
        const bool wasNotCharged = charge.voided == VoidResult::NotCharged;
        const QString status = wasNotCharged ? QStringLiteral("declined") : charge.status;
        theirs.push_back({charge.chargeId, status, row.key, charge.orderId, charge.amountMinor, charge.currency,
                          m_settings.terminalId, row.createdWallMs, charge.voided == VoidResult::Reversed});
    }
}

void Reconciler::confirm(Difference &difference) const
{
    const auto told = m_run->told.constFind(difference.key);
    if (told == m_run->told.constEnd()) { // it came up only now
        difference.confirmation = Confirmation::NoAnswer;
        return;
    }
    switch (told->what) {
    case KeyInquiry::What::Found:
    case KeyInquiry::What::NeverSeen:
        difference.confirmation = Confirmation::ByInquiry;
        break;
    case KeyInquiry::What::NotOffered:
        difference.confirmation = Confirmation::NotOffered;
        break;
    case KeyInquiry::What::InProgress:
    case KeyInquiry::What::NoAnswer:
        difference.confirmation = Confirmation::NoAnswer;
        break;
    }
    // Only an inquiry settles it, so what inquiries do not say is not promised.
    if (told->what == KeyInquiry::What::NeverSeen || told->what == KeyInquiry::What::NotOffered)
        difference.wouldSettleAs.clear();
    else if (told->charge && !difference.wouldSettleAs.isEmpty())
        difference.wouldSettleAs =
            told->charge->voided == VoidResult::NotCharged ? QStringLiteral("declined") : told->charge->status;
}

void Reconciler::finish()
{
    Run &run = *m_run;
    std::vector<OurRow> oursBefore;
    std::copy_if(run.ours.begin(), run.ours.end(), std::back_inserter(oursBefore),
                 [this](const OurRow &row) { return isInQuestion(row); });
    std::vector<BankChargeRow> theirsBefore;
    std::copy_if(run.theirs.begin(), run.theirs.end(), std::back_inserter(theirsBefore),
                 [this](const BankChargeRow &row) { return isInQuestion(row); });
    const Reconciliation before = reconcile(oursBefore, theirsBefore, comparison());

    // The newest word of both sides on what is in question.
    std::vector<OurRow> ours;
    const auto error = withRows([&](OurRows &rows) {
        QSet<QString> keys;
        for (const OurRow &row : oursBefore)
            keys.insert(row.key);
        return rows.readKeys(keys, ours);
    });
    if (failedOn(error))
        return;
    QSet<QString> readAgain;
    for (const BankChargeRow &row : run.again)
        readAgain.insert(row.chargeId);
    std::vector<BankChargeRow> theirs = run.again;
    std::copy_if(theirsBefore.begin(), theirsBefore.end(), std::back_inserter(theirs),
                 [&readAgain](const BankChargeRow &row) { return !readAgain.contains(row.chargeId); });
    addWhatInquiriesTold(ours, theirs);
    Reconciliation now = reconcile(ours, theirs, comparison());

    Reconciliation result = run.first;
    result.differences = std::move(now.differences);
    for (Difference &difference : result.differences)
        confirm(difference);
    result.agreeCount += now.agreeCount - before.agreeCount;
    result.heldBack += now.heldBack - before.heldBack;
    result.agreeSums = reconciler::sumsAfter(run.first.agreeSums, before.agreeSums, now.agreeSums);
    const Stamp end = m_clock.now();
    result.checkedWallMs = end.wallMs;
    result.tookMs = end.monotonicMs - run.startedAt.monotonicMs;
    if (result.toWallMs == 0)
        result.toWallMs = run.startedAt.wallMs;
    m_run.reset();
    Q_EMIT finished(result);
}

} // namespace ikkai
