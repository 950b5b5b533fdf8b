#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <random>
#include <vector>

namespace ikkai::crash {

/// Every choice of a run comes from here, so that a seed names a plan. When the processes come to which line is the
/// machine's affair: two runs of one seed have the same plan, not the same traces.
class Chaos {
public:
    explicit Chaos(quint64 seed)
        : m_engine(seed)
    {
    }

    /// 0 to below `bound`.
    int below(int bound) { return bound <= 0 ? 0 : int(m_engine() % quint64(bound)); }
    bool percent(int of100) { return below(100) < of100; }
    template <class T>
    const T &oneOf(const std::vector<T> &all)
    {
        return all.at(size_t(below(int(all.size()))));
    }

    /// A fault as the bank takes it, for the next request of one of the terminal's calls.
    QByteArray fault();

private:
    std::mt19937_64 m_engine;
};

/// When somebody is killed: after so many lines of the terminal's story, and then so much later.
struct Moment {
    int lines = 0;
    int thenMs = 0;
};
Moment momentOf(Chaos &chaos);

} // namespace ikkai::crash
