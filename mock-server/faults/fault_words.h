#pragma once

#include "mock-server/faults/fault.h"

#include <QtCore/QByteArrayList>
#include <QtCore/QList>

#include <algorithm>
#include <array>
#include <optional>

namespace mockbank {

/// The parameters a pair takes, in the order in which they are printed.
[[nodiscard]] QByteArrayList parametersOf(Placement placement, ManifestationKind kind);

/// The words of the grammar, read and printed from the same tables.
namespace fault_words {

template <typename Value>
struct Word {
    const char *name;
    Value value;
};

inline constexpr std::array placements{
    Word<Placement>{"connect", Placement::Connect},      Word<Placement>{"unread", Placement::Unread},
    Word<Placement>{"in_transit", Placement::InTransit}, Word<Placement>{"before_commit", Placement::BeforeCommit},
    Word<Placement>{"half_way", Placement::HalfWay},     Word<Placement>{"after_commit", Placement::AfterCommit},
    Word<Placement>{"mid_answer", Placement::MidAnswer}, Word<Placement>{"late", Placement::Late},
};

inline constexpr std::array manifestations{
    Word<ManifestationKind>{"refuse", ManifestationKind::Refuse},
    Word<ManifestationKind>{"hold", ManifestationKind::Hold},
    Word<ManifestationKind>{"fin", ManifestationKind::Fin},
    Word<ManifestationKind>{"rst", ManifestationKind::Rst},
    Word<ManifestationKind>{"delay", ManifestationKind::Delay},
    Word<ManifestationKind>{"dribble", ManifestationKind::Dribble},
    Word<ManifestationKind>{"bandwidth", ManifestationKind::Bandwidth},
    Word<ManifestationKind>{"busy", ManifestationKind::Busy},
    Word<ManifestationKind>{"status", ManifestationKind::Status},
    Word<ManifestationKind>{"garbage", ManifestationKind::Garbage},
    Word<ManifestationKind>{"half_status_line", ManifestationKind::HalfStatusLine},
    Word<ManifestationKind>{"half_headers", ManifestationKind::HalfHeaders},
    Word<ManifestationKind>{"short_body", ManifestationKind::ShortBody},
    Word<ManifestationKind>{"long_body", ManifestationKind::LongBody},
    Word<ManifestationKind>{"bad_chunk", ManifestationKind::BadChunk},
    Word<ManifestationKind>{"html_200", ManifestationKind::Html200},
    Word<ManifestationKind>{"bad_json", ManifestationKind::BadJson},
    Word<ManifestationKind>{"wrong_shape", ManifestationKind::WrongShape},
    Word<ManifestationKind>{"wrong_echo", ManifestationKind::WrongEcho},
    Word<ManifestationKind>{"redirect", ManifestationKind::Redirect},
    Word<ManifestationKind>{"clock_skew", ManifestationKind::ClockSkew},
    Word<ManifestationKind>{"expire_key", ManifestationKind::ExpireKey},
    Word<ManifestationKind>{"restart", ManifestationKind::Restart},
    Word<ManifestationKind>{"decline", ManifestationKind::Decline},
    Word<ManifestationKind>{"drop", ManifestationKind::Drop},
    Word<ManifestationKind>{"twice", ManifestationKind::Twice},
    Word<ManifestationKind>{"redis_down", ManifestationKind::RedisDown},
    Word<ManifestationKind>{"redis_lost_write", ManifestationKind::RedisLostWrite},
};

inline constexpr std::array bodies{
    Word<MadeUpBody>{"problem", MadeUpBody::Problem},
    Word<MadeUpBody>{"html", MadeUpBody::Html},
};

inline constexpr std::array cutPlaces{
    Word<CutPoint::Kind>{"status_line", CutPoint::Kind::StatusLine},
    Word<CutPoint::Kind>{"headers", CutPoint::Kind::HeaderLines},
    Word<CutPoint::Kind>{"body", CutPoint::Kind::Body},
};

inline constexpr std::array laws{
    Word<DelayLaw::Kind>{"fixed", DelayLaw::Kind::Fixed},
    Word<DelayLaw::Kind>{"uniform", DelayLaw::Kind::Uniform},
    Word<DelayLaw::Kind>{"lognormal", DelayLaw::Kind::Lognormal},
    Word<DelayLaw::Kind>{"exponential", DelayLaw::Kind::Exponential},
};

inline constexpr std::array routes{
    Word<RouteMatch>{"charge", RouteMatch::Charge}, Word<RouteMatch>{"inquiry", RouteMatch::Inquiry},
    Word<RouteMatch>{"void", RouteMatch::Void},     Word<RouteMatch>{"list", RouteMatch::List},
    Word<RouteMatch>{"any", RouteMatch::Any},
};

inline constexpr QByteArrayView defaultLocation("/moved");
inline constexpr QByteArrayView defaultDeclineCode("insufficient_funds");
inline constexpr int defaultGarbageBytes = 64;
inline constexpr int defaultRedirectCode = 307;

template <typename Value, std::size_t N>
std::optional<Value> find(const std::array<Word<Value>, N> &table, const QByteArray &name)
{
    for (const auto &word : table) {
        if (name == word.name)
            return word.value;
    }
    return std::nullopt;
}

template <typename Value, std::size_t N>
QByteArray nameOf(const std::array<Word<Value>, N> &table, Value value)
{
    for (const auto &word : table) {
        if (word.value == value)
            return word.name;
    }
    return {};
}

template <typename Table>
QString wordList(const Table &table)
{
    QString list;
    for (const auto &word : table)
        list += (list.isEmpty() ? QString() : QStringLiteral(", ")) + QString::fromLatin1(word.name);
    return list;
}

/// Stands in the text form without quotes.
inline bool isPlain(QByteArrayView text)
{
    return !text.isEmpty() && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
               c == '+' || c == '-';
    });
}

/// How a value was written, before it is known what it must be.
enum class Form { Text, JsonString, JsonNumber };

struct Raw {
    QByteArray name;
    QByteArray text;
    Form form = Form::Text;
};

/// Both forms, text and JSON, become this; there is one validation behind them.
struct RawFault {
    QByteArray placement;
    QByteArray kind;
    QList<Raw> parameters;
    QList<Raw> selectors;
};

/// What people wrote, short and printable, for an error message.
[[nodiscard]] QString shown(QByteArrayView text);

[[nodiscard]] FaultResult validate(const RawFault &raw);

} // namespace fault_words

} // namespace mockbank
