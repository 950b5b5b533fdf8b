#include "mock-server/store/postgres_address.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>
#include <QtCore/QUrl>
#include <QtCore/QUrlQuery>

namespace mockbank {

namespace {

// What concerns the way to the server. Time limits and character set are the store's own.
const QSet<QString> &allowedOptions()
{
    static const QSet<QString> names{QStringLiteral("sslmode"), QStringLiteral("sslrootcert"),
                                     QStringLiteral("sslcert"), QStringLiteral("sslkey"),
                                     QStringLiteral("application_name")};
    return names;
}

bool isName(const QString &text)
{
    static const QRegularExpression name(QStringLiteral("\\A[a-z_][a-z0-9_]{0,47}\\z"));
    return name.match(text).hasMatch();
}

} // namespace

QString PostgresAddress::shown() const
{
    QUrl url;
    url.setScheme(QStringLiteral("postgres"));
    url.setUserName(user);
    const bool socket = host.startsWith(QLatin1Char('/'));
    url.setHost(socket ? QString() : host);
    url.setPort(port);
    url.setPath(QLatin1Char('/') + database);
    QUrlQuery query;
    if (socket)
        query.addQueryItem(QStringLiteral("host"), host);
    if (schema != PostgresAddress().schema)
        query.addQueryItem(QStringLiteral("schema"), schema);
    if (!query.isEmpty())
        url.setQuery(query);
    QString text = url.toString();
    if (url.authority().isEmpty() && !text.startsWith(QLatin1String("postgres://")))
        text.replace(QStringLiteral("postgres:"), QStringLiteral("postgres://"));
    return text;
}

bool isPostgresAddress(const QString &text)
{
    return text.startsWith(QLatin1String("postgres:")) || text.startsWith(QLatin1String("postgresql:"));
}

std::optional<PostgresAddress> readPostgresAddress(const QString &text, QString *error)
{
    const QUrl url(text, QUrl::StrictMode);
    // Never the text itself: it may hold a password, and where it cannot be read nobody knows which part that is.
    const auto flaw = [error](const QString &what) {
        *error = QStringLiteral("bank store postgres://...: %1").arg(what);
        return std::nullopt;
    };
    const QString form = QStringLiteral("expected postgres://USER@HOST:PORT/DATABASE, special characters as %XX");
    if (!url.isValid() || !text.contains(QLatin1String("://")) || url.hasFragment())
        return flaw(form);
    PostgresAddress address;
    address.user = url.userName(QUrl::FullyDecoded);
    address.password = url.password(QUrl::FullyDecoded);
    address.host = url.host(QUrl::FullyDecoded);
    address.port = url.port();
    address.database = url.path(QUrl::FullyDecoded).mid(1);
    if (address.database.isEmpty() || address.database.contains(QLatin1Char('/')))
        return flaw(QStringLiteral("names no database; ") + form);
    const auto items = QUrlQuery(url).queryItems(QUrl::FullyDecoded);
    QSet<QString> seen;
    for (const auto &[name, value] : items) {
        if (seen.contains(name))
            return flaw(QStringLiteral("names \"%1\" twice").arg(name));
        seen.insert(name);
        if (value.isEmpty())
            return flaw(QStringLiteral("\"%1\" has no value").arg(name));
        if (name == QLatin1String("schema")) {
            if (!isName(value))
                return flaw(QStringLiteral("schema \"%1\": expected up to 48 of a-z, 0-9 and _").arg(value));
            address.schema = value;
        } else if (name == QLatin1String("host")) {
            if (!address.host.isEmpty())
                return flaw(QStringLiteral("names the host twice"));
            address.host = value;
        } else if (allowedOptions().contains(name)) {
            address.options.insert(name, value);
        } else {
            return flaw(QStringLiteral("there is no option \"%1\"").arg(name));
        }
    }
    return address;
}

} // namespace mockbank
