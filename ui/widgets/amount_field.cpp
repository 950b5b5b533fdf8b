#include "ui/widgets/amount_field.h"

#include "ui/theme/theme.h"

#include <QtGui/QAccessible>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QInputMethodEvent>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>

#include <utility>

namespace ikkai {

AmountField::AmountField(Currency currency, QWidget *parent)
    : QWidget(parent)
    , m_entry(currency)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_InputMethodEnabled);
    setInputMethodHints(Qt::ImhDigitsOnly | Qt::ImhNoPredictiveText);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(72);
    tell();
}

void AmountField::setMinor(qint64 amountMinor)
{
    m_beginsAnew = false;
    m_entry.setMinor(amountMinor);
    tell();
}

void AmountField::typeDigits(const QString &digits)
{
    if (std::exchange(m_beginsAnew, false))
        m_entry.clear();
    take(digits, m_entry.type(digits));
}

void AmountField::backspace()
{
    if (std::exchange(m_beginsAnew, false))
        m_entry.clear();
    else
        m_entry.backspace();
    tell();
}

void AmountField::clear()
{
    m_beginsAnew = false;
    m_entry.clear();
    tell();
}

void AmountField::setCompact(bool compact)
{
    m_compact = compact;
    setFixedHeight(compact ? 64 : 72);
}

void AmountField::take(const QString &given, bool taken)
{
    if (!taken)
        Q_EMIT refused(given);
    tell();
}

void AmountField::tell()
{
    setAccessibleName(tr("Amount"));
    setAccessibleDescription(m_entry.shown());
    update();
    Q_EMIT changed();
}

bool AmountField::takesKey(const QKeyEvent &event)
{
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    if (event.key() == Qt::Key_Backspace)
        return true;
    if (event.text().isEmpty())
        return false;
    const QChar c = event.text().front();
    return (c >= QChar(u'0') && c <= QChar(u'9')) || (c >= QChar(u'０') && c <= QChar(u'９'));
}

/// A scanner types a code faster than fingers and ends it with Enter: that is not an amount.
bool AmountField::wasScanned(const QKeyEvent &event)
{
    constexpr quint64 fasterThanFingersMs = 30;
    constexpr int shortestCode = 6;
    const bool isQuick = m_lastDigitMs > 0 && event.timestamp() - m_lastDigitMs <= fasterThanFingersMs;
    if (takesKey(event)) {
        m_quickDigits = isQuick ? m_quickDigits + 1 : 1;
        m_lastDigitMs = event.timestamp();
        return false;
    }
    const bool isEnter = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
    return isEnter && isQuick && std::exchange(m_quickDigits, 0) >= shortestCode;
}

void AmountField::keyPressEvent(QKeyEvent *event)
{
    if (wasScanned(*event)) {
        const QString code = m_entry.shown();
        clear();
        Q_EMIT refused(code);
        return;
    }
    if (event->matches(QKeySequence::Paste)) {
        const QString text = QGuiApplication::clipboard()->text();
        take(text, m_entry.paste(text));
    } else if (event->key() == Qt::Key_Backspace) {
        backspace();
    } else if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Escape) {
        clear();
    } else if (takesKey(*event)) {
        typeDigits(event->text());
    } else if (!event->text().isEmpty() && event->text().front().isPrint() &&
               !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
        Q_EMIT refused(event->text());
    } else {
        QWidget::keyPressEvent(event);
    }
}

void AmountField::inputMethodEvent(QInputMethodEvent *event)
{
    m_composing = event->preeditString();
    if (!event->commitString().isEmpty())
        typeDigits(event->commitString());
    event->accept();
    update();
}

QVariant AmountField::inputMethodQuery(Qt::InputMethodQuery query) const
{
    switch (query) {
    case Qt::ImEnabled:
        return true;
    case Qt::ImHints:
        return static_cast<int>(inputMethodHints());
    case Qt::ImCursorRectangle:
        return QRect(width() - 18, 8, 2, height() - 16);
    case Qt::ImSurroundingText:
        return QString();
    case Qt::ImCursorPosition:
    case Qt::ImAnchorPosition:
        return 0;
    default:
        return QWidget::inputMethodQuery(query);
    }
}

void AmountField::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void AmountField::focusOutEvent(QFocusEvent *event)
{
    m_composing.clear();
    QWidget::focusOutEvent(event);
    update();
}

void AmountField::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        setAccessibleName(tr("Amount"));
    QWidget::changeEvent(event);
}

void AmountField::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal stroke = hasFocus() ? 2 : 1;
    painter.setPen(QPen(theme::color(hasFocus() ? theme::Token::Ink : theme::Token::Outline), stroke));
    painter.setBrush(theme::color(theme::Token::Surface));
    const qreal half = stroke / 2;
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), theme::metrics::radiusControl,
                            theme::metrics::radiusControl);
    painter.setFont(theme::font(theme::Type::BannerAmount));
    painter.setPen(theme::color(m_entry.minor() == 0 ? theme::Token::Muted : theme::Token::Text));
    const QRect inside = rect().adjusted(15, 0, -15, 0);
    painter.drawText(inside, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, m_entry.shown());
    if (!m_composing.isEmpty()) {
        QFont composing = theme::font(theme::Type::KeyDigit);
        composing.setUnderline(true);
        painter.setFont(composing);
        painter.setPen(theme::color(theme::Token::Muted));
        painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, m_composing);
    }
}

} // namespace ikkai
