#pragma once

#include "mock-server/control/request_journal.h"

#include <QtCore/QObject>
#include <QtCore/QSet>

#include <map>
#include <memory>

namespace mockbank {

/// `POST /control/wait-for`: callers who want to be answered as soon as n arrivals met a filter. A waiting caller costs
/// memory and one timer, never a thread. One for each run of the bank; the network thread's.
class WaitFor : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t maxWaiters = 1000;

    explicit WaitFor(RequestJournal &journal);
    ~WaitFor() override;

    void call(const std::shared_ptr<Exchange> &exchange);
    [[nodiscard]] std::size_t waiting() const { return m_waiters.size(); }

private:
    struct Waiter {
        std::shared_ptr<Exchange> exchange;
        JournalFilter filter;
        quint64 since = 0;
        qsizetype count = 1;
        QSet<quint64> seen;
    };

    void forget(quint64 id);
    void look(const JournalRecord *record);
    void answerMet();
    void timedOut(quint64 id);
    [[nodiscard]] Response metAnswer(const Waiter &waiter);

    RequestJournal &m_journal;
    std::map<quint64, Waiter> m_waiters;
    quint64 m_lastId = 0;
    bool m_answering = false; ///< answerMet is on its way
};

} // namespace mockbank
