#pragma once

#include <QtCore/QByteArray>

#include <memory>

namespace mockbank {

/// Makes the bank's own names: ledger, run, charges, events. Thread safe.
class IdSource {
public:
    virtual ~IdSource() = default;

    /// `prefix` and something never made before, as in ch_3f9a... Letters, digits and _ only.
    virtual QByteArray make(QByteArrayView prefix) = 0;
};

/// 96 random bits each.
std::shared_ptr<IdSource> randomIds();

} // namespace mockbank
