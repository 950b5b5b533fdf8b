#pragma once

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QSet>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace ikkai::test {

/// One run of `payment-terminal` without a window, to its end.
struct Told {
    int exitCode = -1;
    QList<QJsonObject> lines; ///< of standard output, where they are JSON
    QString text;             ///< standard output as it is
    QString complaint;

    [[nodiscard]] QJsonObject outcome() const { return lines.isEmpty() ? QJsonObject() : lines.constLast(); }
    [[nodiscard]] QString word() const { return outcome().value(QStringLiteral("outcome")).toString(); }
    [[nodiscard]] int number(const char *name) const { return outcome().value(QLatin1String(name)).toInt(-1); }
    [[nodiscard]] QSet<QString> keys() const
    {
        QSet<QString> keys;
        for (const QJsonObject &line : lines)
            keys.insert(line.value(QStringLiteral("key")).toString());
        return keys;
    }
};

/// Runs the program with `input` as its standard input and with its data and configuration in `home`. Killed after
/// `patienceMs`: the exit code is -1 then.
inline Told runTerminal(const QString &program, const QString &home, const QStringList &arguments,
                        const QProcessEnvironment &environment = {}, int patienceMs = 60'000,
                        const QByteArray &input = {})
{
    QProcess process;
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert(environment);
    all.insert(QStringLiteral("XDG_CONFIG_HOME"), home);
    all.insert(QStringLiteral("XDG_DATA_HOME"), home);
    process.setProcessEnvironment(all);
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    Told told;
    if (!process.waitForFinished(patienceMs)) {
        process.kill();
        process.waitForFinished(patienceMs);
        return told;
    }
    told.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    told.complaint = QString::fromUtf8(process.readAllStandardError());
    const QByteArray output = process.readAllStandardOutput();
    told.text = QString::fromUtf8(output);
    for (const QByteArray &line : output.split('\n')) {
        if (!line.isEmpty())
            told.lines.append(QJsonDocument::fromJson(line).object());
    }
    return told;
}

} // namespace ikkai::test
