#pragma once

#include <QtGui/QColor>

#include <array>

namespace ikkai::theme {

enum class Mode { Light, Dark };

/// Every colour of the house. There are no others.
enum class Token {
    Window,
    Surface,
    Sunken,
    Line,
    Outline,
    Text,
    Muted,
    DisBg,
    DisText,
    Ink,
    OnInk,
    SelBg,
    Focus,
    OkSolid,
    OkOn,
    OkTint,
    OkText,
    OkLine,
    BadSolid,
    BadOn,
    BadTint,
    BadText,
    BadLine,
    UnkSolid,
    UnkOn,
    UnkTint,
    UnkText,
    UnkLine,
    WrkSolid,
    WrkOn,
    WrkTint,
    WrkText,
    WrkLine,
    NeuSolid,
    NeuOn,
    NeuTint,
    NeuText,
    NeuLine,
    TrnSolid,
    TrnOn,
    TrnTint,
    TrnText,
    TrnLine,
    TrnStripe,
    KillBg,
    KillText,
};

struct TokenRow {
    Token token;
    const char *name; ///< as in the table of tokens: `okSolid`
    QRgb light;
    QRgb dark;
};

/// The one table, in the order of Token.
[[nodiscard]] const std::array<TokenRow, 46> &tokens();

/// What a state means to people: settled, refused, unknown, working, neutral, training.
enum class Role { Ok, Bad, Unk, Wrk, Neu, Trn };
/// Solid and On make the banner, Tint and Text rows and notes, Line strokes and small icons on a surface.
enum class Part { Solid, On, Tint, Text, Line };

[[nodiscard]] Token tokenOf(Role role, Part part);
/// `ok`, `bad`, `unk`, `wrk`, `neu`, `trn`: the value of the property `role`.
[[nodiscard]] const char *nameOf(Role role);

[[nodiscard]] QColor colorIn(Mode mode, Token token);

/// WCAG 2 contrast ratio of two opaque colours, 1 to 21.
[[nodiscard]] double contrast(const QColor &a, const QColor &b);

} // namespace ikkai::theme
