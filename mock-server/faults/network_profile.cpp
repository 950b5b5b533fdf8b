#include "mock-server/faults/network_profile.h"

#include "mock-server/faults/fault_draw.h"

#include <algorithm>
#include <array>

namespace mockbank {

namespace network_profiles {

constexpr int always = 1'000'000;

// The numbers people know: Network Link Conditioner's "Very Bad Network", the developer tools' "Slow 3G"; the Wi-Fi is
// fast, and late by several times its median now and then.
constexpr std::array profiles{
    NetworkProfile{"offline", "Offline", {}, always, 0},
    NetworkProfile{"very_bad_network", "Very bad network", {DelayLaw::Kind::Fixed, 500, 0, 0, 0}, 100'000, 125'000},
    NetworkProfile{"slow_3g", "Slow 3G", {DelayLaw::Kind::Fixed, 2000, 0, 0, 0}, 0, 50'000},
    NetworkProfile{"flaky_wifi", "Flaky Wi-Fi", {DelayLaw::Kind::Lognormal, 60, 0, 0, 1200}, 50'000, 1'000'000},
    NetworkProfile{"good", "Good", {}, 0, 0},
};

QString lettersOf(const QString &text)
{
    QString letters;
    for (const QChar c : text) {
        if (c.isLetterOrNumber())
            letters += c.toLower();
    }
    return letters;
}

} // namespace network_profiles

using namespace network_profiles;

std::span<const NetworkProfile> networkProfiles()
{
    return profiles;
}

QString profileNames()
{
    QStringList names;
    for (const NetworkProfile &profile : profiles)
        names.append(QString::fromLatin1(profile.name));
    return names.join(QStringLiteral(", "));
}

const NetworkProfile *findProfile(const QString &name)
{
    const QString wanted = lettersOf(name);
    const auto *found = std::ranges::find_if(profiles, [&](const NetworkProfile &profile) {
        return wanted == lettersOf(QString::fromLatin1(profile.name)) ||
               wanted == lettersOf(QString::fromLatin1(profile.title));
    });
    return found == profiles.end() ? nullptr : found;
}

std::optional<Fault> profileFault(const NetworkProfile &profile, quint64 draw)
{
    Fault fault;
    if (toMillionths(draw) < profile.lossMillionths) {
        const bool answerLost = profile.lossMillionths < always && (draw & 1) != 0;
        fault.placement = answerLost ? Placement::AfterCommit : Placement::InTransit;
        fault.manifestation.kind = answerLost ? ManifestationKind::Hold : ManifestationKind::Drop;
        return fault;
    }
    fault.placement = Placement::Late;
    fault.manifestation.delay = profile.delay;
    fault.manifestation.bytesPerSecond = profile.bytesPerSecond;
    if (profile.bytesPerSecond > 0)
        fault.manifestation.kind = ManifestationKind::Bandwidth;
    else if (profile.delay != DelayLaw())
        fault.manifestation.kind = ManifestationKind::Delay;
    else
        return std::nullopt;
    return fault;
}

QJsonObject toJson(const NetworkProfile &profile)
{
    QJsonObject delay;
    switch (profile.delay.kind) {
    case DelayLaw::Kind::Fixed:
        delay = {{QStringLiteral("ms"), profile.delay.ms}};
        break;
    case DelayLaw::Kind::Uniform:
        delay = {{QStringLiteral("min_ms"), profile.delay.minMs}, {QStringLiteral("max_ms"), profile.delay.maxMs}};
        break;
    case DelayLaw::Kind::Lognormal:
        delay = {{QStringLiteral("median_ms"), profile.delay.ms},
                 {QStringLiteral("sigma"), profile.delay.sigmaThousandths / 1000.0}};
        break;
    case DelayLaw::Kind::Exponential:
        delay = {{QStringLiteral("mean_ms"), profile.delay.ms}};
        break;
    }
    return {{QStringLiteral("name"), QString::fromLatin1(profile.name)},
            {QStringLiteral("title"), QString::fromLatin1(profile.title)},
            {QStringLiteral("delay"), delay},
            {QStringLiteral("loss"), profile.lossMillionths / 1e6},
            {QStringLiteral("bytes_per_s"),
             profile.bytesPerSecond > 0 ? QJsonValue(profile.bytesPerSecond) : QJsonValue()}};
}

} // namespace mockbank
