#include "ui/history/history_fields.h"

#include "ui/object_names.h"
#include "ui/theme/ring_style.h"

#include <QtCore/QLocale>
#include <QtCore/QTimer>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtGui/QTextCharFormat>
#include <QtWidgets/QApplication>
#include <QtWidgets/QCalendarWidget>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTableView>

#include <algorithm>

namespace ikkai {

namespace {

constexpr int chipIcon = 20;
constexpr int chipPadding = 12;
constexpr int chipGap = 8;
constexpr int typingPauseMs = 250;
constexpr int fieldIcon = 18;

} // namespace

ChipButton::ChipButton(QWidget *parent)
    : QPushButton(parent)
{
    setCheckable(true);
    setAutoDefault(false);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void ChipButton::show(const StateChip &chip)
{
    m_chip = chip;
    setText(chip.label);
    setAccessibleName(chip.label);
    updateGeometry();
    update();
}

QSize ChipButton::sizeHint() const
{
    int wide = QFontMetrics(theme::font(theme::Type::Body)).horizontalAdvance(m_chip.label) + 2 * chipPadding + 2;
    if (m_chip.icon != icons::Icon::None)
        wide += chipIcon + chipGap;
    return {wide, theme::metrics::minimumTarget};
}

void ChipButton::paintEvent(QPaintEvent *)
{
    const bool on = isChecked();
    const QColor fill = theme::color(on ? theme::Token::Ink : isDown() ? theme::Token::SelBg : theme::Token::Surface);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill);
    painter.setPen(on ? QPen(Qt::NoPen) : QPen(theme::color(theme::Token::Outline), 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), height() / 2.0, height() / 2.0);
    int x = chipPadding + 1;
    if (m_chip.icon != icons::Icon::None) {
        icons::paint(painter, m_chip.icon, QRectF(x, (height() - chipIcon) / 2.0, chipIcon, chipIcon),
                     on ? theme::color(theme::Token::OnInk) : theme::color(m_chip.role, theme::Part::Line), fill);
        x += chipIcon + chipGap;
    }
    painter.setFont(theme::font(theme::Type::Body));
    painter.setPen(theme::color(on ? theme::Token::OnInk : theme::Token::Text));
    painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                     m_chip.label);
}

SearchField::SearchField(icons::Icon icon, const QLatin1StringView &name, QWidget *parent)
    : QWidget(parent)
    , m_icon(icon)
    , m_edit(new QLineEdit(this))
{
    m_edit->setObjectName(name);
    m_edit->setFrame(false);
    m_edit->setMaxLength(64);
    m_edit->setProperty(theme::ringsParent, true);
    m_edit->setFont(theme::font(theme::Type::Figures));
    setFixedHeight(theme::metrics::minimumTarget);
    setFocusProxy(m_edit);
    connect(qApp, &QApplication::focusChanged, this, [this] { update(); });
    auto *pause = new QTimer(this);
    pause->setSingleShot(true);
    pause->setInterval(typingPauseMs);
    connect(pause, &QTimer::timeout, this, &SearchField::changed);
    connect(m_edit, &QLineEdit::textChanged, pause, qOverload<>(&QTimer::start));
    connect(m_edit, &QLineEdit::returnPressed, this, [this, pause] {
        pause->stop();
        Q_EMIT changed();
    });
}

void SearchField::setHint(const QString &hint)
{
    m_edit->setPlaceholderText(hint);
    m_edit->setAccessibleName(hint);
}

QString SearchField::text() const
{
    return m_edit->text();
}

void SearchField::setWrong(const QString &why)
{
    m_isWrong = !why.isEmpty();
    m_edit->setAccessibleDescription(why);
    m_edit->setToolTip(why);
    update();
}

void SearchField::resizeEvent(QResizeEvent *)
{
    const int left = m_icon == icons::Icon::None ? 12 : 15 + fieldIcon + 8;
    m_edit->setGeometry(left, 2, width() - left - 8, height() - 4);
}

void SearchField::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !m_edit->text().isEmpty()) {
        m_edit->clear();
        event->accept();
        return;
    }
    QWidget::keyPressEvent(event);
}

void SearchField::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool focused = m_edit->hasFocus();
    const qreal stroke = focused || m_isWrong ? 2 : 1;
    const QColor line = m_isWrong ? theme::color(theme::Role::Bad, theme::Part::Line)
                                  : theme::color(focused ? theme::Token::Ink : theme::Token::Outline);
    painter.setPen(QPen(line, stroke));
    painter.setBrush(theme::color(theme::Token::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(stroke / 2, stroke / 2, -stroke / 2, -stroke / 2),
                            theme::metrics::radiusControl, theme::metrics::radiusControl);
    icons::paint(painter, m_icon, QRectF(15, (height() - fieldIcon) / 2.0, fieldIcon, fieldIcon),
                 theme::color(theme::Token::Muted), theme::color(theme::Token::Surface));
}

DayChooser::DayChooser(QWidget *parent)
    : Button(Button::Kind::Secondary, parent)
    , m_popup(new QFrame(this, Qt::Popup))
    , m_calendar(new QCalendarWidget(m_popup))
    , m_any(new Button(Button::Kind::Secondary, m_popup))
    , m_todayButton(new Button(Button::Kind::Secondary, m_popup))
{
    setObjectName(names::historyDay);
    setFixedHeight(theme::metrics::minimumTarget);
    m_popup->setObjectName(names::historyDayPopup);
    m_popup->setFrameShape(QFrame::StyledPanel);
    m_calendar->setObjectName(names::historyCalendar);
    m_calendar->setVerticalHeaderFormat(QCalendarWidget::NoVerticalHeader);
    m_calendar->setGridVisible(false);
    // Red week-ends say something else in this house.
    QTextCharFormat plain;
    for (const auto each : {Qt::Saturday, Qt::Sunday})
        m_calendar->setWeekdayTextFormat(each, plain);
    m_any->setObjectName(names::historyAnyDay);
    m_todayButton->setObjectName(names::historyToday);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_any);
    row->addWidget(m_todayButton);
    row->addStretch(1);
    auto *column = new QVBoxLayout(m_popup);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(8);
    column->addLayout(row);
    column->addWidget(m_calendar);
    m_calendar->setMinimumSize(380, 280);

    connect(this, &Button::clicked, this, &DayChooser::open);
    connect(m_calendar, &QCalendarWidget::clicked, this, [this](const QDate &day) { take(day); });
    connect(m_calendar, &QCalendarWidget::activated, this, [this](const QDate &day) { take(day); });
    connect(m_any, &Button::clicked, this, [this] { take(std::nullopt); });
    connect(m_todayButton, &Button::clicked, this, [this] { take(m_today); });
}

void DayChooser::setToday(const QDate &today)
{
    if (m_today == today)
        return;
    m_today = today;
    m_calendar->setMaximumDate(today);
    retranslate();
}

void DayChooser::choose(const std::optional<QDate> &day)
{
    if (m_day == day)
        return;
    m_day = day;
    retranslate();
    Q_EMIT dayChanged();
}

void DayChooser::take(const std::optional<QDate> &day)
{
    m_popup->close();
    choose(day);
}

void DayChooser::open()
{
    const QDate shown = m_day.value_or(m_today);
    m_calendar->setSelectedDate(shown);
    m_popup->adjustSize();
    const QPoint below = mapToGlobal(QPoint(width() - m_popup->width(), height() + 6));
    m_popup->move(std::max(0, below.x()), below.y());
    m_popup->show();
    m_calendar->setFocus();
}

void DayChooser::retranslate()
{
    setText(m_day ? dayText(*m_day, m_today) : tr("Any day"));
    setAccessibleName(tr("Day"));
    setAccessibleDescription(text());
    m_any->setText(tr("Any day"));
    m_todayButton->setText(tr("Today"));
    m_calendar->setAccessibleName(tr("Day"));
    m_calendar->setLocale(QLocale(dayLanguage()));
    updateGeometry();
    update();
}

QSize DayChooser::sizeHint() const
{
    const int wide = QFontMetrics(theme::font(theme::Type::Figures)).horizontalAdvance(text());
    return {std::max(130, wide + 15 + 20 + 10 + 15), theme::metrics::minimumTarget};
}

void DayChooser::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme::color(theme::Token::Outline), 1));
    painter.setBrush(theme::color(isDown() ? theme::Token::SelBg : theme::Token::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusControl,
                            theme::metrics::radiusControl);
    painter.setFont(theme::font(theme::Type::Figures));
    painter.setPen(theme::color(theme::Token::Text));
    painter.drawText(rect().adjusted(15, 0, -40, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text());
    icons::paint(painter, icons::Icon::Down, QRectF(width() - 15 - 18, (height() - 18) / 2.0, 18, 18),
                 theme::color(theme::Token::Text), theme::color(theme::Token::Surface));
}

} // namespace ikkai
