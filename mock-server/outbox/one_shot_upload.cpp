#include "mock-server/outbox/one_shot_upload.h"

#include <algorithm>
#include <utility>

namespace mockbank {

OneShotUpload::OneShotUpload(QByteArray bytes, QObject *parent)
    : QIODevice(parent)
    , m_bytes(std::move(bytes))
{
    open(QIODevice::ReadOnly | QIODevice::Unbuffered);
}

qint64 OneShotUpload::readData(char *data, qint64 maxSize)
{
    const qint64 size = std::min(maxSize, m_bytes.size() - m_at);
    if (size <= 0)
        return -1;
    std::copy_n(m_bytes.constData() + m_at, size, data);
    m_at += size;
    return size;
}

qint64 OneShotUpload::writeData(const char *, qint64)
{
    return -1;
}

} // namespace mockbank
