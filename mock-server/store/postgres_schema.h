#pragma once

#include <QtSql/QSqlDatabase>

namespace mockbank {

/// Makes the bank's schema and tables, or brings older ones up to date, in one transaction; banks that do so at the
/// same moment wait for each other. From then on unqualified names mean that schema. Throws StoreError (prefixed by
/// `where`) where the schema is not the bank's, or of a newer program.
void preparePostgresSchema(const QSqlDatabase &database, const QString &schema, const QString &where);

/// Keys of advisory locks (https://www.postgresql.org/docs/15/explicit-locking.html#ADVISORY-LOCKS). They are shared by
/// all programs that use the database, so they are digests of what they stand for.
[[nodiscard]] qint64 advisoryKey(const QString &schema, const QByteArray &right);

} // namespace mockbank
