#include "tests/support/terminal_driver.h"

#include "ui/object_names.h"

#include <QtTest/QTest>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>

namespace ikkai::test {

TerminalDriver::TerminalDriver(MainWindow &window)
    : m_window(window)
{
}

QWidget *TerminalDriver::find(const QString &name) const
{
    return m_window.objectName() == name ? &m_window : m_window.findChild<QWidget *>(name);
}

void TerminalDriver::settle()
{
    m_window.tick(); // the events before this click have been handled: the window is not frozen
    for (int turn = 0; turn < 8; ++turn)
        QApplication::processEvents();
    QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

void TerminalDriver::typeOrder(const QString &order)
{
    auto *field = qobject_cast<QLineEdit *>(find(names::orderField));
    field->setFocus();
    field->clear();
    QTest::keyClicks(field, order);
}

void TerminalDriver::typeAmount(qint64 amountMinor)
{
    press(names::keypadClear);
    for (const QChar digit : QString::number(amountMinor)) {
        auto *key = find(names::keypad + QLatin1Char('.') + digit);
        QTest::mouseClick(key, Qt::LeftButton);
    }
}

void TerminalDriver::payBy(const QString &source)
{
    QTest::mouseClick(find(names::payBy + QLatin1Char('.') + source), Qt::LeftButton);
}

void TerminalDriver::press(QLatin1StringView name)
{
    m_window.tick();
    QTest::mouseClick(find(name), Qt::LeftButton);
}

void TerminalDriver::charge(const QString &order, qint64 amountMinor, const QString &source)
{
    typeOrder(order);
    payBy(source);
    typeAmount(amountMinor);
    press(names::chargeButton);
    settle();
}

void TerminalDriver::tryAgain()
{
    press(names::tryAgainButton);
    settle();
}

void TerminalDriver::voidSafely()
{
    press(names::voidButton);
    settle();
}

void TerminalDriver::checkNow()
{
    press(names::checkNowButton);
    settle();
}

void TerminalDriver::leaveOpen()
{
    press(names::leaveOpenButton);
    settle();
}

void TerminalDriver::newSale()
{
    press(names::newSaleButton);
    settle();
}

void TerminalDriver::open(int row)
{
    press(names::navOpen);
    settle();
    auto *list = qobject_cast<QAbstractItemView *>(find(names::openList));
    list->setCurrentIndex(list->model()->index(row, 0));
    press(names::openSelected);
    settle();
}

void TerminalDriver::supervisor(const QString &pin, const QString &reason)
{
    if (!shows(names::supervisorPanel)) {
        press(names::supervisorButton);
        settle();
    }
    auto *pinField = qobject_cast<QLineEdit *>(find(names::supervisorPin));
    pinField->setFocus();
    pinField->clear();
    QTest::keyClicks(pinField, pin);
    auto *reasonField = qobject_cast<QLineEdit *>(find(names::supervisorReason));
    reasonField->setFocus();
    reasonField->clear();
    reasonField->insert(reason); // as an input method does
    press(names::supervisorConfirm);
    settle();
}

QString TerminalDriver::details()
{
    press(names::detailsButton);
    settle();
    const QString said = find(names::detailsText)->property("plainText").toString();
    press(names::detailsButton);
    settle();
    return said;
}

QString TerminalDriver::outcome() const
{
    return find(names::banner)->property("outcome").toString();
}

QString TerminalDriver::role() const
{
    return find(names::banner)->property("role").toString();
}

QString TerminalDriver::headline() const
{
    const QString sub = text(names::subHeadline);
    return text(names::headline) + (sub.isEmpty() ? QString() : QStringLiteral(" — ") + sub);
}

QStringList TerminalDriver::attempts() const
{
    const auto *view = qobject_cast<QAbstractItemView *>(find(names::attemptsList));
    QStringList lines;
    for (int row = 0; view->isVisible() && row < view->model()->rowCount(); ++row)
        lines << view->model()->index(row, 0).data().toString();
    return lines;
}

namespace {

QString wordsOf(const QWidget *widget)
{
    if (const auto *label = qobject_cast<const QLabel *>(widget))
        return label->text();
    if (const auto *field = qobject_cast<const QLineEdit *>(widget))
        return field->displayText();
    const QVariant text = widget->property("text");
    if (text.isValid() && !text.toString().isEmpty())
        return text.toString();
    return widget->accessibleName();
}

} // namespace

QString TerminalDriver::text(QLatin1StringView name) const
{
    const QWidget *widget = find(name);
    return widget && widget->isVisible() ? wordsOf(widget) : QString();
}

QString TerminalDriver::allText() const
{
    QStringList all;
    for (const QWidget *widget : m_window.findChildren<QWidget *>()) {
        if (!widget->isVisible())
            continue;
        all << wordsOf(widget) << widget->accessibleDescription();
        if (const auto *view = qobject_cast<const QAbstractItemView *>(widget)) {
            for (int row = 0; row < view->model()->rowCount(); ++row)
                all << view->model()->index(row, 0).data().toString();
        }
    }
    return all.join(QLatin1Char('\n'));
}

bool TerminalDriver::shows(QLatin1StringView name) const
{
    const QWidget *widget = find(name);
    return widget && widget->isVisible();
}

bool TerminalDriver::enabled(QLatin1StringView name) const
{
    const QWidget *widget = find(name);
    return widget && widget->isVisible() && widget->isEnabled();
}

} // namespace ikkai::test
