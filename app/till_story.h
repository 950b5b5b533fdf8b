#pragma once

#include "app/engine.h"
#include "app/print.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <map>

namespace ikkai::app {

/// What the commands share that settle what is open: the till is started, what was open is folded, and from then on
/// everything that happens is told, for no longer than somebody wants to wait. Lives on the main thread.
class TillStory : public QObject {
public:
    TillStory(Engine &engine, Print print, qint64 waitMs);
    void begin();

protected:
    /// What was open is known now, as the start has left it.
    virtual void recovered() = 0;
    /// One event is in the journal.
    virtual void happened(const Event &event, const Checkout &after) = 0;
    /// A checkout stands as the journal has it.
    virtual void changed(const Checkout &checkout) = 0;
    /// Nobody waits any longer.
    virtual void timeIsUp() = 0;

    [[nodiscard]] CheckoutService &service() const { return m_engine.service(); }
    /// Every checkout that was open at the start, or was touched since.
    [[nodiscard]] const std::map<IdempotencyKey, Checkout> &known() const { return m_known; }
    [[nodiscard]] const Checkout *find(const IdempotencyKey &key) const;
    [[nodiscard]] Print print() const { return m_print; }

    /// Calls a slot of the service on its thread.
    template <class Ask>
    void ask(Ask ask)
    {
        QMetaObject::invokeMethod(&service(), [&service = service(), ask] { ask(service); });
    }
    void tell(const Event &event, const Checkout &after) const;
    void tellOutcome(const Checkout &checkout) const;
    /// A story whose end could not be written was not told: exit code 1.
    void end(int code);

private:
    Engine &m_engine;
    Print m_print;
    std::map<IdempotencyKey, Checkout> m_known;
    QTimer m_patience;
    std::optional<JournalError> m_journalError; ///< the newest one, while something is not recorded
    bool m_recovered = false;
    bool m_ended = false;
};

} // namespace ikkai::app
