#include "ui/cashier/entry_panel.h"

#include "ui/cashier/journal_words.h"
#include "ui/cashier/outcome_words.h"
#include "ui/object_names.h"
#include "ui/theme/theme.h"
#include "ui/widgets/amount_field.h"
#include "ui/widgets/button.h"
#include "ui/widgets/caption_field.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/keypad.h"
#include "ui/widgets/label.h"
#include "ui/widgets/segments.h"

#include <QtCore/QEvent>
#include <QtCore/QRegularExpression>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

namespace ikkai {

namespace {

constexpr qint64 settledScreenMs = 300;
constexpr int mostOrderCharacters = 64;

} // namespace

/// The small "i" (or the triangle) in front of the reason.
class ReasonMark final : public QWidget {
public:
    using QWidget::QWidget;

    void setWrong(bool wrong)
    {
        m_wrong = wrong;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        icons::paint(painter, m_wrong ? icons::Icon::Triangle : icons::Icon::Info, QRectF(1, 1, 16, 16),
                     theme::color(m_wrong ? theme::Token::BadLine : theme::Token::Muted),
                     theme::color(theme::Token::Window));
    }

private:
    bool m_wrong = false;
};

QString orderAfter(const QString &order)
{
    static const QRegularExpression trailing(QStringLiteral("^(.*?)([0-9]{1,9})$"));
    const auto match = trailing.match(order);
    if (!match.hasMatch())
        return {};
    const QString digits = match.captured(2);
    return match.captured(1) +
           QStringLiteral("%1").arg(digits.toLongLong() + 1, static_cast<int>(digits.size()), 10, QLatin1Char('0'));
}

EntryPanel::EntryPanel(Desk *desk, Currency currency, QStringList sources, QWidget *parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_sources(std::move(sources))
    , m_title(new Label(theme::Type::CardTitle, theme::Token::Text, this))
    , m_order(new CaptionField(names::orderField, mostOrderCharacters, this))
    , m_payBy(new Segments(this))
    , m_amount(new AmountField(currency, this))
    , m_keypad(new Keypad(this))
    , m_charge(new Button(Button::Kind::Primary, this))
    , m_reasonRow(new QWidget(this))
    , m_mark(new ReasonMark(m_reasonRow))
    , m_reason(new FlowText(theme::Type::Small, theme::Token::Muted, m_reasonRow))
    , m_layout(new QVBoxLayout(this))
{
    m_payBy->setObjectName(names::payBy);
    m_amount->setObjectName(names::amountField);
    m_charge->setObjectName(names::chargeButton);
    m_charge->setType(theme::Type::Primary);
    m_charge->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_charge->installEventFilter(this);
    m_order->edit()->installEventFilter(this);
    m_reason->setObjectName(names::chargeReason);

    QList<Segments::Segment> segments;
    for (const QString &source : std::as_const(m_sources))
        segments.append({source, labelOf(source)});
    m_payBy->setSegments(segments);

    auto *top = new QHBoxLayout;
    top->setSpacing(0);
    m_title->setFixedWidth(108);
    top->addWidget(m_title);
    top->addWidget(m_order, 1);

    m_mark->setFixedSize(18, 18);
    auto *reasonLine = new QHBoxLayout(m_reasonRow);
    reasonLine->setContentsMargins(0, 0, 0, 0);
    reasonLine->setSpacing(8);
    reasonLine->addWidget(m_mark, 0, Qt::AlignTop);
    reasonLine->addWidget(m_reason, 1, Qt::AlignTop);
    m_reasonRow->setFixedHeight(36);

    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_layout->addLayout(top);
    m_layout->addSpacing(12);
    m_layout->addWidget(m_payBy);
    m_layout->addSpacing(12);
    m_layout->addWidget(m_amount);
    m_layout->addSpacing(12);
    m_layout->addWidget(m_keypad);
    m_layout->addStretch(1);
    m_layout->addWidget(m_charge);
    m_layout->addSpacing(10);
    m_layout->addWidget(m_reasonRow);

    connect(m_keypad, &Keypad::digitsPressed, m_amount, &AmountField::typeDigits);
    connect(m_keypad, &Keypad::backspacePressed, m_amount, &AmountField::backspace);
    connect(m_keypad, &Keypad::clearPressed, m_amount, &AmountField::clear);
    connect(m_amount, &AmountField::changed, this, [this] {
        m_inputRefused = false;
        refresh();
    });
    connect(m_amount, &AmountField::refused, this, &EntryPanel::refuseInput, Qt::QueuedConnection);
    connect(m_order->edit(), &QLineEdit::textChanged, this, &EntryPanel::refresh);
    connect(m_charge, &Button::clicked, this, &EntryPanel::charge);
    connect(m_desk, &Desk::changed, this, &EntryPanel::refresh);
    connect(m_desk, &Desk::started, this, &EntryPanel::takeStarted);
    m_payBy->setTabPlace(m_order->edit(), m_amount);
    setTabOrder(m_amount, m_charge);
    arrange(false, true);
    retranslate();
}

void EntryPanel::arrange(bool compact, bool tallKeys)
{
    setFixedWidth(compact ? 352 : 376);
    m_amount->setCompact(compact);
    m_keypad->setKeyHeight(tallKeys ? 64 : 56);
    m_charge->setFixedHeight(compact ? 56 : 64);
    const int gap = compact ? 10 : 12;
    for (const int at : {1, 3, 5})
        m_layout->itemAt(at)->spacerItem()->changeSize(0, gap);
    m_layout->itemAt(9)->spacerItem()->changeSize(0, compact ? 8 : 10);
    m_layout->invalidate();
}

QString EntryPanel::labelOf(const QString &source) const
{
    if (source == QLatin1StringView("card_ok"))
        return tr("Card OK");
    if (source == QLatin1StringView("card_low"))
        return tr("Low funds");
    if (source == QLatin1StringView("card_decline"))
        return tr("Decline");
    return source;
}

void EntryPanel::retranslate()
{
    m_title->setText(tr("Next sale"));
    m_order->setCaption(tr("Order"));
    m_order->edit()->setPlaceholderText(QStringLiteral("A-1001"));
    m_charge->setText(tr("Charge"));
    m_charge->setHint(QStringLiteral("Ctrl+Enter"));
    m_payBy->setAccessibleName(tr("Pay by"));
    QList<Segments::Segment> segments;
    for (const QString &source : std::as_const(m_sources))
        segments.append({source, labelOf(source)});
    m_payBy->setLabels(segments);
    refresh();
}

void EntryPanel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

bool EntryPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter && !(key->modifiers() & Qt::ControlModifier)) {
            if (watched == m_order->edit()) {
                focusAmount(); // what a scanner's Enter may do: go on to the amount
                return true;
            }
            // A bare Enter on Charge counts only on a screen that people have had time to see.
            if (watched == m_charge && (key->isAutoRepeat() || m_desk->screenAgeMs() < settledScreenMs))
                return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

std::optional<StartRequest> EntryPanel::request(SecondSale secondSale) const
{
    const auto order = OrderId::parse(m_order->text());
    const auto money = Money::ofMinor(m_amount->minor(), m_amount->currency());
    const auto source = SourceId::parse(m_payBy->chosen());
    if (!order || !money || !source)
        return std::nullopt;
    return StartRequest{order.value(), money.value(), source.value(), secondSale};
}

void EntryPanel::charge()
{
    const auto wanted = request();
    if (!wanted || m_desk->shut() || m_inputRefused)
        return;
    m_wasFrozen = !m_desk->isFresh();
    if (!m_wasFrozen && m_desk->charge(*wanted))
        m_amount->beginAnew(); // if it is not taken, it still was this sale's amount and not the next one's
    refresh();
}

void EntryPanel::takeStarted(const Checkout &checkout)
{
    m_wasFrozen = false;
    m_amount->clear();
    m_order->setText(orderAfter(checkout.order.text()));
    m_payBy->choose(m_sources.value(0));
    refresh();
}

void EntryPanel::prefill(const QString &order, qint64 amountMinor)
{
    m_order->setText(order);
    m_amount->setMinor(amountMinor);
    m_amount->beginAnew();
    focusAmount();
}

void EntryPanel::focusAmount(Qt::FocusReason reason)
{
    m_amount->setFocus(reason);
}

void EntryPanel::focusOrder()
{
    m_order->edit()->setFocus(Qt::OtherFocusReason);
}

bool EntryPanel::takeKey(const QKeyEvent &event)
{
    if (!AmountField::takesKey(event))
        return false;
    if (event.key() == Qt::Key_Backspace)
        m_amount->backspace();
    else
        m_amount->typeDigits(event.text());
    return true;
}

void EntryPanel::refuseInput()
{
    m_inputRefused = true;
    refresh();
}

QString EntryPanel::shutText(const Desk::ShutReason &reason) const
{
    const QString order = shortOrder(reason.order);
    switch (reason.why) {
    case Desk::Shut::Starting:
        return tr("Writing %1 down …").arg(order);
    case Desk::Shut::Running:
        return reason.mayLeave ? tr("Wait for %1, or leave it open.").arg(order) : tr("Wait for %1.").arg(order);
    case Desk::Shut::ChooseFirst:
        return tr("Choose for %1 first, or leave it open.").arg(order);
    case Desk::Shut::Supervisor:
        return tr("The supervisor decides about %1 first.").arg(order);
    case Desk::Shut::Journal:
        return tr("Cannot record, so cannot charge.");
    }
    return {};
}

void EntryPanel::refresh()
{
    const auto shut = m_desk->shut();
    const auto order = OrderId::parse(m_order->text());
    m_charge->setEnabled(!shut && !m_inputRefused && order.ok() && m_amount->minor() > 0);
    if (shut && shut->why == Desk::Shut::Journal && m_desk->journalError()) {
        explain(journalShutReason(*m_desk->journalError()), true);
    } else if (shut) {
        explain(shutText(*shut), false);
    } else if (m_wasFrozen) {
        explain(tr("The screen stood still for a moment. Press Charge again."), true);
    } else if (m_inputRefused) {
        explain(tr("Digits only, at most %1. |Press C and type it again.")
                    .arg(formatMinorUnits(Money::maxMinor, m_amount->currency())),
                true);
    } else if (m_desk->journalError()) {
        explain(journalShutReason(*m_desk->journalError()), true);
    } else if (m_desk->link() == BankLink::ApiKeyRefused) {
        explain(tr("The bank does not accept this terminal. |Charge asks it again."), true);
    } else if (m_order->text().trimmed().isEmpty()) {
        explain(tr("Type the order first."), false);
    } else if (!order.ok()) {
        explain(tr("This order number cannot be used."), true);
    } else if (m_amount->minor() == 0) {
        explain(tr("Type an amount first."), false);
    } else {
        explain({}, false);
    }
}

void EntryPanel::explain(const QString &marked, bool wrong)
{
    m_reasonRow->setVisible(true);
    m_reason->setMarked(marked);
    m_reason->setToken(wrong ? theme::Token::BadText : theme::Token::Muted);
    m_mark->setWrong(wrong);
    m_mark->setVisible(!marked.isEmpty());
    m_charge->setAccessibleDescription(plainWords(marked));
}

} // namespace ikkai
