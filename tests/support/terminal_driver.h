#pragma once

#include "ui/main_window.h"

#include <QtCore/QLatin1StringView>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace ikkai::test {

/// A page object for the terminal's window: what a cashier does and sees, by object names only. Copy the idea.
///
///     driver.charge("A-1", 1200);
///     driver.outcome();   // "approved"
///     driver.attempts();  // one line per try
class TerminalDriver {
public:
    explicit TerminalDriver(MainWindow &window);

    // What a cashier does.
    void typeOrder(const QString &order);
    void typeAmount(qint64 amountMinor); ///< on the keypad
    void payBy(const QString &source);
    void press(QLatin1StringView name); ///< one click with the mouse
    void charge(const QString &order, qint64 amountMinor, const QString &source = QStringLiteral("card_ok"));
    void tryAgain();
    void voidSafely();
    void checkNow();
    void leaveOpen();
    void newSale();
    /// Puts a checkout of the Open list on the screen, the oldest first.
    void open(int row = 0);
    /// Opens the supervisor's panel, fills it in and presses its button.
    void supervisor(const QString &pin, const QString &reason);
    /// Lets everything that is queued happen.
    void settle();

    // What a cashier sees.
    [[nodiscard]] QString outcome() const;  ///< outcome word; empty: no checkout is shown
    [[nodiscard]] QString role() const;     ///< ok, bad, unk, wrk, neu
    [[nodiscard]] QString headline() const; ///< the banner's words
    [[nodiscard]] QStringList attempts() const;
    [[nodiscard]] QString details();                          ///< what Details shows; closed again afterwards
    [[nodiscard]] QString text(QLatin1StringView name) const; ///< empty where it is not on the screen
    [[nodiscard]] QString allText() const;                    ///< everything that can be read on the screen
    [[nodiscard]] bool shows(QLatin1StringView name) const;
    [[nodiscard]] bool enabled(QLatin1StringView name) const;

    /// The control of that name; nullptr where there is none.
    [[nodiscard]] QWidget *find(const QString &name) const;

private:
    MainWindow &m_window;
};

} // namespace ikkai::test
