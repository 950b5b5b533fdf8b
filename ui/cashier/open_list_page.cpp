#include "ui/cashier/open_list_page.h"

#include "ui/cashier/desk.h"
#include "ui/cashier/outcome_words.h"
#include "ui/object_names.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card_list.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"

#include <QtCore/QEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QStyledItemDelegate>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ikkai {

namespace {

constexpr int openRowHeight = 56;

class OpenDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {400, openRowHeight}; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Checkout &checkout = static_cast<const OpenModel *>(index.model())->at(index.row());
        const Outcome outcome = outcomeOf(checkout, true, Stamp{});
        const QRect rect = option.rect;
        const bool selected = option.state & QStyle::State_Selected;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (selected) {
            painter->fillRect(rect, theme::color(theme::Token::SelBg));
            painter->fillRect(QRect(rect.left(), rect.top(), 4, rect.height()), theme::color(theme::Token::Ink));
        }
        painter->setPen(QPen(theme::color(theme::Token::Line), 1));
        painter->drawLine(QPointF(rect.left(), rect.bottom() + 0.5), QPointF(rect.right() + 1, rect.bottom() + 0.5));
        const auto text = [&](int left, int width, theme::Type type, const QColor &color, int align,
                              const QString &words) {
            painter->setFont(theme::font(type));
            painter->setPen(color);
            const QString fitting = painter->fontMetrics().elidedText(words, Qt::ElideMiddle, width);
            painter->drawText(QRect(rect.left() + left, rect.top(), width, rect.height()), align | Qt::AlignVCenter,
                              fitting);
        };
        const QColor ink = theme::color(theme::Token::Text);
        const QColor muted = theme::color(theme::Token::Muted);
        const QColor role = theme::color(outcome.role, theme::Part::Text);
        const int width = rect.width();
        const int orderWidth = std::max(120, width / 5);
        int x = 16;
        text(x, 84, theme::Type::Figures, muted, Qt::AlignLeft, clockText(checkout.startedAt.wallMs));
        x += 96;
        text(x, orderWidth, theme::Type::Figures, ink, Qt::AlignLeft, checkout.order.text());
        x += orderWidth + 8;
        text(x, 120, theme::Type::FiguresStrong, ink, Qt::AlignRight, format(checkout.money));
        x += 150;
        icons::paint(*painter, outcome.icon, QRectF(rect.left() + x, rect.top() + 17, 22, 22),
                     theme::color(outcome.role, theme::Part::Line), theme::color(theme::Token::Surface));
        x += 32;
        const int wordWidth = width - x - 110;
        const QString goesOn = static_cast<const OpenModel *>(index.model())->goesOn(index.row());
        const auto line = [&](theme::Type type, const QColor &color, int top, int high, const QString &words) {
            painter->setFont(theme::font(type));
            painter->setPen(color);
            painter->drawText(QRect(rect.left() + x, rect.top() + top, wordWidth, high),
                              Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                              painter->fontMetrics().elidedText(words, Qt::ElideRight, wordWidth));
        };
        if (goesOn.isEmpty()) {
            line(theme::Type::Strong, role, 0, rect.height(), shortWordOf(checkout));
        } else {
            line(theme::Type::Strong, role, 7, 22, shortWordOf(checkout));
            line(theme::Type::Small, muted, 30, 18, goesOn);
        }
        text(width - 96, 80, theme::Type::Figures, muted, Qt::AlignRight,
             QStringLiteral("…") + checkout.key.lastFour());
        painter->restore();
    }
};

} // namespace

OpenModel::OpenModel(const Desk *desk, QObject *parent)
    : QAbstractListModel(parent)
    , m_desk(desk)
{
}

QString OpenModel::goesOn(int row) const
{
    const Checkout &checkout = at(row);
    const auto inSeconds = [this](qint64 monotonicMs) {
        return QString::number((std::max<qint64>(0, monotonicMs - m_desk->now().monotonicMs) + 999) / 1000);
    };
    if (const auto *pending = std::get_if<state::VoidPending>(&checkout.state))
        return tr("told to the bank again in %1 s").arg(inSeconds(pending->untilMonotonicMs));
    if (std::holds_alternative<state::Voiding>(checkout.state))
        return tr("the bank is being told");
    if (isAutomatic(checkout.state))
        return {};
    const auto plan = m_desk->circumstancesOf(checkout).plan;
    if (checkout.inquiryUnderWay || (plan && plan->underWay))
        return tr("the bank is being asked");
    if (!plan || !plan->nextMonotonicMs)
        return {};
    const QString next = tr("asks the bank in %1 s").arg(inSeconds(*plan->nextMonotonicMs));
    return plan->lastAnswer
               ? tr("%1; at %2: %3")
                     .arg(next, shortClockText(plan->lastEndedWallMs), inquiryAnswerWords(*plan->lastAnswer))
               : next;
}

void OpenModel::setOpen(const QList<Checkout> &open)
{
    const std::vector<Checkout> next(open.begin(), open.end());
    if (next == m_open)
        return;
    const bool sameRows =
        next.size() == m_open.size() && std::equal(next.begin(), next.end(), m_open.begin(),
                                                   [](const Checkout &a, const Checkout &b) { return a.key == b.key; });
    if (sameRows) {
        m_open = next;
        repaint();
        return;
    }
    beginResetModel();
    m_open = next;
    endResetModel();
}

void OpenModel::repaint()
{
    if (!m_open.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

int OpenModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_open.size());
}

QVariant OpenModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Checkout &checkout = at(index.row());
    if (role == KeyRole)
        return checkout.key.text();
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    return QStringList{clockText(checkout.startedAt.wallMs), checkout.order.text(), format(checkout.money),
                       shortWordOf(checkout), goesOn(index.row())}
        .join(QLatin1Char(' '))
        .trimmed();
}

OpenListPage::OpenListPage(Desk *desk, QWidget *parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_model(new OpenModel(desk, this))
    , m_title(new Label(theme::Type::ChoiceTitle, theme::Token::Text, this))
    , m_sentence(new FlowText(theme::Type::Body, theme::Token::Muted, this))
    , m_empty(new FlowText(theme::Type::Sentence, theme::Token::Text, this))
    , m_list(new CardList(this))
    , m_open(new Button(Button::Kind::Primary, this))
{
    setObjectName(names::openPage);
    m_list->setObjectName(names::openList);
    m_empty->setObjectName(names::openEmpty);
    m_open->setObjectName(names::openSelected);
    m_open->setType(theme::Type::Primary);
    m_open->setFixedHeight(56);

    m_list->setModel(m_model);
    m_list->setItemDelegate(new OpenDelegate(m_list));
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);

    auto *bottom = new QHBoxLayout;
    bottom->addStretch(1);
    bottom->addWidget(m_open);
    auto *column = new QVBoxLayout(this);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_sentence);
    column->addSpacing(4);
    column->addWidget(m_empty);
    column->addWidget(m_list, 1);
    column->addSpacing(4);
    column->addLayout(bottom);

    connect(m_list, &QListView::activated, this, &OpenListPage::choose);
    connect(m_open, &Button::clicked, this, [this] { choose(m_list->currentIndex()); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this] { m_open->setEnabled(m_list->currentIndex().isValid()); });
    connect(m_desk, &Desk::changed, this, &OpenListPage::refresh);
    connect(m_desk, &Desk::ticked, this, &OpenListPage::tick);
    arrange(false);
    retranslate();
    refresh();
}

void OpenListPage::arrange(bool compact)
{
    const int side = compact ? 16 : 24;
    layout()->setContentsMargins(side, 20, side, 16);
}

void OpenListPage::retranslate()
{
    m_title->setText(tr("Open payments"));
    m_sentence->setMarked(
        m_warns ? tr("<b>These payments are still open.</b> |They stay on this list. |Close once more to leave.")
                : tr("Their outcome is not known yet. |The oldest comes first. |None is dropped."));
    m_sentence->setToken(m_warns ? theme::Token::UnkText : theme::Token::Muted);
    m_empty->setMarked(tr("Nothing is open. |Every payment is settled."));
    m_list->setAccessibleName(tr("Open payments"));
    m_open->setText(tr("Show this one"));
    m_model->repaint();
}

void OpenListPage::warnBeforeClosing(bool warn)
{
    m_warns = warn;
    retranslate();
}

void OpenListPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void OpenListPage::refresh()
{
    const QString selected = m_list->currentIndex().data(OpenModel::KeyRole).toString();
    m_model->setOpen(m_desk->open());
    const bool none = m_model->rowCount() == 0;
    m_empty->setVisible(none);
    m_sentence->setVisible(!none);
    m_list->setVisible(!none);
    m_open->setVisible(!none);
    if (none)
        return;
    // The selection is pinned to the checkout, not to the row.
    int row = 0;
    for (int i = 0; i < m_model->rowCount(); ++i) {
        if (m_model->at(i).key.text() == selected)
            row = i;
    }
    if (m_list->currentIndex().row() != row)
        m_list->setCurrentIndex(m_model->index(row));
    m_open->setEnabled(true);
}

/// Countdowns move once a second, and only while somebody looks.
void OpenListPage::tick()
{
    const qint64 second = m_desk->now().monotonicMs / 1000;
    if (isVisible() && std::exchange(m_paintedSecond, second) != second)
        m_model->repaint();
}

void OpenListPage::choose(const QModelIndex &index)
{
    if (index.isValid())
        Q_EMIT chosen(m_model->at(index.row()).key);
}

} // namespace ikkai
