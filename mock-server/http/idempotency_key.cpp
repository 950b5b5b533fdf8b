#include "mock-server/http/idempotency_key.h"

#include <algorithm>

namespace mockbank {

namespace {

constexpr qsizetype longestKey = 255;

std::optional<QByteArray> unquoteKey(const QByteArray &line)
{
    QByteArray key;
    for (qsizetype i = 1; i < line.size(); ++i) {
        if (line[i] == '"')
            return i == line.size() - 1 ? std::optional(key) : std::nullopt;
        if (line[i] == '\\') {
            ++i;
            if (i == line.size() || (line[i] != '"' && line[i] != '\\'))
                return std::nullopt;
        }
        key += line[i];
    }
    return std::nullopt;
}

bool isVisible(QByteArrayView key)
{
    return std::all_of(key.begin(), key.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

} // namespace

std::optional<QByteArray> readIdempotencyKey(const QByteArrayList &lines, QString *why)
{
    if (lines.isEmpty()) {
        *why = QStringLiteral("the Idempotency-Key header is missing");
        return std::nullopt;
    }
    if (lines.size() > 1) {
        *why = QStringLiteral("there is more than one Idempotency-Key header");
        return std::nullopt;
    }
    const QByteArray line = lines.first().trimmed();
    std::optional<QByteArray> key(line);
    if (line.startsWith('"'))
        key = unquoteKey(line);
    if (!key) {
        *why = QStringLiteral("the quoted Idempotency-Key does not end where it should");
        return std::nullopt;
    }
    if (key->isEmpty()) {
        *why = QStringLiteral("the Idempotency-Key is empty");
        return std::nullopt;
    }
    if (key->size() > longestKey) {
        *why = QStringLiteral("the Idempotency-Key has more than %1 characters").arg(longestKey);
        return std::nullopt;
    }
    if (!isVisible(*key)) {
        *why = QStringLiteral("the Idempotency-Key has a character that is not visible ASCII");
        return std::nullopt;
    }
    return key;
}

} // namespace mockbank
