#include "ui/cashier/supervisor_panel.h"

#include "ui/cashier/outcome_words.h"
#include "ui/object_names.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/caption_field.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"
#include "ui/widgets/note_box.h"

#include <QtGui/QPainter>
#include <QtWidgets/QLineEdit>

#include <algorithm>

namespace ikkai {

namespace {

constexpr int fewestPinDigits = 4;
constexpr int mostPinDigits = 12;
constexpr int mostReasonCharacters = 200;
constexpr int pinWide = 260;

} // namespace

QString digitsOf(const QString &typed)
{
    QString digits;
    for (const QChar c : typed) {
        if (c >= QLatin1Char('0') && c <= QLatin1Char('9'))
            digits += c;
        else if (c.unicode() >= 0xFF10 && c.unicode() <= 0xFF19)
            digits += QChar(c.unicode() - 0xFF10 + '0');
    }
    return digits;
}

SupervisorPanel::SupervisorPanel(Desk *desk, QWidget *parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_title(new Label(theme::Type::Question, theme::Token::Text, this))
    , m_means(new FlowText(theme::Type::Body, theme::Token::Text, this))
    , m_pin(new CaptionField(names::supervisorPin, 2 * mostPinDigits, this))
    , m_reason(new CaptionField(names::supervisorReason, mostReasonCharacters, this))
    , m_missing(new FlowText(theme::Type::Small, theme::Token::Muted, this))
    , m_answer(new NoteBox(icons::Icon::Triangle, this))
    , m_cancel(new Button(Button::Kind::Secondary, this))
    , m_confirm(new Button(Button::Kind::Secondary, this))
{
    setObjectName(names::supervisorPanel);
    m_title->setObjectName(names::supervisorTitle);
    m_title->setMayCut(true);
    m_means->setObjectName(names::supervisorMeans);
    m_missing->setObjectName(names::supervisorMissing);
    m_answer->setObjectName(names::supervisorAnswer);
    m_cancel->setObjectName(names::supervisorCancel);
    m_confirm->setObjectName(names::supervisorConfirm);
    m_pin->edit()->setEchoMode(QLineEdit::Password);
    m_pin->edit()->setInputMethodHints(m_pin->edit()->inputMethodHints() | Qt::ImhDigitsOnly);
    m_confirm->setEnterPresses(false);
    m_answer->setRole(theme::Role::Bad);

    connect(m_pin->edit(), &QLineEdit::textEdited, this, &SupervisorPanel::keepDigits);
    connect(m_reason->edit(), &QLineEdit::textChanged, this, [this] { refresh(); });
    // Enter goes on to what is still missing; it decides nothing.
    connect(m_pin->edit(), &QLineEdit::returnPressed, this, [this] { m_reason->edit()->setFocus(Qt::TabFocusReason); });
    connect(m_cancel, &Button::clicked, m_desk, &Desk::dismissSupervisor);
    connect(m_confirm, &Button::clicked, this,
            [this] { Q_EMIT confirmPressed(m_pin->text(), m_reason->text().trimmed()); });
    setTabOrder(m_pin->edit(), m_reason->edit());
    setTabOrder(m_reason->edit(), m_cancel);
    setTabOrder(m_cancel, m_confirm);
    retranslate();
}

void SupervisorPanel::keepDigits(const QString &typed)
{
    const QString digits = digitsOf(typed).left(mostPinDigits);
    if (digits != typed)
        m_pin->setText(digits);
    refresh();
}

bool SupervisorPanel::showAsk(const std::optional<SupervisorAsk> &ask)
{
    const bool opens = ask && !m_ask;
    const bool answered = ask && ask->answer && m_ask && !m_ask->answer;
    m_ask = ask;
    if (!ask) {
        m_pin->setText({});
        m_reason->setText({});
        return false;
    }
    if (opens) {
        m_pin->setText({});
        m_reason->setText({});
    }
    if (answered) {
        m_pin->setText({}); // typed anew each time
        m_pin->edit()->setFocus(Qt::OtherFocusReason);
    }
    retranslate();
    if (opens)
        QMetaObject::invokeMethod(
            this, [this] { m_pin->edit()->setFocus(Qt::OtherFocusReason); }, Qt::QueuedConnection);
    return true;
}

void SupervisorPanel::arrange(bool compact)
{
    m_compact = compact;
    m_answer->setCompact(compact);
    place();
}

void SupervisorPanel::retranslate()
{
    m_pin->setCaption(tr("Supervisor’s PIN"));
    m_reason->setCaption(tr("Reason"));
    m_cancel->setText(tr("Back"));
    m_confirm->setText(tr("Close it for good"));
    if (m_ask) {
        const QString order = shortOrder(m_ask->checkout.order.text());
        if (m_ask->what == SupervisorAsk::What::Override) {
            const QString amount = format(m_ask->next->money);
            const bool mismatch = std::holds_alternative<state::KeyMismatch>(m_ask->checkout.state);
            m_title->setText(tr("Start %1 anew?").arg(order));
            m_means->setMarked(
                (mismatch ? tr("The open payment of %1 is closed: |how it ended stays unknown. |<b>A new charge of %2 "
                               "starts at once.</b>")
                          : tr("The open payment of %1 is cancelled first: |if it was charged, the money goes back. "
                               "|<b>A new charge of %2 starts at once.</b>"))
                    .arg(format(m_ask->checkout.money), amount));
            m_confirm->setText((mismatch ? tr("Close it and charge %1") : tr("Cancel it and charge %1")).arg(amount));
        } else {
            m_title->setText(tr("Close %1 without knowing?").arg(order));
            m_means->setMarked(tr("The terminal stops asking about it. |Whether it was charged, only the comparison "
                                  "with the bank can show. |<b>This cannot be undone.</b>"));
        }
    }
    refresh();
}

QString SupervisorPanel::missing() const
{
    if (m_ask && m_ask->underWay)
        return tr("One moment …");
    if (m_pin->text().size() < fewestPinDigits)
        return tr("The PIN has %1 to %2 digits.").arg(fewestPinDigits).arg(mostPinDigits);
    if (m_reason->text().trimmed().isEmpty())
        return tr("Write the reason: it is kept with the payment.");
    return {};
}

QString SupervisorPanel::answerWords(const SupervisorAnswer &answer) const
{
    using What = SupervisorAnswer::What;
    switch (answer.what) {
    case What::Done:
        return {};
    case What::WrongPin:
        return answer.triesLeft == 1 ? tr("This is not the PIN. |One try is left.")
                                     : tr("This is not the PIN. |%1 tries are left.").arg(answer.triesLeft);
    case What::Locked:
        return tr("The PIN is locked after too many wrong ones. |Set it anew: <b>payment-terminal supervisor-pin</b>");
    case What::NoPin:
        return tr("No PIN has been set here yet. |Set one: <b>payment-terminal supervisor-pin</b>");
    case What::NoReason:
        return tr("Write the reason: it is kept with the payment.");
    case What::NotPossible:
        return m_ask && m_ask->what == SupervisorAsk::What::WriteOff
                   ? tr("Not possible now: |it is settled already, or its own bank can still settle it.")
                   : tr("Not possible now: |the open payment is settled already, or is being sent.");
    case What::CannotRecord:
        return tr("It could not be recorded, so nothing was done. |%1").arg(quoted(answer.detail));
    }
    return {};
}

void SupervisorPanel::showAnswer()
{
    const bool answered = m_ask && m_ask->answer;
    m_answer->setWords({}, answered ? answerWords(*m_ask->answer) : QString());
    m_answer->setVisible(answered);
}

void SupervisorPanel::refresh()
{
    const QString why = missing();
    m_missing->setMarked(why);
    m_confirm->setEnabled(why.isEmpty());
    m_confirm->setAccessibleDescription(why);
    m_cancel->setEnabled(!(m_ask && m_ask->underWay));
    showAnswer();
    place();
}

/// By hand, as the column it stands in: what wraps sets the heights.
void SupervisorPanel::place()
{
    const int side = m_compact ? 16 : 20;
    const int wide = width() - 2 * side;
    if (wide < 100)
        return; // not laid out yet
    int y = m_compact ? 12 : 16;
    const auto put = [&](QWidget *widget, int high, int gap) {
        widget->setGeometry(side, y, wide, high);
        y += high + gap;
    };
    put(m_title, m_title->sizeHint().height(), 4);
    put(m_means, m_means->heightForWidth(wide), m_compact ? 10 : 14);
    m_pin->setGeometry(side, y, std::min(pinWide, wide), m_pin->height());
    if (m_compact) { // one below the other takes the height that the answer needs
        m_reason->setGeometry(side + pinWide + 10, y, wide - pinWide - 10, m_reason->height());
        y += m_pin->height() + 8;
    } else {
        y += m_pin->height() + 10;
        put(m_reason, m_reason->height(), 10);
    }
    m_answer->setGeometry(side, y, wide, m_answer->height());

    const int bottom = height() - (m_compact ? 12 : 16);
    const int tall = theme::metrics::button;
    m_cancel->setGeometry(side, bottom - tall, m_cancel->sizeHint().width(), tall);
    const int confirmWide = m_confirm->sizeHint().width();
    m_confirm->setGeometry(side + wide - confirmWide, bottom - tall, confirmWide, tall);
    const int high = m_missing->heightForWidth(wide);
    m_missing->setGeometry(side, bottom - tall - 8 - high, wide, high);
    m_missing->setVisible(!m_missing->text().isEmpty());
}

void SupervisorPanel::resizeEvent(QResizeEvent *)
{
    // The note sets its own height for a width: twice, so that it has settled.
    place();
    place();
}

void SupervisorPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme::color(theme::Token::Line), 1));
    painter.setBrush(theme::color(theme::Token::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusCard,
                            theme::metrics::radiusCard);
}

} // namespace ikkai
