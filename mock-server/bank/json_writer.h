#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace mockbank {

/// Writes one JSON object with its members in the order given, which QJsonObject would sort: answers are stored as
/// bytes and read by people.
class JsonWriter {
public:
    JsonWriter &text(QByteArrayView name, const QString &value);
    JsonWriter &text(QByteArrayView name, const QByteArray &utf8) { return text(name, QString::fromUtf8(utf8)); }
    JsonWriter &integer(QByteArrayView name, qint64 value);
    JsonWriter &boolean(QByteArrayView name, bool value);
    JsonWriter &object(QByteArrayView name, const JsonWriter &inner);
    [[nodiscard]] QByteArray object() const { return '{' + m_members + '}'; }

private:
    void begin(QByteArrayView name);
    void quote(const QString &value);

    QByteArray m_members;
};

} // namespace mockbank
