#include "app/supervisor_pin_command.h"

#include "app/journal_door.h"
#include "app/print.h"
#include "app/secret_file.h"
#include "core/domain/clock.h"
#include "core/journal/sqlite_journal.h"

#include <csignal>
#include <termios.h>
#include <unistd.h>

namespace ikkai::app {

namespace {

/// What is typed is not shown while this lives; Ctrl+C, too, leaves the terminal as it was.
class EchoOff {
public:
    EchoOff()
    {
        ::tcgetattr(STDIN_FILENO, &s_before);
        termios silent = s_before;
        silent.c_lflag &= ~tcflag_t(ECHO);
        ::tcsetattr(STDIN_FILENO, TCSADRAIN, &silent);
        s_handlerBefore = std::signal(SIGINT, [](int) {
            ::tcsetattr(STDIN_FILENO, TCSANOW, &s_before);
            ::_exit(130); // as a shell tells an interrupt
        });
    }
    ~EchoOff()
    {
        ::tcsetattr(STDIN_FILENO, TCSANOW, &s_before);
        std::signal(SIGINT, s_handlerBefore);
    }
    EchoOff(const EchoOff &) = delete;
    EchoOff &operator=(const EchoOff &) = delete;

private:
    inline static termios s_before{};
    inline static void (*s_handlerBefore)(int) = SIG_DFL;
};

Result<QString, Stop> askFor(const char *prompt)
{
    std::fputs(prompt, stderr);
    std::fflush(stderr);
    char typed[256] = {};
    const bool isThere = std::fgets(typed, sizeof typed, stdin) != nullptr;
    std::fputc('\n', stderr);
    if (!isThere)
        return Stop{2, QStringLiteral("supervisor-pin: nothing was typed; the PIN is as it was")};
    return QString::fromLocal8Bit(typed).trimmed();
}

Result<QString, Stop> readPin()
{
    if (::isatty(STDIN_FILENO) == 0) {
        const auto line = readSecret(QStringLiteral("supervisor-pin"), QStringLiteral("-"));
        if (!line)
            return line.error();
        return QString::fromUtf8(*line);
    }
    const EchoOff silent; // before the first prompt, so that nobody is faster than it
    const auto once = askFor("New supervisor PIN (4 to 12 digits): ");
    if (!once)
        return once.error();
    const auto twice = askFor("The same again: ");
    if (!twice)
        return twice.error();
    if (*once != *twice)
        return Stop{2, QStringLiteral("supervisor-pin: the two are not the same; the PIN is as it was")};
    return *once;
}

} // namespace

int runSupervisorPin(const Options &options)
{
    // The lock first: nobody types a PIN for nothing.
    const auto lock = lockJournal(options.journal);
    if (!lock) {
        Stop stop = lock.error();
        if (stop.journal && stop.journal->kind == JournalError::Kind::Locked)
            stop.line += QStringLiteral(" Close the till first, then set the PIN.");
        return complain(stop);
    }
    auto journal = SqliteJournal::open(options.journal, SqliteJournal::Access::Write, {options.calendar});
    if (!journal)
        return complain(stopFor(journal.error()));
    const auto pin = readPin();
    if (!pin)
        return complain(pin.error());
    const auto record = makePin(*pin, SystemClock().now().wallMs);
    if (!record)
        return complain({2, QStringLiteral("supervisor-pin: ") + record.error()});
    if (const auto stored = (*journal)->storeSupervisorPin(*record); !stored)
        return complain(stopFor(stored.error()));
    printLine(QStringLiteral("The supervisor's PIN is set."));
    return 0;
}

} // namespace ikkai::app
