#pragma once

#include "mock-server/store/postgres_address.h"
#include "mock-server/store/store.h"

#include <memory>
#include <optional>

namespace mockbank {

/// Keeps the money of a store in memory alive while no Bank has it open, so that it outlives the crash of its bank.
class MemoryStore;

/// `sqlite:FILE`, `sqlite::memory:` or `postgres://USER@HOST:PORT/DATABASE`, taken apart.
struct StoreAddress {
    QString file;                        ///< of SQLite; empty: one of the other two
    std::shared_ptr<MemoryStore> memory; ///< of a store in memory
    std::optional<PostgresAddress> postgres = {};
};

/// Reads an address. For a store in memory `memory` is used if given, else new memory is made. On failure returns
/// nothing and `error` is one line.
[[nodiscard]] std::optional<StoreAddress> readStoreAddress(const QString &text, std::shared_ptr<MemoryStore> memory,
                                                           QString *error);

/// The address as it may be shown to anybody: without a password.
[[nodiscard]] QString shownStoreAddress(const QString &text);

/// Opens, and makes or migrates if need be, the store at an address; it then belongs to the calling thread.
/// Throws StoreError with one line that names the file or the server.
[[nodiscard]] std::unique_ptr<Store> openStore(const StoreAddress &address);

} // namespace mockbank
