#pragma once

#include "core/gateway/authorities.h"
#include "core/gateway/payment_gateway.h"
#include "core/gateway/wire_codec.h"

#include <QtCore/QByteArray>
#include <QtCore/QObject>
#include <QtCore/QUrl>

#include <vector>

namespace ikkai {

class Exchange;
struct ExchangeRequest;

struct HttpGatewaySettings {
    QUrl baseUrl;      ///< of parseBankUrl
    QByteArray apiKey; ///< of parseApiKey; empty: none is sent
    KeyFormat keyFormat = KeyFormat::Bare;
    qint64 lateAnswerMs = 30'000; ///< how long after its deadline a charge's answer is still taken
    /// Who may vouch for an https bank; empty: those the system trusts. A bank without such a voucher gets no byte of
    /// a request: NotSent.
    Authorities authorities = {};
};

/// For logs: where the bank is and whether there is an API key, never the key itself.
[[nodiscard]] QString describe(const HttpGatewaySettings &settings);

/// The way to the bank over HTTP/1.1 (mock-server/README.md): each charge, inquiry and look at /healthz is one
/// transmission, whatever the connection does. Lives on the thread it was made on or moved to.
class HttpGateway final : public QObject, public PaymentGateway {
    Q_OBJECT

public:
    explicit HttpGateway(HttpGatewaySettings settings, QObject *parent = nullptr);
    /// Ends what is under way without a report.
    ~HttpGateway() override;

    void setSink(GatewaySink *sink) override;
    void learnBank(qint64 deadlineMs) override;
    void charge(const ChargeTransmission &transmission) override;
    void inquire(const InquiryTransmission &transmission) override;
    void voidCharge(const VoidTransmission &transmission) override;
    void drain() override;

    /// Exchanges that are not over: waiting for an answer, or for a late one.
    [[nodiscard]] int openExchanges() const { return static_cast<int>(m_exchanges.size()); }

private:
    Exchange *begin(ExchangeRequest request);

    HttpGatewaySettings m_settings;
    GatewaySink *m_sink = nullptr;
    std::vector<Exchange *> m_exchanges; ///< owned, as QObject children
};

} // namespace ikkai
