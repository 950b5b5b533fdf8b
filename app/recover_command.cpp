#include "app/recover_command.h"

#include "app/event_lines.h"
#include "app/till_story.h"

#include <QtCore/QCoreApplication>

#include <algorithm>
#include <map>
#include <set>

namespace ikkai::app {

namespace {

constexpr std::chrono::milliseconds askAgainFirst{500}; ///< then twice as long each time

class RecoverStory : public TillStory {
public:
    using TillStory::TillStory;

private:
    void recovered() override
    {
        for (const auto &[key, checkout] : known())
            askAbout(checkout);
        endIfAllIsSaid();
    }

    /// A void under way is sent again without being asked for; everything else is only asked about.
    void askAbout(const Checkout &checkout)
    {
        if (isOpen(checkout.state) && !isVoiding(checkout.state))
            ask([key = checkout.key](CheckoutService &service) { service.checkNow(key); });
    }

    void happened(const Event &event, const Checkout &after) override
    {
        tell(event, after);
        const auto *inquiry = std::get_if<event::InquiryEnded>(&event.body);
        if (!inquiry)
            return;
        const auto *nothing = std::get_if<inquiry::Nothing>(&inquiry->verdict);
        if (nothing && mayChange(nothing->why)) {
            const auto later = askAgainFirst * (1 << std::min(m_asked[after.key]++, 6));
            QTimer::singleShot(later, this, [this, key = after.key] {
                if (const Checkout *checkout = find(key))
                    askAbout(*checkout);
            });
        } else {
            m_said.insert(after.key);
        }
    }

    static bool mayChange(inquiry::Nothing::Why why)
    {
        using Why = inquiry::Nothing::Why;
        return why == Why::InProgress || why == Why::NoAnswer || why == Why::ServerTrouble;
    }

    void changed(const Checkout &) override { endIfAllIsSaid(); }

    void endIfAllIsSaid()
    {
        const bool all = std::all_of(known().begin(), known().end(), [this](const auto &entry) {
            const Checkout &checkout = entry.second;
            return isFinal(checkout.state) || (m_said.contains(checkout.key) && !isVoiding(checkout.state));
        });
        if (all)
            conclude();
    }

    void timeIsUp() override { conclude(); }

    void conclude()
    {
        int open = 0;
        for (const auto &[key, checkout] : known()) {
            tellOutcome(checkout);
            open += isOpen(checkout.state) ? 1 : 0;
        }
        const int settled = int(known().size()) - open;
        if (print() == Print::Json) {
            printLine(QJsonObject{{QStringLiteral("event"), QStringLiteral("recovered")},
                                  {QStringLiteral("settled"), settled},
                                  {QStringLiteral("open"), open}});
        } else if (known().empty()) {
            printLine(QStringLiteral("Nothing was open."));
        } else {
            printLine(QStringLiteral("%1 settled, %2 open.").arg(settled).arg(open));
        }
        end(open == 0 ? 0 : exitCode(state::Unknown{}));
    }

    std::set<IdempotencyKey> m_said;       ///< the bank has said what it knows
    std::map<IdempotencyKey, int> m_asked; ///< in vain
};

} // namespace

int runRecover(const Options &options)
{
    const auto engine = Engine::open(options);
    if (!engine)
        return complain(engine.error());
    RecoverStory story(**engine, options.json ? Print::Json : Print::Sentences, options.waitMs);
    QMetaObject::invokeMethod(
        &story, [&story] { story.begin(); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace ikkai::app
