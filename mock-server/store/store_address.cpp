#include "mock-server/store/store_address.h"

#include "mock-server/store/memory_store.h"
#include "mock-server/store/sqlite_store.h"

namespace mockbank {

std::optional<StoreAddress> readStoreAddress(const QString &text, std::shared_ptr<MemoryStore> memory, QString *error)
{
    static const QString sqlite = QStringLiteral("sqlite:");
    if (!text.startsWith(sqlite) || text == sqlite) {
        *error = QStringLiteral("bank store \"%1\": expected sqlite:FILE or sqlite::memory:").arg(text);
        return std::nullopt;
    }
    StoreAddress address;
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

std::unique_ptr<Store> openStore(const StoreAddress &address)
{
    return std::make_unique<SqliteStore>(address);
}

} // namespace mockbank
