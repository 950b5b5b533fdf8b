#include "mock-server/bank/json_writer.h"

namespace mockbank {

void JsonWriter::begin(QByteArrayView name)
{
    if (!m_members.isEmpty())
        m_members += ',';
    m_members += '"';
    m_members.append(name);
    m_members += "\":";
}

void JsonWriter::quote(const QString &value)
{
    m_members += '"';
    for (const char c : value.toUtf8()) {
        if (c == '"' || c == '\\') {
            m_members += '\\';
            m_members += c;
        } else if (uchar(c) < 0x20) {
            m_members += "\\u00" + QByteArray::number(uchar(c), 16).rightJustified(2, '0');
        } else {
            m_members += c;
        }
    }
    m_members += '"';
}

JsonWriter &JsonWriter::text(QByteArrayView name, const QString &value)
{
    begin(name);
    quote(value);
    return *this;
}

JsonWriter &JsonWriter::integer(QByteArrayView name, qint64 value)
{
    begin(name);
    m_members += QByteArray::number(value);
    return *this;
}

JsonWriter &JsonWriter::boolean(QByteArrayView name, bool value)
{
    begin(name);
    m_members += value ? "true" : "false";
    return *this;
}

JsonWriter &JsonWriter::object(QByteArrayView name, const JsonWriter &inner)
{
    begin(name);
    m_members += inner.object();
    return *this;
}

} // namespace mockbank
