#pragma once

#include "app/options.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QDate>
#include <QtCore/QSettings>

#include <optional>
#include <utility>

namespace ikkai::app {

[[nodiscard]] inline QString latin1(const char *text)
{
    return QString::fromLatin1(text);
}

/// The three sources of a setting, in their order of precedence: command line, environment, INI file.
class Values {
public:
    Values(const QCommandLineParser &line, const QProcessEnvironment &environment, const QSettings *file)
        : m_line(line)
        , m_environment(environment)
        , m_file(file)
    {
    }

    /// A null string where no source has it and there is no fallback.
    [[nodiscard]] QString text(const char *name, const QString &fallback = {}) const;
    /// Every value on the command line.
    [[nodiscard]] QStringList all(const char *name) const { return m_line.values(latin1(name)); }
    /// A switch; false also where this command does not know it.
    [[nodiscard]] bool isSet(const char *name) const { return isOnLine(latin1(name)); }
    /// isSet of the parser would warn of an option that belongs to another command.
    [[nodiscard]] bool isOnLine(const QString &option) const { return m_line.optionNames().contains(option); }
    /// Where the value came from, for error lines.
    [[nodiscard]] QString origin(const char *name) const;
    [[nodiscard]] Stop wrong(const char *name, const QString &expected) const;

private:
    const QCommandLineParser &m_line;
    const QProcessEnvironment &m_environment;
    const QSettings *m_file;
};

// Each leaves `target` as it is where the setting is not given, and answers with what is wrong with it.

/// "300ms", "3s", "2m", "24h": digits and a unit, nothing else.
[[nodiscard]] std::optional<Stop> readDuration(const Values &values, const char *name, qint64 minimumMs,
                                               qint64 *target);
[[nodiscard]] std::optional<Stop> readCount(const Values &values, const char *name, int most, int *target);
/// "2026-11-30".
[[nodiscard]] std::optional<Stop> readDay(const Values &values, const char *name, std::optional<QDate> *target);
/// --store-zone and --day-starts.
[[nodiscard]] std::optional<Stop> readCalendar(const Values &values, BusinessCalendar *calendar);

template <class Enum>
[[nodiscard]] std::optional<Stop> readChoice(const Values &values, const char *name,
                                             const QList<std::pair<QString, Enum>> &choices, Enum *target)
{
    const QString given = values.text(name);
    if (given.isNull())
        return {};
    QStringList words;
    for (const auto &[word, meaning] : choices) {
        if (word == given) {
            *target = meaning;
            return {};
        }
        words.append(word);
    }
    return values.wrong(name, words.join(QStringLiteral(" or ")));
}

} // namespace ikkai::app
