#pragma once

#include <QtCore/QMap>
#include <QtCore/QString>

#include <optional>

namespace mockbank {

/// `postgres://user:password@host:port/database?schema=...`, taken apart. What is empty is for libpq to decide (its
/// environment variables PGHOST, PGPASSWORD..., and ~/.pgpass).
struct PostgresAddress {
    QString user;
    QString password;
    QString host; ///< a name or number, or the folder of a socket
    int port = -1;
    QString database;
    QString schema = QStringLiteral("mock_bank"); ///< several ledgers can live in one database
    QMap<QString, QString> options;               ///< of libpq, those that an address may name

    /// The address again, with nothing in it that must be kept secret.
    QString shown() const;
};

/// Reads `postgres://` or `postgresql://`. On failure returns nothing and `error` is one line, without the password.
[[nodiscard]] std::optional<PostgresAddress> readPostgresAddress(const QString &text, QString *error);

/// Whether the text is meant to be such an address.
[[nodiscard]] bool isPostgresAddress(const QString &text);

} // namespace mockbank
