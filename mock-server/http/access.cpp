#include "mock-server/http/access.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QUrl>

#include <algorithm>

namespace mockbank {

namespace {

QByteArray hashSecret(const QByteArray &secret)
{
    return QCryptographicHash::hash(secret, QCryptographicHash::Sha256);
}

bool equalHashes(const QByteArray &left, const QByteArray &right)
{
    unsigned difference = left.size() == right.size() ? 0U : 1U;
    for (qsizetype i = 0; i < std::min(left.size(), right.size()); ++i)
        difference |= static_cast<unsigned char>(left[i]) ^ static_cast<unsigned char>(right[i]);
    return difference == 0;
}

/// The name of `name[:port]` or `[v6][:port]`, lower case, brackets kept; empty where it is neither.
QByteArray hostName(const QByteArray &authority)
{
    qsizetype end = authority.size();
    if (authority.startsWith('[')) {
        end = authority.indexOf(']') + 1;
        if (end == 0)
            return {};
    } else if (const qsizetype colon = authority.indexOf(':'); colon >= 0) {
        end = colon;
    }
    const QByteArray port = authority.mid(end);
    const bool portIsSound =
        port.isEmpty() || (port.startsWith(':') &&
                           std::all_of(port.begin() + 1, port.end(), [](char c) { return c >= '0' && c <= '9'; }));
    return portIsSound ? authority.left(end).toLower() : QByteArray();
}

QByteArray literalOf(const QHostAddress &address)
{
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4);
    if (isV4)
        return QHostAddress(v4).toString().toLatin1();
    QHostAddress bare(address);
    bare.setScopeId(QString());
    return '[' + bare.toString().toLatin1().toLower() + ']';
}

} // namespace

std::optional<QList<ApiKey>> readApiKeys(const QByteArray &text, QString *error)
{
    QList<ApiKey> keys;
    int lineNumber = 0;
    for (const QByteArray &raw : text.split('\n')) {
        ++lineNumber;
        const QByteArray line = raw.trimmed();
        if (line.isEmpty() || line.startsWith('#'))
            continue;
        const qsizetype colon = line.indexOf(':');
        const ApiKey key{colon < 0 ? QByteArrayLiteral("default") : line.left(colon), line.mid(colon + 1)};
        const auto visible = [](char c) { return c > 0x20 && c < 0x7f; };
        if (key.merchant.isEmpty() || key.key.isEmpty() || !std::ranges::all_of(line, visible)) {
            *error = QStringLiteral("line %1 is not merchant:key or key").arg(lineNumber);
            return std::nullopt;
        }
        keys.append(key);
    }
    if (keys.isEmpty()) {
        *error = QStringLiteral("there is no key in it");
        return std::nullopt;
    }
    return keys;
}

Access::Access(const QByteArray &controlToken, const QList<ApiKey> &apiKeys, const QStringList &allowedHosts)
    : m_tokenHash(hashSecret(controlToken))
{
    for (const ApiKey &key : apiKeys)
        m_apiKeys.append({key.merchant, hashSecret(key.key)});
    for (const QString &host : allowedHosts)
        m_allowedHosts.append(hostName(host.toLatin1()));
}

bool Access::isOurHost(const QByteArray &host, const QHostAddress &localAddress, bool *named) const
{
    *named = !host.isEmpty() && m_allowedHosts.contains(host);
    if (*named)
        return true;
    if (localAddress.isLoopback() && (host == "localhost" || host == "127.0.0.1" || host == "[::1]"))
        return true;
    return host == literalOf(localAddress);
}

std::optional<Problem> Access::refuseForeign(const Request &request, const QHostAddress &localAddress) const
{
    const auto forbid = [](const char *type, const QByteArray &field, const QString &detail) {
        return Problem{403, type, QStringLiteral("Forbidden"), detail, false, field, {}};
    };
    bool named = false;
    QByteArrayList hosts = request.values("Host");
    hosts.append(request.host);
    for (const QByteArray &host : hosts) {
        if (!isOurHost(hostName(host), localAddress, &named)) {
            return forbid("foreign-host", "Host",
                          QStringLiteral("this bank does not answer under that name; --allow-host adds one"));
        }
    }
    const QByteArrayList origins = request.values("Origin");
    for (const QByteArray &origin : origins) {
        const QUrl url(QString::fromLatin1(origin), QUrl::StrictMode);
        const bool web = url.scheme() == QLatin1StringView("http") || url.scheme() == QLatin1StringView("https");
        const QByteArray authority = origin.mid(origin.indexOf("//") + 2);
        const int port = url.port(url.scheme() == QLatin1StringView("https") ? 443 : 80);
        const bool ours = web && isOurHost(hostName(authority), localAddress, &named) && (named || port == m_port);
        if (!ours)
            return forbid("foreign-origin", "Origin", QStringLiteral("another site may not use this bank"));
    }
    // A page may fetch without an Origin, as an image is; the browser says all the same on whose behalf it asks. Its
    // user may follow a link, which shows the page nothing.
    const bool isLink = request.value("Sec-Fetch-Mode") == "navigate" && request.method == "GET";
    for (const QByteArray &site : request.values("Sec-Fetch-Site")) {
        if (origins.isEmpty() && !isLink && site != "same-origin" && site != "none") {
            return forbid("foreign-origin", "Sec-Fetch-Site",
                          QStringLiteral("a page of another site may not use this bank"));
        }
    }
    return std::nullopt;
}

bool Access::isControlToken(const QByteArray &token) const
{
    return equalHashes(hashSecret(token), m_tokenHash) && !token.isEmpty();
}

QByteArray Access::bearerOf(const Request &request)
{
    const QByteArrayList lines = request.values("Authorization");
    if (lines.size() != 1)
        return {};
    const QByteArray line = lines.first().trimmed();
    return line.left(7).toLower() == "bearer " ? line.mid(7).trimmed() : QByteArray();
}

std::optional<QByteArray> Access::merchantOf(const Request &request) const
{
    if (m_apiKeys.isEmpty())
        return QByteArrayLiteral("default");
    const QByteArray hash = hashSecret(bearerOf(request));
    std::optional<QByteArray> merchant;
    for (const HashedKey &key : m_apiKeys) {
        if (equalHashes(hash, key.hash))
            merchant = key.merchant;
    }
    return merchant;
}

} // namespace mockbank
