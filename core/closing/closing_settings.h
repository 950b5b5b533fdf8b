#pragma once

#include "core/domain/business_day.h"

#include <QtCore/QString>

namespace ikkai {

struct ClosingSettings {
    QString journalFile;
    BusinessCalendar calendar; ///< the same that the journal is written with
    QString terminalId;
};

} // namespace ikkai
