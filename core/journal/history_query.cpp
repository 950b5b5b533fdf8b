#include "core/journal/history_query.h"

#include <algorithm>

namespace ikkai {

namespace history_query {

const QString behindEveryKey = QStringLiteral("~");

/// What most rows are: an index by state says little about them.
bool isCommon(const QString &state)
{
    return state == QLatin1String("approved") || state == QLatin1String("declined");
}

QString marks(qsizetype count)
{
    return QStringList(count, QStringLiteral("?")).join(QLatin1String(", "));
}

/// `%` and `_` are letters like any other to who searches.
QString literal(QString text)
{
    for (const char16_t special : {u'\\', u'%', u'_'})
        text.replace(QChar(special), QLatin1Char('\\') + QString(QChar(special)));
    return text;
}

bool canEndKey(const QString &text)
{
    return text.size() <= 36 && std::all_of(text.begin(), text.end(), [](QChar c) {
               const QChar lower = c.toLower();
               return (lower >= u'0' && lower <= u'9') || (lower >= u'a' && lower <= u'f') || lower == u'-';
           });
}

} // namespace history_query

const QStringList &historyColumns()
{
    static const QStringList columns{
        QStringLiteral("key"),         QStringLiteral("order_id"),      QStringLiteral("amount"),
        QStringLiteral("currency"),    QStringLiteral("source"),        QStringLiteral("state"),
        QStringLiteral("settled_by"),  QStringLiteral("attempts"),      QStringLiteral("wire_sends"),
        QStringLiteral("created_ms"),  QStringLiteral("updated_ms"),    QStringLiteral("settled_ms"),
        QStringLiteral("terminal_id"), QStringLiteral("contradiction"), QStringLiteral("supervisor_reason"),
        QStringLiteral("replaces"),
    };
    return columns;
}

HistoryQuery::HistoryQuery(const HistoryFilter &filter, const BusinessCalendar &calendar)
{
    using namespace history_query;
    QStringList states = filter.states;
    states.removeDuplicates();
    const QString text = filter.text.trimmed();
    const bool isRare = !states.isEmpty() && std::none_of(states.begin(), states.end(), isCommon);

    std::vector<Condition> onRow;
    const auto byState = [&] {
        for (const QString &state : states)
            m_walks.push_back({QStringLiteral("checkout_state"), Condition{QStringLiteral("s.state = ?"), {state}}});
        states.clear();
    };
    std::optional<qint64> amount = filter.amountMinor;
    if (isRare) {
        byState();
    } else if (!text.isEmpty()) {
        m_walks.push_back({QStringLiteral("checkout_search"), {}});
    } else if (amount) {
        m_walks.push_back({QStringLiteral("checkout_amount"), Condition{QStringLiteral("s.amount = ?"), {*amount}}});
        amount.reset();
    } else if (!states.isEmpty()) {
        byState();
    } else {
        m_walks.push_back({});
    }

    if (!text.isEmpty()) {
        const bool onIndex = m_walks.front().index == QLatin1String("checkout_search");
        const QString row = onIndex ? QStringLiteral("s") : QStringLiteral("c");
        Condition condition{QStringLiteral("%1.order_id LIKE ? ESCAPE '\\'").arg(row),
                            {QLatin1Char('%') + literal(text) + QLatin1Char('%')}};
        if (canEndKey(text)) {
            condition.sql = QStringLiteral("(%1 OR %2.key LIKE ?)").arg(condition.sql, row);
            condition.values << QString(QLatin1Char('%') + text);
        }
        if (onIndex)
            m_onIndex = condition;
        else
            onRow.push_back(condition);
    }
    if (!states.isEmpty()) {
        QVariantList values;
        for (const QString &state : states)
            values << state;
        onRow.push_back({QStringLiteral("c.state IN (%1)").arg(marks(states.size())), values});
    }
    if (amount)
        onRow.push_back({QStringLiteral("c.amount = ?"), {*amount}});
    if (filter.day) {
        m_dayMs.emplace(businessDayStartMs(calendar, *filter.day),
                        businessDayStartMs(calendar, filter.day->addDays(1)));
        onRow.push_back({QStringLiteral("c.created_ms >= ? AND c.created_ms < ?"), {m_dayMs->first, m_dayMs->second}});
    }
    if (!onRow.empty()) {
        m_onRow.emplace();
        for (const Condition &condition : onRow) {
            m_onRow->sql += m_onRow->sql.isEmpty() ? condition.sql : QLatin1String(" AND ") + condition.sql;
            m_onRow->values << condition.values;
        }
    }
    m_skipsRows = m_onIndex || m_onRow;
    m_isEverything = filter == HistoryFilter{};
}

HistoryQuery::Range HistoryQuery::everything()
{
    return {QLatin1String(""), history_query::behindEveryKey};
}

std::optional<HistoryStatement> HistoryQuery::rangeOfDay() const
{
    if (!m_dayMs)
        return std::nullopt;
    return HistoryStatement{QStringLiteral("SELECT min(key), max(key) FROM checkout INDEXED BY checkout_created "
                                           "WHERE created_ms >= ? AND created_ms < ?"),
                            {m_dayMs->first, m_dayMs->second}};
}

HistoryStatement HistoryQuery::found(const Walk &walk, const QString &columns, const Range &range) const
{
    HistoryStatement statement;
    statement.sql = QStringLiteral("SELECT %1 FROM checkout AS s").arg(columns);
    if (!walk.index.isEmpty())
        statement.sql += QLatin1String(" INDEXED BY ") + walk.index;
    if (m_onRow)
        statement.sql += QLatin1String(" CROSS JOIN checkout AS c ON c.key = s.key");
    statement.sql += QLatin1String(" WHERE s.key >= ? AND s.key < ?");
    statement.values << range.from << range.below;
    for (const auto &condition : {walk.equals, m_onIndex, m_onRow}) {
        if (!condition)
            continue;
        statement.sql += QLatin1String(" AND ") + condition->sql;
        statement.values << condition->values;
    }
    return statement;
}

std::vector<HistoryStatement> HistoryQuery::bounds(const Range &range, int most) const
{
    std::vector<HistoryStatement> statements;
    for (const Walk &walk : m_walks) {
        HistoryStatement statement{QStringLiteral("SELECT s.key FROM checkout AS s"), {}};
        if (!walk.index.isEmpty())
            statement.sql += QLatin1String(" INDEXED BY ") + walk.index;
        statement.sql += QLatin1String(" WHERE s.key >= ? AND s.key < ?");
        statement.values << range.from << range.below;
        if (walk.equals) {
            statement.sql += QLatin1String(" AND ") + walk.equals->sql;
            statement.values << walk.equals->values;
        }
        statement.sql =
            QStringLiteral("SELECT min(key), count(*) FROM (%1 ORDER BY s.key DESC LIMIT ?)").arg(statement.sql);
        statement.values << most;
        statements.push_back(statement);
    }
    return statements;
}

HistoryStatement HistoryQuery::rows(const Range &range, int limit) const
{
    HistoryStatement keys;
    for (const Walk &walk : m_walks) {
        const HistoryStatement one = found(walk, QStringLiteral("s.key AS key"), range);
        if (!keys.sql.isEmpty())
            keys.sql += QLatin1String(" UNION ALL ");
        keys.sql += QStringLiteral("SELECT key FROM (%1 ORDER BY s.key DESC LIMIT ?)").arg(one.sql);
        keys.values << one.values << limit;
    }
    QStringList columns;
    for (const QString &column : historyColumns())
        columns << QLatin1String("r.") + column;
    keys.values << limit;
    return {QStringLiteral("SELECT %1 FROM (SELECT key FROM (%2) ORDER BY key DESC LIMIT ?) AS f "
                           "CROSS JOIN checkout AS r ON r.key = f.key ORDER BY f.key DESC")
                .arg(columns.join(QLatin1String(", ")), keys.sql),
            keys.values};
}

HistoryStatement HistoryQuery::count(const Range &range) const
{
    if (m_isEverything)
        return {QStringLiteral("SELECT count(*) FROM checkout"), {}};
    HistoryStatement sum;
    for (const Walk &walk : m_walks) {
        const HistoryStatement one = found(walk, QStringLiteral("count(*)"), range);
        sum.sql += QStringLiteral("%1(%2)").arg(sum.sql.isEmpty() ? QString() : QStringLiteral(" + "), one.sql);
        sum.values << one.values;
    }
    sum.sql.prepend(QLatin1String("SELECT "));
    return sum;
}

} // namespace ikkai
