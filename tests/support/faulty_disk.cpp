#include "tests/support/faulty_disk.h"

#include <sqlite3.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

namespace ikkai::test {

namespace {

struct Plan {
    std::atomic<int> call = -1;   ///< DiskCall of failFrom; -1: none
    std::atomic<int> before = 0;  ///< calls that still go well
    std::atomic<int> onlyNth = 0; ///< of failOnce; 0: none
    std::atomic<int> code = 0;
    std::atomic<int> failures = 0;
    std::atomic<int> changes = 0;
    std::atomic<int> syncMs = 0;
};

Plan &plan()
{
    static Plan the;
    return the;
}

int codeOf(DiskFault fault, DiskCall call)
{
    switch (fault) {
    case DiskFault::Full:
        return SQLITE_FULL;
    case DiskFault::ReadOnly:
        return SQLITE_READONLY;
    case DiskFault::InputOutput:
        break;
    }
    return call == DiskCall::Write  ? SQLITE_IOERR_WRITE
           : call == DiskCall::Sync ? SQLITE_IOERR_FSYNC
                                    : SQLITE_IOERR_READ;
}

/// SQLITE_OK, or what this call ends with instead.
int verdictOn(DiskCall call)
{
    Plan &the = plan();
    if (call != DiskCall::Read) {
        const int nth = ++the.changes;
        if (the.onlyNth > 0 && nth == the.onlyNth) {
            ++the.failures;
            return the.code;
        }
    }
    if (the.call != static_cast<int>(call) || the.before-- > 0)
        return SQLITE_OK;
    ++the.failures;
    return the.code;
}

sqlite3_vfs *realDisk = nullptr;

struct File {
    sqlite3_file base; ///< first, as SQLite wants it
    sqlite3_file *real;
};

sqlite3_file *realOf(sqlite3_file *file)
{
    return reinterpret_cast<File *>(file)->real;
}

int closeFile(sqlite3_file *file)
{
    sqlite3_file *real = realOf(file);
    return real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
}
int readFile(sqlite3_file *file, void *to, int bytes, sqlite3_int64 at)
{
    const int verdict = verdictOn(DiskCall::Read);
    return verdict != SQLITE_OK ? verdict : realOf(file)->pMethods->xRead(realOf(file), to, bytes, at);
}
int writeFile(sqlite3_file *file, const void *from, int bytes, sqlite3_int64 at)
{
    const int verdict = verdictOn(DiskCall::Write);
    if (verdict == SQLITE_OK)
        return realOf(file)->pMethods->xWrite(realOf(file), from, bytes, at);
    // A disk that ends in the middle has taken the first half.
    if (bytes > 1)
        realOf(file)->pMethods->xWrite(realOf(file), from, bytes / 2, at);
    return verdict;
}
int truncateFile(sqlite3_file *file, sqlite3_int64 size)
{
    return realOf(file)->pMethods->xTruncate(realOf(file), size);
}
int syncFile(sqlite3_file *file, int flags)
{
    const int verdict = verdictOn(DiskCall::Sync);
    if (const int ms = plan().syncMs; ms > 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    return verdict != SQLITE_OK ? verdict : realOf(file)->pMethods->xSync(realOf(file), flags);
}
int sizeOfFile(sqlite3_file *file, sqlite3_int64 *size)
{
    return realOf(file)->pMethods->xFileSize(realOf(file), size);
}
int lockFile(sqlite3_file *file, int lock)
{
    return realOf(file)->pMethods->xLock(realOf(file), lock);
}
int unlockFile(sqlite3_file *file, int lock)
{
    return realOf(file)->pMethods->xUnlock(realOf(file), lock);
}
int isReserved(sqlite3_file *file, int *result)
{
    return realOf(file)->pMethods->xCheckReservedLock(realOf(file), result);
}
int controlFile(sqlite3_file *file, int what, void *value)
{
    return realOf(file)->pMethods->xFileControl(realOf(file), what, value);
}
int sectorSize(sqlite3_file *file)
{
    return realOf(file)->pMethods->xSectorSize(realOf(file));
}
int characteristics(sqlite3_file *file)
{
    return realOf(file)->pMethods->xDeviceCharacteristics(realOf(file));
}
int mapShared(sqlite3_file *file, int page, int size, int extend, void volatile **to)
{
    return realOf(file)->pMethods->xShmMap(realOf(file), page, size, extend, to);
}
int lockShared(sqlite3_file *file, int offset, int count, int flags)
{
    return realOf(file)->pMethods->xShmLock(realOf(file), offset, count, flags);
}
void barrier(sqlite3_file *file)
{
    realOf(file)->pMethods->xShmBarrier(realOf(file));
}
int unmapShared(sqlite3_file *file, int isDeleted)
{
    return realOf(file)->pMethods->xShmUnmap(realOf(file), isDeleted);
}

int openFile(sqlite3_vfs *, const char *name, sqlite3_file *file, int flags, int *outFlags)
{
    static const sqlite3_io_methods methods = [] {
        sqlite3_io_methods all = {};
        all.iVersion = 2; // with shared memory for the write-ahead log, without memory-mapped reads
        all.xClose = closeFile;
        all.xRead = readFile;
        all.xWrite = writeFile;
        all.xTruncate = truncateFile;
        all.xSync = syncFile;
        all.xFileSize = sizeOfFile;
        all.xLock = lockFile;
        all.xUnlock = unlockFile;
        all.xCheckReservedLock = isReserved;
        all.xFileControl = controlFile;
        all.xSectorSize = sectorSize;
        all.xDeviceCharacteristics = characteristics;
        all.xShmMap = mapShared;
        all.xShmLock = lockShared;
        all.xShmBarrier = barrier;
        all.xShmUnmap = unmapShared;
        return all;
    }();
    File *mine = reinterpret_cast<File *>(file);
    mine->real = reinterpret_cast<sqlite3_file *>(mine + 1);
    std::memset(mine->real, 0, static_cast<size_t>(realDisk->szOsFile));
    const int opened = realDisk->xOpen(realDisk, name, mine->real, flags, outFlags);
    mine->base.pMethods = mine->real->pMethods ? &methods : nullptr;
    return opened;
}

void putInFront()
{
    static sqlite3_vfs mine;
    if (realDisk)
        return;
    realDisk = sqlite3_vfs_find(nullptr);
    mine = *realDisk; // names, times and random numbers are the real one's
    mine.zName = "faulty";
    mine.pNext = nullptr;
    mine.szOsFile = static_cast<int>(sizeof(File)) + realDisk->szOsFile;
    mine.xOpen = openFile;
    sqlite3_vfs_register(&mine, 1);
}

} // namespace

FaultyDisk::FaultyDisk()
{
    putInFront();
    heal();
    plan().failures = 0;
    plan().changes = 0;
}

FaultyDisk::~FaultyDisk()
{
    heal();
}

void FaultyDisk::failFrom(int nth, DiskCall call, DiskFault fault)
{
    heal();
    plan().code = codeOf(fault, call);
    plan().before = nth - 1;
    plan().call = static_cast<int>(call);
}

void FaultyDisk::failOnce(int nth, DiskFault fault)
{
    heal();
    plan().code = codeOf(fault, DiskCall::Write);
    plan().changes = 0;
    plan().onlyNth = nth;
}

void FaultyDisk::slowSyncs(int ms)
{
    plan().syncMs = ms;
}

void FaultyDisk::heal()
{
    plan().call = -1;
    plan().onlyNth = 0;
    plan().syncMs = 0;
}

int FaultyDisk::failures() const
{
    return plan().failures;
}

int FaultyDisk::changes() const
{
    return plan().changes;
}

} // namespace ikkai::test
