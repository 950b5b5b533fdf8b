#include "mock-server/bank/strict_json.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QSet>

namespace mockbank {

namespace {

const QString wholeBody = QStringLiteral("body");

/// Walks the tokens of a text whose grammar QJsonDocument has accepted. Never reads past the end all the same.
class TokenReader {
public:
    explicit TokenReader(const QByteArray &text)
        : m_text(text)
    {
        if (m_text.startsWith("\xEF\xBB\xBF"))
            m_at = 3;
    }

    std::variant<QList<JsonMember>, JsonFlaw> object()
    {
        QList<JsonMember> members;
        QSet<QString> names;
        skipSpace();
        take('{');
        skipSpace();
        while (!m_flaw && peek() == '"') {
            JsonMember member;
            member.name = string(wholeBody);
            if (m_flaw)
                break;
            if (names.contains(member.name)) {
                return JsonFlaw{member.name, QStringLiteral("member \"%1\" is there twice").arg(member.name)};
            }
            names.insert(member.name);
            skipSpace();
            take(':');
            skipSpace();
            value(member);
            members.append(member);
            skipSpace();
            if (peek() == ',')
                take(',');
            skipSpace();
        }
        if (m_flaw)
            return *m_flaw;
        return members;
    }

private:
    char peek() const { return m_at < m_text.size() ? m_text.at(m_at) : '\0'; }

    void take(char expected)
    {
        if (peek() == expected && m_at < m_text.size())
            ++m_at;
        else if (!m_flaw)
            m_flaw = JsonFlaw{wholeBody, QStringLiteral("not JSON at byte %1").arg(m_at)};
    }

    void skipSpace()
    {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')
            ++m_at;
    }

    void value(JsonMember &member)
    {
        const char first = peek();
        if (first == '"') {
            member.kind = JsonMember::Kind::Text;
            member.text = string(member.name);
        } else if (first == '-' || (first >= '0' && first <= '9')) {
            number(member);
        } else {
            member.kind = JsonMember::Kind::Other;
            skipOther();
        }
    }

    void number(JsonMember &member)
    {
        const qsizetype start = m_at;
        bool whole = true;
        while (m_at < m_text.size() && QByteArrayView("+-0123456789.eE").contains(peek())) {
            whole = whole && (peek() == '-' || (peek() >= '0' && peek() <= '9'));
            ++m_at;
        }
        member.kind = whole ? JsonMember::Kind::Integer : JsonMember::Kind::Number;
        bool fits = false;
        const qint64 integer = m_text.mid(start, m_at - start).toLongLong(&fits);
        if (whole && fits)
            member.integer = integer;
    }

    /// Passes an array, an object or a word: no known member holds one, so only its end matters.
    void skipOther()
    {
        int depth = 0;
        while (m_at < m_text.size() && !m_flaw) {
            const char c = peek();
            if (c == '"') {
                (void)string(wholeBody);
                continue;
            }
            if (depth == 0 && (c == ',' || c == '}'))
                return;
            if (c == '[' || c == '{')
                ++depth;
            if (c == ']' || c == '}')
                --depth;
            ++m_at;
        }
    }

    void flaw(const QString &field, const QString &detail)
    {
        if (!m_flaw)
            m_flaw = JsonFlaw{field, detail};
    }

    QString string(const QString &field)
    {
        QString decoded;
        take('"');
        while (!m_flaw) {
            const qsizetype start = m_at;
            while (m_at < m_text.size() && peek() != '"' && peek() != '\\' && uchar(peek()) >= 0x20)
                ++m_at;
            decoded += QString::fromUtf8(m_text.constData() + start, m_at - start);
            if (m_at >= m_text.size() || uchar(peek()) < 0x20) {
                flaw(field, QStringLiteral("a control character inside a string"));
            } else if (peek() == '"') {
                ++m_at;
                break;
            } else {
                ++m_at;
                escape(field, decoded);
            }
        }
        if (!isSound(decoded))
            flaw(field, QStringLiteral("NUL or half a surrogate pair inside a string"));
        return decoded;
    }

    void escape(const QString &field, QString &decoded)
    {
        static constexpr QByteArrayView names = "\"\\/bfnrt";
        static constexpr QByteArrayView meanings = "\"\\/\b\f\n\r\t";
        const char c = peek();
        ++m_at;
        if (c == 'u') {
            bool valid = m_at + 4 <= m_text.size();
            const ushort unit = valid ? m_text.mid(m_at, 4).toUShort(&valid, 16) : ushort(0);
            m_at += 4;
            if (valid)
                decoded += QChar(unit);
            else
                flaw(field, QStringLiteral("a broken \\u escape"));
        } else if (const qsizetype index = names.indexOf(c); c != '\0' && index >= 0) {
            decoded += QLatin1Char(meanings.at(index));
        } else {
            flaw(field, QStringLiteral("an unknown escape inside a string"));
        }
    }

    static bool isSound(const QString &text)
    {
        for (qsizetype i = 0; i < text.size(); ++i) {
            const QChar c = text.at(i);
            if (c.isNull() || c.isLowSurrogate())
                return false;
            if (c.isHighSurrogate()) {
                if (++i >= text.size() || !text.at(i).isLowSurrogate())
                    return false;
            }
        }
        return true;
    }

    const QByteArray &m_text;
    qsizetype m_at = 0;
    std::optional<JsonFlaw> m_flaw;
};

} // namespace

std::variant<QList<JsonMember>, JsonFlaw> readFlatObject(const QByteArray &body)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(body, &error);
    if (error.error != QJsonParseError::NoError) {
        return JsonFlaw{wholeBody,
                        QStringLiteral("not JSON at byte %1: %2").arg(error.offset).arg(error.errorString())};
    }
    if (!document.isObject())
        return JsonFlaw{wholeBody, QStringLiteral("not a JSON object")};
    return TokenReader(body).object();
}

} // namespace mockbank
