#include "core/checkout/strict_json.h"

#include <QtCore/QStringDecoder>

#include <algorithm>

namespace ikkai::json {

namespace {

class Reader {
public:
    Reader(QStringView text, QStringView list, const std::function<bool(Object &&)> &take)
        : m_text(text)
        , m_list(list)
        , m_take(take)
    {
    }

    std::optional<Object> whole()
    {
        skipSpace();
        std::optional<Object> object = readObject(1);
        skipSpace();
        if (m_at != m_text.size())
            return {};
        return object;
    }

private:
    static constexpr int deepest = 16;

    [[nodiscard]] char16_t peek() const { return m_at < m_text.size() ? m_text[m_at].unicode() : u'\0'; }
    [[nodiscard]] static bool isDigit(char16_t c) { return c >= u'0' && c <= u'9'; }

    void skipSpace()
    {
        while (peek() == u' ' || peek() == u'\t' || peek() == u'\r' || peek() == u'\n')
            ++m_at;
    }

    bool take(char16_t c)
    {
        if (m_at >= m_text.size() || peek() != c)
            return false;
        ++m_at;
        return true;
    }

    bool takeWord(QStringView word)
    {
        if (!m_text.sliced(m_at).startsWith(word))
            return false;
        m_at += word.size();
        return true;
    }

    bool takeDigits()
    {
        const qsizetype from = m_at;
        while (isDigit(peek()))
            ++m_at;
        return m_at > from;
    }

    std::optional<Object> readObject(int depth)
    {
        if (depth > deepest || !take(u'{'))
            return {};
        Object object;
        skipSpace();
        if (take(u'}'))
            return object;
        do {
            skipSpace();
            std::optional<QString> name = readString();
            skipSpace();
            if (!name || object.find(*name) || !take(u':'))
                return {};
            skipSpace();
            const bool handedOut = m_take && depth == 1 && *name == m_list && peek() == u'[';
            std::optional<Value> value = handedOut ? handOut(depth + 1) : readValue(depth);
            if (!value)
                return {};
            object.members.push_back({*std::move(name), *std::move(value)});
            skipSpace();
        } while (take(u','));
        if (!take(u'}'))
            return {};
        return object;
    }

    std::optional<Value> readArray(int depth)
    {
        return readElements(depth, [&] { return readValue(depth).has_value(); });
    }

    std::optional<Value> handOut(int depth)
    {
        return readElements(depth, [&] {
            skipSpace();
            std::optional<Object> element = readObject(depth + 1);
            return element && m_take(*std::move(element));
        });
    }

    template <class ReadOne>
    std::optional<Value> readElements(int depth, ReadOne readOne)
    {
        if (depth > deepest || !take(u'['))
            return {};
        skipSpace();
        if (take(u']'))
            return Array{};
        do {
            if (!readOne())
                return {};
            skipSpace();
        } while (take(u','));
        if (!take(u']'))
            return {};
        return Array{};
    }

    std::optional<Value> readValue(int depth)
    {
        skipSpace();
        switch (peek()) {
        case u'{': {
            std::optional<Object> object = readObject(depth + 1);
            if (!object)
                return {};
            return *std::move(object);
        }
        case u'[':
            return readArray(depth + 1);
        case u'"': {
            std::optional<QString> string = readString();
            if (!string)
                return {};
            return *std::move(string);
        }
        case u't':
            return takeWord(u"true") ? std::optional<Value>(true) : std::nullopt;
        case u'f':
            return takeWord(u"false") ? std::optional<Value>(false) : std::nullopt;
        case u'n':
            return takeWord(u"null") ? std::optional<Value>(Null{}) : std::nullopt;
        default:
            return readNumber();
        }
    }

    std::optional<Value> readNumber()
    {
        const qsizetype from = m_at;
        take(u'-');
        if (!take(u'0') && !takeDigits())
            return {};
        if (isDigit(peek())) // a leading zero
            return {};
        bool integer = true;
        if (take(u'.')) {
            integer = false;
            if (!takeDigits())
                return {};
        }
        if (take(u'e') || take(u'E')) {
            integer = false;
            if (!take(u'+'))
                take(u'-');
            if (!takeDigits())
                return {};
        }
        bool fits = false;
        const qint64 value = m_text.sliced(from, m_at - from).toLongLong(&fits);
        if (!integer || !fits)
            return Fraction{};
        return value;
    }

    std::optional<QString> readString()
    {
        if (!take(u'"'))
            return {};
        QString string;
        for (;;) {
            string += takePlain();
            if (take(u'"'))
                break;
            if (!take(u'\\')) // a control character, or the end of the text
                return {};
            const std::optional<QChar> escaped = readEscape();
            if (!escaped)
                return {};
            string += *escaped;
        }
        if (!string.isValidUtf16())
            return {};
        return string;
    }

    /// What stands for itself: most strings are that from end to end.
    QStringView takePlain()
    {
        const qsizetype from = m_at;
        while (m_at < m_text.size()) {
            const char16_t c = m_text[m_at].unicode();
            if (c == u'"' || c == u'\\' || c < 0x20)
                break;
            ++m_at;
        }
        return m_text.sliced(from, m_at - from);
    }

    std::optional<QChar> readEscape()
    {
        const char16_t c = peek();
        ++m_at;
        switch (c) {
        case u'"':
        case u'\\':
        case u'/':
            return QChar(c);
        case u'b':
            return QChar(u'\b');
        case u'f':
            return QChar(u'\f');
        case u'n':
            return QChar(u'\n');
        case u'r':
            return QChar(u'\r');
        case u't':
            return QChar(u'\t');
        case u'u':
            return readHex();
        default:
            return {};
        }
    }

    std::optional<QChar> readHex()
    {
        constexpr qsizetype hexDigits = 4;
        if (m_text.size() - m_at < hexDigits)
            return {};
        const QStringView hex = m_text.sliced(m_at, hexDigits);
        // toUShort alone would take a sign and white space too.
        const bool allHex = std::all_of(hex.begin(), hex.end(), [](QChar c) {
            return isDigit(c.unicode()) || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
        });
        if (!allHex)
            return {};
        m_at += hexDigits;
        return QChar(hex.toUShort(nullptr, 16));
    }

    QStringView m_text;
    qsizetype m_at = 0;
    QStringView m_list;
    const std::function<bool(Object &&)> &m_take;
};

std::optional<QString> decode(const QByteArray &text)
{
    // A byte order mark stays in the text, where no rule takes it: RFC 8259 forbids sending one.
    QStringDecoder decoder(QStringDecoder::Utf8,
                           QStringDecoder::Flag::Stateless | QStringDecoder::Flag::ConvertInitialBom);
    QString decoded = decoder(text);
    if (decoder.hasError())
        return {};
    return decoded;
}

} // namespace

const Member *Object::find(QStringView name) const
{
    const auto found =
        std::find_if(members.begin(), members.end(), [&](const Member &member) { return member.name == name; });
    return found == members.end() ? nullptr : &*found;
}

std::optional<Object> parseObject(const QByteArray &text)
{
    return parseObject(text, {}, {});
}

std::optional<Object> parseObject(const QByteArray &text, QStringView list, const std::function<bool(Object &&)> &take)
{
    const std::optional<QString> decoded = decode(text);
    if (!decoded)
        return {};
    return Reader(*decoded, list, take).whole();
}

} // namespace ikkai::json
