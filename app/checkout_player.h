#pragma once

#include "app/engine.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QObject>

#include <optional>

namespace ikkai::app {

/// Plays checkouts at an engine, one at a time, and says when the terminal has come to rest: a final word, or nothing
/// that goes on by itself. What a cashier would do then is for the owner to decide. Lives on the thread that made it.
class CheckoutPlayer : public QObject {
    Q_OBJECT

public:
    explicit CheckoutPlayer(Engine &engine, QObject *parent = nullptr);

    void play(const StartRequest &request);
    void checkNow();
    void tryAgain();

    [[nodiscard]] qint64 msSincePress() const { return m_sincePress.elapsed(); }

Q_SIGNALS:
    void happened(const ikkai::Event &event, const ikkai::Checkout &after);
    void rested(const ikkai::Checkout &checkout);
    /// Nothing was sent, and nothing more will come.
    void failed(const QString &why);

private:
    void follow(const Checkout &checkout, bool recorded);
    template <class Press>
    void press(Press slot);

    Engine &m_engine;
    std::optional<IdempotencyKey> m_key;
    bool m_pressed = false; ///< something was asked for that has not begun yet
    QElapsedTimer m_sincePress;
};

} // namespace ikkai::app
