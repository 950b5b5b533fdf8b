#include "tests/crash/books.h"

#include "core/checkout/recovery.h"
#include "core/journal/sqlite_journal.h"

#include <cstdio>

namespace ikkai::crash {

std::optional<std::vector<Checkout>> checkoutsOf(const QString &journal, const QStringList &orders)
{
    const auto opened = SqliteJournal::open(journal, SqliteJournal::Access::ReadOnly);
    if (!opened) {
        std::fprintf(stderr, "%s\n", qUtf8Printable(describe(opened.error())));
        return {};
    }
    std::vector<Checkout> checkouts;
    for (const QString &text : orders) {
        const auto order = OrderId::parse(text);
        const auto keys = (*opened)->keysOfOrder(*order);
        if (!keys)
            return {};
        for (const IdempotencyKey &key : *keys) {
            const auto events = (*opened)->events(key);
            if (!events)
                return {};
            auto checkout = fold(*events);
            if (!checkout)
                return {};
            checkouts.push_back(std::move(checkout).value());
        }
    }
    return checkouts;
}

namespace {

struct Money {
    int charges = 0;
    int reversals = 0;
    qint64 amountMinor = 0;
};

/// The final word against the money under its key.
void judge(const Checkout &checkout, const Money &money, Balance &result)
{
    const QString word = outcomeWord(checkout.state);
    const int kept = money.charges - money.reversals;
    const bool isApproved = std::holds_alternative<state::Approved>(checkout.state);
    const bool wrongAmount = money.charges > 0 && money.amountMinor != checkout.money.amountMinor();
    if (isFinal(checkout.state) && (kept != (isApproved ? 1 : 0) || wrongAmount)) {
        ++result.lost;
        result.complaints.append(QStringLiteral("%1 (%2) is %3, and the ledger keeps %4 charges of it")
                                     .arg(checkout.order.text(), checkout.key.text(), word)
                                     .arg(kept));
    }
}

} // namespace

Balance balance(const std::vector<Checkout> &checkouts, const std::vector<Movement> &ledger, const Told &told)
{
    Balance result;
    QMap<QString, Money> byKey;
    QMap<QString, int> keptByOrder;
    for (const Movement &movement : ledger) {
        Money &money = byKey[movement.key];
        (movement.isCharge ? money.charges : money.reversals) += 1;
        (movement.isCharge ? result.charges : result.reversals) += 1;
        keptByOrder[movement.order] += movement.isCharge ? 1 : -1;
        money.amountMinor = movement.amountMinor;
    }

    QMap<QString, int> salesByOrder;
    QSet<QString> known;
    for (const Checkout &checkout : checkouts) {
        const QString key = checkout.key.text();
        const QString word = outcomeWord(checkout.state);
        known.insert(key);
        ++result.byOutcome[word];
        result.open += isOpen(checkout.state) ? 1 : 0;
        // An open one may have been charged: that is what it says.
        const bool mayBeCharged = std::holds_alternative<state::Approved>(checkout.state) || isOpen(checkout.state);
        salesByOrder[checkout.order.text()] += mayBeCharged ? 1 : 0;
        if (checkout.contradiction) {
            ++result.contradicted;
            result.complaints.append(
                QStringLiteral("%1 is %2, and the bank said %3").arg(key, word, checkout.contradiction->said));
        }
        judge(checkout, byKey.value(key), result);
        QSet<QString> words = told.value(key);
        words.remove(word);
        if (!words.isEmpty()) {
            ++result.tookBack;
            result.complaints.append(QStringLiteral("%1 is %2, and was told to be %3")
                                         .arg(key, word, words.values().join(QLatin1Char(' '))));
        }
    }

    for (auto it = byKey.begin(); it != byKey.end(); ++it) {
        if (it->charges > 1 || it->reversals > it->charges) {
            ++result.chargedTwice;
            result.complaints.append(QStringLiteral("%1 was charged %2 times").arg(it.key()).arg(it->charges));
        }
        if (!known.contains(it.key())) {
            ++result.unrecorded;
            result.complaints.append(QStringLiteral("%1 was charged and stands in no journal").arg(it.key()));
        }
    }
    for (auto it = keptByOrder.begin(); it != keptByOrder.end(); ++it) {
        if (it.value() > salesByOrder.value(it.key())) {
            ++result.chargedTwice;
            result.complaints.append(QStringLiteral("order %1 was paid %2 times for %3 sales")
                                         .arg(it.key())
                                         .arg(it.value())
                                         .arg(salesByOrder.value(it.key())));
        }
    }
    return result;
}

} // namespace ikkai::crash
