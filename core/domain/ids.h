#pragma once

#include "core/domain/field_error.h"
#include "core/domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QHashFunctions>
#include <QtCore/QString>
#include <QtCore/QStringView>

namespace ikkai {

/// The cashier's name for what is sold, 1..64 characters without control characters, trimmed.
class OrderId {
public:
    static Result<OrderId, FieldError> parse(QStringView text);
    [[nodiscard]] const QString &text() const { return m_text; }
    friend bool operator==(const OrderId &, const OrderId &) = default;

private:
    explicit OrderId(QString text)
        : m_text(std::move(text))
    {
    }
    QString m_text;
};

/// Names the account at the bank that pays: `card_ok`. 1..64 of a-z A-Z 0-9 _ - .
class SourceId {
public:
    static Result<SourceId, FieldError> parse(QStringView text);
    [[nodiscard]] const QString &text() const { return m_text; }
    friend bool operator==(const SourceId &, const SourceId &) = default;

private:
    explicit SourceId(QString text)
        : m_text(std::move(text))
    {
    }
    QString m_text;
};

/// The identity of one logical checkout at the bank: a UUIDv7 in its 36-character lower-case form. There is no
/// default and no conversion: it comes from a KeyGenerator (a new checkout) or from the journal (an old one).
class IdempotencyKey {
public:
    /// Reads a key back, from the journal or a command line. Errors: BadCharacter (field `key`) unless it is a UUIDv7.
    static Result<IdempotencyKey, FieldError> parse(QStringView text);

    [[nodiscard]] QByteArray bytes() const { return m_text.toLatin1(); }
    [[nodiscard]] const QString &text() const { return m_text; }
    /// What a cashier reads out: the last four characters.
    [[nodiscard]] QString lastFour() const { return m_text.right(4); }

    friend bool operator==(const IdempotencyKey &, const IdempotencyKey &) = default;
    friend auto operator<=>(const IdempotencyKey &a, const IdempotencyKey &b)
    {
        return a.m_text.compare(b.m_text) <=> 0;
    }
    friend size_t qHash(const IdempotencyKey &key, size_t seed = 0) { return ::qHash(key.m_text, seed); }

private:
    friend class KeyGenerator;
    explicit IdempotencyKey(QString text)
        : m_text(std::move(text))
    {
    }
    QString m_text;
};

/// Try n (from 1, over the checkout's whole life) of one checkout.
struct AttemptId {
    IdempotencyKey key;
    int number = 0;
    friend bool operator==(const AttemptId &, const AttemptId &) = default;
};

} // namespace ikkai
