#pragma once

#include "core/journal/sqlite_journal.h"

#include <QtCore/QString>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

namespace ikkai::test {

/// A journal of years, written at once: `checkouts` of them, a minute apart and numbered from 0 ("A-0" is the oldest).
/// Of a thousand, 970 are approved, 20 declined, 8 voided, 1 was not sent and 1 is unknown; amounts are 100 to 9,999
/// yen. Every hundredth has its first event. Empty: done; else what went wrong.
class BigJournal {
public:
    static constexpr qint64 firstWallMs = 1'600'000'000'000;
    static constexpr qint64 apartMs = 60'000;

    /// "A-7" under the key of number 7.
    static QString keyOf(int number)
    {
        const QString ms = QStringLiteral("%1").arg(firstWallMs + number * apartMs, 12, 16, QLatin1Char('0'));
        return QStringLiteral("%1-%2-7%3-8%4-%5")
            .arg(ms.left(8), ms.mid(8))
            .arg(number % 2'048, 3, 16, QLatin1Char('0'))
            .arg(number % 4'096, 3, 16, QLatin1Char('0'))
            .arg(number * 2'654'435'761LL % 281'474'976'710'656LL, 12, 16, QLatin1Char('0'));
    }

    enum class Open { Some, None }; ///< what would be unknown is voided instead

    static QString write(const QString &file, int checkouts, Open open = Open::Some)
    {
        if (const auto made = SqliteJournal::open(file); !made)
            return describe(made.error());
        const QString name = QStringLiteral("big journal");
        QString flaw;
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
            database.setDatabaseName(file);
            if (!database.open())
                flaw = database.lastError().text();
            QSqlQuery query(database);
            QStringList indexes;
            if (flaw.isEmpty() && query.exec(QStringLiteral(
                                      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL"))) {
                QStringList names;
                while (query.next()) {
                    names << query.value(0).toString();
                    indexes << query.value(1).toString();
                }
                query.finish();
                // An index that is made at the end is made in one pass.
                for (const QString &index : names)
                    run(query, QStringLiteral("DROP INDEX ") + index, flaw);
            }
            for (const QString &statement : statements(checkouts, open))
                run(query, statement, flaw);
            for (const QString &index : indexes)
                run(query, index, flaw);
            run(query, QStringLiteral("COMMIT"), flaw);
        }
        QSqlDatabase::removeDatabase(name);
        return flaw;
    }

private:
    static void run(QSqlQuery &query, const QString &statement, QString &flaw)
    {
        if (flaw.isEmpty() && !query.exec(statement))
            flaw = statement + QLatin1String(": ") + query.lastError().text();
        query.finish();
    }

    static QStringList statements(int checkouts, Open open)
    {
        const QString numbered = QStringLiteral(
            "WITH RECURSIVE number(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM number WHERE i < %1), "
            "timed AS (SELECT i, printf('%012x', %2 + i * %3) AS ms, %2 + i * %3 AS at FROM number), "
            "keyed AS (SELECT i, at, substr(ms, 1, 8) || '-' || substr(ms, 9) || printf('-7%03x-8%03x-%012x', i % "
            "2048, "
            "i % 4096, i * 2654435761 % 281474976710656) AS key, CASE WHEN i % 1000 < 970 THEN 'approved' "
            "WHEN i % 1000 < 990 THEN 'declined' WHEN i % 1000 < 998 THEN 'voided' WHEN i % 1000 < 999 THEN 'not_sent' "
            "ELSE '%4' END AS state FROM timed) ");
        const QString with =
            QString(numbered)
                .replace(QLatin1String("%1"), QString::number(checkouts - 1))
                .replace(QLatin1String("%2"), QString::number(firstWallMs))
                .replace(QLatin1String("%3"), QString::number(apartMs))
                .replace(QLatin1String("%4"), QLatin1String(open == Open::Some ? "unknown" : "voided"));
        return {
            QStringLiteral("PRAGMA synchronous = OFF"),
            QStringLiteral("PRAGMA journal_mode = WAL"),
            QStringLiteral("PRAGMA cache_size = -200000"),
            QStringLiteral("BEGIN"),
            with +
                QStringLiteral(
                    "INSERT INTO checkout (key, order_id, amount, currency, source, state, settled_by, open, attempts, "
                    "wire_sends, created_ms, updated_ms, terminal_id, settled_ms, ledger_id, settled_n, business_day) "
                    "SELECT key, 'A-' || i, 100 + i * 7919 % 9900, 'JPY', 'card_ok', state, "
                    "iif(state IN ('unknown', 'not_sent'), NULL, 'answer'), state = 'unknown', 1, 1, at, at + 400, "
                    "'till-1', iif(state = 'unknown', NULL, at + 400), 'ldg_51d645800011b0968a0ab6ee', NULL, NULL "
                    "FROM keyed"),
            QStringLiteral(
                "INSERT INTO settlement (key, business_day) SELECT key, date(settled_ms / 1000, 'unixepoch', "
                "'+9 hours') FROM checkout WHERE open = 0 ORDER BY key"),
            QStringLiteral("UPDATE checkout SET settled_n = s.n, business_day = s.business_day FROM settlement AS s "
                           "WHERE s.key = checkout.key"),
            QStringLiteral(
                "INSERT INTO event SELECT key, 1, created_ms, 'CheckoutStarted', json_object('v', 1, 'at', "
                "json_object('wall_ms', created_ms, 'monotonic_ms', 1, 'boot_ms', 1), 'key', key, 'order_id', "
                "order_id, "
                "'amount', amount, 'currency', 'JPY', 'source', 'card_ok', 'terminal_id', 'till-1', 'body', '{}', "
                "'bank_at', 'embedded', 'ledger_id', 'ldg_1', 'key_ttl_ms', 86400000, 'boot_id', 'boot-1', 'policy', "
                "json_object('attempt_deadline_ms', 3000, "
                "'backoff_base_ms', 500, 'backoff_cap_ms', 8000, 'budget_ms', 30000, 'ceiling_ms', 60000, "
                "'conflict_budget_ms', 30000, 'max_attempts', 5)) "
                "FROM checkout WHERE settled_n % 100 = 0"),
        };
    }
};

} // namespace ikkai::test
