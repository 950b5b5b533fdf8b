#include "ui/theme/tokens.h"

#include <algorithm>
#include <cmath>

namespace ikkai::theme {

const std::array<TokenRow, 46> &tokens()
{
    static constexpr std::array<TokenRow, 46> table{{
        // clang-format off
        {Token::Window,    "window",    0xFFEDF0F3, 0xFF0E141A},
        {Token::Surface,   "surface",   0xFFFFFFFF, 0xFF18212A},
        {Token::Sunken,    "sunken",    0xFFF4F6F8, 0xFF121A22},
        {Token::Line,      "line",      0xFFD3DAE1, 0xFF33404D},
        {Token::Outline,   "outline",   0xFF75818E, 0xFF8290A0},
        {Token::Text,      "text",      0xFF141C26, 0xFFEAF0F6},
        {Token::Muted,     "muted",     0xFF4A5765, 0xFFAEBAC7},
        {Token::DisBg,     "disBg",     0xFFE3E8ED, 0xFF222D38},
        {Token::DisText,   "disText",   0xFF586472, 0xFF96A3B1},
        {Token::Ink,       "ink",       0xFF1B2733, 0xFFE6EDF4},
        {Token::OnInk,     "onInk",     0xFFFFFFFF, 0xFF131B23},
        {Token::SelBg,     "selBg",     0xFFE6EBF0, 0xFF273441},
        {Token::Focus,     "focus",     0xFF1B2733, 0xFFE6EDF4},
        {Token::OkSolid,   "okSolid",   0xFF0E6B3B, 0xFF0F6E3D},
        {Token::OkOn,      "okOn",      0xFFFFFFFF, 0xFFFFFFFF},
        {Token::OkTint,    "okTint",    0xFFE2F3E9, 0xFF11301F},
        {Token::OkText,    "okText",    0xFF0B5A31, 0xFF83DDA9},
        {Token::OkLine,    "okLine",    0xFF12804A, 0xFF3FB574},
        {Token::BadSolid,  "badSolid",  0xFFAE221B, 0xFFA8231C},
        {Token::BadOn,     "badOn",     0xFFFFFFFF, 0xFFFFFFFF},
        {Token::BadTint,   "badTint",   0xFFFBE7E5, 0xFF3B1A18},
        {Token::BadText,   "badText",   0xFF96190F, 0xFFFFA79F},
        {Token::BadLine,   "badLine",   0xFFC12B22, 0xFFF0695E},
        {Token::UnkSolid,  "unkSolid",  0xFFFFC046, 0xFFF5B63C},
        {Token::UnkOn,     "unkOn",     0xFF2A1A00, 0xFF241600},
        {Token::UnkTint,   "unkTint",   0xFFFFF2D4, 0xFF362809},
        {Token::UnkText,   "unkText",   0xFF704400, 0xFFFFCB66},
        {Token::UnkLine,   "unkLine",   0xFFA86200, 0xFFE0A02A},
        {Token::WrkSolid,  "wrkSolid",  0xFF0B55B3, 0xFF1259B5},
        {Token::WrkOn,     "wrkOn",     0xFFFFFFFF, 0xFFFFFFFF},
        {Token::WrkTint,   "wrkTint",   0xFFE4EFFB, 0xFF122943},
        {Token::WrkText,   "wrkText",   0xFF0A478F, 0xFF93C5FF},
        {Token::WrkLine,   "wrkLine",   0xFF0B63CE, 0xFF5AA2F5},
        {Token::NeuSolid,  "neuSolid",  0xFF47535F, 0xFF4D5A67},
        {Token::NeuOn,     "neuOn",     0xFFFFFFFF, 0xFFFFFFFF},
        {Token::NeuTint,   "neuTint",   0xFFE8ECF0, 0xFF25303B},
        {Token::NeuText,   "neuText",   0xFF35414D, 0xFFC3CDD7},
        {Token::NeuLine,   "neuLine",   0xFF5B6875, 0xFF8693A1},
        {Token::TrnSolid,  "trnSolid",  0xFF56288A, 0xFF5F3096},
        {Token::TrnOn,     "trnOn",     0xFFFFFFFF, 0xFFFFFFFF},
        {Token::TrnTint,   "trnTint",   0xFFF0E8F9, 0xFF2B1E3D},
        {Token::TrnText,   "trnText",   0xFF53258A, 0xFFCFAFF5},
        {Token::TrnLine,   "trnLine",   0xFF7A46B5, 0xFFA77BE0},
        {Token::TrnStripe, "trnStripe", 0xFF482073, 0xFF50257F},
        {Token::KillBg,    "killBg",    0xFFFFFFFF, 0xFFFFFFFF},
        {Token::KillText,  "killText",  0xFF53258A, 0xFF53258A},
        // clang-format on
    }};
    return table;
}

Token tokenOf(Role role, Part part)
{
    const int first = static_cast<int>(Token::OkSolid);
    return static_cast<Token>(first + static_cast<int>(role) * 5 + static_cast<int>(part));
}

const char *nameOf(Role role)
{
    static constexpr std::array<const char *, 6> names{"ok", "bad", "unk", "wrk", "neu", "trn"};
    return names[static_cast<std::size_t>(role)];
}

QColor colorIn(Mode mode, Token token)
{
    const TokenRow &row = tokens()[static_cast<std::size_t>(token)];
    return QColor::fromRgb(mode == Mode::Light ? row.light : row.dark);
}

namespace {

double linearChannel(int value)
{
    const double c = value / 255.0;
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double relativeLuminance(const QColor &color)
{
    return 0.2126 * linearChannel(color.red()) + 0.7152 * linearChannel(color.green()) +
           0.0722 * linearChannel(color.blue());
}

} // namespace

double contrast(const QColor &a, const QColor &b)
{
    const double first = relativeLuminance(a);
    const double second = relativeLuminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

} // namespace ikkai::theme
