#pragma once

#include <QtCore/QByteArray>

namespace mockbank {

/// `mock-server/openapi.json` of the tree: data plane and control API in OpenAPI 3.1. Never empty.
[[nodiscard]] QByteArray openApiDocument();

} // namespace mockbank
