#pragma once

#include "core/domain/ids.h"
#include "core/domain/money.h"

#include <QtCore/QJsonObject>
#include <QtCore/QJsonValue>
#include <QtCore/QLatin1String>
#include <QtCore/QString>

#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

// Writing and reading go through one list of members per type, so that what is written can be read: a type's
// `fields(archive, value)` is called with a JsonWriter or with a JsonReader.
namespace ikkai::journal_json {

/// Found by overload: the word of an enumerator, nullptr past the last one. Enumerators count from 0 without gaps.
template <class E>
concept Worded = std::is_enum_v<E> && requires(E e)
{
    {
        wordOf(e)
        } -> std::same_as<const char *>;
};

class JsonWriter {
public:
    template <class T>
    using Ref = const T &;

    void text(const char *name, const QString &value) { put(name, value); }
    /// Left out where it is empty.
    void maybeText(const char *name, const QString &value)
    {
        if (!value.isEmpty())
            put(name, value);
    }
    void integer(const char *name, qint64 value) { put(name, value); }
    void flag(const char *name, bool value) { put(name, value); }
    void maybeInteger(const char *name, const std::optional<qint64> &value)
    {
        if (value)
            put(name, *value);
    }
    /// Readable where the bytes are UTF-8, as base64 under `<name>_base64` where they are not.
    void bytes(const char *name, const QByteArray &value)
    {
        const QString readable = QString::fromUtf8(value);
        if (readable.toUtf8() == value)
            put(name, readable);
        else
            m_object.insert(QLatin1String(name) + QLatin1String("_base64"), QString::fromLatin1(value.toBase64()));
    }
    template <Worded E>
    void word(const char *name, E value)
    {
        put(name, QString::fromLatin1(wordOf(value)));
    }
    void key(const char *name, const IdempotencyKey &value) { put(name, value.text()); }
    void maybeKey(const char *name, const std::optional<IdempotencyKey> &value)
    {
        if (value)
            key(name, *value);
    }
    void order(const char *name, const OrderId &value) { put(name, value.text()); }
    void source(const char *name, const SourceId &value) { put(name, value.text()); }
    void money(const Money &value)
    {
        put("amount", value.amountMinor());
        put("currency", value.currency().code());
    }
    template <class T>
    void object(const char *name, const T &value)
    {
        JsonWriter inner;
        fields(inner, value);
        put(name, inner.take());
    }
    /// A std::variant: its alternative's members, and `kind`.
    template <class V>
    void choice(const char *name, const V &value)
    {
        JsonWriter inner;
        std::visit(
            [&inner]<class T>(const T &alternative) {
                inner.put("kind", QString::fromLatin1(kindOf(std::type_identity<T>{})));
                fields(inner, alternative);
            },
            value);
        put(name, inner.take());
    }

    [[nodiscard]] QJsonObject take() { return std::exchange(m_object, {}); }

private:
    void put(const char *name, const QJsonValue &value) { m_object.insert(QLatin1String(name), value); }

    QJsonObject m_object;
};

/// Keeps the first thing that was wrong; what is read after it does not count.
class JsonReader {
public:
    template <class T>
    using Ref = T &;

    explicit JsonReader(QJsonObject object)
        : m_object(std::move(object))
    {
    }
    [[nodiscard]] const QString &error() const { return m_error; }

    void text(const char *name, QString &value)
    {
        const QJsonValue found = m_object.value(QLatin1String(name));
        if (!found.isString())
            return fail(name, "is not there or not a text");
        value = found.toString();
    }
    void maybeText(const char *name, QString &value)
    {
        value.clear();
        if (m_object.contains(QLatin1String(name)))
            text(name, value);
    }
    template <class I>
    void integer(const char *name, I &value)
    {
        const QJsonValue found = m_object.value(QLatin1String(name));
        const qint64 number = found.toInteger(0);
        // A fraction has no integer of its own, so each default comes back.
        if (!found.isDouble() || number != found.toInteger(1) || !std::in_range<I>(number))
            return fail(name, "is not there or not a whole number");
        value = static_cast<I>(number);
    }
    void flag(const char *name, bool &value)
    {
        const QJsonValue found = m_object.value(QLatin1String(name));
        if (!found.isBool())
            return fail(name, "is not there or neither true nor false");
        value = found.toBool();
    }
    void maybeInteger(const char *name, std::optional<qint64> &value)
    {
        value.reset();
        if (!m_object.contains(QLatin1String(name)))
            return;
        qint64 number = 0;
        integer(name, number);
        value = number;
    }
    void bytes(const char *name, QByteArray &value)
    {
        const QJsonValue coded = m_object.value(QLatin1String(name) + QLatin1String("_base64"));
        if (coded.isUndefined()) {
            QString readable;
            text(name, readable);
            value = readable.toUtf8();
            return;
        }
        const auto decoded =
            QByteArray::fromBase64Encoding(coded.toString().toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
        if (!coded.isString() || !decoded)
            return fail(name, "is not base64");
        value = *decoded;
    }
    template <Worded E>
    void word(const char *name, E &value)
    {
        QString found;
        text(name, found);
        for (int i = 0; const char *known = wordOf(static_cast<E>(i)); ++i) {
            if (found == QLatin1String(known)) {
                value = static_cast<E>(i);
                return;
            }
        }
        fail(name, "is not a word that is known here");
    }
    void key(const char *name, IdempotencyKey &value) { parsed(name, value, IdempotencyKey::parse); }
    void maybeKey(const char *name, std::optional<IdempotencyKey> &value)
    {
        value.reset();
        if (!m_object.contains(QLatin1String(name)))
            return;
        QString found;
        text(name, found);
        if (auto read = IdempotencyKey::parse(found))
            value = read.value();
        else
            fail(name, "cannot be read");
    }
    void order(const char *name, OrderId &value) { parsed(name, value, OrderId::parse); }
    void source(const char *name, SourceId &value) { parsed(name, value, SourceId::parse); }
    void money(Money &value)
    {
        qint64 amountMinor = 0;
        integer("amount", amountMinor);
        Currency currency = value.currency();
        parsed("currency", currency, Currency::parse);
        const auto money = Money::ofMinor(amountMinor, currency);
        if (!money)
            return fail("amount", "is not an amount");
        value = money.value();
    }
    template <class T>
    void object(const char *name, T &value)
    {
        const QJsonValue found = m_object.value(QLatin1String(name));
        if (!found.isObject())
            return fail(name, "is not there or not an object");
        JsonReader inner(found.toObject());
        fields(inner, value);
        adopt(name, inner);
    }
    template <class V>
    void choice(const char *name, V &value)
    {
        const QJsonValue found = m_object.value(QLatin1String(name));
        if (!found.isObject())
            return fail(name, "is not there or not an object");
        JsonReader inner(found.toObject());
        inner.alternatives(value, std::make_index_sequence<std::variant_size_v<V>>{});
        adopt(name, inner);
    }

    void fail(const char *name, const char *what)
    {
        if (m_error.isEmpty())
            m_error = QLatin1String(name) + QLatin1Char(' ') + QLatin1String(what);
    }

private:
    template <class T, class P>
    void parsed(const char *name, T &value, P parse)
    {
        QString found;
        text(name, found);
        auto result = parse(found);
        if (!result)
            return fail(name, "cannot be read");
        value = result.value();
    }
    template <class V, size_t... I>
    void alternatives(V &value, std::index_sequence<I...>)
    {
        QString kind;
        text("kind", kind);
        const bool known = (alternative<std::variant_alternative_t<I, V>>(kind, value) || ...);
        if (!known)
            fail("kind", "is not one that is known here");
    }
    template <class T, class V>
    bool alternative(const QString &kind, V &value)
    {
        if (kind != QLatin1String(kindOf(std::type_identity<T>{})))
            return false;
        T read{};
        fields(*this, read);
        value = read;
        return true;
    }
    void adopt(const char *name, const JsonReader &inner)
    {
        if (m_error.isEmpty() && !inner.m_error.isEmpty())
            m_error = QLatin1String(name) + QLatin1Char('.') + inner.m_error;
    }

    QJsonObject m_object;
    QString m_error;
};

} // namespace ikkai::journal_json
