#pragma once

// The columns that SqlStore's row readers expect, in their order. Text, so that statements stay literals.

#define SQL_KEY_COLUMNS                                                                                                \
    "state, scope, key, instance, run, epoch, lease_until, fingerprint, claimed_at, status, body, charge_id,"          \
    " order_id, amount, currency, source, decline_code, balance, answered_at, expires_at, void_result, void_at"

#define SQL_MOVEMENT_COLUMNS                                                                                           \
    "id, kind, charge_id, scope, key, guarded, fingerprint, order_id, amount, currency, source, terminal_id,"          \
    " balance, at"
