#include "ui/cashier/journal_fault_screen.h"

#include "ui/cashier/journal_words.h"
#include "ui/object_names.h"
#include "ui/theme/ring_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"
#include "ui/widgets/outcome_banner.h"

#include <QtCore/QEvent>
#include <QtGui/QClipboard>
#include <QtGui/QCloseEvent>
#include <QtGui/QGuiApplication>
#include <QtGui/QPainter>

#include <algorithm>
#include <utility>

namespace ikkai {

JournalFaultScreen::JournalFaultScreen(JournalError error, Language language, theme::Mode mode, QWidget *parent)
    : QWidget(parent)
    , m_error(std::move(error))
{
    theme::apply(mode);
    m_language.use(language);
    m_banner = new OutcomeBanner(this);
    m_means = new FlowText(theme::Type::Sentence, theme::Token::Text, this);
    m_worksTitle = new Label(theme::Type::CardTitle, theme::Token::Text, this);
    m_works = new FlowText(theme::Type::Explanation, theme::Token::Text, this);
    m_toDoTitle = new Label(theme::Type::CardTitle, theme::Token::Text, this);
    m_toDo = new FlowText(theme::Type::Explanation, theme::Token::Text, this);
    m_record = new FlowText(theme::Type::SmallWire, theme::Token::Muted, this);
    m_other = new Button(Button::Kind::Flat, this);
    m_copy = new Button(Button::Kind::Secondary, this);
    m_close = new Button(Button::Kind::Primary, this);

    setObjectName(names::journalFaultScreen);
    m_means->setObjectName(names::journalFaultMeans);
    m_works->setObjectName(names::journalFaultWorks);
    m_toDo->setObjectName(names::journalFaultToDo);
    m_record->setObjectName(names::journalFaultRecord);
    m_other->setObjectName(names::journalFaultLanguage);
    m_copy->setObjectName(names::journalFaultCopy);
    m_close->setObjectName(names::journalFaultClose);
    m_other->setShape(icons::Icon::Globe);
    m_copy->setShape(icons::Icon::Copy);
    m_close->setType(theme::Type::Primary);
    setMinimumSize(theme::metrics::minimumWidth, theme::metrics::minimumHeight);
    resize(theme::metrics::defaultWidth, theme::metrics::defaultHeight);
    new theme::FocusRing(this);

    connect(m_other, &Button::clicked, this, [this] {
        setLanguage(m_language.language() == Language::English ? Language::Japanese : Language::English);
    });
    connect(m_copy, &Button::clicked, this, [this] { QGuiApplication::clipboard()->setText(describe(m_error)); });
    connect(m_close, &Button::clicked, this, &QWidget::close);
    retranslate();
}

void JournalFaultScreen::setLanguage(Language language)
{
    m_language.use(language);
    retranslate();
}

void JournalFaultScreen::retranslate()
{
    const JournalFaultWords words = journalFaultWords(m_error, JournalMoment::AtStart);
    setWindowTitle(tr("Ikkai cannot start"));
    m_banner->show({{}, theme::Role::Bad, icons::Icon::Contradiction, words.headline, {}, {}, {}, {}});
    m_means->setMarked(words.means);
    m_worksTitle->setText(tr("What still holds"));
    m_works->setMarked(words.works);
    m_toDoTitle->setText(tr("What to do"));
    m_toDo->setMarked(words.toDo);
    // A path has no spaces to break at: let it break after each folder.
    QString record = words.record;
    m_record->setMarked(
        record.replace(QLatin1Char('/'), QStringLiteral("/|")).replace(QLatin1Char('\n'), QStringLiteral("  |")));
    m_other->setText(m_language.language() == Language::English ? QStringLiteral("日本語") : QStringLiteral("English"));
    m_other->setAccessibleName(m_language.language() == Language::English ? QStringLiteral("日本語に切り替える")
                                                                          : QStringLiteral("Switch to English"));
    m_copy->setText(tr("Copy details"));
    m_close->setText(tr("Close"));
    place();
}

/// A readable column in the middle; the buttons stand at the bottom, whatever the height.
void JournalFaultScreen::place()
{
    const bool compact = theme::isCompact(width(), height());
    const int side = compact ? 16 : 24;
    const int wide = std::min(width() - 2 * side, 960);
    const int left = (width() - wide) / 2;
    m_banner->setCompact(compact);
    m_banner->setFixedWidth(wide);
    m_banner->move(left, 64 + side);
    int y = m_banner->geometry().bottom() + 28;
    const auto put = [&](FlowText *text, int gap) {
        const int high = text->heightForWidth(wide);
        text->setGeometry(left, y, wide, high);
        y += high + gap;
    };
    const auto title = [&](Label *label) {
        label->setGeometry(left, y, wide, label->sizeHint().height());
        y += label->height() + 6;
    };
    put(m_means, 28);
    title(m_toDoTitle);
    put(m_toDo, 24);
    title(m_worksTitle);
    put(m_works, 28);
    put(m_record, 0);

    const int bottom = height() - side;
    m_close->setFixedSize(m_close->sizeHint().width() + 24, 56);
    m_close->move(left + wide - m_close->width(), bottom - 56);
    m_copy->setFixedSize(m_copy->sizeHint().width(), theme::metrics::button);
    m_copy->move(left, bottom - m_copy->height());
    m_other->setFixedSize(m_other->sizeHint().width(), theme::metrics::button);
    m_other->move(left + wide - m_other->width(), 12);
}

void JournalFaultScreen::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void JournalFaultScreen::resizeEvent(QResizeEvent *)
{
    // The banner sets its own height for a width: twice, so that it has settled.
    place();
    place();
}

void JournalFaultScreen::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme::color(theme::Token::Window));
}

void JournalFaultScreen::closeEvent(QCloseEvent *event)
{
    QWidget::closeEvent(event);
    Q_EMIT closed();
}

} // namespace ikkai
