#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

#include <optional>
#include <variant>

namespace mockbank {

/// One member of a flat JSON object, as written.
struct JsonMember {
    enum class Kind {
        Text,
        Integer,
        Number, ///< with a fraction or an exponent: never an amount of money, even where its value is whole
        Other,  ///< true, false, null, an array or an object
    };
    QString name;
    Kind kind = Kind::Other;
    QString text;                  ///< Kind::Text, decoded
    std::optional<qint64> integer; ///< Kind::Integer; nothing where it does not fit
};

/// Why a text is refused, and the member to blame ("body" where it is the whole).
struct JsonFlaw {
    QString field;
    QString detail;
};

/// Reads one JSON object strictly (RFC 8259): equal member names (also where one is written with escapes), control
/// characters in strings, unknown escapes, lone surrogates and NUL are flaws. QJsonDocument judges the grammar; it
/// cannot tell 1200.0 from 1200 and keeps the last of two equal members without a word, so the tokens are read here.
[[nodiscard]] std::variant<QList<JsonMember>, JsonFlaw> readFlatObject(const QByteArray &body);

} // namespace mockbank
