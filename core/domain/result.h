#pragma once

#include <utility>
#include <variant>

namespace ikkai {

/// A value or an error, never both, never neither. `value()` and `error()` may only be asked for what is there
/// (std::bad_variant_access otherwise). Stands in for std::expected, which C++20 does not have.
template <class T, class E>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_either(std::in_place_index<0>, std::move(value))
    {
    }
    Result(E error)
        : m_either(std::in_place_index<1>, std::move(error))
    {
    }

    [[nodiscard]] bool ok() const { return m_either.index() == 0; }
    explicit operator bool() const { return ok(); }

    [[nodiscard]] const T &value() const & { return std::get<0>(m_either); }
    [[nodiscard]] T &&value() && { return std::get<0>(std::move(m_either)); }
    [[nodiscard]] const E &error() const { return std::get<1>(m_either); }

    const T *operator->() const { return &value(); }
    const T &operator*() const & { return value(); }

private:
    std::variant<T, E> m_either;
};

/// The value of a Result that carries none.
struct Done {
    friend bool operator==(Done, Done) = default;
};

} // namespace ikkai
