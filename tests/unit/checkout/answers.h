#pragma once

#include "core/checkout/classify.h"
#include "tests/unit/checkout/fixture.h"

#include <QtCore/QHash>

#include <utility>
#include <vector>

/// Answers of the bank to the sale of fixture.h, whole and broken.
namespace ikkai::test::answers {

inline ExpectedEcho expected()
{
    const Checkout checkout = begin(started(), t0).after;
    return {checkout.key, checkout.order, checkout.money, checkout.ledgerId};
}

using Members = std::vector<std::pair<QByteArray, QByteArray>>; ///< name and JSON text

inline QByteArray json(const Members &members)
{
    QByteArray text;
    for (const auto &[name, value] : members)
        text += (text.isEmpty() ? "{\"" : ",\"") + name + "\":" + value;
    return text + '}';
}

inline Members charge(const QByteArray &status)
{
    Members members{{"id", "\"ch_1\""},
                    {"status", '"' + status + '"'},
                    {"idempotency_key", '"' + keyText + '"'},
                    {"order_id", "\"A-1001\""},
                    {"amount", "1200"},
                    {"currency", "\"JPY\""},
                    {"balance", "98800"},
                    {"created_at", "\"2026-01-01T00:00:00Z\""}};
    if (status == "declined")
        members.push_back({"decline_code", "\"insufficient_funds\""});
    return members;
}

inline Members with(Members members, const QByteArray &name, const QByteArray &value)
{
    for (auto &member : members) {
        if (member.first == name) {
            member.second = value;
            return members;
        }
    }
    members.push_back({name, value});
    return members;
}

inline Members without(Members members, const QByteArray &name)
{
    std::erase_if(members, [&](const auto &member) { return member.first == name; });
    return members;
}

inline Members problem(const QByteArray &type)
{
    return {{"type", "\"urn:ikkai:problem:" + type + '"'},
            {"title", "\"A title\""},
            {"status", "400"},
            {"detail", "\"What was wrong\""},
            {"retryable", "false"},
            {"idempotency_key", '"' + keyText + '"'}};
}

inline Transmission answered(int status, const QByteArray &mediaType, const QByteArray &body,
                             const QHash<QByteArray, QByteArray> &headers = {})
{
    HttpAnswer answer{status, headers, body};
    answer.headers.insert("content-type", mediaType);
    if (!answer.headers.contains("ledger-id"))
        answer.headers.insert("ledger-id", ledgerText);
    answer.headers.insert("request-id", "req_1");
    return {Transmission::End::Answered, answer, 1, 40, {}};
}

inline Transmission charged(int status, const Members &members, const QHash<QByteArray, QByteArray> &headers = {})
{
    return answered(status, "application/json", json(members), headers);
}

inline Transmission refusedBy(int status, const Members &members, const QHash<QByteArray, QByteArray> &headers = {})
{
    return answered(status, "application/problem+json", json(members), headers);
}

inline Transmission page(int status, const QHash<QByteArray, QByteArray> &headers = {})
{
    return answered(status, "text/html", "<html>Not here</html>", headers);
}

} // namespace ikkai::test::answers
