#pragma once

#include <QtCore/QByteArray>

namespace mockbank {

class Exchange;

/// How an exchange ended, seen from the bank.
enum class ExchangeEnd {
    Answered,   ///< the whole answer was given to the network, which is not yet delivery
    Fin,        ///< the bank closed the connection instead, or before the answer was whole
    Rst,        ///< the bank reset it
    ClientGone, ///< the client ended the connection first, or let an answer lie for longer than `stalledReader`
};

/// What a witness keeps with an exchange for itself.
struct WitnessNotes {
    QByteArray route;
    qint64 completeUs = -1; ///< request complete, on a steady clock
    QByteArray statusLine;  ///< as far as it was written
    bool begun = false;
};

/// Sees what leaves the bank on the exchanges it was set at (`Exchange::witness`), whoever answers them and with
/// whatever fault. Called on the network thread; has to outlive the connections.
class ArrivalWitness {
public:
    virtual ~ArrivalWitness() = default;
    /// These bytes of an answer are about to leave.
    virtual void writing(Exchange &exchange, const QByteArray &bytes) = 0;
    /// Once for each exchange.
    virtual void ended(const Exchange &exchange, ExchangeEnd how) = 0;
    /// The client's system has acknowledged every byte of a whole answer; may come after the next request was read.
    virtual void delivered(quint64 arrivalId, const QByteArray &route) = 0;
};

} // namespace mockbank
