#pragma once

#include <QtSql/QSqlDatabase>

namespace mockbank {

/// Makes the bank's tables in a new database, or brings an older one up to date, in one transaction.
/// Throws StoreError (prefixed by `where`) where the database is not the bank's, or of a newer program.
void prepareSchema(const QSqlDatabase &database, const QString &where);

} // namespace mockbank
