#include "ui/cashier/outcome_panel.h"

#include "ui/cashier/action_bar.h"
#include "ui/cashier/attempts_list.h"
#include "ui/cashier/details_card.h"
#include "ui/cashier/happenings.h"
#include "ui/cashier/journal_words.h"
#include "ui/cashier/notice_words.h"
#include "ui/cashier/progress.h"
#include "ui/cashier/side_by_side.h"
#include "ui/cashier/supervisor_panel.h"
#include "ui/object_names.h"
#include "ui/widgets/attempt_track.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"
#include "ui/widgets/large_choice.h"
#include "ui/widgets/note_box.h"
#include "ui/widgets/outcome_banner.h"

#include <QtCore/QEvent>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QHBoxLayout>

#include <algorithm>

namespace ikkai {

namespace {

constexpr qint64 settledPanelMs = 300;
constexpr qint64 longWaitMs = 10'000;

} // namespace

OutcomePanel::OutcomePanel(Desk *desk, QWidget *parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_banner(new OutcomeBanner(this))
    , m_lead(new FlowText(theme::Type::SentenceStrong, theme::Token::Text, this))
    , m_sentence(new FlowText(theme::Type::Sentence, theme::Token::Text, this))
    , m_explanation(new FlowText(theme::Type::Explanation, theme::Token::Muted, this))
    , m_notice(new NoteBox(icons::Icon::Triangle, this))
    , m_tell(new NoteBox(icons::Icon::Chat, this))
    , m_newsNote(new NoteBox(icons::Icon::Info, this))
    , m_sideBySide(new SideBySide(this))
    , m_progressRow(new QWidget(this))
    , m_progressText(new Label(theme::Type::CardTitle, theme::Token::Text, m_progressRow))
    , m_countdownWords(new Label(theme::Type::Explanation, theme::Token::Text, m_progressRow))
    , m_countdown(new Label(theme::Type::Countdown, theme::Token::Text, m_progressRow))
    , m_track(new AttemptTrack(this))
    , m_happened(new Label(theme::Type::Body, theme::Token::Muted, this))
    , m_attempts(new AttemptsList(this))
    , m_question(new Label(theme::Type::Question, theme::Token::Text, this))
    , m_choices(new QWidget(this))
    , m_tryAgain(new LargeChoice(icons::Icon::Person, m_choices))
    , m_void(new LargeChoice(icons::Icon::Leave, m_choices))
    , m_details(new DetailsCard(this))
    , m_supervisor(new SupervisorPanel(desk, this))
    , m_actions(new ActionBar(this))
{
    build();
    connect(m_desk, &Desk::changed, this, &OutcomePanel::refresh);
    connect(m_tryAgain, &LargeChoice::clicked, this, [this] { act(Action::TryAgain); });
    connect(m_void, &LargeChoice::clicked, this, [this] { act(Action::VoidSafely); });
    connect(m_supervisor, &SupervisorPanel::confirmPressed, this, [this](const QString &pin, const QString &reason) {
        if (pressCounts())
            m_desk->askSupervisor(pin, reason);
    });
    connect(m_actions, &ActionBar::newsPressed, m_desk, &Desk::showNews);
    connect(m_actions, &ActionBar::pressed, this, &OutcomePanel::act);
    connect(m_actions, &ActionBar::secondSalePressed, this, &OutcomePanel::secondSale);
    connect(m_actions, &ActionBar::openListPressed, this, &OutcomePanel::openListWanted);
    connect(m_actions, &ActionBar::explainToggled, this, [this] { refresh(); });
    connect(m_actions, &ActionBar::detailsToggled, this, [this] { refresh(); });
    retranslate();
}

void OutcomePanel::build()
{
    setObjectName(names::outcomePanel);
    m_lead->setObjectName(names::lead);
    m_sentence->setObjectName(names::sentence);
    m_explanation->setObjectName(names::explanation);
    m_notice->setObjectName(names::notice);
    m_tell->setObjectName(names::tellCustomer);
    m_newsNote->setObjectName(names::newsNote);
    m_progressText->setObjectName(names::progressText);
    m_countdown->setObjectName(names::countdown);
    m_question->setObjectName(names::question);
    m_tryAgain->setObjectName(names::tryAgainButton);
    m_void->setObjectName(names::voidButton);
    m_countdown->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_notice->setRole(theme::Role::Bad);

    auto *progress = new QHBoxLayout(m_progressRow);
    progress->setContentsMargins(0, 0, 0, 0);
    progress->setSpacing(6);
    progress->addWidget(m_progressText);
    progress->addStretch(1);
    progress->addWidget(m_countdownWords);
    progress->addWidget(m_countdown);
    m_progressRow->setFixedHeight(28);

    auto *choices = new QHBoxLayout(m_choices);
    choices->setContentsMargins(0, 0, 0, 0);
    choices->setSpacing(16);
    choices->addWidget(m_tryAgain, 1);
    choices->addWidget(m_void, 1);

    m_sections = {
        {m_lead, 16},
        {m_sentence, 16},
        {m_explanation, 4, false, true},
        {m_sideBySide, 14},
        {m_tell, 16, false, true},
        {m_notice, 12},
        {m_newsNote, 12, false, true},
        {m_progressRow, 14},
        {m_track, 0},
        {m_happened, 16},
        {m_attempts, 8},
        {m_question, 14},
        {m_choices, 12},
        {m_details, 16},
        {m_supervisor, 12},
    };
}

void OutcomePanel::want(const QWidget *widget, bool wanted)
{
    for (Section &section : m_sections) {
        if (section.widget == widget)
            section.wanted = wanted;
    }
}

bool OutcomePanel::wants(const QWidget *widget) const
{
    return std::any_of(m_sections.begin(), m_sections.end(),
                       [widget](const Section &section) { return section.widget == widget && section.wanted; });
}

int OutcomePanel::heightOf(const QWidget *widget) const
{
    if (widget->hasHeightForWidth())
        return widget->heightForWidth(width());
    if (widget->minimumHeight() > 0 && widget->minimumHeight() == widget->maximumHeight())
        return widget->height();
    return widget->sizeHint().height();
}

/// The column is placed by hand: its pieces wrap, come and go, and the last resort of a low window is to leave out
/// the quiet ones, never to cut.
void OutcomePanel::place()
{
    const int wide = width();
    const int bottom = height() - (m_compact ? 12 : 16);
    m_banner->setGeometry(0, 0, wide, m_banner->height());
    m_actions->setGeometry(0, bottom - m_actions->height(), wide, m_actions->height());
    const bool asks = wants(m_supervisor);
    m_actions->setVisible(!asks);
    const int floor = asks ? bottom : m_actions->y() - 8;

    // The track's own lines are counted last: the list folds into what is left.
    const auto total = [&](bool withoutGiving) {
        int tall = m_banner->height();
        for (const Section &section : m_sections) {
            const bool takesTheRest =
                section.widget == m_details || section.widget == m_attempts || section.widget == m_supervisor;
            if (section.wanted && !takesTheRest && !(withoutGiving && section.mayGive))
                tall += section.gap + heightOf(section.widget);
        }
        if (wants(m_attempts))
            tall += 8 + 2 * AttemptsList::rowHeight + 2;
        return tall;
    };
    int over = total(false) - floor;
    for (Section &section : m_sections) {
        bool shown = section.wanted;
        if (shown && section.mayGive && over > 0) {
            shown = false;
            over -= section.gap + heightOf(section.widget);
        }
        section.widget->setVisible(shown);
    }

    int y = m_banner->height();
    bool afterLead = false;
    for (const Section &section : m_sections) {
        if (section.widget->isHidden())
            continue;
        const bool close = section.widget == m_sentence && afterLead;
        y += close ? 4 : section.gap;
        afterLead = section.widget == m_lead;
        if (section.widget == m_attempts) {
            m_rowsThatFit = std::max(2, (floor - y - 2) / AttemptsList::rowHeight);
            fillAttempts();
        }
        const bool takesTheRest = section.widget == m_details || section.widget == m_supervisor;
        const int tall = takesTheRest ? floor - y : heightOf(section.widget);
        section.widget->setGeometry(0, y, wide, tall);
        y += tall;
    }
}

void OutcomePanel::fillAttempts()
{
    if (const auto &shown = m_desk->shown())
        m_attempts->setRows(happenings(*shown, m_desk->logOf(shown->key), m_desk->now(), m_rowsThatFit));
}

bool OutcomePanel::event(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest)
        place();
    return QWidget::event(event);
}

void OutcomePanel::arrange(bool compact)
{
    m_compact = compact;
    m_banner->setCompact(compact);
    m_tell->setCompact(compact);
    m_notice->setCompact(compact);
    m_newsNote->setCompact(compact);
    m_supervisor->arrange(compact);
    m_tryAgain->setCompact(compact);
    m_void->setCompact(compact);
    m_choices->layout()->setSpacing(compact ? 12 : 16);
    m_sentence->setType(compact ? theme::Type::Explanation : theme::Type::Sentence);
    m_actions->arrange(compact);
    refresh();
}

void OutcomePanel::retranslate()
{
    m_happened->setText(tr("What happened"));
    m_question->setText(tr("What will the customer do?"));
    m_tryAgain->setWords(tr("Customer is still here"), tr("Customer is still here", "narrow window"),
                         tr("Try again (same charge)"),
                         {tr("Sends the same charge once more."), tr("It cannot be charged twice.")});
    m_void->setWords(tr("Customer leaves or pays otherwise"), tr("Leaves or pays otherwise"), tr("Void safely"),
                     {tr("The bank cancels this charge."), tr("Money already taken is returned.")});
    m_actions->retranslate();
    m_supervisor->retranslate();
    refresh();
}

void OutcomePanel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void OutcomePanel::resizeEvent(QResizeEvent *)
{
    // The banner and the notes set their own height for a width: twice, so that it has settled.
    place();
    place();
}

void OutcomePanel::refresh()
{
    const auto &shown = m_desk->shown();
    const QString key = shown ? shown->key.text() : QString();
    if (key != m_shownKey) {
        m_shownKey = key;
        m_actions->closeCards();
    }
    if (shown)
        showCheckout(*shown);
    else
        showNothing();
}

void OutcomePanel::showCheckout(const Checkout &checkout)
{
    m_outcome = outcomeOf(checkout, m_desk->shownIsRecorded(), m_desk->now(), m_desk->circumstancesOf(checkout));
    offerSupervisor();
    m_banner->show({m_outcome.word, m_outcome.role, m_outcome.icon, m_outcome.headline, m_outcome.subHeadline,
                    format(checkout.money), checkout.order.text(), tr("Ref …%1").arg(checkout.key.lastFour())});
    m_lead->setMarked(m_outcome.lead);
    m_sentence->setMarked(m_outcome.sentence);
    m_explanation->setMarked(m_outcome.explanation);
    m_tell->setRole(m_outcome.role);
    m_tell->setWords(tr("Tell the customer"), m_outcome.tell);
    showNotice(m_outcome);
    showNews();

    const bool running = isAutomatic(checkout.state);
    m_actions->show(m_outcome.offers, !m_outcome.meaning.isEmpty());
    const auto *notSent = std::get_if<state::NotSent>(&checkout.state);
    const bool openElsewhere = notSent && notSent->why == verdict::NotSent::Why::OtherLedger;
    m_actions->showOpenList(openElsewhere ? openListLabel() : QString());
    m_actions->showNews({});
    showCheckState(checkout);
    const bool crowded = m_outcome.offer(Action::CopyDetails) || m_outcome.offer(Action::Supervisor);
    if (!running)
        m_actions->setLeaveOpenHint(m_compact || crowded ? QString() : tr("Stays on the Open list."));
    const auto &rejection = m_desk->rejection();
    const bool alreadyPaid = rejection && rejection->why == StartRejection::Why::AlreadyPaid;
    m_actions->showSecondSale(alreadyPaid ? tr("Charge as a second sale") : QString());
    showMiddle(m_outcome, checkout);
}

/// "Already open", and a supervisor may start it anew all the same.
void OutcomePanel::offerSupervisor()
{
    const auto &shown = m_desk->shown();
    const bool mayStartAnew = shown && !isFinal(shown->state) && !isAutomatic(shown->state) &&
                              m_desk->supervisorsWay() == SupervisorAsk::What::Override;
    if (mayStartAnew && !m_outcome.offer(Action::Supervisor))
        m_outcome.offers.push_back({Action::Supervisor, {}});
}

void OutcomePanel::showCheckState(const Checkout &checkout)
{
    const auto plan = m_desk->circumstancesOf(checkout).plan;
    if (checkout.inquiryUnderWay || (plan && plan->underWay)) {
        m_actions->setCheckState(tr("Asking the bank …"), {});
    } else if (plan && plan->nextMonotonicMs) {
        const qint64 leftMs = std::max<qint64>(0, *plan->nextMonotonicMs - m_desk->now().monotonicMs);
        m_actions->setCheckState(tr("Asks the bank by itself in"), tr("%1 s").arg((leftMs + 999) / 1000));
    } else {
        m_actions->setCheckState(tr("Ask how it ended:"), {});
    }
}

QString OutcomePanel::openListLabel() const
{
    const auto open = m_desk->open().size();
    if (open == 0)
        return {};
    return open == 1 ? tr("Show 1 open payment") : tr("Show %1 open payments").arg(open);
}

void OutcomePanel::showNothing()
{
    m_outcome = {};
    m_outcome.listsAttempts = false;
    m_lead->setMarked({});
    const auto &rejection = m_desk->rejection();
    const bool cannotRecord = rejection && rejection->why == StartRejection::Why::CannotRecord;
    if (m_desk->journalError())
        showFault(*m_desk->journalError());
    else if (cannotRecord)
        showFault({JournalError::Kind::InputOutput, {}, {}});
    else
        showReady();
    showNotice(m_outcome);
    showNews();
    m_actions->show({}, false);
    m_actions->showSecondSale({});
    m_actions->showOpenList(openListLabel());
    m_actions->showNews(m_desk->news().empty() ? QString() : tr("Show it"));
    showMiddle(m_outcome, std::nullopt);
}

void OutcomePanel::showReady()
{
    m_banner->show({{}, std::nullopt, icons::Icon::Brand, tr("Ready"), {}, {}, {}, {}});
    m_explanation->setMarked({});
    if (const auto &left = m_desk->leftOpen())
        m_sentence->setMarked(
            tr("%1 is on the Open list. |The next customer can be served.").arg(shortOrder(left->text())));
    else
        m_sentence->setMarked(tr("Type the order and the amount, |then press Charge."));
}

/// Nothing can be written down: what that means, what to do, what still works.
void OutcomePanel::showFault(const JournalError &error)
{
    const JournalFaultWords words = journalFaultWords(error, JournalMoment::WhileOpen);
    m_banner->show({{}, theme::Role::Bad, icons::Icon::Contradiction, words.headline, {}, {}, {}, {}});
    m_outcome.lead = words.means;
    m_outcome.explanation = words.works;
    m_lead->setMarked(words.means);
    m_sentence->setMarked(words.toDo);
    m_explanation->setMarked(words.works);
}

void OutcomePanel::showNews()
{
    const auto &items = m_desk->news();
    want(m_newsNote, !items.empty());
    if (items.empty())
        return;
    const News::Item &first = items.front();
    QString words =
        tr("%1, %2: %3")
            .arg(shortOrder(first.checkout.order.text()), format(first.checkout.money), shortWordOf(first.checkout));
    if (items.size() > 1)
        words += QStringLiteral(" |") + tr("and %1 more").arg(items.size() - 1);
    const Outcome outcome = outcomeOf(first.checkout, true, m_desk->now());
    m_newsNote->setRole(outcome.role);
    m_newsNote->setShape(outcome.icon);
    m_newsNote->setWords(first.whileAway ? tr("Finished while you were away") : tr("Meanwhile"), words);
}

void OutcomePanel::showNotice(const Outcome &outcome)
{
    const Notice notice = noticeOf(*m_desk, outcome);
    m_notice->setRole(notice.role);
    m_notice->setWords({}, notice.words);
    want(m_notice, !notice.words.isEmpty());
}

void OutcomePanel::showMiddle(const Outcome &outcome, const std::optional<Checkout> &checkout)
{
    using Middle = Outcome::Middle;
    const bool explains = m_actions->explains();
    const bool details = m_actions->details() && checkout;
    const bool asks = m_supervisor->showAsk(m_desk->supervisor());
    const bool card = explains || details || asks;
    want(m_supervisor, asks);
    want(m_lead, !outcome.lead.isEmpty() && !asks);
    want(m_sentence, !m_sentence->text().isEmpty() && (!checkout || !outcome.sentence.isEmpty()) && !asks);
    want(m_explanation, !outcome.explanation.isEmpty() && !asks);
    want(m_tell, !outcome.tell.isEmpty() && !details && !asks);
    want(m_notice, wants(m_notice) && !asks);
    want(m_newsNote, wants(m_newsNote) && !details && !asks);
    want(m_sideBySide, outcome.middle == Middle::SideBySide && !card);
    const bool moves = outcome.middle == Middle::Track || outcome.middle == Middle::Cancelling;
    want(m_progressRow, moves && !card);
    want(m_track, outcome.middle == Middle::Track && !card);
    const bool listed = checkout && outcome.listsAttempts && !checkout->attempts.empty() && !card;
    want(m_happened, listed && outcome.middle == Middle::Nothing);
    want(m_attempts, listed);
    want(m_question, outcome.middle == Middle::Question && !card);
    want(m_choices, (outcome.middle == Middle::Question || outcome.middle == Middle::Cancelling) && !card);
    want(m_details, explains || details);
    if (checkout && outcome.middle == Middle::SideBySide)
        m_sideBySide->show(*checkout);
    if (const Offer *again = outcome.offer(Action::TryAgain))
        m_tryAgain->setShutReason(again->shutReason);
    if (const Offer *voids = outcome.offer(Action::VoidSafely))
        m_void->setShutReason(voids->shutReason);
    if (asks)
        want(m_details, false);
    else if (explains)
        m_details->setText(plainWords(outcome.meaning));
    else if (details)
        m_details->setText(detailsOf(*checkout, m_desk->logOf(checkout->key), m_desk->now()));
    place();
    tick();
}

void OutcomePanel::tick()
{
    const auto &shown = m_desk->shown();
    if (!shown)
        return;
    if (isAutomatic(shown->state) || isVoiding(shown->state))
        showProgress(*shown);
    if (m_outcome.offer(Action::CheckNow))
        showCheckState(*shown);
    // The way out of a first try appears with time, not with an event.
    if (isAutomatic(shown->state)) {
        const Outcome now = outcomeOf(*shown, m_desk->shownIsRecorded(), m_desk->now());
        if (now.offers != m_outcome.offers) {
            m_outcome = now;
            m_actions->show(now.offers, !now.meaning.isEmpty());
        }
    }
    if (wants(m_attempts))
        fillAttempts();
}

void OutcomePanel::showProgress(const Checkout &checkout)
{
    const bool voids = isVoiding(checkout.state);
    const Progress progress = voids ? voidProgressOf(checkout, m_desk->now()) : progressOf(checkout, m_desk->now());
    m_progressText->setText(progress.text);
    m_countdownWords->setText(progress.countdown);
    QString still = progress.seconds;
    for (QChar &c : still) {
        if (c.isDigit())
            c = QLatin1Char('8');
    }
    m_countdown->setWidestText(still);
    m_countdown->setText(progress.seconds);
    if (voids)
        return;
    m_track->show(progress.run);
    if (progress.elapsedMs > longWaitMs)
        m_actions->setLeaveOpenHint(
            (m_compact ? tr("%1 s of at most %2 s.") : tr("%1 s of at most %2 s. Serves the next customer."))
                .arg(progress.elapsedMs / 1000)
                .arg(progress.limitMs / 1000));
    else
        m_actions->setLeaveOpenHint(m_compact ? tr("Serves the next customer.")
                                              : tr("Serves the next customer. Stays on the Open list."));
}

bool OutcomePanel::pressCounts() const
{
    return m_desk->isFresh() && m_desk->screenAgeMs() >= settledPanelMs;
}

void OutcomePanel::act(Action action)
{
    const auto shown = m_desk->shown();
    if (!shown)
        return;
    switch (action) {
    case Action::NewSale:
    case Action::Close:
        if (!pressCounts()) // it was meant for the screen before: this outcome has not been seen yet
            return;
        m_desk->newSale();
        Q_EMIT newSaleWanted();
        return;
    case Action::NewChargeForOrder:
        if (!pressCounts())
            return;
        m_desk->newSale();
        Q_EMIT prefillWanted(shown->order.text(), shown->money.amountMinor());
        return;
    case Action::TryAsNewCharge:
        if (pressCounts())
            m_desk->charge({shown->order, shown->money, shown->source});
        return;
    case Action::TryAgain:
        if (pressCounts())
            m_desk->tryAgain();
        return;
    case Action::LeaveOpen:
        m_desk->leaveOpen();
        Q_EMIT newSaleWanted();
        return;
    case Action::CheckNow:
        m_desk->checkNow();
        return;
    case Action::CopyDetails:
        QGuiApplication::clipboard()->setText(detailsOf(*shown, m_desk->logOf(shown->key), m_desk->now()));
        return;
    case Action::Receipt:
        Q_EMIT receiptWanted(*shown);
        return;
    case Action::VoidSafely:
        if (pressCounts())
            m_desk->voidSafely();
        return;
    case Action::Supervisor:
        m_desk->callSupervisor();
        return;
    case Action::Reconcile:
        Q_EMIT reconcileWanted();
        return;
    case Action::Details:
        return;
    }
}

void OutcomePanel::secondSale()
{
    const auto rejection = m_desk->rejection();
    if (!rejection || !pressCounts())
        return;
    StartRequest request = rejection->request;
    request.secondSale = SecondSale::Confirmed;
    m_desk->charge(request);
}

} // namespace ikkai
