#pragma once

#include "app/options.h"

#include <span>

namespace ikkai::app {

/// A set of commands: who knows a setting.
class Commands {
public:
    template <class... Each>
    static constexpr Commands of(Each... each)
    {
        return Commands((0U | ... | (1U << unsigned(each))));
    }
    [[nodiscard]] constexpr bool has(Command command) const { return (m_bits & (1U << unsigned(command))) != 0; }
    friend constexpr Commands operator|(Commands a, Commands b) { return Commands(a.m_bits | b.m_bits); }

private:
    constexpr explicit Commands(unsigned bits)
        : m_bits(bits)
    {
    }
    unsigned m_bits;
};

/// How a command is called and what its `--help` says.
struct CommandName {
    const char *word; ///< nullptr: none, the window
    Command command;
    const char *usage;
    const char *about;
};

/// One setting: `--name`, IKKAI_NAME in the environment, `name` in the INI file (where the window knows it).
struct Setting {
    const char *name;
    const char *value; ///< what the help calls it; nullptr for a switch
    const char *help;
    Commands belongs;
    enum class Times { Once, Repeatable } times = Times::Once;
};

/// The window first.
[[nodiscard]] std::span<const CommandName> commandNames();
[[nodiscard]] const CommandName &nameOf(Command command);
/// charge, recover, ... for people.
[[nodiscard]] QString commandWords();
[[nodiscard]] std::span<const Setting> settings();

} // namespace ikkai::app
