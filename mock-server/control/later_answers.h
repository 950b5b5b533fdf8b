#pragma once

#include "mock-server/http/connection.h"
#include "mock-server/http/mailbox.h"

#include <QtCore/QHash>
#include <QtCore/QObject>

#include <functional>
#include <memory>

namespace mockbank {

/// Answers of the control API that the ledger thread has to find out first. Lives on the network thread.
class LaterAnswers : public QObject {
    Q_OBJECT

public:
    static constexpr int patienceMs = 2000;

    explicit LaterAnswers(std::shared_ptr<Mailbox> mailbox);

    /// What to give the bank as its callback: `make` turns its value into the answer, on the network thread. Where it
    /// takes longer than anyone at a console waits, `tooLate` is answered, or 503; `make` runs all the same when the
    /// value comes, so that what it does besides is done.
    template <typename Value>
    [[nodiscard]] std::function<void(Value)> to(const std::shared_ptr<Exchange> &exchange,
                                                std::function<Response(Value)> make,
                                                std::function<Response()> tooLate = {})
    {
        const quint64 id = exchange->requestId;
        wait(exchange, std::move(tooLate));
        // Runs on the ledger thread and may outlive this object: it carries nothing of the exchange.
        return [this, mailbox = m_mailbox, id, make = std::move(make)](Value value) {
            mailbox->post([this, id, make, value = std::move(value)] { answer(id, make(value)); });
        };
    }

    /// The 503 of a ledger that does not answer.
    [[nodiscard]] static Response ledgerBusy();

private:
    struct Waiting {
        std::shared_ptr<Exchange> exchange;
        std::function<Response()> tooLate;
    };

    void wait(const std::shared_ptr<Exchange> &exchange, std::function<Response()> tooLate);
    void answer(quint64 id, const Response &response);

    const std::shared_ptr<Mailbox> m_mailbox;
    QHash<quint64, Waiting> m_waiting; ///< by request
};

} // namespace mockbank
