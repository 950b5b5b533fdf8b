#include "core/training/json_lines.h"

#include <QtCore/QJsonDocument>

#include <algorithm>

namespace ikkai {

namespace {

/// Walks over text that is known to be JSON and notes where members begin.
class LineWalker {
public:
    LineWalker(const QByteArray &text, QHash<QString, int> &lines)
        : m_text(text)
        , m_lines(lines)
    {
    }

    void walk() { value({}); }
    [[nodiscard]] const std::optional<FileFlaw> &twice() const { return m_twice; }

private:
    [[nodiscard]] char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

    void skipSpace()
    {
        while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') {
            if (peek() == '\n')
                ++m_line;
            ++m_at;
        }
    }

    QString string()
    {
        const qsizetype from = m_at++;
        while (peek() != '"') {
            if (peek() == '\\')
                ++m_at;
            ++m_at;
        }
        ++m_at;
        const QByteArray array = '[' + m_text.mid(from, m_at - from) + ']';
        return QJsonDocument::fromJson(array)[0].toString();
    }

    void value(const QString &path)
    {
        skipSpace();
        m_lines.insert(path, m_line);
        switch (peek()) {
        case '{':
            members(path);
            break;
        case '[':
            elements(path);
            break;
        case '"':
            (void)string();
            break;
        default:
            while (peek() != '\0' && !QByteArrayView(",]} \t\r\n").contains(peek()))
                ++m_at;
        }
        skipSpace();
    }

    void members(const QString &path)
    {
        ++m_at;
        skipSpace();
        while (peek() != '}') {
            const int line = m_line;
            const QString name = string();
            const QString member = path.isEmpty() ? name : path + QLatin1Char('.') + name;
            if (m_lines.contains(member) && !m_twice)
                m_twice = FileFlaw{line, member, QStringLiteral("is given twice")};
            skipSpace();
            ++m_at; // the colon
            value(member);
            m_lines.insert(member, line);
            separator();
        }
        ++m_at;
    }

    void elements(const QString &path)
    {
        ++m_at;
        skipSpace();
        for (int index = 0; peek() != ']'; ++index) {
            value(QStringLiteral("%1[%2]").arg(path).arg(index));
            separator();
        }
        ++m_at;
    }

    void separator()
    {
        if (peek() == ',')
            ++m_at;
        skipSpace();
    }

    const QByteArray &m_text;
    QHash<QString, int> &m_lines;
    std::optional<FileFlaw> m_twice;
    qsizetype m_at = 0;
    int m_line = 1;
};

} // namespace

QString describe(const FileFlaw &flaw, const QString &file)
{
    QString line = file;
    if (flaw.line > 0)
        line += QLatin1Char(':') + QString::number(flaw.line);
    line += QStringLiteral(": ");
    if (!flaw.member.isEmpty())
        line += flaw.member + QLatin1Char(' ');
    return line + flaw.detail;
}

Result<JsonLines, FileFlaw> JsonLines::read(const QByteArray &text)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(text, &error);
    if (error.error != QJsonParseError::NoError) {
        const auto upTo = text.first(std::min<qsizetype>(error.offset, text.size()));
        return FileFlaw{int(upTo.count('\n')) + 1, {}, QStringLiteral("not JSON: ") + error.errorString()};
    }
    if (!document.isObject())
        return FileFlaw{1, {}, QStringLiteral("must be one JSON object")};
    JsonLines read;
    read.m_object = document.object();
    LineWalker walker(text, read.m_lines);
    walker.walk();
    if (walker.twice())
        return *walker.twice();
    return read;
}

int JsonLines::lineOf(const QString &member) const
{
    QString path = member;
    while (!m_lines.contains(path)) {
        const qsizetype dot = path.lastIndexOf(QLatin1Char('.'));
        const qsizetype bracket = path.lastIndexOf(QLatin1Char('['));
        path.truncate(std::max<qsizetype>({dot, bracket, 0}));
    }
    return m_lines.value(path);
}

} // namespace ikkai
