#include "mock-server/faults/fault.h"

#include <algorithm>

namespace mockbank {

qsizetype cutOffset(const CutPoint &at, QByteArrayView head, qsizetype bodyLength)
{
    const qsizetype total = head.size() + bodyLength;
    const qsizetype statusLine = head.indexOf('\n') + 1;
    qsizetype offset = 0;
    switch (at.kind) {
    case CutPoint::Kind::Bytes:
        offset = at.bytes;
        break;
    case CutPoint::Kind::Fraction:
        offset = total * at.millionths / 1'000'000;
        break;
    case CutPoint::Kind::StatusLine:
        offset = statusLine / 2;
        break;
    case CutPoint::Kind::HeaderLines:
        offset = statusLine + (head.size() - statusLine) / 2;
        break;
    case CutPoint::Kind::Body:
        offset = head.size() + bodyLength / 2;
        break;
    }
    return std::clamp<qsizetype>(offset, 0, std::max<qsizetype>(total - 1, 0));
}

} // namespace mockbank
