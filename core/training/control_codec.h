#pragma once

#include "core/domain/result.h"
#include "core/gateway/transmission.h"
#include "core/training/control_values.h"

#include <QtCore/QByteArray>

// Reads the control API's answers. Pure. An answer that lacks what is asked for is NotUnderstood.
namespace ikkai::control {

/// The JSON object of a 2xx answer, or why there is none.
Result<QJsonObject, ControlError> objectOf(const Transmission &transmission);
/// The error for an exchange that did not come to a 2xx answer.
[[nodiscard]] ControlError errorOf(const Transmission &transmission);
[[nodiscard]] ControlError notUnderstood(const QString &what);

Result<FaultStatus, ControlError> readFault(const QJsonObject &object);
Result<QList<FaultStatus>, ControlError> readFaults(const QJsonObject &object);
Result<LedgerPage, ControlError> readLedgerPage(const QJsonObject &object);
Result<BankAccount, ControlError> readAccount(const QJsonObject &object);
Result<QList<BankAccount>, ControlError> readAccounts(const QJsonObject &object);
Result<OutboxCount, ControlError> readOutboxCount(const QJsonObject &object);
Result<BankState, ControlError> readState(const QJsonObject &object);
/// `data` of a server-sent event.
Result<BankLogEntry, ControlError> readLogEntry(const QByteArray &data);

} // namespace ikkai::control
