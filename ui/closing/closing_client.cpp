#include "ui/closing/closing_client.h"

#include "ui/i18n/store_time.h"

#include <algorithm>

namespace ikkai {

namespace {

/// A question that nobody answered for so long may be asked again by hand; the service asks on by itself anyway.
constexpr qint64 patienceWithBankMs = 10'000;
/// Payments go on while the page is on the screen: not every one of them reads the report anew.
constexpr qint64 betweenPreviewsMs = 1'000;

bool isOpenHere(const Difference &difference)
{
    return difference.kind == DifferenceKind::OpenHere;
}

} // namespace

ExportFormat formatOfFile(const QString &file)
{
    return file.endsWith(QLatin1StringView(".json"), Qt::CaseInsensitive) ? ExportFormat::Json : ExportFormat::Csv;
}

void SumsByCurrency::add(const Currency &currency, qint64 amountMinor)
{
    const auto has = [&currency](const auto &sum) { return sum.first == currency; };
    const auto found = std::find_if(m_sums.begin(), m_sums.end(), has);
    if (found == m_sums.end())
        m_sums.append({currency, amountMinor});
    else
        found->second += amountMinor;
}

ClosingClient::ClosingClient(ClosingDesk *desk, CheckoutService *service, const Clock &clock, QObject *parent)
    : QObject(parent)
    , m_clock(clock)
{
    // Queued always, also where both live on one thread: the same order of things in the till and in its tests.
    connect(this, &ClosingClient::previewWanted, desk, &ClosingDesk::preview, Qt::QueuedConnection);
    connect(this, &ClosingClient::closeWanted, desk, &ClosingDesk::closeDay, Qt::QueuedConnection);
    connect(this, &ClosingClient::reportsWanted, desk, &ClosingDesk::listReports, Qt::QueuedConnection);
    connect(this, &ClosingClient::reportWanted, desk, &ClosingDesk::readReport, Qt::QueuedConnection);
    connect(this, &ClosingClient::exportReportWanted, desk, &ClosingDesk::exportReport, Qt::QueuedConnection);
    connect(this, &ClosingClient::reconcileWanted, desk, &ClosingDesk::reconcile, Qt::QueuedConnection);
    connect(this, &ClosingClient::cancelWanted, desk, &ClosingDesk::cancelReconcile, Qt::QueuedConnection);
    connect(this, &ClosingClient::exportReconciliationWanted, desk, &ClosingDesk::exportReconciliation,
            Qt::QueuedConnection);
    connect(this, &ClosingClient::checkWanted, service, &CheckoutService::checkNow, Qt::QueuedConnection);
    hearDesk(desk);
    hearService(service);
}

void ClosingClient::hearDesk(ClosingDesk *desk)
{
    const auto hear = [this, desk](auto signal, auto then) { connect(desk, signal, this, then, Qt::QueuedConnection); };
    hear(&ClosingDesk::previewRead, [this](const DayReport &report) {
        m_preview = report;
        end(ClosingStep::Preview);
    });
    hear(&ClosingDesk::dayClosed, [this](const DayReport &report) {
        m_closed = report;
        m_previewIsStale = true;
        m_previewAskedMs = 0;
        end(ClosingStep::CloseDay);
        readPreview();
        listReports();
        Q_EMIT dayClosed(report);
    });
    hear(&ClosingDesk::reportsRead, [this](const QList<DayReportHead> &reports) {
        m_reports = reports;
        end(ClosingStep::ListReports);
    });
    hear(&ClosingDesk::reportRead, [this](const DayReport &report) {
        if (report.number != m_wantedNumber)
            return; // somebody went on to another one meanwhile
        m_opened = report;
        end(ClosingStep::ReadReport);
    });
    hear(&ClosingDesk::progressed, [this](const ReconcileProgress &progress) {
        if (m_run != Run::Running)
            return;
        m_progress = progress;
        Q_EMIT changed();
    });
    hear(&ClosingDesk::reconciled, [this](const Reconciliation &made) { takeReconciliation(made); });
    hear(&ClosingDesk::cancelled, [this] {
        m_run = Run::Cancelled;
        end(ClosingStep::Reconcile);
    });
    hear(&ClosingDesk::exported, [this](const QString &file) {
        m_waiting.remove(ClosingStep::ExportReport);
        m_waiting.remove(ClosingStep::ExportReconciliation);
        Q_EMIT written(file);
        Q_EMIT changed();
    });
    hear(&ClosingDesk::failed, [this](const QString &what, ClosingStep step) { takeFailure(what, step); });
}

void ClosingClient::hearService(CheckoutService *service)
{
    connect(service, &CheckoutService::checkoutChanged, this, &ClosingClient::takeCheckout, Qt::QueuedConnection);
    connect(service, &CheckoutService::inquiryPlanned, this, &ClosingClient::takePlan, Qt::QueuedConnection);
}

const Settling *ClosingClient::settling(const QString &key) const
{
    const auto found = m_settling.constFind(key);
    return found == m_settling.constEnd() ? nullptr : &*found;
}

int ClosingClient::canBeSettled() const
{
    if (!m_reconciliation)
        return 0;
    const auto waits = [this](const Difference &difference) {
        const Settling *settled = settling(difference.key);
        return isOpenHere(difference) && !(settled && settled->state == Settling::State::Settled);
    };
    return static_cast<int>(
        std::count_if(m_reconciliation->differences.cbegin(), m_reconciliation->differences.cend(), waits));
}

/// False: one is on its way already.
bool ClosingClient::begin(ClosingStep step)
{
    if (m_waiting.contains(step))
        return false;
    m_waiting.insert(step);
    m_troubles.remove(step);
    return true;
}

void ClosingClient::end(ClosingStep step)
{
    m_waiting.remove(step);
    Q_EMIT changed();
}

void ClosingClient::readPreview()
{
    if (!begin(ClosingStep::Preview))
        return;
    m_previewIsStale = false;
    m_previewAskedMs = m_clock.now().monotonicMs;
    Q_EMIT previewWanted();
    Q_EMIT changed();
}

void ClosingClient::closeDay()
{
    if (!begin(ClosingStep::CloseDay))
        return;
    m_closed.reset();
    Q_EMIT closeWanted();
    Q_EMIT changed();
}

void ClosingClient::putClosedAway()
{
    m_closed.reset();
    Q_EMIT changed();
}

void ClosingClient::listReports()
{
    begin(ClosingStep::ListReports);
    Q_EMIT reportsWanted(); // also while an answer is on its way: that one may be older than the last closing
}

void ClosingClient::openReport(int number)
{
    m_opened.reset();
    m_wantedNumber = number;
    begin(ClosingStep::ReadReport);
    Q_EMIT reportWanted(number);
    Q_EMIT changed();
}

void ClosingClient::leaveReport()
{
    m_opened.reset();
    m_wantedNumber = 0;
    m_waiting.remove(ClosingStep::ReadReport);
    m_troubles.remove(ClosingStep::ReadReport);
    Q_EMIT changed();
}

void ClosingClient::exportReport(int number, const QString &file)
{
    if (begin(ClosingStep::ExportReport))
        Q_EMIT exportReportWanted(number, formatOfFile(file), file);
}

/// Payments that were open before this day began are looked for at the bank, too: the list begins with the oldest.
ReconcileRequest ClosingClient::range() const
{
    const BusinessCalendar &calendar = store::calendar();
    const QDate day = m_preview ? m_preview->businessDay : businessDayOf(calendar, m_clock.now().wallMs);
    ReconcileRequest request;
    request.fromWallMs = businessDayStartMs(calendar, day);
    if (!m_preview)
        return request;
    for (const auto &lines : {m_preview->carried, m_preview->carriedIn}) {
        for (const DayLine &line : lines)
            request.fromWallMs = std::min(request.fromWallMs, line.startedWallMs);
    }
    return request;
}

void ClosingClient::reconcile()
{
    if (!begin(ClosingStep::Reconcile))
        return;
    m_run = Run::Running;
    m_progress = {};
    Q_EMIT reconcileWanted(range());
    Q_EMIT changed();
}

void ClosingClient::cancelReconcile()
{
    if (m_run == Run::Running)
        Q_EMIT cancelWanted();
}

void ClosingClient::takeReconciliation(const Reconciliation &reconciliation)
{
    m_reconciliation = reconciliation;
    ++m_made;
    m_settling.clear();
    m_run = Run::Done;
    end(ClosingStep::Reconcile);
}

void ClosingClient::exportReconciliation(const QString &file)
{
    if (begin(ClosingStep::ExportReconciliation))
        Q_EMIT exportReconciliationWanted(formatOfFile(file), file);
}

void ClosingClient::takeFailure(const QString &what, ClosingStep step)
{
    if (step == ClosingStep::Unnamed) {
        const QList<ClosingStep> waiting = m_waiting.values();
        const auto other =
            std::find_if(waiting.begin(), waiting.end(), [](ClosingStep one) { return one != ClosingStep::Reconcile; });
        step = other == waiting.end() ? ClosingStep::Reconcile : *other;
    }
    m_troubles.insert(step, what);
    if (step == ClosingStep::Reconcile)
        m_run = Run::NotDone;
    if (step == ClosingStep::ExportReport || step == ClosingStep::ExportReconciliation)
        Q_EMIT notWritten(what);
    end(step);
}

void ClosingClient::settle(const QString &key)
{
    const auto parsed = IdempotencyKey::parse(key);
    const Settling *before = settling(key);
    if (!parsed || (before && before->state != Settling::State::NoWordYet))
        return;
    m_settling.insert(key, {Settling::State::Asking, {}, 0, m_clock.now().monotonicMs});
    Q_EMIT checkWanted(*parsed);
    Q_EMIT changed();
}

void ClosingClient::settleAll()
{
    if (!m_reconciliation)
        return;
    for (const Difference &difference : m_reconciliation->differences) {
        if (isOpenHere(difference))
            settle(difference.key);
    }
}

void ClosingClient::takeCheckout(const Checkout &checkout, bool recorded)
{
    if (!recorded)
        return;
    m_previewIsStale = true;
    if (!isFinal(checkout.state) || !m_reconciliation)
        return;
    // Also where it was settled elsewhere in the window: the row says what came of it.
    const QString key = checkout.key.text();
    const auto isRow = [&key](const Difference &one) { return isOpenHere(one) && one.key == key; };
    if (!std::any_of(m_reconciliation->differences.cbegin(), m_reconciliation->differences.cend(), isRow))
        return;
    const Settling *before = settling(key);
    if (before && before->state == Settling::State::Settled)
        return;
    m_settling.insert(key, {Settling::State::Settled, outcomeWord(checkout.state), m_clock.now().wallMs, 0});
    Q_EMIT changed();
}

void ClosingClient::takePlan(const InquiryPlan &plan)
{
    const auto found = m_settling.find(plan.key.text());
    if (found == m_settling.end() || found->state != Settling::State::Asking || plan.underWay || !plan.lastAnswer)
        return;
    *found = {Settling::State::NoWordYet, {}, m_clock.now().wallMs, 0};
    Q_EMIT changed();
}

void ClosingClient::tick(bool isOnScreen)
{
    const qint64 nowMs = m_clock.now().monotonicMs;
    bool some = false;
    for (Settling &settling : m_settling) {
        if (settling.state != Settling::State::Asking || nowMs - settling.askedMonotonicMs < patienceWithBankMs)
            continue;
        settling = {Settling::State::NoWordYet, {}, m_clock.now().wallMs, 0};
        some = true;
    }
    if (some)
        Q_EMIT changed();
    if (isOnScreen && m_previewIsStale && nowMs - m_previewAskedMs >= betweenPreviewsMs)
        readPreview();
}

} // namespace ikkai
