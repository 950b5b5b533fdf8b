#pragma once

#include "core/domain/business_day.h"

namespace ikkai {

enum class JournalAccess {
    Write,
    ReadOnly ///< for who only looks: nothing is created, changed or migrated
};

/// What a journal has to know besides its file.
struct JournalSettings {
    BusinessCalendar calendar; ///< on which business day an outcome that is learned now counts
};

} // namespace ikkai
