#pragma once

#include "core/gateway/transmission.h"

#include <QtCore/QByteArray>
#include <QtCore/QByteArrayList>

#include <utility>
#include <vector>

/// Pages of the bank's list of charges, whole and broken.
namespace ikkai::test {

using RowMembers = std::vector<std::pair<QByteArray, QByteArray>>; ///< name and JSON text

inline RowMembers bankRow(qint64 movement)
{
    return {{"id", "\"ch_" + QByteArray::number(movement) + '"'},
            {"movement", QByteArray::number(movement)},
            {"status", "\"approved\""},
            {"idempotency_key", "\"key-" + QByteArray::number(movement) + '"'},
            {"order_id", "\"A-" + QByteArray::number(movement) + '"'},
            {"amount", "1200"},
            {"currency", "\"JPY\""},
            {"source", "\"card_ok\""},
            {"terminal_id", "\"till-1\""},
            {"created_at", "\"2026-04-01T00:00:00.125Z\""},
            {"reversal", "null"}};
}

inline RowMembers with(RowMembers row, const QByteArray &name, const QByteArray &value)
{
    for (auto &member : row) {
        if (member.first == name)
            member.second = value;
    }
    return row;
}

inline RowMembers without(RowMembers row, const QByteArray &name)
{
    std::erase_if(row, [&](const auto &member) { return member.first == name; });
    return row;
}

inline QByteArray rowJson(const RowMembers &row)
{
    QByteArrayList members;
    for (const auto &[name, value] : row)
        members.append('"' + name + "\":" + value);
    return '{' + members.join(',') + '}';
}

inline QByteArray pageJson(const std::vector<RowMembers> &rows, const QByteArray &next)
{
    QByteArrayList texts;
    for (const RowMembers &row : rows)
        texts.append(rowJson(row));
    return "{\"charges\":[" + texts.join(',') + "],\"next\":" + next + '}';
}

/// The rows after `after` and up to `last`.
inline QByteArray pageOf(qint64 after, qint64 last, const QByteArray &next)
{
    std::vector<RowMembers> rows;
    for (qint64 movement = after + 1; movement <= last; ++movement)
        rows.push_back(bankRow(movement));
    return pageJson(rows, next);
}

inline HttpAnswer pageAnswer(const QByteArray &body, const QByteArray &mediaType = "application/json")
{
    return {200, {{"content-type", mediaType}, {"ledger-id", "ldg_1"}}, body};
}

} // namespace ikkai::test
