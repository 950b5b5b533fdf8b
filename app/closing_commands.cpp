#include "app/closing_commands.h"

#include "app/bank_at_hand.h"
#include "app/event_lines.h"
#include "app/journal_door.h"
#include "app/print.h"
#include "core/closing/charge_list_client.h"
#include "core/closing/closing_service.h"
#include "core/closing/day_report_codec.h"
#include "core/closing/reconciliation_codec.h"
#include "core/domain/random.h"
#include "core/journal/sqlite_journal.h"
#include "mock-server/options.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFileInfo>
#include <QtCore/QTimer>

#include <chrono>
#include <utility>

namespace ikkai::app {

namespace {

constexpr int notReadExit = 12;
constexpr std::chrono::milliseconds untilOldEnough{5'000}; ///< younger rows are held back: they may be on their way

QString sumOf(qint64 minor, Currency currency)
{
    return QStringLiteral("%1 %2").arg(minor).arg(currency.code());
}

QString sentenceOf(const Difference &difference)
{
    QString words = QStringLiteral("%1: order %2, key %3, bank minus here %4")
                        .arg(wordOf(difference.kind), difference.orderId, difference.key,
                             sumOf(difference.bankMinusHereMinor, difference.currency));
    if (difference.ours)
        words += QStringLiteral("; here %1").arg(difference.ours->state);
    if (!difference.wouldSettleAs.isEmpty())
        words += QStringLiteral("; payment-terminal recover settles it as %1").arg(difference.wouldSettleAs);
    if (difference.confirmation != Confirmation::ByInquiry)
        words += QStringLiteral(" (not confirmed by inquiry)");
    return words;
}

void tellReconciliation(const Reconciliation &found, const Options &options)
{
    if (options.json) {
        QJsonObject line =
            QJsonDocument::fromJson(reconciliationJson(found, QString::fromUtf8(options.calendar.zone.id()))).object();
        line.insert(QStringLiteral("event"), QStringLiteral("reconciled"));
        return printLine(line);
    }
    for (const Difference &difference : found.differences)
        printLine(sentenceOf(difference));
    printLine(QStringLiteral("%1 charges at the bank, %2 checkouts here, %3 agree, %4 younger than 5 s; %5")
                  .arg(found.bankRows)
                  .arg(found.ourRows)
                  .arg(found.agreeCount)
                  .arg(found.heldBack)
                  .arg(found.differences.isEmpty() ? QStringLiteral("no difference.")
                                                   : QStringLiteral("%1 differences.").arg(found.differences.size())));
}

/// One reconciliation, told, and written to a file where that is wanted. Lives on the main thread.
class ReconcileStory : public QObject {
public:
    ReconcileStory(ClosingService &desk, const Options &options)
        : m_desk(desk)
        , m_options(options)
    {
        connect(&desk, &ClosingDesk::reconciled, this, [this](const Reconciliation &found) {
            // A script that reconciles right after it has charged wants those charges compared, not skipped.
            if (found.heldBack > 0 && !std::exchange(m_waited, true)) {
                QTimer::singleShot(untilOldEnough, this, [this] { begin(); });
                return;
            }
            tellReconciliation(found, m_options);
            m_exit = found.differences.isEmpty() ? 0 : differencesFound;
            if (m_options.outputFile.isEmpty())
                QCoreApplication::exit(m_exit);
            else
                m_desk.exportReconciliation(m_options.format, m_options.outputFile);
        });
        connect(&desk, &ClosingDesk::exported, this, [this] { QCoreApplication::exit(m_exit); });
        connect(&desk, &ClosingDesk::failed, this, [](const QString &what, ClosingStep step) {
            QCoreApplication::exit(complain({step == ClosingStep::Reconcile ? notReadExit : 1, what}));
        });
    }

    void begin()
    {
        ReconcileRequest request;
        if (m_options.fromDay)
            request.fromWallMs = businessDayStartMs(m_options.calendar, *m_options.fromDay);
        if (m_options.toDay)
            request.toWallMs = businessDayStartMs(m_options.calendar, m_options.toDay->addDays(1));
        m_desk.reconcile(request);
    }

private:
    ClosingService &m_desk;
    const Options &m_options;
    bool m_waited = false;
    int m_exit = 0;
};

void tellReport(const DayReport &report, const Options &options)
{
    if (options.json) {
        QJsonObject line = QJsonDocument::fromJson(dayReportJson(report)).object();
        line.insert(QStringLiteral("event"), QStringLiteral("day_closed"));
        return printLine(line);
    }
    printLine(QStringLiteral("Report %1, %2, %3:")
                  .arg(report.number)
                  .arg(report.businessDay.toString(Qt::ISODate), report.terminalId));
    for (const DayTotal &total : report.totals)
        printLine(QStringLiteral("  %1: %2, %3")
                      .arg(total.outcome)
                      .arg(total.count)
                      .arg(sumOf(total.sumMinor, total.currency)));
    for (const DayLine &line : report.carried)
        printLine(QStringLiteral("  still open: %1 %2 (ref %3), %4")
                      .arg(line.order.text(), format(line.money), line.key.lastFour(), line.state));
    for (const DayLine &line : report.remarks)
        printLine(QStringLiteral("  look at: %1 %2 (ref %3), %4: %5")
                      .arg(line.order.text(), format(line.money), line.key.lastFour(), line.state, line.note));
}

/// None: the journal is there and can be read.
std::optional<Stop> reasonAgainst(const QString &journal)
{
    const auto opened = SqliteJournal::open(journal, SqliteJournal::Access::ReadOnly);
    if (opened)
        return {};
    return stopFor(opened.error());
}

} // namespace

int runReconcile(const Options &options)
{
    if (const auto stop = reasonAgainst(options.journal))
        return complain(*stop);
    if (options.server.isEmpty() && !QFileInfo::exists(options.bankStore))
        return complain(
            {2, QStringLiteral("reconcile: --server names no bank, and %1, the embedded bank's store, is not "
                               "there")
                    .arg(options.bankStore)});
    auto embedded = BankAtHand::embeddedOf(options);
    embedded.bank.instance = QStringLiteral("reconcile"); // the till's own bank may be at the same store
    const auto bank = BankAtHand::open(options, embedded);
    if (!bank)
        return complain(bank.error());
    const SystemClock clock;
    SystemRandom random;
    ClosingService desk(
        {options.journal, options.calendar, options.terminalId}, clock,
        std::make_unique<ChargeListClient>(
            ChargeListClientSettings{(*bank)->url(), (*bank)->apiKey(), (*bank)->authorities()}, random));
    ReconcileStory story(desk, options);
    QMetaObject::invokeMethod(
        &story, [&story] { story.begin(); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

int runCloseDay(const Options &options)
{
    if (const auto stop = reasonAgainst(options.journal)) // a slip of the pen must not make a journal
        return complain(*stop);
    const auto lock = lockJournal(options.journal);
    if (!lock) {
        Stop stop = lock.error();
        stop.line += QStringLiteral(" While the till is running, close the day in its window.");
        return complain(stop);
    }
    const SystemClock clock;
    ClosingService desk({options.journal, options.calendar, options.terminalId}, clock, nullptr);
    QObject::connect(&desk, &ClosingDesk::dayClosed, &desk, [&options](const DayReport &report) {
        tellReport(report, options);
        QCoreApplication::exit(0);
    });
    QObject::connect(&desk, &ClosingDesk::failed, &desk, [](const QString &what) {
        QCoreApplication::exit(complain({3, what}));
    });
    QMetaObject::invokeMethod(
        &desk, [&desk] { desk.closeDay(); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace ikkai::app
