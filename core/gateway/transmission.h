#pragma once

#include "core/domain/ids.h"

#include <QtCore/QByteArray>
#include <QtCore/QHash>
#include <QtCore/QMetaType>
#include <QtCore/QString>

#include <optional>

namespace ikkai {

/// An HTTP answer as it stood on the wire. Whether it is the bank's is `classify`'s business.
struct HttpAnswer {
    int status = 0;
    QHash<QByteArray, QByteArray> headers; ///< lower-case names
    QByteArray body;

    [[nodiscard]] QByteArray header(const char *lowerCaseName) const
    {
        return headers.value(QByteArray(lowerCaseName));
    }
    friend bool operator==(const HttpAnswer &, const HttpAnswer &) = default;
};

/// How one exchange with the bank ended.
struct Transmission {
    enum class End {
        Answered, ///< head and body complete by their own length; `answer` is there
        ConnectionRefused,
        HostNotFound,
        TlsFailed,
        DeadlinePassed,
        ConnectionLost,
        ResendPrevented, ///< the transport wanted to send the body a second time and could not (ContentReSendError)
        AnswerCut,       ///< a head or a body that is not whole, or more body than announced
    };

    End end = End::ConnectionLost;
    std::optional<HttpAnswer> answer; ///< of Answered only
    int wireSends = 0;                ///< times the request went out; more than 1 is a defect. Of a request without a
                                      ///< body (the transport counts none there): 1 unless it never connected
    qint64 elapsedMs = 0;
    QString detail; ///< for details and logs

    friend bool operator==(const Transmission &, const Transmission &) = default;
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::Transmission)
