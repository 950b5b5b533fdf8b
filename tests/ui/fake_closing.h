#pragma once

#include "core/closing/closing_desk.h"

#include <QtCore/QStringList>
#include <QtCore/QTimeZone>

namespace ikkai::test {

/// A closing desk that answers from values the test sets, when the test says so.
class FakeClosing final : public ClosingDesk {
    Q_OBJECT

public:
    DayReport day;            ///< what closing would report now
    QList<DayReport> reports; ///< closed ones, newest first
    QStringList calls;        ///< what was asked, in order
    ReconcileRequest range;   ///< of the last reconciliation
    QString refuses;          ///< not empty: closing, reading and writing answer this sentence

    FakeClosing()
    {
        day.businessDay = QDate(2026, 5, 14);
        day.terminalId = QStringLiteral("till-1");
        day.zone = QStringLiteral("Asia/Tokyo");
    }

    static DayLine line(int n, const QString &order, qint64 amountMinor, const QString &state, const QString &note = {})
    {
        return {key(n),
                OrderId::parse(order).value(),
                Money::ofMinor(amountMinor, Currency::jpy()).value(),
                state,
                at(12, n),
                note};
    }
    static IdempotencyKey key(int n)
    {
        return IdempotencyKey::parse(QStringLiteral("01989c61-7e2a-7000-8000-%1").arg(n, 12, 10, QLatin1Char('0')))
            .value();
    }
    /// A moment of 14 May 2026 in Tokyo, Unix ms.
    static qint64 at(int hour, int minute, int second = 0)
    {
        const QDateTime there(QDate(2026, 5, 14), QTime(hour, minute, second), QTimeZone("Asia/Tokyo"));
        return there.toMSecsSinceEpoch();
    }
    DayReport closedOf(int number) const
    {
        for (const DayReport &report : reports) {
            if (report.number == number)
                return report;
        }
        return {};
    }
    static DayReportHead headOf(const DayReport &report)
    {
        DayReportHead head{report.number, report.businessDay, report.closedWallMs, 0,
                           static_cast<int>(report.carried.size())};
        for (const DayTotal &total : report.totals)
            head.settled += total.count;
        return head;
    }

    void preview() override
    {
        calls << QStringLiteral("preview");
        Q_EMIT previewRead(day);
    }
    void closeDay() override
    {
        calls << QStringLiteral("close");
        if (!refuses.isEmpty()) {
            Q_EMIT failed(refuses, ClosingStep::CloseDay);
            return;
        }
        DayReport closed = day;
        closed.number = reports.isEmpty() ? 1 : reports.first().number + 1;
        closed.closedWallMs = at(21, 6);
        reports.prepend(closed);
        day.businessDay = day.businessDay.addDays(1);
        day.totals.clear();
        day.carriedIn.clear();
        day.remarks.clear();
        Q_EMIT dayClosed(closed);
    }
    void listReports() override
    {
        calls << QStringLiteral("list");
        QList<DayReportHead> heads;
        for (const DayReport &report : std::as_const(reports))
            heads << headOf(report);
        Q_EMIT reportsRead(heads);
    }
    void readReport(int number) override
    {
        calls << QStringLiteral("read %1").arg(number);
        if (refuses.isEmpty())
            Q_EMIT reportRead(closedOf(number));
        else
            Q_EMIT failed(refuses, ClosingStep::ReadReport);
    }
    void exportReport(int number, ExportFormat format, const QString &file) override
    {
        calls << QStringLiteral("export %1 %2 %3").arg(number).arg(wordOf(format), file);
        if (refuses.isEmpty())
            Q_EMIT exported(file);
        else
            Q_EMIT failed(refuses, ClosingStep::ExportReport);
    }
    void reconcile(const ReconcileRequest &request) override
    {
        calls << QStringLiteral("reconcile");
        range = request;
    }
    void cancelReconcile() override
    {
        calls << QStringLiteral("cancel");
        Q_EMIT cancelled();
    }
    void exportReconciliation(ExportFormat format, const QString &file) override
    {
        calls << QStringLiteral("export reconciliation %1 %2").arg(wordOf(format), file);
        if (refuses.isEmpty())
            Q_EMIT exported(file);
        else
            Q_EMIT failed(refuses, ClosingStep::ExportReconciliation);
    }

    /// A day as the mock-ups show it: many settled, two open, some to look at.
    void fillDay()
    {
        const Currency yen = Currency::jpy();
        day.totals = {{QStringLiteral("approved"), yen, 1'284, 1'936'420},
                      {QStringLiteral("declined"), yen, 17, 48'600},
                      {QStringLiteral("not_sent"), yen, 2, 5'720},
                      {QStringLiteral("voided"), yen, 3, 64'000}};
        day.carried = {line(9, QStringLiteral("A-1009"), 3'150, QStringLiteral("unknown")),
                       line(21, QStringLiteral("A-1021"), 980, QStringLiteral("void_pending"))};
        day.carriedIn = {line(2, QStringLiteral("A-0871"), 1'200, QStringLiteral("approved"))};
        day.remarks = {line(30, QStringLiteral("A-0988"), 720, QStringLiteral("voided"), QStringLiteral("approved")),
                       line(31, QStringLiteral("A-0990"), 2'400, QStringLiteral("written_off"),
                            QStringLiteral("ledger was replaced"))};
    }
    /// The comparison of the mock-up: three for a person, two open, one of nobody.
    static Reconciliation mockUp()
    {
        Reconciliation made;
        made.fromWallMs = at(0, 0);
        made.toWallMs = at(21, 4, 10);
        made.checkedWallMs = at(21, 4, 10);
        made.tookMs = 812;
        made.agreeCount = 1'284;
        made.agreeSums = {{Currency::jpy(), 1'936'420}};
        made.heldBack = 1;
        made.differences = {difference(DifferenceKind::ChargedTwice, 1, QStringLiteral("A-0973"),
                                       QStringLiteral("approved"), 3'400, {3'400, 3'400}, 3'400),
                            difference(DifferenceKind::PaidAfterVoid, 2, QStringLiteral("A-0988"),
                                       QStringLiteral("voided"), 720, {720}, 720),
                            difference(DifferenceKind::DifferentAmount, 3, QStringLiteral("A-0991"),
                                       QStringLiteral("approved"), 1'500, {1'050}, -450),
                            difference(DifferenceKind::OpenHere, 9, QStringLiteral("A-1009"), QStringLiteral("unknown"),
                                       3'150, {3'150}, 3'150, QStringLiteral("approved")),
                            difference(DifferenceKind::OpenHere, 21, QStringLiteral("A-1021"),
                                       QStringLiteral("unknown"), 980, {}, 0, QStringLiteral("declined")),
                            difference(DifferenceKind::UnknownOrigin, 40, QString(), QString(), 0, {900}, 900)};
        made.differences[4].theirs = {charge(21, QStringLiteral("A-1021"), 980, QStringLiteral("declined"))};
        return made;
    }
    static BankChargeRow charge(int n, const QString &order, qint64 amountMinor,
                                const QString &status = QStringLiteral("approved"))
    {
        BankChargeRow row;
        row.chargeId = QStringLiteral("ch_%1").arg(n);
        row.status = status;
        row.key = key(n).text();
        row.orderId = order;
        row.amountMinor = amountMinor;
        row.currency = QStringLiteral("JPY");
        row.terminalId = order.isEmpty() ? QStringLiteral("kiosk-9") : QStringLiteral("till-1");
        row.createdWallMs = at(12, n);
        return row;
    }
    static Difference difference(DifferenceKind kind, int n, const QString &order, const QString &state, qint64 ours,
                                 const QList<qint64> &theirs, qint64 bankMinusHere, const QString &wouldSettleAs = {})
    {
        Difference made;
        made.kind = kind;
        made.key = key(n).text();
        made.orderId = order;
        if (!state.isEmpty())
            made.ours = OurRow{made.key, order, ours, QStringLiteral("JPY"), state, at(12, n)};
        for (const qint64 amountMinor : theirs)
            made.theirs.push_back(charge(n, order, amountMinor));
        made.bankMinusHereMinor = bankMinusHere;
        made.confirmation = Confirmation::ByInquiry;
        made.wouldSettleAs = wouldSettleAs;
        return made;
    }

private:
    static QString wordOf(ExportFormat format)
    {
        return format == ExportFormat::Csv ? QStringLiteral("csv") : QStringLiteral("json");
    }
};

} // namespace ikkai::test
