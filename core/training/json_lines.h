#pragma once

#include "core/domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QHash>
#include <QtCore/QJsonObject>
#include <QtCore/QString>

#include <optional>

namespace ikkai {

/// What is wrong with a file that people write: the line (1 for the first, 0 for the file as a whole), the member as a
/// path (`steps[1].manifestation.code`, empty for none) and one line of words.
struct FileFlaw {
    int line = 0;
    QString member;
    QString detail;
    friend bool operator==(const FileFlaw &, const FileFlaw &) = default;
};

/// `FILE:LINE: MEMBER: DETAIL`, leaving out what is not known.
[[nodiscard]] QString describe(const FileFlaw &flaw, const QString &file);

/// A JSON object (RFC 8259) that remembers on which line each of its members stands, so that whoever reads it can say
/// where it is wrong. Refuses members that are given twice. Pure; any thread.
class JsonLines {
public:
    [[nodiscard]] static Result<JsonLines, FileFlaw> read(const QByteArray &text);

    [[nodiscard]] const QJsonObject &object() const { return m_object; }
    /// The line of a member, or of the nearest enclosing one that is there.
    [[nodiscard]] int lineOf(const QString &member) const;
    [[nodiscard]] FileFlaw flaw(const QString &member, const QString &detail) const
    {
        return {lineOf(member), member, detail};
    }

private:
    QJsonObject m_object;
    QHash<QString, int> m_lines;
};

} // namespace ikkai
