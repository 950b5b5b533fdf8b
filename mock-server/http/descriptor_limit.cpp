#include "mock-server/http/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace mockbank {

bool allowDescriptors(quint64 needed, QString *error)
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return true;
    const rlim_t hard = limit.rlim_max;
    limit.rlim_cur = std::min<rlim_t>(needed, hard);
    if (hard >= needed && ::setrlimit(RLIMIT_NOFILE, &limit) == 0)
        return true;
    *error = QStringLiteral("needs %1 open files, and this system allows %2 (ulimit -Hn)").arg(needed).arg(hard);
    return false;
}

} // namespace mockbank
