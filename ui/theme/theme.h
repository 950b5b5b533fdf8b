#pragma once

#include "ui/theme/tokens.h"

#include <QtGui/QFont>
#include <QtGui/QPalette>

class QWidget;

/// The look in force: colours, type, measures. One per program, used on the GUI thread only.
namespace ikkai::theme {

/// Takes a mode into force for the whole application: style, palette and style sheet. Widgets that are already there
/// repaint.
void apply(Mode mode);
[[nodiscard]] Mode mode();

[[nodiscard]] QColor color(Token token);
[[nodiscard]] QColor color(Role role, Part part);

/// Sizes and weights of text. Words are Inter, figures Noto Sans (digits of one width), wire words a fixed pitch;
/// each falls back to what the system has.
enum class Type {
    Headline,
    SubHeadline,
    BannerAmount,
    CompactAmount,
    BannerFacts, ///< order and reference in the banner
    Brand,
    Question,
    Primary,
    Sentence,
    SentenceStrong,
    CardTitle,
    ChoiceTitle,
    Explanation, ///< the quieter second sentence
    Body,
    Strong,
    Figures,
    FiguresStrong,
    Countdown,
    KeyDigit,
    Small,
    SmallStrong,
    SmallFigures,
    SmallFiguresStrong,
    Wire,
    SmallWire,
};
[[nodiscard]] QFont font(Type type);
/// Line height in pixels: heights come from here, never from the font (CJK lines are 1.45 em high).
[[nodiscard]] int lineHeight(Type type);

namespace metrics {
inline constexpr int band = 52;
inline constexpr int header = 64;
inline constexpr int radiusControl = 8;
inline constexpr int radiusCard = 12;
inline constexpr int ringWidth = 3;
inline constexpr int ringGap = 2;
inline constexpr int minimumTarget = 44;
inline constexpr int button = 48;
inline constexpr int minimumWidth = 1024;
inline constexpr int minimumHeight = 700;
inline constexpr int defaultWidth = 1280;
inline constexpr int defaultHeight = 720;
} // namespace metrics

/// Below 1200 wide or 720 high the compact variant is laid out.
[[nodiscard]] bool isCompact(int width, int height);

/// The palette of a mode; its disabled group is readable (disText on disBg).
[[nodiscard]] QPalette paletteOf(Mode mode);

} // namespace ikkai::theme
