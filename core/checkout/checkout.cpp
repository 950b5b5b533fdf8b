#include "core/checkout/checkout.h"

#include <algorithm>
#include <limits>

namespace ikkai {

namespace checkout_detail {

struct OutcomeWord {
    QString operator()(const state::Sending &) const { return QStringLiteral("sending"); }
    QString operator()(const state::Waiting &) const { return QStringLiteral("waiting"); }
    QString operator()(const state::Approved &) const { return QStringLiteral("approved"); }
    QString operator()(const state::Declined &) const { return QStringLiteral("declined"); }
    QString operator()(const state::Refused &) const { return QStringLiteral("refused"); }
    QString operator()(const state::NotSent &) const { return QStringLiteral("not_sent"); }
    QString operator()(const state::Voided &) const { return QStringLiteral("voided"); }
    QString operator()(const state::Unknown &) const { return QStringLiteral("unknown"); }
    QString operator()(const state::KeyMismatch &) const { return QStringLiteral("key_mismatch"); }
    QString operator()(const state::Voiding &) const { return QStringLiteral("voiding"); }
    QString operator()(const state::VoidPending &) const { return QStringLiteral("void_pending"); }
    QString operator()(const state::WrittenOff &) const { return QStringLiteral("written_off"); }
};

struct Automatic {
    bool operator()(const state::Sending &) const { return true; }
    bool operator()(const state::Waiting &) const { return true; }
    bool operator()(const state::Approved &) const { return false; }
    bool operator()(const state::Declined &) const { return false; }
    bool operator()(const state::Refused &) const { return false; }
    bool operator()(const state::NotSent &) const { return false; }
    bool operator()(const state::Voided &) const { return false; }
    bool operator()(const state::Unknown &) const { return false; }
    bool operator()(const state::KeyMismatch &) const { return false; }
    bool operator()(const state::Voiding &) const { return false; }
    bool operator()(const state::VoidPending &) const { return false; }
    bool operator()(const state::WrittenOff &) const { return false; }
};

struct Final {
    bool operator()(const state::Sending &) const { return false; }
    bool operator()(const state::Waiting &) const { return false; }
    bool operator()(const state::Approved &) const { return true; }
    bool operator()(const state::Declined &) const { return true; }
    bool operator()(const state::Refused &) const { return true; }
    bool operator()(const state::NotSent &) const { return true; }
    bool operator()(const state::Voided &) const { return true; }
    bool operator()(const state::Unknown &) const { return false; }
    bool operator()(const state::KeyMismatch &) const { return false; }
    bool operator()(const state::Voiding &) const { return false; }
    bool operator()(const state::VoidPending &) const { return false; }
    bool operator()(const state::WrittenOff &) const { return true; }
};

constexpr qint64 olderThanAnythingMs = std::numeric_limits<qint64>::max();
constexpr qint64 oldestKeyMs = 23 * 3'600'000;

} // namespace checkout_detail

bool isAutomatic(const State &state)
{
    return std::visit(checkout_detail::Automatic{}, state);
}

bool isOpen(const State &state)
{
    return !isFinal(state);
}

bool isVoiding(const State &state)
{
    return std::holds_alternative<state::Voiding>(state) || std::holds_alternative<state::VoidPending>(state);
}

bool isFinal(const State &state)
{
    return std::visit(checkout_detail::Final{}, state);
}

QString outcomeWord(const State &state)
{
    return std::visit(checkout_detail::OutcomeWord{}, state);
}

bool everyAttemptNotSent(const Checkout &checkout)
{
    return std::all_of(checkout.attempts.begin(), checkout.attempts.end(), [](const AttemptRecord &attempt) {
        return attempt.verdict && std::holds_alternative<verdict::NotSent>(*attempt.verdict);
    });
}

int totalWireSends(const Checkout &checkout)
{
    int sends = 0;
    for (const AttemptRecord &attempt : checkout.attempts)
        sends += attempt.wireSends;
    return sends;
}

qint64 keyAgeMs(const Checkout &checkout, const Stamp &now)
{
    qint64 ageMs = now.wallMs - checkout.startedAt.wallMs;
    if (ageMs < 0)
        return checkout_detail::olderThanAnythingMs;
    if (checkout.oldestBankDateMs && checkout.newestBankDateMs)
        ageMs = std::max(ageMs, *checkout.newestBankDateMs - *checkout.oldestBankDateMs);
    if (checkout.bootIsTheSame)
        ageMs = std::max(ageMs, now.bootMs - checkout.startedAt.bootMs);
    return ageMs;
}

bool keyTooOld(const Checkout &checkout, const Stamp &now)
{
    // Divided first: a bank may announce any TTL, and 95 times the largest one would overflow.
    const qint64 mostOfTtlMs = checkout.keyTtlMs / 100 * 95 + checkout.keyTtlMs % 100 * 95 / 100;
    return keyAgeMs(checkout, now) >= std::min(checkout_detail::oldestKeyMs, mostOfTtlMs);
}

} // namespace ikkai
