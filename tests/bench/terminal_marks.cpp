#include "tests/bench/terminal_marks.h"
namespace ikkai::bench {
bool printTerminalMarks(const Settings &)
{
    return true;
}
} // namespace ikkai::bench
