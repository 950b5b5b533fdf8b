#pragma once

#include "app/options.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QString>

#include <cstdio>

/// How the commands without a window speak: lines on standard output, complaints on standard error.
namespace ikkai::app {

enum class Print { Sentences, Json };

/// What a bank writes into a problem is shown, but it does not drive the terminal it is shown on.
[[nodiscard]] inline QString harmless(QString line)
{
    for (QChar &c : line) {
        if (c.category() == QChar::Other_Control)
            c = QLatin1Char('?');
    }
    return line;
}

inline void printLine(const QString &line)
{
    std::printf("%s\n", qUtf8Printable(harmless(line)));
    std::fflush(stdout);
}

inline void printLine(const QJsonObject &line)
{
    std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    std::fflush(stdout);
}

inline int complain(const Stop &stop)
{
    std::fprintf(stderr, "payment-terminal: %s\n", qUtf8Printable(harmless(stop.line)));
    return stop.exitCode;
}

} // namespace ikkai::app
