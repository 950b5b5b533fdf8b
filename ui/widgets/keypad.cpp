#include "ui/widgets/keypad.h"

#include "ui/object_names.h"
#include "ui/widgets/button.h"

#include <QtCore/QEvent>
#include <QtWidgets/QGridLayout>

namespace ikkai {

Keypad::Keypad(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    setObjectName(names::keypad);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(8);
    for (int column = 0; column < 4; ++column)
        m_grid->setColumnStretch(column, 1);
    for (int digit = 1; digit <= 9; ++digit)
        addDigits(QString::number(digit), 2 - (digit - 1) / 3, (digit - 1) % 3, 1);
    addDigits(QStringLiteral("0"), 3, 0, 2);
    addDigits(QStringLiteral("00"), 3, 2, 1);

    m_backspace = new Button(Button::Kind::QuietKey, this);
    m_backspace->setObjectName(names::keypadBackspace);
    m_backspace->setShape(icons::Icon::Backspace);
    m_backspace->setAutoRepeat(true);
    m_backspace->setFocusPolicy(Qt::NoFocus);
    m_grid->addWidget(m_backspace, 0, 3, 2, 1);
    connect(m_backspace, &Button::clicked, this, &Keypad::backspacePressed);

    m_clear = new Button(Button::Kind::QuietKey, this);
    m_clear->setObjectName(names::keypadClear);
    m_clear->setText(QStringLiteral("C"));
    m_clear->setType(theme::Type::Primary);
    m_clear->setFocusPolicy(Qt::NoFocus);
    m_grid->addWidget(m_clear, 2, 3, 2, 1);
    connect(m_clear, &Button::clicked, this, &Keypad::clearPressed);

    setKeyHeight(64);
    retranslate();
}

Button *Keypad::addDigits(const QString &digits, int row, int column, int columns)
{
    auto *key = new Button(Button::Kind::Key, this);
    key->setObjectName(names::keypad + QLatin1Char('.') + digits);
    key->setText(digits);
    key->setFocusPolicy(Qt::NoFocus);
    m_grid->addWidget(key, row, column, 1, columns);
    connect(key, &Button::clicked, this, [this, digits] { Q_EMIT digitsPressed(digits); });
    m_digits.append(key);
    return key;
}

void Keypad::setKeyHeight(int px)
{
    for (Button *key : std::as_const(m_digits))
        key->setFixedHeight(px);
    setFixedHeight(4 * px + 3 * m_grid->spacing());
}

void Keypad::retranslate()
{
    m_clear->setAccessibleName(tr("Clear the amount"));
    m_backspace->setAccessibleName(tr("Delete the last digit"));
}

void Keypad::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace ikkai
