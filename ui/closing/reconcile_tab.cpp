#include "ui/closing/reconcile_tab.h"

#include "ui/closing/bank_charges_card.h"
#include "ui/closing/card.h"
#include "ui/closing/closing_client.h"
#include "ui/closing/closing_words.h"
#include "ui/closing/difference_table.h"
#include "ui/closing/summary_tile.h"
#include "ui/i18n/store_time.h"
#include "ui/object_names.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"
#include "ui/widgets/note_box.h"

#include <QtCore/QEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QProgressBar>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace ikkai {

namespace {

enum ReconcilePage { StartPage, RunningPage, ResultPage };
enum ResultMiddle { DifferencesMiddle, CleanMiddle, BankChargesMiddle };

int countIf(const QList<Difference> &differences, DifferenceGroup group)
{
    return static_cast<int>(std::count_if(differences.cbegin(), differences.cend(),
                                          [group](const Difference &one) { return groupOf(one.kind) == group; }));
}

int countIf(const QList<Difference> &differences, Confirmation confirmation)
{
    return static_cast<int>(
        std::count_if(differences.cbegin(), differences.cend(),
                      [confirmation](const Difference &one) { return one.confirmation == confirmation; }));
}

} // namespace

ReconcileTab::ReconcileTab(ClosingClient *client, QWidget *parent)
    : QWidget(parent)
    , m_client(client)
    , m_model(new DifferenceModel(client, this))
    , m_pages(new QStackedWidget(this))
{
    build();
    connect(m_begin, &Button::clicked, m_client, &ClosingClient::reconcile);
    connect(m_cancel, &Button::clicked, m_client, &ClosingClient::cancelReconcile);
    connect(m_table, &DifferenceTable::actionWanted, this, &ReconcileTab::act);
    connect(m_settleAll, &Button::clicked, m_client, &ClosingClient::settleAll);
    connect(m_close, &Button::clicked, this, &ReconcileTab::closeWanted);
    connect(m_bankCharges, &BankChargesCard::backWanted, this, [this] {
        m_middle->setCurrentIndex(DifferencesMiddle);
        m_table->setFocus(Qt::OtherFocusReason);
    });
    connect(m_client, &ClosingClient::changed, this, &ReconcileTab::refresh);
    retranslate();
    refresh();
}

void ReconcileTab::build()
{
    m_pages->addWidget(buildStart());
    m_pages->addWidget(buildRunning());
    m_pages->addWidget(buildResult());
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
}

QWidget *ReconcileTab::buildStart()
{
    auto *page = new QWidget(this);
    m_trouble = new NoteBox(icons::Icon::Info, page);
    m_about = new FlowText(theme::Type::Sentence, theme::Token::Text, page);
    m_begin = new Button(Button::Kind::Primary, page);
    m_trouble->setObjectName(names::reconcileTrouble);
    m_about->setObjectName(names::reconcileAbout);
    m_begin->setObjectName(names::reconcileBegin);
    m_begin->setType(theme::Type::Primary);
    m_begin->setFixedHeight(56);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(5, 8, 5, 5);
    column->setSpacing(16);
    column->addWidget(m_trouble);
    column->addWidget(m_about);
    column->addWidget(m_begin, 0, Qt::AlignLeft);
    column->addStretch(1);
    return page;
}

QWidget *ReconcileTab::buildRunning()
{
    auto *page = new QWidget(this);
    m_phase = new Label(theme::Type::Sentence, theme::Token::Text, page);
    m_bar = new QProgressBar(page);
    m_cancel = new Button(Button::Kind::Secondary, page);
    m_phase->setObjectName(names::reconcilePhase);
    m_bar->setObjectName(names::reconcileProgress);
    m_cancel->setObjectName(names::reconcileCancel);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(16);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(5, 8, 5, 5);
    column->setSpacing(16);
    column->addWidget(m_phase);
    column->addWidget(m_bar);
    column->addWidget(m_cancel, 0, Qt::AlignLeft);
    column->addStretch(1);
    return page;
}

QWidget *ReconcileTab::buildResult()
{
    using icons::Icon;
    using theme::Role;
    auto *page = new QWidget(this);
    m_agree = new SummaryTile(Icon::Paid, Role::Ok, page);
    m_person = new SummaryTile(Icon::Refused, Role::Bad, page);
    m_settle = new SummaryTile(Icon::Unknown, Role::Unk, page);
    m_elsewhere = new SummaryTile(Icon::NotSent, Role::Neu, page);
    m_agree->setObjectName(names::tileAgree);
    m_person->setObjectName(names::tilePerson);
    m_settle->setObjectName(names::tileSettle);
    m_elsewhere->setObjectName(names::tileElsewhere);
    auto *tiles = new QHBoxLayout;
    tiles->setSpacing(16);
    for (SummaryTile *tile : {m_agree, m_person, m_settle, m_elsewhere})
        tiles->addWidget(tile);

    auto *card = new Card(page);
    m_table = new DifferenceTable(m_model, card);
    auto *onCard = new QVBoxLayout(card);
    onCard->setContentsMargins(1, 1, 1, 1);
    onCard->addWidget(m_table);
    m_clean = new FlowText(theme::Type::Sentence, theme::Token::OkText, page);
    m_clean->setObjectName(names::reconcileClean);
    auto *cleanPage = new QWidget(page);
    auto *cleanColumn = new QVBoxLayout(cleanPage);
    cleanColumn->setContentsMargins(5, 16, 5, 0);
    cleanColumn->addWidget(m_clean);
    cleanColumn->addStretch(1);
    m_bankCharges = new BankChargesCard(page);
    m_middle = new QStackedWidget(page);
    m_middle->addWidget(card);
    m_middle->addWidget(cleanPage);
    m_middle->addWidget(m_bankCharges);

    m_confirmed = new FlowText(theme::Type::Body, theme::Token::Muted, page);
    m_close = new Button(Button::Kind::Secondary, page);
    m_settleAll = new Button(Button::Kind::Primary, page);
    m_confirmed->setObjectName(names::reconcileConfirmed);
    m_close->setObjectName(names::reconcileClose);
    m_settleAll->setObjectName(names::settleAllButton);
    m_settleAll->setType(theme::Type::Primary);
    for (Button *button : {m_close, m_settleAll})
        button->setFixedHeight(56);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(0, 4, 0, 5);
    foot->setSpacing(12);
    foot->addWidget(m_confirmed, 1, Qt::AlignVCenter);
    foot->addWidget(m_close);
    foot->addWidget(m_settleAll);

    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(14);
    column->addLayout(tiles);
    column->addWidget(m_middle, 1);
    column->addLayout(foot);
    return page;
}

void ReconcileTab::arrange(bool compact)
{
    m_compact = compact;
    for (SummaryTile *tile : {m_agree, m_person, m_settle, m_elsewhere})
        tile->setCompact(compact);
    refresh();
}

QString ReconcileTab::checkedWords() const
{
    const auto &made = m_client->reconciliation();
    if (!made || m_client->run() != ClosingClient::Run::Done)
        return {};
    const qint64 tenths = (made->tookMs + 50) / 100;
    return tr("checked %1, took %2 s")
        .arg(store::clock(made->checkedWallMs), QStringLiteral("%1.%2").arg(tenths / 10).arg(tenths % 10));
}

void ReconcileTab::refresh()
{
    using Stage = ClosingClient::Run;
    const bool wasRunning = m_pages->currentIndex() == RunningPage;
    switch (m_client->run()) {
    case Stage::Running:
        m_pages->setCurrentIndex(RunningPage);
        refreshProgress();
        return;
    case Stage::Done:
        break;
    case Stage::Never:
    case Stage::Cancelled:
    case Stage::NotDone:
        m_pages->setCurrentIndex(StartPage);
        m_trouble->setVisible(m_client->run() != Stage::Never);
        retranslate();
        return;
    }
    m_pages->setCurrentIndex(ResultPage);
    m_model->refresh();
    if (wasRunning || m_middle->currentIndex() != BankChargesMiddle)
        m_middle->setCurrentIndex(m_model->rowCount() == 0 ? CleanMiddle : DifferencesMiddle);
    refreshTiles();
    refreshFoot();
}

void ReconcileTab::refreshProgress()
{
    using Phase = ReconcileProgress::Phase;
    const ReconcileProgress &progress = m_client->progress();
    const QString done = countWords(progress.done);
    const QString all = countWords(progress.total);
    const bool isKnown = progress.total > 0;
    switch (progress.phase) {
    case Phase::ReadingTheBank:
        m_phase->setText(isKnown ? tr("Reading the bank's list: %1 of %2").arg(done, all)
                                 : tr("Reading the bank's list: %1").arg(done));
        break;
    case Phase::ReadingTheJournal:
        m_phase->setText(isKnown ? tr("Reading this till's payments: %1 of %2").arg(done, all)
                                 : tr("Reading this till's payments: %1").arg(done));
        break;
    case Phase::Comparing:
        m_phase->setText(tr("Comparing both sides"));
        break;
    case Phase::Confirming:
        m_phase->setText(tr("Asking the bank about each difference: %1 of %2").arg(done, all));
        break;
    }
    constexpr int whole = 1'000;
    m_bar->setRange(0, isKnown ? whole : 0);
    if (isKnown)
        m_bar->setValue(static_cast<int>(std::clamp<qint64>(progress.done * whole / progress.total, 0, whole)));
    m_bar->setAccessibleDescription(m_phase->text());
}

void ReconcileTab::refreshTiles()
{
    const Reconciliation &made = *m_client->reconciliation();
    const QList<Difference> &all = made.differences;
    m_agree->setWords(countWords(made.agreeCount), tr("agree"),
                      made.agreeSums.isEmpty() ? tr("on both sides")
                                               : tr("%1 on both sides").arg(sumsWords(made.agreeSums)));

    SumsByCurrency question;
    int settled = 0;
    for (const Difference &one : all) {
        if (groupOf(one.kind) == DifferenceGroup::NeedsPerson)
            question.add(one.currency, qAbs(one.bankMinusHereMinor));
        const Settling *settling = m_client->settling(one.key);
        settled += settling && settling->state == Settling::State::Settled ? 1 : 0;
    }
    const int person = countIf(all, DifferenceGroup::NeedsPerson);
    m_person->setWords(countWords(person), person == 1 ? tr("needs a person") : tr("need a person"),
                       person == 0 ? tr("nothing in question") : tr("%1 in question").arg(sumsWords(question.all())));

    const int byThemselves = countIf(all, DifferenceGroup::SettlesItself);
    QString quiet = tr("by the bank's own answer");
    if (settled > 0)
        quiet = tr("%1 settled just now").arg(countWords(settled));
    else if (byThemselves > 0)
        quiet = tr("%1 more by themselves").arg(countWords(byThemselves));
    m_settle->setWords(countWords(m_client->canBeSettled()), tr("can be settled now"), quiet);
    m_elsewhere->setWords(countWords(countIf(all, DifferenceGroup::NotFromHere)), tr("not from here"),
                          tr("tell the bank"));
}

void ReconcileTab::refreshFoot()
{
    const Reconciliation &made = *m_client->reconciliation();
    const auto whole = static_cast<int>(made.differences.size());
    const int silent = countIf(made.differences, Confirmation::NoAnswer);
    const int notOffered = countIf(made.differences, Confirmation::NotOffered);
    QString words;
    if (whole == 0)
        words = tr("Both lists were read to their end.");
    else if (silent > 0)
        words =
            tr("%1 of %2 could not be confirmed: |the bank did not answer.").arg(countWords(silent), countWords(whole));
    else if (notOffered == whole)
        words = tr("Not confirmed one by one: |this bank answers no such questions.");
    else if (notOffered > 0)
        words =
            tr("%1 of %2 were confirmed |by asking the bank.").arg(countWords(whole - notOffered), countWords(whole));
    else
        words = tr("Each difference was confirmed |by asking the bank.");
    if (made.heldBack == 1)
        words += tr(" |1 row is younger than 5 s and waits.");
    else if (made.heldBack > 1)
        words += tr(" |%1 rows are younger than 5 s and wait.").arg(countWords(made.heldBack));
    if (m_compact)
        words += QStringLiteral(" |") + checkedWords() + QLatin1Char('.');
    m_confirmed->setMarked(words);
    m_confirmed->setToken(silent > 0 ? theme::Token::UnkText : theme::Token::Muted);

    const int open = m_client->canBeSettled();
    m_settleAll->setVisible(open > 0);
    m_settleAll->setText(open == 1   ? tr("Settle the open one")
                         : open == 2 ? tr("Settle both open ones")
                                     : tr("Settle all %1 open ones").arg(countWords(open)));
    const bool carries = m_client->preview() && !m_client->preview()->carried.isEmpty();
    m_close->setText(carries ? tr("Carry over and close") : tr("Close the day"));
}

void ReconcileTab::act(int row)
{
    using Action = DifferenceWords::Action;
    const Difference &difference = m_model->at(row);
    switch (m_model->wordsAt(row).action) {
    case Action::Nothing:
        return;
    case Action::Settle:
        m_client->settle(difference.key);
        return;
    case Action::ShowBankCharges:
        m_bankCharges->setDifference(difference);
        m_middle->setCurrentIndex(BankChargesMiddle);
        return;
    case Action::ShowRecord:
        if (const auto key = IdempotencyKey::parse(difference.ours ? difference.ours->key : difference.key))
            Q_EMIT recordWanted(*key);
    }
}

void ReconcileTab::retranslate()
{
    m_about->setMarked(
        tr("Compares this till's payments with the bank's list, |one by one. |Nothing is charged or changed."));
    m_begin->setText(tr("Compare with the bank"));
    m_cancel->setText(tr("Cancel"));
    m_close->setText(tr("Close the day")); // until the comparison knows better
    m_settleAll->setText(tr("Settle the open one"));
    m_bar->setAccessibleName(tr("Progress"));
    if (m_client->run() == ClosingClient::Run::NotDone) {
        m_trouble->setRole(theme::Role::Unk);
        m_trouble->setWords(tr("Not compared"), m_client->trouble(ClosingStep::Reconcile));
    } else {
        m_trouble->setRole(theme::Role::Neu);
        m_trouble->setWords(tr("Cancelled"), tr("Nothing was changed."));
    }
    m_clean->setMarked(tr("<b>Everything agrees.</b> |This till and the bank say the same |of every payment."));
    m_table->retranslate();
    m_model->retranslate();
}

void ReconcileTab::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        refresh();
    }
    QWidget::changeEvent(event);
}

} // namespace ikkai
