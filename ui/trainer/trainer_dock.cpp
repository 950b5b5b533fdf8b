#include "ui/trainer/trainer_dock.h"

#include "ui/cashier/outcome_words.h"
#include "ui/object_names.h"
#include "ui/theme/theme.h"
#include "ui/trainer/fault_card.h"
#include "ui/widgets/card_list.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"

#include <QtCore/QEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QStyledItemDelegate>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace ikkai {

namespace {

class EventDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {200, 26}; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        if (option.state & QStyle::State_Selected) {
            painter->fillRect(option.rect, theme::color(theme::Token::SelBg));
            painter->fillRect(QRect(option.rect.topLeft(), QSize(4, option.rect.height())),
                              theme::color(theme::Token::Ink));
        }
        const QRect room = option.rect.adjusted(12, 0, -12, 0);
        painter->setFont(theme::font(theme::Type::SmallFigures));
        painter->setPen(theme::color(theme::Token::Text));
        const QString line = index.data().toString();
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(line, Qt::ElideRight, room.width()));
    }
};

} // namespace

void BankEventsModel::add(const BankEventLine &line)
{
    if (m_lines.size() >= most) {
        beginRemoveRows({}, 0, 0);
        m_lines.pop_front();
        endRemoveRows();
    }
    const int row = rowCount();
    beginInsertRows({}, row, row);
    m_lines.push_back(line);
    endInsertRows();
}

int BankEventsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

QVariant BankEventsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const BankEventLine &line = m_lines[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole || role == Qt::ToolTipRole)
        return QStringLiteral("%1  %2  %3").arg(clockText(line.atWallMs), line.kind, line.words);
    return {};
}

TrainerDock::TrainerDock(TrainerLink *link, QWidget *parent)
    : QDockWidget(parent)
    , m_events(new BankEventsModel(this))
{
    setObjectName(names::trainerDock);
    setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    setTitleBarWidget(new QWidget(this)); // the band above says what this is

    auto *body = new QWidget(this);
    m_title = new Label(theme::Type::CardTitle, theme::Token::Text, body);
    m_sub = new Label(theme::Type::Small, theme::Token::Muted, body);
    m_eventsTitle = new Label(theme::Type::CardTitle, theme::Token::Text, body);
    m_message = new FlowText(theme::Type::Small, theme::Token::BadText, body);
    m_message->setObjectName(names::trainerMessage);
    m_message->setVisible(false);
    m_list = new CardList(body);
    m_list->setObjectName(names::bankEvents);
    m_list->setModel(m_events);
    m_list->setFont(theme::font(theme::Type::SmallFigures));
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setItemDelegate(new EventDelegate(m_list));

    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(8, 16, 16, 16);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_sub);
    for (const auto kind : {FaultCard::Kind::RequestLost, FaultCard::Kind::AnswerLost, FaultCard::Kind::CrashMidway}) {
        auto *card = new FaultCard(kind, body);
        m_cards[static_cast<std::size_t>(kind)] = card;
        column->addWidget(card);
        connect(card, &FaultCard::armWanted, link, &TrainerLink::arm);
        connect(card, &FaultCard::disarmWanted, link, &TrainerLink::disarm);
    }
    column->addWidget(m_message);
    column->addSpacing(4);
    column->addWidget(m_eventsTitle);
    column->addWidget(m_list, 1);
    body->setFixedWidth(wide);
    setWidget(body);

    connect(link, &TrainerLink::faultsChanged, this, &TrainerDock::takeFaults);
    connect(link, &TrainerLink::happened, this, &TrainerDock::takeEvent);
    connect(link, &TrainerLink::troubled, this, [this](const QString &sentence) {
        m_message->setMarked(sentence);
        m_message->setVisible(!sentence.isEmpty());
    });
    retranslate();
}

void TrainerDock::retranslate()
{
    setWindowTitle(tr("Trainer"));
    m_title->setText(tr("Faults for the next payment"));
    m_sub->setText(tr("Lights: armed, matched, fired, seen, healed"));
    m_eventsTitle->setText(tr("What the bank did"));
    m_list->setAccessibleName(m_eventsTitle->text());
}

void TrainerDock::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QDockWidget::changeEvent(event);
}

void TrainerDock::takeFaults(const QList<FaultLights> &faults)
{
    for (FaultCard *card : m_cards) {
        // The newest fault of this kind: a re-armed one starts again with its first light.
        const auto newest = std::find_if(faults.rbegin(), faults.rend(),
                                         [card](const FaultLights &fault) { return fault.spec == card->spec(); });
        card->setLights(newest == faults.rend() ? std::nullopt : std::optional<FaultLights>(*newest));
    }
    const auto armed =
        std::count_if(faults.begin(), faults.end(), [](const FaultLights &fault) { return fault.armed; });
    Q_EMIT armedCountChanged(static_cast<int>(armed));
}

void TrainerDock::takeEvent(const BankEventLine &line)
{
    const QScrollBar *bar = m_list->verticalScrollBar();
    const bool follows = bar->value() >= bar->maximum() - 2;
    m_events->add(line);
    if (follows)
        m_list->scrollToBottom();
}

} // namespace ikkai
