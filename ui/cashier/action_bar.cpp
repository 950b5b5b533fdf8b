#include "ui/cashier/action_bar.h"

#include "ui/object_names.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtWidgets/QHBoxLayout>

#include <algorithm>
#include <array>

namespace ikkai {

namespace {

/// Where each button stands, from the left; the table's order decides which of the right ones is filled.
constexpr std::array barLeft{Action::LeaveOpen, Action::CopyDetails, Action::Receipt, Action::Details,
                             Action::Supervisor};
constexpr std::array barRight{Action::CheckNow,          Action::Reconcile,      Action::NewSale,
                              Action::NewChargeForOrder, Action::TryAsNewCharge, Action::Close};

} // namespace

ActionBar::ActionBar(QWidget *parent)
    : QWidget(parent)
    , m_explain(new Button(Button::Kind::Flat, this))
    , m_secondSale(new Button(Button::Kind::Secondary, this))
    , m_openList(new Button(Button::Kind::Secondary, this))
    , m_news(new Button(Button::Kind::Primary, this))
    , m_leaveHint(new Label(theme::Type::Small, theme::Token::Muted, this))
    , m_checkState(new Label(theme::Type::Body, theme::Token::Text, this))
    , m_checkSeconds(new Label(theme::Type::FiguresStrong, theme::Token::Text, this))
    , m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(12);
    m_explain->setObjectName(names::explainButton);
    m_explain->setShape(icons::Icon::Info);
    m_explain->setCheckable(true);
    m_secondSale->setEnterPresses(false);
    m_secondSale->setObjectName(names::secondSaleButton);
    m_openList->setObjectName(names::showOpenButton);
    m_news->setObjectName(names::showNewsButton);
    m_leaveHint->setObjectName(names::leaveOpenHint);
    m_checkState->setObjectName(names::checkState);
    m_checkSeconds->setObjectName(names::checkSeconds);
    QFont hint = m_leaveHint->font();
    hint.setPixelSize(15);
    m_leaveHint->setFont(hint);

    m_row->addWidget(add(Action::LeaveOpen, names::leaveOpenButton));
    m_row->addWidget(m_leaveHint);
    m_row->addWidget(add(Action::CopyDetails, names::copyDetailsButton));
    m_row->addWidget(add(Action::Receipt, names::receiptButton));
    m_row->addWidget(add(Action::Details, names::detailsButton));
    m_row->addWidget(add(Action::Supervisor, names::supervisorButton));
    m_row->addWidget(m_openList);
    m_row->addStretch(1);
    m_row->addWidget(m_explain);
    m_row->addWidget(m_checkState);
    m_row->addWidget(m_checkSeconds);
    m_row->addWidget(add(Action::CheckNow, names::checkNowButton));
    m_row->addWidget(m_news);
    m_row->addWidget(m_secondSale);
    m_row->addWidget(add(Action::Reconcile, names::reconcileButton));
    m_row->addWidget(add(Action::NewSale, names::newSaleButton));
    m_row->addWidget(add(Action::NewChargeForOrder, names::newChargeButton));
    m_row->addWidget(add(Action::TryAsNewCharge, names::tryAsNewButton));
    m_row->addWidget(add(Action::Close, names::closeButton));

    connect(m_explain, &Button::toggled, this, &ActionBar::explainToggled);
    connect(m_secondSale, &Button::clicked, this, &ActionBar::secondSalePressed);
    connect(m_openList, &Button::clicked, this, &ActionBar::openListPressed);
    connect(m_news, &Button::clicked, this, &ActionBar::newsPressed);
    retranslate();
    arrange(false);
}

Button *ActionBar::add(Action action, const QLatin1StringView &name)
{
    const bool link = action == Action::CheckNow;
    const bool card = action == Action::Details;
    auto *button = new Button(link ? Button::Kind::Link : Button::Kind::Secondary, this);
    button->setObjectName(name);
    button->setEnterPresses(action != Action::TryAsNewCharge);
    if (action == Action::LeaveOpen)
        button->setShape(icons::Icon::Bookmark);
    if (action == Action::CopyDetails)
        button->setShape(icons::Icon::Copy);
    if (action == Action::Receipt)
        button->setShape(icons::Icon::Print);
    if (card) {
        button->setCheckable(true);
        connect(button, &Button::toggled, this, &ActionBar::detailsToggled);
    } else {
        connect(button, &Button::clicked, this, [this, action] { Q_EMIT pressed(action); });
    }
    m_buttons.insert(static_cast<int>(action), button);
    return button;
}

void ActionBar::show(const std::vector<Offer> &offers, bool explains)
{
    bool first = true;
    for (auto it = m_buttons.cbegin(); it != m_buttons.cend(); ++it)
        it.value()->setVisible(false);
    for (const Offer &offer : offers) {
        Button *button = m_buttons.value(static_cast<int>(offer.action));
        if (!button)
            continue; // one of the two large choices
        button->setVisible(true);
        button->setEnabled(offer.shutReason.isEmpty());
        button->setAccessibleDescription(offer.shutReason);
        const bool right = std::find(barRight.begin(), barRight.end(), offer.action) != barRight.end();
        if (!right || offer.action == Action::CheckNow)
            continue;
        button->setKind(first ? Button::Kind::Primary : Button::Kind::Secondary);
        button->setType(first ? theme::Type::Primary : theme::Type::Strong);
        button->setSidePadding(first ? 28 : 20);
        first = false;
    }
    m_explain->setVisible(explains);
    const bool leave = m_buttons.value(static_cast<int>(Action::LeaveOpen))->isVisibleTo(this);
    m_leaveHint->setVisible(leave && !m_leaveHint->text().isEmpty());
    const bool check = m_buttons.value(static_cast<int>(Action::CheckNow))->isVisibleTo(this);
    const bool crowded = m_buttons.value(static_cast<int>(Action::CopyDetails))->isVisibleTo(this) ||
                         m_buttons.value(static_cast<int>(Action::Supervisor))->isVisibleTo(this);
    m_checkState->setVisible(check && !(m_compact && crowded));
    m_checkSeconds->setVisible(m_checkState->isVisibleTo(this) && !m_checkSeconds->text().isEmpty());
    arrange(m_compact);
}

void ActionBar::showSecondSale(const QString &label)
{
    m_secondSale->setText(label);
    m_secondSale->setVisible(!label.isEmpty());
}

void ActionBar::showOpenList(const QString &label)
{
    m_openList->setText(label);
    m_openList->setVisible(!label.isEmpty());
}

void ActionBar::setLeaveOpenHint(const QString &hint)
{
    if (m_leaveHint->text() != hint)
        m_leaveHint->setText(hint);
    const bool leave = m_buttons.value(static_cast<int>(Action::LeaveOpen))->isVisibleTo(this);
    m_leaveHint->setVisible(leave && !hint.isEmpty());
}

void ActionBar::showNews(const QString &label)
{
    m_news->setText(label);
    m_news->setVisible(!label.isEmpty());
}

void ActionBar::setCheckState(const QString &words, const QString &seconds)
{
    if (m_checkState->text() != words)
        m_checkState->setText(words);
    if (m_checkSeconds->text() == seconds)
        return;
    QString still = seconds; // the place keeps still while the figures change
    for (QChar &c : still) {
        if (c.isDigit())
            c = QLatin1Char('8');
    }
    m_checkSeconds->setWidestText(still);
    m_checkSeconds->setText(seconds);
    m_checkSeconds->setVisible(m_checkState->isVisibleTo(this) && !seconds.isEmpty());
}

void ActionBar::arrange(bool compact)
{
    m_compact = compact;
    int tall = theme::metrics::minimumTarget;
    for (const Action action : barRight) {
        Button *button = m_buttons.value(static_cast<int>(action));
        const bool large = action != Action::CheckNow;
        const int high = !large ? theme::metrics::minimumTarget : compact ? 56 : 64;
        button->setFixedHeight(high);
        if (button->isVisibleTo(this))
            tall = std::max(tall, high);
    }
    m_row->setSpacing(compact ? 8 : 12);
    for (const Action action : barLeft) {
        Button *button = m_buttons.value(static_cast<int>(action));
        button->setFixedHeight(compact ? 44 : theme::metrics::button);
        button->setSidePadding(compact ? 12 : 16);
    }
    // A narrow window has room for the shape only, and so has a bar where the checkout is open.
    Button *receipt = m_buttons.value(static_cast<int>(Action::Receipt));
    const bool open = m_buttons.value(static_cast<int>(Action::LeaveOpen))->isVisibleTo(this);
    receipt->setText(compact || open ? QString() : tr("Receipt"));
    receipt->setAccessibleName(tr("Receipt"));
    m_explain->setFixedHeight(compact ? 44 : theme::metrics::button);
    m_secondSale->setFixedHeight(compact ? 56 : 64);
    m_openList->setFixedHeight(compact ? 44 : theme::metrics::button);
    m_news->setFixedHeight(compact ? 44 : theme::metrics::button);
    setFixedHeight(std::max(tall, compact ? 44 : theme::metrics::button));
}

void ActionBar::retranslate()
{
    const auto name = [this](Action action, const QString &words) {
        m_buttons.value(static_cast<int>(action))->setText(words);
    };
    name(Action::LeaveOpen, tr("Leave open"));
    name(Action::CopyDetails, tr("Copy details"));
    name(Action::Details, tr("Details"));
    name(Action::CheckNow, tr("Check now"));
    name(Action::NewSale, tr("New sale"));
    name(Action::NewChargeForOrder, tr("New charge for this order"));
    name(Action::TryAsNewCharge, tr("Try as new charge"));
    name(Action::Close, tr("Close"));
    name(Action::Supervisor, tr("Supervisor"));
    name(Action::Reconcile, tr("Reconcile"));
    m_explain->setText(tr("What does this mean?"));
    arrange(m_compact);
}

void ActionBar::closeCards()
{
    m_explain->setChecked(false);
    m_buttons.value(static_cast<int>(Action::Details))->setChecked(false);
}

bool ActionBar::explains() const
{
    return m_explain->isChecked() && m_explain->isVisibleTo(this);
}

bool ActionBar::details() const
{
    const Button *button = m_buttons.value(static_cast<int>(Action::Details));
    return button->isChecked() && button->isVisibleTo(this);
}

} // namespace ikkai
