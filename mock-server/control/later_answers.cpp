#include "mock-server/control/later_answers.h"

#include <QtCore/QTimer>

namespace mockbank {

LaterAnswers::LaterAnswers(std::shared_ptr<Mailbox> mailbox)
    : m_mailbox(std::move(mailbox))
{
}

Response LaterAnswers::ledgerBusy()
{
    Response busy = toResponse({503,
                                QByteArrayLiteral("ledger-busy"),
                                QStringLiteral("The ledger is busy"),
                                QStringLiteral("the ledger did not answer in time"),
                                true,
                                {},
                                {}});
    busy.headers.emplaceBack("Retry-After", "1");
    return busy;
}

void LaterAnswers::wait(const std::shared_ptr<Exchange> &exchange, std::function<Response()> tooLate)
{
    const quint64 id = exchange->requestId;
    m_waiting.insert(id, {exchange, std::move(tooLate)});
    QTimer::singleShot(patienceMs, this, [this, id] {
        const Waiting waiting = m_waiting.take(id);
        if (waiting.exchange)
            waiting.exchange->answer(waiting.tooLate ? waiting.tooLate() : ledgerBusy());
    });
}

void LaterAnswers::answer(quint64 id, const Response &response)
{
    const Waiting waiting = m_waiting.take(id);
    if (waiting.exchange)
        waiting.exchange->answer(response);
}

} // namespace mockbank
