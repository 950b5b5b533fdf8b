#include "mock-server/store/store_address.h"

#include "mock-server/store/memory_store.h"
#include "mock-server/store/postgres_store.h"
#include "mock-server/store/sqlite_store.h"

namespace mockbank {

std::optional<StoreAddress> readStoreAddress(const QString &text, std::shared_ptr<MemoryStore> memory, QString *error)
{
    StoreAddress address;
    if (isPostgresAddress(text)) {
        address.postgres = readPostgresAddress(text, error);
        return address.postgres ? std::optional(address) : std::nullopt;
    }
    static const QString sqlite = QStringLiteral("sqlite:");
    if (!text.startsWith(sqlite) || text == sqlite) {
        // What stands before an @ may be a password, whatever the scheme.
        const qsizetype at = text.lastIndexOf(QLatin1Char('@'));
        const QString shown =
            at < 0 ? text : text.left(text.indexOf(QLatin1Char(':'))) + QStringLiteral(":...") + text.mid(at);
        *error = QStringLiteral("bank store \"%1\": expected sqlite:FILE, sqlite::memory: or"
                                " postgres://USER@HOST:PORT/DATABASE")
                     .arg(shown);
        return std::nullopt;
    }
    const QString file = text.mid(sqlite.size());
    if (file != QLatin1String(":memory:")) {
        address.file = file;
        return address;
    }
    try {
        address.memory = memory ? std::move(memory) : std::make_shared<MemoryStore>();
    } catch (const StoreError &failure) {
        *error = QString::fromUtf8(failure.what());
        return std::nullopt;
    }
    return address;
}

QString shownStoreAddress(const QString &text)
{
    if (!isPostgresAddress(text))
        return text;
    QString error;
    const std::optional<PostgresAddress> address = readPostgresAddress(text, &error);
    return address ? address->shown() : QStringLiteral("postgres://...");
}

std::unique_ptr<Store> openStore(const StoreAddress &address)
{
    if (address.postgres)
        return std::make_unique<PostgresStore>(*address.postgres);
    return std::make_unique<SqliteStore>(address);
}

} // namespace mockbank
