#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QStringView>

namespace ikkai {

/// What a CSV file of ours begins with: without it a spreadsheet reads UTF-8 as something else.
inline constexpr char csvByteOrderMark[] = "\xEF\xBB\xBF";

/// One row of a CSV file (RFC 4180, UTF-8, CRLF). A text that a spreadsheet would take for a formula (OWASP "CSV
/// Injection": it begins with = + - @, their full-width forms, tab or carriage return) gets an apostrophe before it;
/// numbers stay numbers.
class CsvRow {
public:
    CsvRow &text(QStringView value);
    CsvRow &number(qint64 value);
    CsvRow &empty();
    /// The row with its end of line.
    [[nodiscard]] QByteArray bytes() const { return m_bytes + "\r\n"; }

private:
    void separate();

    QByteArray m_bytes;
    bool m_isFirst = true;
};

} // namespace ikkai
