#pragma once

#include "tests/support/bank_under_test.h"
#include "tests/support/terminal_process.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

namespace ikkai::test {

/// One journal, and `payment-terminal` run on it against a bank, as a script would. Waits are short.
class TillAndBank {
public:
    explicit TillAndBank(mockbank::MockServerOptions options = {})
        : m_bank(std::move(options))
    {
        QFile token(file("token"));
        if (!token.open(QIODevice::WriteOnly))
            qCritical("no token file");
        token.write(m_bank.controlToken());
    }

    [[nodiscard]] BankUnderTest &bank() { return m_bank; }
    [[nodiscard]] QString file(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    [[nodiscard]] QString journal() const { return file("journal.sqlite"); }

    /// A command that sends to the bank, with --json.
    Told run(const QStringList &command, const QByteArray &input = {})
    {
        return runPlain(command + words({"--json", "--server", "URL", "--journal", "JOURNAL", "--attempt-deadline",
                                         "400ms", "--backoff-base", "50ms", "--budget", "20s"}),
                        input);
    }
    /// A command with its options as they are; URL and JOURNAL stand for this bank's and this journal's.
    Told runPlain(QStringList command, const QByteArray &input = {})
    {
        for (QString &word : command) {
            if (word == QStringLiteral("URL"))
                word = m_bank.url();
            else if (word == QStringLiteral("JOURNAL"))
                word = journal();
        }
        return runTerminal(QStringLiteral(PAYMENT_TERMINAL), m_folder.path(), command, {}, 60'000, input);
    }

    /// A charge that one try was made for; `fault` is where its answer went.
    Told charge(const char *order, const char *fault, const QStringList &more = {})
    {
        QStringList command = words({"charge", "--order", order, "--amount", "1200", "--max-attempts", "1"});
        if (fault)
            command += words({"--control-token-file"}) + QStringList{file("token")} + words({"--fault", fault});
        return run(command + more);
    }

    static QStringList words(std::initializer_list<const char *> all)
    {
        QStringList list;
        for (const char *word : all)
            list.append(QString::fromLatin1(word));
        return list;
    }

private:
    QTemporaryDir m_folder;
    BankUnderTest m_bank;
};

} // namespace ikkai::test
