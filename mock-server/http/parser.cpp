#include "mock-server/http/parser.h"

// With sanitizers on, g++ 12 takes the empty boost::optional inside of Beast 1.74 for uninitialized memory.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace mockbank {

namespace http = boost::beast::http;
using BeastParser = http::request_parser<http::string_body>;

class RequestParser::Private {
public:
    explicit Private(const RequestLimits &limits_)
        : limits(limits_)
    {
        reset();
    }

    void reset()
    {
        beast.emplace();
        // Stops after the head, so that trailers are not taken for headers.
        beast->eager(false);
        beast->header_limit(static_cast<std::uint32_t>(limits.headerBytes));
        // The limit on the body is kept here and not by Beast, which would refuse before it has shown the head.
        beast->body_limit(std::numeric_limits<std::uint64_t>::max());
        stage = Stage::Idle;
        request = {};
        headSeen = 0;
    }

    Stage fail(int status, const QString &detail)
    {
        stage = Stage::Failed;
        failure = {status, detail};
        return stage;
    }

    /// Null where they are sound.
    const char *whyLinesAreUnsound(const QByteArray &buffer);
    bool takeHead();
    Stage failOn(const boost::system::error_code &error);

    const RequestLimits limits;
    std::optional<BeastParser> beast;
    Stage stage = Stage::Idle;
    Request request;
    Failure failure;
    qsizetype headSeen = 0; ///< bytes of the buffer already checked for bare line feeds
};

namespace {

QByteArray toBytes(boost::beast::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

/// Splits a target into authority, path and query; false where it is of no form that a server answers.
bool readTarget(QByteArray target, Request *request)
{
    if (target.startsWith("http://") || target.startsWith("https://")) {
        const qsizetype start = target.indexOf("//") + 2;
        qsizetype slash = target.indexOf('/', start);
        if (slash < 0)
            slash = target.size();
        request->host = target.mid(start, slash - start);
        target = slash == target.size() ? QByteArrayLiteral("/") : target.mid(slash);
    } else if (!target.startsWith('/')) {
        return target == "*" && request->method == "OPTIONS" && (request->path = target, true);
    }
    const qsizetype question = target.indexOf('?');
    request->path = question < 0 ? target : target.first(question);
    request->query = question < 0 ? QByteArray() : target.mid(question + 1);
    return true;
}

} // namespace

const char *RequestParser::Private::whyLinesAreUnsound(const QByteArray &buffer)
{
    // Beast would wait for CR LF CR LF until the header limit; a sender of bare line feeds gets its answer at once. It
    // would also unfold a line that goes on in the next (RFC 9112 section 5.2), which others read as a line of its own.
    for (qsizetype i = headSeen; i < buffer.size(); ++i) {
        if (i > 0 && buffer[i - 1] == '\n' && (buffer[i] == ' ' || buffer[i] == '\t'))
            return "a line of the header goes on in the next";
        if (buffer[i] != '\n')
            continue;
        if (i == 0 || buffer[i - 1] != '\r')
            return "a line of the header does not end in CR LF";
        if (i >= 2 && buffer[i - 2] == '\n')
            break;
    }
    headSeen = buffer.size();
    return nullptr;
}

bool RequestParser::Private::takeHead()
{
    const auto &message = beast->get();
    request.method = toBytes(message.method_string());
    request.http11 = message.version() >= 11;
    request.keepAlive = beast->keep_alive();
    for (const auto &field : message)
        request.headers.emplaceBack(toBytes(field.name_string()), toBytes(field.value()));

    if (!readTarget(toBytes(message.target()), &request)) {
        fail(400, QStringLiteral("the request target is neither a path nor an http URL"));
        return false;
    }
    const QByteArrayList lengths = request.values("Content-Length");
    if (lengths.size() > 1 || (!lengths.isEmpty() && lengths.first().contains(','))) {
        fail(400, QStringLiteral("there is more than one Content-Length"));
        return false;
    }
    const QByteArrayList codings = request.values("Transfer-Encoding");
    if (!codings.isEmpty() && !request.http11) {
        fail(400, QStringLiteral("HTTP/1.0 knows no Transfer-Encoding"));
        return false;
    }
    if (codings.size() > 1 || (!codings.isEmpty() && codings.first().toLower() != "chunked")) {
        fail(501, QStringLiteral("the only transfer coding read here is chunked"));
        return false;
    }
    const QByteArrayList hosts = request.values("Host");
    if (hosts.size() > 1 || (hosts.isEmpty() && request.http11)) {
        fail(400, QStringLiteral("exactly one Host header is needed"));
        return false;
    }
    if (request.host.isEmpty() && !hosts.isEmpty())
        request.host = hosts.first();

    const QByteArray expect = request.value("Expect").toLower();
    if (!expect.isEmpty() && expect != "100-continue") {
        fail(417, QStringLiteral("the only expectation met here is 100-continue"));
        return false;
    }
    request.expectsContinue = request.http11 && !expect.isEmpty();
    stage = Stage::Body;
    const auto length = beast->content_length();
    if (length && *length > static_cast<std::uint64_t>(limits.bodyBytes)) {
        fail(413, QStringLiteral("a body may have at most %1 bytes").arg(limits.bodyBytes));
        return false;
    }
    return true;
}

RequestParser::Stage RequestParser::Private::failOn(const boost::system::error_code &error)
{
    if (error == http::error::header_limit)
        return fail(431, QStringLiteral("the header may have at most %1 bytes").arg(limits.headerBytes));
    if (error == http::error::bad_version)
        return fail(505, QStringLiteral("HTTP/1.0 and HTTP/1.1 are spoken here"));
    return fail(400, QStringLiteral("not an HTTP request: ") + QString::fromStdString(error.message()));
}

RequestParser::RequestParser(const RequestLimits &limits)
    : d(std::make_unique<Private>(limits))
{
}

RequestParser::~RequestParser() = default;

RequestParser::Stage RequestParser::read(QByteArray *buffer)
{
    if (d->stage == Stage::Done || d->stage == Stage::Failed)
        return d->stage;
    if (d->stage == Stage::Idle) {
        // RFC 9112 section 2.2: an empty line before the request line is skipped.
        while (buffer->startsWith("\r\n"))
            buffer->remove(0, 2);
        if (buffer->isEmpty())
            return d->stage;
        d->stage = Stage::Head;
    }

    while (!buffer->isEmpty()) {
        const bool inHead = d->stage == Stage::Head;
        if (const char *why = inHead ? d->whyLinesAreUnsound(*buffer) : nullptr)
            return d->fail(400, QString::fromLatin1(why));

        boost::system::error_code error;
        const std::size_t taken = d->beast->put(
            boost::asio::const_buffer(buffer->constData(), static_cast<std::size_t>(buffer->size())), error);
        buffer->remove(0, static_cast<qsizetype>(taken));
        d->headSeen = std::max<qsizetype>(0, d->headSeen - static_cast<qsizetype>(taken));

        if (error && error != http::error::need_more)
            return d->failOn(error);
        if (inHead && d->beast->is_header_done() && !d->takeHead())
            return d->stage;
        if (d->beast->get().body().size() > static_cast<std::size_t>(d->limits.bodyBytes))
            return d->fail(413, QStringLiteral("a body may have at most %1 bytes").arg(d->limits.bodyBytes));
        if (d->beast->is_done()) {
            d->request.body = QByteArray::fromStdString(d->beast->get().body());
            d->stage = Stage::Done;
            return d->stage;
        }
        if (error == http::error::need_more) {
            // What Beast leaves unread of a body is the head of a chunk; without a bound it could grow for ever.
            if (d->stage == Stage::Body && buffer->size() > d->limits.headerBytes)
                return d->fail(400, QStringLiteral("the head of a chunk is too long"));
            return d->stage;
        }
    }
    return d->stage;
}

RequestParser::Stage RequestParser::stage() const
{
    return d->stage;
}

const Request &RequestParser::head() const
{
    return d->request;
}

const RequestParser::Failure &RequestParser::failure() const
{
    return d->failure;
}

Request RequestParser::take()
{
    Request finished = std::move(d->request);
    d->reset();
    return finished;
}

} // namespace mockbank
