#pragma once

#include "core/checkout/checkout.h"
#include "core/domain/clock.h"

#include "ui/widgets/attempt_track.h"

#include <QtCore/QString>

namespace ikkai {

/// Where an automatic run stands: which try, what comes when, how much of its limit is gone.
struct Progress {
    QString text;      ///< "Try 3 of 5 got no answer"
    QString countdown; ///< "next try in"
    QString seconds;   ///< "1.4 s"
    qint64 elapsedMs = 0;
    qint64 limitMs = 0;
    AttemptTrack::Run run;
};

/// For Sending and Waiting.
[[nodiscard]] Progress progressOf(const Checkout &checkout, const Stamp &now);
/// For Voiding and VoidPending: which try of the cancelling, and when the next one follows; without a track.
[[nodiscard]] Progress voidProgressOf(const Checkout &checkout, const Stamp &now);

} // namespace ikkai
