#pragma once

#include "core/checkout/checkout.h"
#include "core/domain/ids.h"
#include "core/domain/money.h"

#include <QtCore/QMetaType>
#include <QtCore/QString>

#include <optional>

// What people ask of the checkout service.
namespace ikkai {

/// A second sale under an order that was paid here already is legal, but somebody has to mean it.
enum class SecondSale { Ask, Confirmed };

/// What the cashier fixed when Charge was pressed.
struct StartRequest {
    OrderId order;
    Money money;
    SourceId source;
    SecondSale secondSale = SecondSale::Ask;
};

/// Why nothing was started (or, for Try again, nothing was sent again).
struct StartRejection {
    enum class Why {
        OrderIsOpen,   ///< `existing` must be settled first
        AlreadyPaid,   ///< `existing` paid this order; start again with SecondSale::Confirmed if that is meant
        CannotRecord,  ///< the journal does not take it: cannot record, so cannot charge; `detail` names the file
        ApiKeyRefused, ///< the bank does not accept this terminal's API key
        OtherLedger,   ///< `existing` is open at another ledger than the one that answers now: settle it there first
    };
    Why why = Why::OrderIsOpen;
    StartRequest request;
    std::optional<Checkout> existing;
    QString detail;
};

/// A supervisor starts this order anew although it is open: the old checkout is voided first, the new one starts at
/// once.
struct OverrideRequest {
    IdempotencyKey open; ///< the checkout that is overridden
    QString pin;
    QString reason; ///< journalled; must not be empty
    StartRequest next;
};

/// A supervisor closes a checkout that nobody can settle.
struct WriteOffRequest {
    IdempotencyKey key;
    QString pin;
    QString reason; ///< journalled; must not be empty
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::StartRequest)
Q_DECLARE_METATYPE(ikkai::StartRejection)
Q_DECLARE_METATYPE(ikkai::OverrideRequest)
Q_DECLARE_METATYPE(ikkai::WriteOffRequest)
