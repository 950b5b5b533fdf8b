#pragma once

#include "core/gateway/http_gateway.h"
#include "tests/support/scripted_server.h"
#include "tests/unit/gateway/gateway_probe.h"

#include <QtTest/QTest>

#include <set>
#include <vector>

/// What a peer can do to one request, and what a gateway must make of it.
namespace ikkai::test {

using End = Transmission::End;

inline const QByteArray approvedBody = R"({"id":"ch_1","status":"approved"})";
inline const QByteArray approved = httpAnswer("201 Created", approvedBody);

/// The transport's silent second transmission is a race: one round proves little.
inline constexpr int rounds = 20;
/// Long enough for a loaded machine to send at all.
inline constexpr qint64 shortDeadlineMs = 250;

inline HttpGatewaySettings settingsFor(const QUrl &url)
{
    HttpGatewaySettings settings;
    settings.baseUrl = url;
    return settings;
}

inline QByteArray cut(const QByteArray &bytes, qsizetype at)
{
    return bytes.first(at);
}

enum class Arrival { Once, Never };

struct Row {
    const char *name;
    Script script;
    std::set<End> ends;
    Arrival arrival = Arrival::Once;
    qint64 deadlineMs = 3'000;

    /// What waits for its deadline is no race, and costs time.
    [[nodiscard]] int roundsNeeded() const { return deadlineMs == shortDeadlineMs ? 3 : rounds; }
};

inline std::vector<Row> connectionFaults()
{
    using namespace act;
    const std::set<End> lost{End::ConnectionLost, End::ResendPrevented};
    const std::set<End> lostOrCut{End::ConnectionLost, End::ResendPrevented, End::AnswerCut};
    // A connection that is closed before anything could be written is made anew until the deadline.
    const std::set<End> lostOrLate{End::ConnectionLost, End::ResendPrevented, End::DeadlinePassed};
    const QByteArray chunkedHead =
        "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    const QByteArray untilCloseHead = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n";
    const auto head = [](qsizetype length) {
        return "HTTP/1.1 201 Created\r\nContent-Length: " + QByteArray::number(length) + "\r\n\r\n";
    };
    return {
        {"accepted, never answered", {}, {End::DeadlinePassed}, Arrival::Once, shortDeadlineMs},
        {"fin before reading", {Fin{}}, lostOrLate, Arrival::Never},
        {"rst before reading", {Rst{}}, lostOrLate, Arrival::Never},
        {"fin after the head", {ReadHead{}, Fin{}}, lost},
        {"rst after the head", {ReadHead{}, Rst{}}, lost},
        {"fin after the request", {ReadRequest{}, Fin{}}, lost},
        {"rst after the request", {ReadRequest{}, Rst{}}, lost},
        {"held after the request", {ReadRequest{}}, {End::DeadlinePassed}, Arrival::Once, shortDeadlineMs},
        {"fin in the status line", {ReadRequest{}, Write{"HTTP/1.1 20"}, Fin{}}, lostOrCut},
        {"rst in the status line", {ReadRequest{}, Write{"HTTP/1.1 20"}, Rst{}}, lostOrCut},
        {"fin in the headers", {ReadRequest{}, Write{cut(approved, 40)}, Fin{}}, lostOrCut},
        {"rst in the headers", {ReadRequest{}, Write{cut(approved, 40)}, Rst{}}, lostOrCut},
        {"fin in the body", {ReadRequest{}, Write{cut(approved, approved.size() - 5)}, Fin{}}, {End::AnswerCut}},
        {"rst in the body", {ReadRequest{}, Write{cut(approved, approved.size() - 5)}, Rst{}}, lostOrCut},
        {"held in the body",
         {ReadRequest{}, Write{cut(approved, approved.size() - 5)}},
         {End::DeadlinePassed},
         Arrival::Once,
         shortDeadlineMs},
        {"fin before the body", {ReadRequest{}, Write{head(30)}, Fin{}}, {End::AnswerCut}},
        {"two lengths",
         {ReadRequest{}, Write{"HTTP/1.1 201 Created\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}"}, Fin{}},
         lostOrCut},
        {"bad chunk size",
         {ReadRequest{}, Write{chunkedHead + "8\r\n{\"id\":\"c\r\nzz\r\nh_1\"}\r\n0\r\n\r\n"}, Fin{}},
         {End::AnswerCut}},
        {"fin between chunks", {ReadRequest{}, Write{chunkedHead + "8\r\n{\"id\":\"c\r\n"}, Fin{}}, {End::AnswerCut}},
        {"until close, cut", {ReadRequest{}, Write{untilCloseHead + cut(approvedBody, 20)}, Fin{}}, {End::AnswerCut}},
        {"until close, html", {ReadRequest{}, Write{untilCloseHead + "<html></html>"}, Fin{}}, {End::AnswerCut}},
        {"garbage", {ReadRequest{}, Write{QByteArray("\x00\xff\r\n\x16\x03 what\r\n\r\n", 15)}, Fin{}}, lostOrCut},
        {"another protocol", {ReadRequest{}, Write{"SSH-2.0-OpenSSH_9.2\r\n"}, Fin{}}, lostOrCut},
        {"half an error answer",
         {ReadRequest{}, Write{"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 50\r\n\r\n{"}, Fin{}},
         {End::AnswerCut}},
    };
}

inline std::vector<Row> wholeAnswers()
{
    using namespace act;
    const std::set<End> answered{End::Answered};
    return {
        {"at once", {ReadRequest{}, Write{approved}}, answered},
        {"then fin", {ReadRequest{}, Write{approved}, Fin{}}, answered},
        {"chunked",
         {ReadRequest{}, Write{"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n" +
                               QByteArray::number(approvedBody.size(), 16) + "\r\n" + approvedBody + "\r\n0\r\n\r\n"}},
         answered},
        {"until close", {ReadRequest{}, Write{"HTTP/1.1 201 Created\r\n\r\n" + approvedBody}, Fin{}}, answered},
        {"after 100 Continue", {ReadRequest{}, Write{"HTTP/1.1 100 Continue\r\n\r\n" + approved}}, answered},
    };
}

inline void rowsOf(const std::vector<Row> &rows)
{
    QTest::addColumn<Row>("row");
    for (const Row &row : rows)
        QTest::newRow(row.name) << row;
}

inline QString describeEnd(const Transmission &end)
{
    char *word = toString(end.end);
    const QString text = QStringLiteral("%1 (%2)").arg(QString::fromLatin1(word), end.detail);
    delete[] word;
    return text;
}

} // namespace ikkai::test
