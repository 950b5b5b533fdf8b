#include "core/journal/projection.h"

#include "core/journal/verdict_fields.h"

#include <QtCore/QMetaType>
#include <QtCore/QStringList>

namespace ikkai {

namespace projection {

/// By what word the checkout was settled; none while it is open, and for NotSent, which no word of the bank settled.
struct SettledByWord {
    std::optional<SettledBy> operator()(const state::Approved &s) const { return s.by; }
    std::optional<SettledBy> operator()(const state::Declined &s) const { return s.by; }
    std::optional<SettledBy> operator()(const state::Voided &s) const { return s.by; }
    std::optional<SettledBy> operator()(const state::Refused &) const { return SettledBy::Answer; }
    std::optional<SettledBy> operator()(const state::NotSent &) const { return std::nullopt; }
    std::optional<SettledBy> operator()(const state::Sending &) const { return std::nullopt; }
    std::optional<SettledBy> operator()(const state::Waiting &) const { return std::nullopt; }
    std::optional<SettledBy> operator()(const state::Unknown &) const { return std::nullopt; }
    std::optional<SettledBy> operator()(const state::KeyMismatch &) const { return std::nullopt; }
    std::optional<SettledBy> operator()(const state::Voiding &) const { return std::nullopt; }
    std::optional<SettledBy> operator()(const state::VoidPending &) const { return std::nullopt; }
    std::optional<SettledBy> operator()(const state::WrittenOff &) const { return std::nullopt; }
};

QVariant settledBy(const State &state)
{
    const std::optional<SettledBy> by = std::visit(SettledByWord{}, state);
    return by ? QVariant(QString::fromLatin1(wordOf(*by))) : QVariant(QMetaType::fromType<QString>());
}

QVariant textOrNull(const QString &text)
{
    return text.isEmpty() ? QVariant(QMetaType::fromType<QString>()) : QVariant(text);
}

QVariant keyOrNull(const std::optional<IdempotencyKey> &key)
{
    return textOrNull(key ? key->text() : QString());
}

/// What a supervisor gave as the reason: of a write-off, else of an override.
QString supervisorReason(const Checkout &checkout)
{
    if (const auto *off = std::get_if<state::WrittenOff>(&checkout.state))
        return off->reason;
    if (checkout.voidIntent && !checkout.voidIntent->overrideReason.isEmpty())
        return checkout.voidIntent->overrideReason;
    return checkout.overrideReason;
}

QStringList columnNames()
{
    QStringList names;
    for (const char *column : projectionColumns)
        names << QLatin1String(column);
    return names;
}

QString upsert()
{
    QStringList marks;
    QStringList updates;
    for (const QString &name : columnNames()) {
        marks << QStringLiteral("?");
        if (name != QLatin1String("key"))
            updates << QStringLiteral("%1 = excluded.%1").arg(name);
    }
    return QStringLiteral("INSERT INTO checkout (%1) VALUES (%2) ON CONFLICT (key) DO UPDATE SET %3")
        .arg(projectionColumnList(), marks.join(QLatin1String(", ")), updates.join(QLatin1String(", ")));
}

} // namespace projection

const QString &projectionColumnList()
{
    static const QString list = projection::columnNames().join(QLatin1String(", "));
    return list;
}

const QString &projectionUpsert()
{
    static const QString statement = projection::upsert();
    return statement;
}

ProjectionRow projectionOf(const Checkout &checkout)
{
    return {checkout.key.text(),
            checkout.order.text(),
            checkout.money.amountMinor(),
            checkout.money.currency().code(),
            checkout.source.text(),
            outcomeWord(checkout.state),
            projection::settledBy(checkout.state),
            isOpen(checkout.state) ? 1 : 0,
            static_cast<int>(checkout.attempts.size()),
            totalWireSends(checkout),
            checkout.startedAt.wallMs,
            checkout.updatedWallMs,
            checkout.terminalId,
            checkout.settledWallMs ? QVariant(*checkout.settledWallMs) : QVariant(QMetaType::fromType<qint64>()),
            projection::textOrNull(checkout.voidIntent ? checkout.voidIntent->key.text() : QString()),
            projection::keyOrNull(checkout.replaces),
            projection::textOrNull(checkout.contradiction ? checkout.contradiction->said : QString()),
            projection::textOrNull(projection::supervisorReason(checkout)),
            projection::textOrNull(checkout.ledgerId)};
}

} // namespace ikkai
