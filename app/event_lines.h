#pragma once

#include "core/checkout/checkout.h"
#include "core/checkout/event.h"

#include <QtCore/QJsonObject>
#include <QtCore/QString>

namespace ikkai::app {

/// One line of `charge --json` or `resolve --json`: event, at (RFC 3339, UTC, ms), key, and what the event carries.
[[nodiscard]] QJsonObject eventLine(const Event &event, const Checkout &after);

/// What became of it: the last line of `charge --json`.
[[nodiscard]] QJsonObject outcomeLine(const Checkout &checkout);

/// The same for people: one English sentence, without a line end.
[[nodiscard]] QString eventSentence(const Event &event, const Checkout &after);
[[nodiscard]] QString outcomeSentence(const Checkout &checkout);

/// The exit code of a comparison that was not as expected.
constexpr int differencesFound = 20;

/// 0 approved, 10 declined, 11 refused or mismatch, 12 unknown, 13 voided, 14 not sent, 15 written off.
[[nodiscard]] int exitCode(const State &state);

} // namespace ikkai::app
