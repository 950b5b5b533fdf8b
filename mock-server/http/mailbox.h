#pragma once

#include <QtCore/QObject>

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace mockbank {

/// Carries work from the ledger thread to the network thread, in order. One wake-up serves all that was posted since
/// the last, so a batch of commits costs one event.
class Mailbox : public std::enable_shared_from_this<Mailbox> {
public:
    /// `target` names the thread that does the work.
    explicit Mailbox(QObject *target)
        : m_target(target)
    {
    }

    /// From any thread. After `close` the work is dropped.
    void post(std::function<void()> work)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_target)
            return;
        m_work.push_back(std::move(work));
        if (m_work.size() == 1)
            QMetaObject::invokeMethod(
                m_target, [self = shared_from_this()] { self->deliver(); }, Qt::QueuedConnection);
    }

    /// On the target's thread: does what is waiting now.
    void deliver()
    {
        std::vector<std::function<void()>> work;
        {
            const std::lock_guard lock(m_mutex);
            work.swap(m_work);
        }
        for (const auto &task : work) {
            if (m_closed)
                return;
            task();
        }
    }

    /// On the target's thread: nothing that is waiting or comes later is done.
    void close()
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        m_target = nullptr;
        m_work.clear();
    }

private:
    std::mutex m_mutex;
    QObject *m_target;
    bool m_closed = false; ///< read and written on the target's thread only
    std::vector<std::function<void()>> m_work;
};

} // namespace mockbank
