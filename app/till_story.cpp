#include "app/till_story.h"

#include "app/event_lines.h"

#include <QtCore/QCoreApplication>

#include <cstdio>

namespace ikkai::app {

TillStory::TillStory(Engine &engine, Print print, qint64 waitMs)
    : m_engine(engine)
    , m_print(print)
{
    connect(&service(), &CheckoutService::eventRecorded, this, [this](const Event &event, const Checkout &after) {
        if (!m_ended)
            happened(event, after);
    });
    connect(&service(), &CheckoutService::checkoutChanged, this, [this](const Checkout &checkout, bool recorded) {
        if (m_ended || !recorded)
            return; // what is not on disk yet is tried again, and comes once more
        m_journalError.reset();
        m_known.insert_or_assign(checkout.key, checkout);
        if (m_recovered)
            changed(checkout);
    });
    connect(&service(), &CheckoutService::journalFailed, this, [this](const JournalError &error) {
        if (m_ended)
            return;
        if (!m_recovered)
            return end(complain({3, describe(error)}));
        if (!m_journalError)
            complain({3, describe(error) + QStringLiteral("; trying again")});
        m_journalError = error;
    });
    connect(&service(), &CheckoutService::recovered, this, [this] {
        if (m_ended)
            return;
        m_recovered = true;
        recovered();
    });
    connect(&service(), &CheckoutService::bankLinkChanged, this, [this](BankLink link) {
        if (!m_ended && link == BankLink::OtherLedger)
            complain(
                {0, QStringLiteral("another ledger answers at the bank than the one at which orders are open here; "
                                   "nothing of them is sent to it. Name their bank with --server")});
    });
    m_patience.setSingleShot(true);
    m_patience.setInterval(std::chrono::milliseconds(waitMs));
    connect(&m_patience, &QTimer::timeout, this, [this] {
        if (m_ended)
            return;
        if (m_journalError)
            end(complain({3, QStringLiteral("the journal did not take what happened; what was open stays open, and it "
                                            "may have been charged")}));
        else
            timeIsUp();
    });
}

void TillStory::begin()
{
    m_patience.start();
    m_engine.recover();
}

const Checkout *TillStory::find(const IdempotencyKey &key) const
{
    const auto it = m_known.find(key);
    return it == m_known.end() ? nullptr : &it->second;
}

void TillStory::tell(const Event &event, const Checkout &after) const
{
    if (m_print == Print::Json)
        printLine(eventLine(event, after));
    else
        printLine(QStringLiteral("%1 (ref %2)  %3")
                      .arg(after.order.text(), after.key.lastFour(), eventSentence(event, after)));
}

void TillStory::tellOutcome(const Checkout &checkout) const
{
    if (m_print == Print::Json)
        printLine(outcomeLine(checkout));
    else
        printLine(QStringLiteral("%1 %2 (ref %3): %4")
                      .arg(checkout.order.text(), format(checkout.money), checkout.key.lastFour(),
                           outcomeSentence(checkout)));
}

void TillStory::end(int code)
{
    if (std::exchange(m_ended, true))
        return;
    if (std::ferror(stdout))
        code = complain({1, QStringLiteral("the outcome could not be written to standard output")});
    QCoreApplication::exit(code);
}

} // namespace ikkai::app
