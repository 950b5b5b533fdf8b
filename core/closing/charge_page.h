#pragma once

#include "core/closing/charge_list.h"
#include "core/domain/result.h"
#include "core/gateway/transmission.h"

#include <QtCore/QStringView>

#include <optional>

// One page of the bank's list of charges, as bytes. All pure.
namespace ikkai {

/// What was asked for, and what an answer to it must therefore keep to.
struct ChargePageQuery {
    qint64 after = 0; ///< cursor: the `next` of the page before
    int limit = 500;
    QString terminalId;
    qint64 fromWallMs = 0; ///< inclusive; 0: none
    qint64 toWallMs = 0;   ///< exclusive; 0: none
};

struct ChargePage {
    QList<BankChargeRow> rows;
    std::optional<qint64> next; ///< none: this was the last page
};

/// name=value pairs, encoded.
[[nodiscard]] QByteArray encode(const ChargePageQuery &query);

/// Reads a page (status 200) as strictly as any word about money: every member of its type, movements in rising order,
/// rows as they were asked for and no more of them, a cursor that moves on. The error is NotUnderstood; it names the
/// member, or none where the body is no page at all, as when it is not the bank that speaks.
Result<ChargePage, ChargeListError> readChargePage(const HttpAnswer &answer, const ChargePageQuery &query);

/// Unix milliseconds of a time as in RFC 3339, section 5.6, digits beyond milliseconds dropped; none where malformed.
[[nodiscard]] std::optional<qint64> momentMs(QStringView text);

} // namespace ikkai
