#include "ui/header_bar.h"

#include "ui/object_names.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtCore/QEvent>
#include <QtGui/QPainter>
#include <QtGui/QShortcut>
#include <QtWidgets/QButtonGroup>
#include <QtWidgets/QHBoxLayout>

#include <algorithm>
#include <array>

namespace ikkai {

namespace {

constexpr int compactBelow = 1200;

constexpr std::array allPages{HeaderBar::Page::Charge, HeaderBar::Page::Open, HeaderBar::Page::History,
                              HeaderBar::Page::CloseDay};

/// The mark of the house: a ring with one stroke.
class BrandMark final : public QWidget {
public:
    explicit BrandMark(QWidget *parent)
        : QWidget(parent)
    {
        setFixedSize(28, 28);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        icons::paint(painter, icons::Icon::Brand, rect(), theme::color(theme::Token::Ink),
                     theme::color(theme::Token::Surface));
    }
};

} // namespace

/// How the way to the bank is, as a sign beside its words.
class LinkMark final : public QWidget {
public:
    explicit LinkMark(QWidget *parent)
        : QWidget(parent)
    {
        setFixedSize(18, 18);
    }

    void set(icons::Icon icon, theme::Role role)
    {
        m_icon = icon;
        m_role = role;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        icons::paint(painter, m_icon, QRectF(rect()), theme::color(m_role, theme::Part::Line),
                     theme::color(theme::Token::Surface));
    }

private:
    icons::Icon m_icon = icons::Icon::Dash;
    theme::Role m_role = theme::Role::Neu;
};

/// A page's name; the one that is shown is strong and underlined. A number beside it, if it has one, in amber.
class NavButton final : public QPushButton {
public:
    explicit NavButton(QWidget *parent)
        : QPushButton(parent)
    {
        setCheckable(true);
        setAutoDefault(false);
        setFixedHeight(theme::metrics::header);
    }

    void setCount(int count)
    {
        m_count = count;
        updateGeometry();
        update();
    }

    QSize sizeHint() const override
    {
        const int words = QFontMetrics(theme::font(theme::Type::Strong)).horizontalAdvance(text());
        return {words + 8 + (m_count > 0 ? 8 + badgeWidth() : 0), theme::metrics::header};
    }
    QSize minimumSizeHint() const override { return {std::max(44, sizeHint().width()), theme::metrics::header}; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QFont font = theme::font(isChecked() ? theme::Type::Strong : theme::Type::Body);
        painter.setFont(font);
        painter.setPen(theme::color(isChecked() ? theme::Token::Text : theme::Token::Muted));
        painter.drawText(QRect(4, 0, width(), height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text());
        if (isChecked())
            painter.fillRect(QRect(0, height() - 4, width(), 4), theme::color(theme::Token::Ink));
        if (m_count <= 0)
            return;
        const int left = 4 + QFontMetrics(font).horizontalAdvance(text()) + 8;
        const QRectF badge(left, (height() - 24) / 2.0, badgeWidth(), 24);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme::color(theme::Token::UnkSolid));
        painter.drawRoundedRect(badge, 12, 12);
        painter.setFont(theme::font(theme::Type::SmallFiguresStrong));
        painter.setPen(theme::color(theme::Token::UnkOn));
        painter.drawText(badge, Qt::AlignCenter | Qt::TextDontClip, QString::number(m_count));
    }

private:
    [[nodiscard]] int badgeWidth() const
    {
        const QFontMetrics metrics(theme::font(theme::Type::SmallFiguresStrong));
        return std::max(24, metrics.horizontalAdvance(QString::number(m_count)) + 14);
    }

    int m_count = 0;
};

HeaderBar::HeaderBar(const QString &terminalId, bool withTrainer, QWidget *parent)
    : QWidget(parent)
    , m_brand(new Label(theme::Type::Brand, theme::Token::Text, this))
    , m_till(new Label(theme::Type::Small, theme::Token::Muted, this))
    , m_charge(new NavButton(this))
    , m_open(new NavButton(this))
    , m_history(new NavButton(this))
    , m_closeDay(new NavButton(this))
    , m_nav(new QHBoxLayout)
    , m_mark(new LinkMark(this))
    , m_linkWords(new Label(theme::Type::Body, theme::Token::Text, this))
    , m_trainer(new Button(Button::Kind::Flat, this))
    , m_language(new Button(Button::Kind::Flat, this))
    , m_clock(new Label(theme::Type::BannerFacts, theme::Token::Text, this))
{
    setObjectName(names::header);
    setFixedHeight(theme::metrics::header);
    m_till->setText(terminalId);
    m_charge->setObjectName(names::navCharge);
    m_open->setObjectName(names::navOpen);
    m_history->setObjectName(names::navHistory);
    m_closeDay->setObjectName(names::navCloseDay);
    m_linkWords->setObjectName(names::bankLink);
    m_trainer->setObjectName(names::trainerToggle);
    m_language->setObjectName(names::languageSwitch);
    m_clock->setObjectName(names::clock);
    QFont words = m_linkWords->font();
    words.setPixelSize(15);
    m_linkWords->setFont(words);
    m_clock->setWidestText(QStringLiteral("00:00"));

    auto *pages = new QButtonGroup(this);
    for (const Page page : allPages) {
        NavButton *button = buttonOf(page);
        pages->addButton(button);
        m_nav->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, page] { Q_EMIT pageWanted(page); });
        const QKeySequence keys(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(page)));
        auto *shortcut = new QShortcut(keys, this);
        shortcut->setAutoRepeat(false);
        connect(shortcut, &QShortcut::activated, this, [this, page] { Q_EMIT pageWanted(page); });
        button->setToolTip(keys.toString(QKeySequence::NativeText));
    }
    m_charge->setChecked(true);
    for (Button *button : {m_trainer, m_language}) {
        button->setType(theme::Type::Body);
        button->setSidePadding(10);
    }
    m_language->setShape(icons::Icon::Globe);
    m_trainer->setShape(icons::Icon::Grad);
    m_trainer->setCheckable(true);
    m_trainer->setVisible(withTrainer);

    auto *row = new QHBoxLayout(this);
    row->setSpacing(0);
    row->addWidget(new BrandMark(this));
    row->addSpacing(10);
    row->addWidget(m_brand);
    row->addSpacing(14);
    row->addWidget(m_till);
    row->addLayout(m_nav);
    row->addStretch(1);
    row->addWidget(m_mark);
    row->addSpacing(8);
    row->addWidget(m_linkWords);
    row->addSpacing(18);
    row->addWidget(m_trainer);
    row->addWidget(m_language);
    row->addSpacing(12);
    row->addWidget(m_clock);

    connect(m_language, &Button::clicked, this, &HeaderBar::otherLanguageWanted);
    connect(m_trainer, &Button::clicked, this, &HeaderBar::trainerWanted);
    arrange(false);
    retranslate();
}

NavButton *HeaderBar::buttonOf(Page page) const
{
    switch (page) {
    case Page::Charge:
        return m_charge;
    case Page::Open:
        return m_open;
    case Page::History:
        return m_history;
    case Page::CloseDay:
        break;
    }
    return m_closeDay;
}

void HeaderBar::arrange(bool compact)
{
    m_compact = compact;
    const int side = compact ? 16 : 24;
    layout()->setContentsMargins(side, 0, side, 1);
    m_nav->setContentsMargins(compact ? 4 : 36, 0, 0, 0);
    m_nav->setSpacing(compact ? 12 : 28);
    m_till->setVisible(!compact);
    m_trainer->setSidePadding(compact ? 12 : 10);
    m_language->setSidePadding(compact ? 6 : 10);
    retranslate();
}

void HeaderBar::resizeEvent(QResizeEvent *event)
{
    const bool compact = width() < compactBelow;
    if (compact != m_compact)
        arrange(compact);
    QWidget::resizeEvent(event);
}

void HeaderBar::setPage(Page page)
{
    buttonOf(page)->setChecked(true);
}

void HeaderBar::setOpenCount(int count)
{
    m_open->setCount(count);
    m_open->setAccessibleDescription(QString::number(count));
    layout()->invalidate();
}

void HeaderBar::setLink(BankLink link)
{
    m_link = link;
    retranslate();
}

void HeaderBar::setLanguage(Language language)
{
    m_shown = language;
    retranslate();
}

void HeaderBar::setTime(const QString &time)
{
    if (m_clock->text() != time)
        m_clock->setText(time);
}

void HeaderBar::setTrainerShown(bool shown)
{
    m_trainer->setChecked(shown);
}

void HeaderBar::retranslate()
{
    using icons::Icon;
    using theme::Role;
    m_brand->setText(tr("Ikkai"));
    m_charge->setText(tr("Charge", "page"));
    m_open->setText(tr("Open", "page"));
    m_history->setText(tr("History", "page"));
    m_closeDay->setText(tr("Close day", "page"));
    m_trainer->setText(m_compact ? QString() : tr("Trainer"));
    m_trainer->setAccessibleName(tr("Trainer"));
    // The name of the other language, in that language: who needs it can read it.
    m_language->setText(m_shown == Language::English ? QStringLiteral("日本語") : QStringLiteral("English"));
    m_language->setAccessibleName(m_shown == Language::English ? QStringLiteral("日本語に切り替える")
                                                               : QStringLiteral("Switch to English"));
    switch (m_link) {
    case BankLink::NotTriedYet:
        m_mark->set(Icon::Dash, Role::Neu);
        m_linkWords->setText(tr("Bank not asked yet"));
        break;
    case BankLink::Online:
        m_mark->set(Icon::Check, Role::Ok);
        m_linkWords->setText(tr("Bank online"));
        break;
    case BankLink::NotAnswering:
        m_mark->set(Icon::Clock, Role::Unk);
        m_linkWords->setText(tr("Bank is not answering"));
        break;
    case BankLink::Unreachable:
        m_mark->set(Icon::Cross, Role::Bad);
        m_linkWords->setText(tr("Bank cannot be reached"));
        break;
    case BankLink::ApiKeyRefused:
        m_mark->set(Icon::Triangle, Role::Bad);
        m_linkWords->setText(tr("Bank refuses this terminal"));
        break;
    case BankLink::OtherLedger:
        m_mark->set(Icon::Triangle, Role::Bad);
        m_linkWords->setText(tr("Another bank answers"));
        break;
    }
}

void HeaderBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void HeaderBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme::color(theme::Token::Surface));
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme::color(theme::Token::Line));
}

} // namespace ikkai
