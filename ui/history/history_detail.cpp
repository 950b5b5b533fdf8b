#include "ui/history/history_detail.h"

#include "ui/cashier/outcome_words.h"
#include "ui/history/event_lines.h"
#include "ui/history/event_list.h"
#include "ui/history/small_banner.h"
#include "ui/object_names.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"
#include "ui/widgets/note_box.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QPainter>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QHBoxLayout>

#include <algorithm>

namespace ikkai {

namespace {

constexpr int factLine = 26;

/// Somebody else's words as FlowText takes them: nothing in them is a mark, and Japanese may break anywhere.
QString foreignWords(QString words)
{
    words.replace(QLatin1Char('|'), QLatin1Char('/'));
    words.replace(QLatin1Char('<'), QChar(u'‹')).replace(QLatin1Char('>'), QChar(u'›'));
    const bool isCjk = std::any_of(words.cbegin(), words.cend(), [](QChar c) { return c.unicode() >= 0x3000; });
    if (!isCjk)
        return words;
    QString broken;
    for (const QChar c : std::as_const(words)) {
        broken += c;
        if (c.isSpace() || c.unicode() >= 0x3000)
            broken += QLatin1Char('|');
    }
    return broken;
}

} // namespace

HistoryDetailCard::HistoryDetailCard(QWidget *parent)
    : QWidget(parent)
    , m_empty(new Label(theme::Type::Body, theme::Token::Muted, this))
    , m_banner(new SmallBanner(this))
    , m_contradiction(new NoteBox(icons::Icon::Contradiction, this))
    , m_supervisor(new NoteBox(icons::Icon::Person, this))
    , m_factsBox(new QWidget(this))
    , m_replaces(new Button(Button::Kind::Link, this))
    , m_replacedBy(new Button(Button::Kind::Link, this))
    , m_recordTitle(new Label(theme::Type::Strong, theme::Token::Text, this))
    , m_recordCount(new Label(theme::Type::Small, theme::Token::Muted, this))
    , m_events(new EventList(this))
    , m_buttons(new QWidget(this))
    , m_show(new Button(Button::Kind::Primary, m_buttons))
    , m_reprint(new Button(Button::Kind::Secondary, m_buttons))
    , m_copy(new Button(Button::Kind::Secondary, m_buttons))
    , m_export(new Button(Button::Kind::Secondary, m_buttons))
{
    build();
    connect(m_show, &Button::clicked, this, [this] {
        if (const auto shown = key())
            Q_EMIT showWanted(*shown);
    });
    connect(m_reprint, &Button::clicked, this, [this] {
        if (m_detail)
            Q_EMIT reprintWanted(m_detail->checkout);
    });
    connect(m_copy, &Button::clicked, this, [this] {
        if (const auto shown = key())
            QGuiApplication::clipboard()->setText(shown->text());
    });
    connect(m_export, &Button::clicked, this, [this] {
        if (const auto shown = key())
            Q_EMIT exportWanted(*shown);
    });
    connect(m_replaces, &Button::clicked, this, [this] {
        if (m_detail && m_detail->checkout.replaces)
            Q_EMIT linkWanted(*m_detail->checkout.replaces);
    });
    connect(m_replacedBy, &Button::clicked, this, [this] {
        if (m_detail && m_detail->replacedBy)
            Q_EMIT linkWanted(*m_detail->replacedBy);
    });
    retranslate();
}

void HistoryDetailCard::build()
{
    setObjectName(names::historyDetail);
    m_banner->setObjectName(names::historyBanner);
    m_contradiction->setObjectName(names::historyContradiction);
    m_supervisor->setObjectName(names::historySupervisor);
    m_replaces->setObjectName(names::historyReplaces);
    m_replacedBy->setObjectName(names::historyReplacedBy);
    m_recordCount->setObjectName(names::historyRecordCount);
    m_show->setObjectName(names::historyShow);
    m_reprint->setObjectName(names::historyReprint);
    m_copy->setObjectName(names::historyCopyKey);
    m_export->setObjectName(names::historyExportOne);
    m_empty->setObjectName(names::historyNothingChosen);
    m_empty->setAlignment(Qt::AlignCenter);
    m_contradiction->setRole(theme::Role::Bad);
    m_supervisor->setRole(theme::Role::Neu);
    m_reprint->setShape(icons::Icon::Print);
    m_copy->setShape(icons::Icon::Copy);
    m_export->setShape(icons::Icon::Export);
    for (Button *button : {m_show, m_reprint, m_copy, m_export})
        button->setFixedHeight(theme::metrics::minimumTarget);

    auto *facts = new QGridLayout(m_factsBox);
    facts->setContentsMargins(20, 0, 20, 0);
    facts->setHorizontalSpacing(12);
    facts->setVerticalSpacing(0);
    facts->setColumnStretch(1, 1);
    constexpr std::array factNames{"key", "source", "started", "settled", "charge", "void"};
    for (std::size_t i = 0; i < m_facts.size(); ++i) {
        const auto fact = static_cast<Fact>(i);
        const bool isWire = fact == Fact::Key || fact == Fact::BankCharge || fact == Fact::VoidKey;
        auto *caption = new Label(theme::Type::Body, theme::Token::Muted, m_factsBox);
        auto *words = new Label(isWire ? theme::Type::SmallWire : theme::Type::Body, theme::Token::Text, m_factsBox);
        words->setObjectName(names::historyFact + QLatin1Char('.') + QLatin1StringView(factNames[i]));
        words->setMayCut(true);
        for (Label *label : {caption, words})
            label->setFixedHeight(factLine);
        facts->addWidget(caption, static_cast<int>(i), 0);
        facts->addWidget(words, static_cast<int>(i), 1);
        m_facts[i] = {caption, words};
    }
    auto *links = new QHBoxLayout;
    links->setContentsMargins(20, 0, 20, 0);
    links->setSpacing(20);
    links->addWidget(m_replaces);
    links->addWidget(m_replacedBy);
    links->addStretch(1);
    auto *record = new QHBoxLayout;
    record->setContentsMargins(20, 8, 20, 0);
    record->setSpacing(12);
    record->addWidget(m_recordTitle);
    record->addWidget(m_recordCount);
    record->addStretch(1);
    auto *events = new QHBoxLayout;
    events->setContentsMargins(20, 0, 16, 0);
    events->addWidget(m_events);
    auto *buttons = new QHBoxLayout(m_buttons);
    buttons->setContentsMargins(20, 12, 20, 12);
    buttons->setSpacing(8);
    buttons->addWidget(m_show);
    buttons->addWidget(m_reprint);
    buttons->addStretch(1);
    buttons->addWidget(m_copy);
    buttons->addWidget(m_export);
    const auto inset = [](QWidget *widget) {
        auto *row = new QHBoxLayout;
        row->setContentsMargins(16, 0, 16, 0);
        row->addWidget(widget);
        return row;
    };
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(8);
    column->addWidget(m_banner);
    column->addLayout(inset(m_contradiction));
    column->addLayout(inset(m_supervisor));
    column->addWidget(m_factsBox);
    column->addLayout(links);
    column->addLayout(record);
    column->addLayout(events, 1);
    column->addWidget(m_empty, 1);
    column->addWidget(m_buttons);
}

std::optional<IdempotencyKey> HistoryDetailCard::key() const
{
    if (m_detail)
        return m_detail->checkout.key;
    return m_row ? std::optional(m_row->key) : std::nullopt;
}

void HistoryDetailCard::showRow(const HistoryRow &row)
{
    if (m_detail && m_detail->checkout.key == row.key)
        return; // the record is there, and a newer one follows
    m_row = row;
    m_detail.reset();
    m_trouble.clear();
    refresh();
}

void HistoryDetailCard::showDetail(const HistoryDetail &detail)
{
    m_detail = detail;
    m_row.reset();
    m_trouble.clear();
    refresh();
}

void HistoryDetailCard::showTrouble(const QString &what)
{
    m_trouble = what;
    refresh();
}

void HistoryDetailCard::clear()
{
    m_row.reset();
    m_detail.reset();
    m_trouble.clear();
    refresh();
}

void HistoryDetailCard::arrange(bool compact)
{
    m_banner->setCompact(compact);
    m_contradiction->setCompact(compact);
    m_supervisor->setCompact(compact);
    layout()->setSpacing(compact ? 6 : 8);
    m_compact = compact;
    for (Button *button : {m_show, m_reprint, m_copy, m_export})
        button->setSidePadding(compact ? 9 : 14);
    m_reprint->setShape(compact ? icons::Icon::None : icons::Icon::Print);
    m_copy->setShape(compact ? icons::Icon::None : icons::Icon::Copy);
    m_export->setText(compact ? QString() : tr("Export"));
    static_cast<QHBoxLayout *>(m_buttons->layout())->setContentsMargins(compact ? 12 : 20, 10, compact ? 12 : 20, 10);
}

void HistoryDetailCard::retranslate()
{
    m_empty->setText(tr("Choose a payment to see its record."));
    m_recordTitle->setText(tr("Record"));
    m_show->setText(tr("Show in Charge"));
    m_reprint->setText(tr("Reprint"));
    m_copy->setText(tr("Copy key"));
    m_export->setText(m_compact ? QString() : tr("Export")); // a narrow window has room for the shape only
    m_export->setAccessibleName(tr("Export this payment"));
    m_events->setAccessibleName(tr("Record"));
    refresh();
}

void HistoryDetailCard::refresh()
{
    const bool any = m_row || m_detail;
    for (QWidget *widget :
         std::initializer_list<QWidget *>{m_banner, m_factsBox, m_recordTitle, m_recordCount, m_events, m_buttons})
        widget->setVisible(any);
    m_empty->setVisible(!any);
    if (!any) {
        for (QWidget *widget :
             std::initializer_list<QWidget *>{m_contradiction, m_supervisor, m_replaces, m_replacedBy})
            widget->setVisible(false);
        m_events->setLines({});
        return;
    }
    const Checkout checkout = m_detail ? m_detail->checkout : checkoutOf(*m_row);
    m_banner->show(rowWordsOf(checkout), format(checkout.money), checkout.order.text());
    showNotes(checkout);
    showFacts(checkout);
    showLinks(checkout);
    m_events->setLines(m_detail ? eventLines(*m_detail) : std::vector<EventLine>());
    if (m_detail)
        m_recordCount->setText(tr("append-only, events: %1").arg(m_detail->events.size()));
    else
        m_recordCount->setText(m_trouble.isEmpty() ? tr("is being read …")
                                                   : tr("could not be read: %1").arg(m_trouble));
    m_show->setVisible(isOpen(checkout.state));
    m_reprint->setEnabled(m_detail.has_value() && !isAutomatic(checkout.state));
}

void HistoryDetailCard::showNotes(const Checkout &checkout)
{
    m_contradiction->setVisible(checkout.contradiction.has_value());
    if (checkout.contradiction) {
        const Outcome outcome = outcomeOf(checkout, true, Stamp{});
        m_contradiction->setWords({}, outcome.lead);
    }
    QString reason;
    QString title;
    if (const auto *off = std::get_if<state::WrittenOff>(&checkout.state)) {
        title = tr("Closed by a supervisor");
        reason = off->reason;
    } else if (checkout.voidIntent && !checkout.voidIntent->overrideReason.isEmpty()) {
        title = tr("Overridden by a supervisor");
        reason = checkout.voidIntent->overrideReason;
    } else if (m_row && !m_row->supervisorReason.isEmpty()) {
        title = tr("By a supervisor");
        reason = m_row->supervisorReason;
    }
    m_supervisor->setVisible(!reason.isEmpty());
    m_supervisor->setWords({}, QStringLiteral("<b>%1:</b> ").arg(title) + foreignWords(reason));
}

void HistoryDetailCard::setFact(Fact fact, const QString &name, const QString &value)
{
    const auto &[caption, words] = m_facts[static_cast<std::size_t>(fact)];
    caption->setText(name);
    words->setText(value);
    words->setToolTip(value);
    caption->setVisible(!value.isEmpty());
    words->setVisible(!value.isEmpty());
}

void HistoryDetailCard::showFacts(const Checkout &checkout)
{
    const auto *approved = std::get_if<state::Approved>(&checkout.state);
    setFact(Fact::Key, tr("Key"), checkout.key.text());
    setFact(Fact::PayBy, tr("Pay by"), sourceWord(checkout.source));
    setFact(Fact::Started, tr("Started"),
            tr("%1, terminal %2").arg(momentText(checkout.startedAt.wallMs), checkout.terminalId));
    setFact(Fact::Settled, tr("Settled"), m_detail ? settledText(checkout) : QString());
    setFact(Fact::BankCharge, tr("At the bank"), approved ? approved->details.bankChargeId : QString());
    setFact(Fact::VoidKey, tr("Void’s key"), checkout.voidIntent ? checkout.voidIntent->key.text() : QString());
}

void HistoryDetailCard::showLinks(const Checkout &checkout)
{
    m_replaces->setVisible(m_detail && checkout.replaces);
    if (checkout.replaces)
        m_replaces->setText(tr("Started in place of …%1").arg(checkout.replaces->lastFour()));
    m_replacedBy->setVisible(m_detail && m_detail->replacedBy);
    if (m_detail && m_detail->replacedBy)
        m_replacedBy->setText(tr("Replaced by …%1").arg(m_detail->replacedBy->lastFour()));
}

void HistoryDetailCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme::color(theme::Token::Line), 1));
    painter.setBrush(theme::color(theme::Token::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusCard,
                            theme::metrics::radiusCard);
    if (m_buttons->isVisibleTo(this)) {
        painter.setPen(QPen(theme::color(theme::Token::Line), 1));
        painter.drawLine(QPointF(1, m_buttons->y() + 0.5), QPointF(width() - 1, m_buttons->y() + 0.5));
    }
}

} // namespace ikkai
