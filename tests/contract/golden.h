#pragma once

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtTest/QTest>

namespace ikkai::test {

// golden.json: the words that bank and terminal exchange. Each side is held to it by a test of its own; neither sees
// the other's code. In it, `<ledger>` stands for the bank's Ledger-Id and `<any>` for any text that is not empty,
// `<time>` for a time as in 2026-04-01T00:00:00.000Z; the bank's clock is set ahead by `bank_clock_ahead_ms` before the
// exchange that says so.

inline QJsonArray goldenScenarios()
{
    QFile file(QStringLiteral(IKKAI_GOLDEN));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no golden file");
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
    if (!document.isArray() || document.array().isEmpty())
        qFatal("golden.json: %s at %d", qPrintable(error.errorString()), error.offset);
    return document.array();
}

/// One row for each scenario, in a column `scenario`.
inline void goldenRows()
{
    QTest::addColumn<QJsonObject>("scenario");
    for (const QJsonValue &scenario : goldenScenarios())
        QTest::newRow(qPrintable(scenario.toObject().value(QLatin1String("name")).toString())) << scenario.toObject();
}

inline QByteArray textOf(const QJsonObject &object, const char *name)
{
    return object.value(QLatin1String(name)).toString().toUtf8();
}

} // namespace ikkai::test
