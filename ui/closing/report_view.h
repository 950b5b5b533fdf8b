#pragma once

#include "core/closing/day_report.h"

#include "ui/closing/report_rows.h"

#include <QtWidgets/QWidget>

#include <optional>

namespace ikkai {

class Label;

/// One day's report: what it covers, totals at the left, what is open or out of the ordinary at the right.
class ReportView : public QWidget {
    Q_OBJECT

public:
    /// `name`: its lists are called `<name>.totals`, `<name>.lines` and `<name>.facts`.
    explicit ReportView(const QString &name, QWidget *parent = nullptr);

    void setReport(const DayReport &report);
    void arrange(bool compact);

Q_SIGNALS:
    void checkoutWanted(const ikkai::IdempotencyKey &key);
    void recordWanted(const ikkai::IdempotencyKey &key);

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    std::optional<DayReport> m_report;
    Label *m_facts;
    ReportRowsList *m_totals;
    ReportRowsList *m_lines;
};

/// "till-1, from 05:00, Asia/Tokyo": which till, and how its business day is counted.
[[nodiscard]] QString coverageWords(const DayReport &report);

} // namespace ikkai
