#include "app/resolve_command.h"

#include "app/event_lines.h"
#include "app/secret_file.h"
#include "app/till_story.h"
#include "core/checkout/recovery.h"
#include "core/journal/sqlite_journal.h"

#include <QtCore/QCoreApplication>

#include <algorithm>

namespace ikkai::app {

namespace {

struct Wish {
    QString key; ///< whole, or its end
    Resolution what = Resolution::Check;
    QString reason;
    QString pin;
    qint64 waitMs = 0;
};

/// A checkout that is settled is not among the open ones: nothing is to be done, but its outcome can be told.
std::optional<Checkout> settledEarlier(const QString &journalFile, const QString &text)
{
    const auto key = IdempotencyKey::parse(text);
    const auto journal = SqliteJournal::open(journalFile, SqliteJournal::Access::ReadOnly);
    if (!key || !journal)
        return {};
    const auto events = (*journal)->events(*key);
    if (!events)
        return {};
    auto checkout = fold(*events);
    if (!checkout)
        return {};
    return std::move(checkout).value();
}

class ResolveStory : public TillStory {
public:
    ResolveStory(Engine &engine, Print print, Wish wish, QString journalFile)
        // Trying again has a budget of its own, which begins when it does.
        : TillStory(engine, print, wish.waitMs)
        , m_wish(std::move(wish))
        , m_journalFile(std::move(journalFile))
    {
        connect(&service(), &CheckoutService::supervisorAnswered, this, &ResolveStory::heed);
        connect(&service(), &CheckoutService::startRejected, this, [this](const StartRejection &rejection) {
            if (m_acted)
                complain({2, QStringLiteral("the order was not started anew: %1")
                                 .arg(rejection.detail.isEmpty() ? QStringLiteral("the till does not take it")
                                                                 : rejection.detail)});
        });
    }

private:
    void recovered() override
    {
        std::vector<const Checkout *> fitting;
        for (const auto &[key, checkout] : known()) {
            if (key.text().endsWith(m_wish.key))
                fitting.push_back(&checkout);
        }
        if (fitting.size() > 1) {
            QStringList keys;
            for (const Checkout *checkout : fitting)
                keys.append(checkout->key.text());
            return end(complain({2, QStringLiteral("--key: \"%1\" is the end of several open checkouts: %2")
                                        .arg(m_wish.key, keys.join(QStringLiteral(", ")))}));
        }
        if (!fitting.empty()) {
            m_key = fitting.front()->key;
            return act(*fitting.front());
        }
        if (const auto settled = settledEarlier(m_journalFile, m_wish.key))
            return leaveAsItIs(*settled, QStringLiteral("is settled already; nothing was sent"));
        end(complain({2, QStringLiteral("--key: no open checkout's key is, or ends in, \"%1\"").arg(m_wish.key)}));
    }

    void act(const Checkout &checkout)
    {
        if (isFinal(checkout.state))
            return leaveAsItIs(checkout, QStringLiteral("is settled already; nothing was sent"));
        m_acted = true;
        switch (m_wish.what) {
        case Resolution::Check:
            return ask([key = checkout.key](CheckoutService &service) { service.checkNow(key); });
        case Resolution::TryAgain:
            return tryAgain(checkout);
        case Resolution::Void:
            return startVoid(checkout);
        case Resolution::WriteOff:
            return ask([request = WriteOffRequest{checkout.key, m_wish.pin, m_wish.reason}](CheckoutService &service) {
                service.writeOff(request);
            });
        case Resolution::Override:
            return ask([request = OverrideRequest{checkout.key, m_wish.pin, m_wish.reason,
                                                  StartRequest{checkout.order, checkout.money, checkout.source,
                                                               SecondSale::Confirmed}}](CheckoutService &service) {
                service.overrideOpen(request);
            });
        }
    }

    void tryAgain(const Checkout &checkout)
    {
        if (isVoiding(checkout.state))
            return leaveAsItIs(checkout, QStringLiteral("is being voided; no charge is sent for it any more"));
        if (!std::holds_alternative<state::Unknown>(checkout.state))
            return leaveAsItIs(checkout, QStringLiteral("has other details at the bank; trying again brings no more"));
        if (keyTooOld(checkout, SystemClock().now()))
            return leaveAsItIs(checkout, QStringLiteral("is too old to be tried again; ask (--check) or --void"));
        ask([key = checkout.key](CheckoutService &service) { service.tryAgain(key); });
    }

    void startVoid(const Checkout &checkout)
    {
        if (isVoiding(checkout.state))
            return; // the void was started before: the same one is sent again, by itself
        if (!std::holds_alternative<state::Unknown>(checkout.state))
            return leaveAsItIs(checkout, QStringLiteral("has other details at the bank; a void would not be ours"));
        ask([key = checkout.key](CheckoutService &service) { service.voidSafely(key); });
    }

    void leaveAsItIs(const Checkout &checkout, const QString &why)
    {
        complain({0, QStringLiteral("%1 (ref %2) %3").arg(checkout.order.text(), checkout.key.lastFour(), why)});
        conclude(checkout);
    }

    void happened(const Event &event, const Checkout &after) override
    {
        const auto *started = std::get_if<event::CheckoutStarted>(&event.body);
        if (started && m_key && started->replaces == m_key)
            m_key = after.key; // the supervisor's new checkout is what is waited for now
        if (m_key != after.key)
            return;
        tell(event, after);
        m_begun = m_begun || begins(event.body);
    }

    /// The event that shows that what was wished for has happened, or is under way.
    [[nodiscard]] bool begins(const EventBody &body) const
    {
        switch (m_wish.what) {
        case Resolution::Check:
            return std::holds_alternative<event::InquiryEnded>(body);
        case Resolution::TryAgain:
            return std::holds_alternative<event::TriedAgain>(body);
        case Resolution::Void:
            return std::holds_alternative<event::VoidEnded>(body);
        case Resolution::WriteOff:
            return std::holds_alternative<event::WrittenOff>(body);
        case Resolution::Override:
            return std::holds_alternative<event::CheckoutStarted>(body);
        }
        Q_UNREACHABLE();
    }

    void changed(const Checkout &checkout) override
    {
        if (checkout.key != m_key)
            return;
        const bool isLeft = m_wish.what == Resolution::Override && !m_begun; // the new one is not there yet
        const bool rests =
            isFinal(checkout.state) || (m_begun && !isAutomatic(checkout.state) && !waitsForVoid(checkout));
        if (rests && !isLeft)
            conclude(checkout);
    }

    /// Only the bank ends a void, and we wait for it as long as was asked for.
    [[nodiscard]] bool waitsForVoid(const Checkout &checkout) const
    {
        return m_wish.what == Resolution::Void && isVoiding(checkout.state);
    }

    void heed(const SupervisorAnswer &answer)
    {
        using What = SupervisorAnswer::What;
        switch (answer.what) {
        case What::Done:
            return;
        case What::WrongPin:
            return end(complain(
                {2, QStringLiteral("--pin-file: not the supervisor's PIN; %1 more tries").arg(answer.triesLeft)}));
        case What::Locked:
            return end(complain({2, QStringLiteral("--pin-file: too many wrong PINs; set it anew: payment-terminal "
                                                   "supervisor-pin")}));
        case What::NoPin:
            return end(
                complain({2, QStringLiteral("no supervisor's PIN was ever set: payment-terminal supervisor-pin")}));
        case What::NoReason:
            return end(complain({2, QStringLiteral("--reason: there is none")}));
        case What::CannotRecord:
            return end(complain({3, answer.detail}));
        case What::NotPossible:
            if (const Checkout *checkout = m_key ? find(*m_key) : nullptr)
                return leaveAsItIs(*checkout, QStringLiteral("is not in a state for that; nothing was changed"));
            return end(complain({1, answer.detail}));
        }
    }

    void timeIsUp() override
    {
        const Checkout *checkout = m_key ? find(*m_key) : nullptr;
        if (!checkout)
            return end(complain({1, QStringLiteral("the till did not start in time")}));
        if (isAutomatic(checkout->state))
            return; // its own budget ends it
        conclude(*checkout);
    }

    void conclude(const Checkout &checkout)
    {
        tellOutcome(checkout);
        if (isVoiding(checkout.state) && print() == Print::Sentences)
            printLine(
                QStringLiteral("The same void is sent again whenever the till runs, or by: payment-terminal recover"));
        end(exitCode(checkout.state));
    }

    Wish m_wish;
    QString m_journalFile;
    std::optional<IdempotencyKey> m_key;
    bool m_acted = false;
    bool m_begun = false;
};

} // namespace

int runResolve(const Options &options)
{
    Wish wish{options.key, options.resolution, options.reason, {}, options.waitMs};
    if (!options.pinFile.isEmpty()) {
        const auto pin = readSecret(QStringLiteral("--pin-file"), options.pinFile);
        if (!pin)
            return complain(pin.error());
        wish.pin = QString::fromUtf8(*pin);
    }
    const auto engine = Engine::open(options);
    if (!engine)
        return complain(engine.error());
    ResolveStory story(**engine, options.json ? Print::Json : Print::Sentences, wish, options.journal);
    QMetaObject::invokeMethod(
        &story, [&story] { story.begin(); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace ikkai::app
