#include "core/domain/csv.h"

#include <QtCore/QString>

namespace ikkai {

namespace csv_detail {

bool readsAsFormula(QStringView value)
{
    // What stands before the sign is dropped by some programs.
    while (!value.isEmpty() && (value.front() == QLatin1Char(' ') || value.front() == QChar(0x3000)))
        value = value.mid(1);
    constexpr QStringView signs = u"=+-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20";
    return !value.isEmpty() && signs.contains(value.front());
}

} // namespace csv_detail

CsvRow &CsvRow::text(QStringView value)
{
    separate();
    QString field = value.toString();
    if (csv_detail::readsAsFormula(value))
        field.prepend(QLatin1Char('\''));
    field.replace(QLatin1Char('"'), QLatin1String("\"\""));
    m_bytes += '"' + field.toUtf8() + '"';
    return *this;
}

CsvRow &CsvRow::number(qint64 value)
{
    separate();
    m_bytes += QByteArray::number(value);
    return *this;
}

CsvRow &CsvRow::empty()
{
    separate();
    return *this;
}

void CsvRow::separate()
{
    if (!m_isFirst)
        m_bytes += ',';
    m_isFirst = false;
}

} // namespace ikkai
