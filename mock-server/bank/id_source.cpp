#include "mock-server/bank/id_source.h"

#include <QtCore/QRandomGenerator>

#include <array>

namespace mockbank {

namespace {

class RandomIds final : public IdSource {
public:
    QByteArray make(QByteArrayView prefix) override
    {
        std::array<quint32, 3> random{};
        QRandomGenerator::global()->fillRange(random.data(), qsizetype(random.size()));
        const QByteArrayView bytes(reinterpret_cast<const char *>(random.data()), sizeof random);
        return prefix.toByteArray() + bytes.toByteArray().toHex();
    }
};

} // namespace

std::shared_ptr<IdSource> randomIds()
{
    return std::make_shared<RandomIds>();
}

} // namespace mockbank
