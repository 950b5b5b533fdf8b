#include "ui/closing/report_view.h"

#include "ui/widgets/label.h"

#include <QtCore/QEvent>
#include <QtCore/QTime>
#include <QtWidgets/QGridLayout>

namespace ikkai {

QString coverageWords(const DayReport &report)
{
    const QString begins = QTime(0, 0).addSecs(report.dayStartsAtMinute * 60).toString(QStringLiteral("HH:mm"));
    return ReportView::tr("%1, day from %2, %3").arg(report.terminalId, begins, report.zone);
}

ReportView::ReportView(const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_facts(new Label(theme::Type::Small, theme::Token::Muted, this))
    , m_totals(new ReportRowsList(this))
    , m_lines(new ReportRowsList(this))
{
    m_facts->setObjectName(name + QStringLiteral(".facts"));
    m_totals->setObjectName(name + QStringLiteral(".totals"));
    m_lines->setObjectName(name + QStringLiteral(".lines"));
    m_facts->setMayCut(true);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(10);
    grid->addWidget(m_facts, 0, 0, 1, 2);
    grid->addWidget(m_totals, 1, 0);
    grid->addWidget(m_lines, 1, 1);
    grid->setRowStretch(1, 1);
    grid->setColumnStretch(1, 1);
    connect(m_lines, &ReportRowsList::actionWanted, this, [this](const ReportRow &row) {
        if (row.way == ReportRow::Way::ToCheckout)
            Q_EMIT checkoutWanted(*row.key);
        else
            Q_EMIT recordWanted(*row.key);
    });
    arrange(false);
    retranslate();
}

void ReportView::arrange(bool compact)
{
    m_totals->setFixedWidth(compact ? 348 : 400);
    static_cast<QGridLayout *>(layout())->setHorizontalSpacing(compact ? 12 : 16);
}

void ReportView::setReport(const DayReport &report)
{
    if (m_report == report)
        return;
    m_report = report;
    retranslate();
}

void ReportView::retranslate()
{
    m_totals->setAccessibleName(tr("Totals by outcome"));
    m_lines->setAccessibleName(tr("Open payments and remarks"));
    if (!m_report)
        return;
    m_facts->setText(coverageWords(*m_report));
    m_totals->setRows(totalRows(*m_report));
    m_lines->setRows(lineRows(*m_report));
}

void ReportView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace ikkai
