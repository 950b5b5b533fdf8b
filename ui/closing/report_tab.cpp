#include "ui/closing/report_tab.h"

#include "ui/closing/closing_client.h"
#include "ui/closing/closing_words.h"
#include "ui/closing/report_view.h"
#include "ui/i18n/store_time.h"
#include "ui/object_names.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/note_box.h"

#include <QtCore/QEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

namespace ikkai {

namespace {

enum FootPage { OfferFoot, QuestionFoot, DoneFoot };

QWidget *footPage(FlowText *words, std::initializer_list<Button *> buttons)
{
    auto *page = new QWidget;
    auto *row = new QHBoxLayout(page);
    row->setContentsMargins(5, 5, 0, 5); // room for the ring round the focus
    row->setSpacing(12);
    row->addWidget(words, 1, Qt::AlignVCenter);
    for (Button *button : buttons)
        row->addWidget(button);
    return page;
}

} // namespace

ReportTab::ReportTab(ClosingClient *client, QWidget *parent)
    : QWidget(parent)
    , m_client(client)
    , m_reading(new FlowText(theme::Type::Sentence, theme::Token::Text, this))
    , m_trouble(new NoteBox(icons::Icon::Contradiction, this))
    , m_view(new ReportView(names::dayReport, this))
    , m_foot(new QStackedWidget(this))
    , m_hint(new FlowText(theme::Type::Body, theme::Token::Muted))
    , m_close(new Button(Button::Kind::Primary))
    , m_question(new FlowText(theme::Type::Body, theme::Token::Text))
    , m_notYet(new Button(Button::Kind::Secondary))
    , m_confirm(new Button(Button::Kind::Primary))
    , m_done(new FlowText(theme::Type::SentenceStrong, theme::Token::OkText))
    , m_showClosed(new Button(Button::Kind::Secondary))
    , m_putAway(new Button(Button::Kind::Primary))
{
    build();
    connect(m_view, &ReportView::checkoutWanted, this, &ReportTab::checkoutWanted);
    connect(m_view, &ReportView::recordWanted, this, &ReportTab::recordWanted);
    connect(m_close, &Button::clicked, this, &ReportTab::ask);
    connect(m_notYet, &Button::clicked, this, [this] {
        m_asks = false;
        showFoot();
        m_close->setFocus(Qt::OtherFocusReason);
    });
    connect(m_confirm, &Button::clicked, this, [this] {
        m_asks = false;
        m_client->closeDay();
    });
    connect(m_showClosed, &Button::clicked, this, [this] {
        if (m_client->closed())
            Q_EMIT reportWanted(m_client->closed()->number);
    });
    connect(m_putAway, &Button::clicked, m_client, &ClosingClient::putClosedAway);
    connect(m_client, &ClosingClient::changed, this, &ReportTab::refresh);
    retranslate();
}

void ReportTab::build()
{
    m_reading->setObjectName(names::closeReading);
    m_trouble->setObjectName(names::closeTrouble);
    m_trouble->setRole(theme::Role::Bad);
    m_hint->setObjectName(names::closeHint);
    m_close->setObjectName(names::closeDayButton);
    m_question->setObjectName(names::closeQuestion);
    m_notYet->setObjectName(names::closeNotYet);
    m_confirm->setObjectName(names::closeConfirm);
    m_done->setObjectName(names::closeDone);
    m_showClosed->setObjectName(names::closeShowReport);
    m_putAway->setObjectName(names::closePutAway);
    for (Button *button : {m_close, m_notYet, m_confirm, m_showClosed, m_putAway})
        button->setFixedHeight(56);
    for (Button *button : {m_close, m_confirm})
        button->setType(theme::Type::Primary);
    // A scanner's Enter may fall into this page: it never closes a day.
    m_confirm->setEnterPresses(false);

    m_foot->addWidget(footPage(m_hint, {m_close}));
    m_foot->addWidget(footPage(m_question, {m_notYet, m_confirm}));
    m_foot->addWidget(footPage(m_done, {m_showClosed, m_putAway}));
    m_foot->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_foot->setFixedHeight(66);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    column->addWidget(m_reading);
    column->addWidget(m_trouble);
    column->addWidget(m_view, 1);
    column->addStretch(0);
    column->addWidget(m_foot);
}

void ReportTab::arrange(bool compact)
{
    m_view->arrange(compact);
}

int ReportTab::openCount() const
{
    return m_client->preview() ? static_cast<int>(m_client->preview()->carried.size()) : 0;
}

void ReportTab::ask()
{
    if (!m_client->preview() || m_client->isWaitingFor(ClosingStep::CloseDay))
        return;
    m_asks = true;
    m_client->putClosedAway();
    showFoot();
    m_notYet->setFocus(Qt::OtherFocusReason);
}

void ReportTab::showFoot()
{
    m_foot->setVisible(m_client->preview().has_value() || m_client->closed().has_value());
    if (m_asks)
        m_foot->setCurrentIndex(QuestionFoot);
    else
        m_foot->setCurrentIndex(m_client->closed() ? DoneFoot : OfferFoot);
    const bool isClosing = m_client->isWaitingFor(ClosingStep::CloseDay);
    m_close->setEnabled(!isClosing);
    m_close->setText(isClosing ? tr("Closing…") : openCount() > 0 ? tr("Carry over and close") : tr("Close the day"));
}

void ReportTab::refresh()
{
    const auto &preview = m_client->preview();
    if (preview)
        m_view->setReport(*preview);
    const QString notClosed = m_client->trouble(ClosingStep::CloseDay);
    const QString notRead = m_client->trouble(ClosingStep::Preview);
    m_trouble->setVisible(!notClosed.isEmpty() || !notRead.isEmpty());
    if (!notClosed.isEmpty())
        m_trouble->setWords(tr("The day was not closed"), notClosed);
    else
        m_trouble->setWords(tr("The report could not be read"), notRead);
    m_reading->setVisible(!preview && notRead.isEmpty());
    m_view->setVisible(preview.has_value());
    retranslate();
}

void ReportTab::retranslate()
{
    m_reading->setMarked(tr("Reading the payments of this day…"));
    const auto &preview = m_client->preview();
    if (preview) {
        const QString day = store::day(preview->businessDay);
        const int open = openCount();
        m_hint->setMarked(
            open > 0 ? tr("Open payments do not stop the closing: |they are carried over |and stay on the Open list.")
                     : tr("Every payment is settled. |A closed day gets a number |and cannot be changed."));
        m_question->setMarked(open > 0
                                  ? tr("<b>Close %1?</b> |%2 open, carried over. |A closed day |cannot be changed.")
                                        .arg(day, countWords(open))
                                  : tr("<b>Close %1?</b> |A closed day |cannot be changed.").arg(day));
    }
    if (m_client->closed()) {
        const DayReport &closed = *m_client->closed();
        m_done->setMarked(tr("%1 is closed: |no. %2, |at %3")
                              .arg(store::day(closed.businessDay), countWords(closed.number),
                                   store::shortClock(closed.closedWallMs)));
    }
    m_notYet->setText(tr("Not yet"));
    m_confirm->setText(openCount() > 0 ? tr("Carry over and close") : tr("Close the day"));
    m_showClosed->setText(tr("Show the report"));
    m_putAway->setText(tr("Done"));
    showFoot();
}

void ReportTab::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void ReportTab::hideEvent(QHideEvent *event)
{
    // Who comes back later is asked anew.
    m_asks = false;
    showFoot();
    QWidget::hideEvent(event);
}

} // namespace ikkai
