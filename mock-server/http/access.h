#pragma once

#include "mock-server/http/message.h"

#include <QtCore/QStringList>
#include <QtNetwork/QHostAddress>

#include <optional>

namespace mockbank {

/// An API key and the merchant it speaks for. Several keys may speak for one merchant: that is how a key is rotated.
struct ApiKey {
    QByteArray merchant;
    QByteArray key;
};

/// Reads an API key file: one `merchant:key` or `key` (merchant `default`) a line, `#` comments and empty lines
/// skipped. Nothing, with `error` naming the line, where a line is not one.
[[nodiscard]] std::optional<QList<ApiKey>> readApiKeys(const QByteArray &text, QString *error);

/// Who may speak to the bank. Secrets are kept as SHA-256 only and compared without telling by time where they differ.
class Access {
public:
    Access(const QByteArray &controlToken, const QList<ApiKey> &apiKeys, const QStringList &allowedHosts);

    void setPort(quint16 port) { m_port = port; }

    /// A web page must not drive the bank: not by a name that its owner points at us (Host), not as another site
    /// (Origin; Sec-Fetch-Site of W3C Fetch Metadata where there is none). The problem to answer with, or nothing where
    /// the request may pass.
    [[nodiscard]] std::optional<Problem> refuseForeign(const Request &request, const QHostAddress &localAddress) const;

    [[nodiscard]] bool isControlToken(const QByteArray &token) const;
    [[nodiscard]] bool needsApiKey() const { return !m_apiKeys.isEmpty(); }
    /// The merchant the request speaks for: `default` where no API key is configured, nothing for a wrong key.
    [[nodiscard]] std::optional<QByteArray> merchantOf(const Request &request) const;

    /// The token of `Authorization: Bearer ...`, empty for none.
    [[nodiscard]] static QByteArray bearerOf(const Request &request);

private:
    struct HashedKey {
        QByteArray merchant;
        QByteArray hash;
    };
    [[nodiscard]] bool isOurHost(const QByteArray &host, const QHostAddress &localAddress, bool *named) const;

    QByteArray m_tokenHash;
    QList<HashedKey> m_apiKeys;
    QList<QByteArray> m_allowedHosts;
    quint16 m_port = 0;
};

} // namespace mockbank
