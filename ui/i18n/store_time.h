#pragma once

#include "core/domain/business_day.h"

#include <QtCore/QDate>
#include <QtCore/QString>

/// Times as the people of the store read them: in the store's own zone, which need not be the machine's. One per
/// program, like the theme; used on the GUI thread only.
namespace ikkai::store {

/// Takes the store's zone and the beginning of its business day into force; until then the machine's zone and midnight.
void useCalendar(const BusinessCalendar &calendar);
[[nodiscard]] const BusinessCalendar &calendar();

[[nodiscard]] QString clock(qint64 wallMs);      ///< "21:04:10"
[[nodiscard]] QString shortClock(qint64 wallMs); ///< "21:04"
/// "14 May 21:04" or "5月14日 21:04", by the language in force.
[[nodiscard]] QString dayAndClock(qint64 wallMs);
/// "14 May" or "5月14日", by the language in force; with the year where it is not this one (of `nowWallMs`, if given).
[[nodiscard]] QString day(const QDate &day, qint64 nowWallMs = 0);

} // namespace ikkai::store
