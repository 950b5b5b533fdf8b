#include "ui/theme/theme.h"

#include "ui/theme/ring_style.h"

#include <QtCore/QPointer>
#include <QtCore/QStringList>
#include <QtWidgets/QApplication>

namespace ikkai::theme {

namespace {

Mode g_mode = Mode::Light;

struct TypeRow {
    enum class Family { Words, Figures, Wire };
    Type type;
    Family family;
    int px;
    int line;
    int weight;
};

const TypeRow &typeRow(Type type)
{
    using F = TypeRow::Family;
    static constexpr TypeRow rows[] = {
        // clang-format off
        {Type::Headline,           F::Words,   54, 62, 700},
        {Type::SubHeadline,        F::Words,   26, 34, 700},
        {Type::BannerAmount,       F::Figures, 40, 48, 700},
        {Type::CompactAmount,      F::Figures, 32, 40, 700},
        {Type::BannerFacts,        F::Figures, 18, 26, 400},
        {Type::Brand,              F::Words,   20, 28, 700},
        {Type::Question,           F::Words,   20, 28, 700},
        {Type::Primary,            F::Words,   20, 28, 600},
        {Type::Sentence,           F::Words,   20, 28, 400},
        {Type::SentenceStrong,     F::Words,   20, 28, 700},
        {Type::CardTitle,          F::Words,   18, 26, 700},
        {Type::ChoiceTitle,        F::Words,   24, 32, 700},
        {Type::Explanation,        F::Words,   18, 26, 400},
        {Type::Body,               F::Words,   16, 22, 400},
        {Type::Strong,             F::Words,   16, 22, 600},
        {Type::Figures,            F::Figures, 16, 22, 400},
        {Type::FiguresStrong,      F::Figures, 16, 22, 700},
        {Type::Countdown,          F::Figures, 18, 26, 700},
        {Type::KeyDigit,           F::Figures, 26, 34, 400},
        {Type::Small,              F::Words,   14, 18, 400},
        {Type::SmallStrong,        F::Words,   14, 18, 600},
        {Type::SmallFigures,       F::Figures, 14, 18, 400},
        {Type::SmallFiguresStrong, F::Figures, 14, 18, 700},
        {Type::Wire,               F::Wire,    16, 22, 400},
        {Type::SmallWire,          F::Wire,    14, 18, 400},
        // clang-format on
    };
    return rows[static_cast<std::size_t>(type)];
}

QStringList familiesOf(TypeRow::Family family)
{
    switch (family) {
    case TypeRow::Family::Words:
        return {QStringLiteral("Inter"), QStringLiteral("Noto Sans CJK JP"), QStringLiteral("Noto Sans"),
                QStringLiteral("sans-serif")};
    case TypeRow::Family::Figures:
        return {QStringLiteral("Noto Sans"), QStringLiteral("Noto Sans CJK JP"), QStringLiteral("sans-serif")};
    case TypeRow::Family::Wire:
        return {QStringLiteral("Noto Sans Mono"), QStringLiteral("Noto Sans Mono CJK JP"),
                QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")};
    }
    return {};
}

QString styleSheetOf(Mode mode)
{
    const auto name = [mode](Token token) { return colorIn(mode, token).name(); };
    return QStringLiteral("QToolTip{color:%1;background:%2;border:1px solid %3;padding:6px;}"
                          "QScrollBar:vertical{background:%4;width:12px;margin:0;border:none;}"
                          "QScrollBar::handle:vertical{background:%3;min-height:44px;border-radius:6px;}"
                          "QScrollBar::add-line,QScrollBar::sub-line{height:0;width:0;}"
                          "QScrollBar::add-page,QScrollBar::sub-page{background:transparent;}")
        .arg(name(Token::Text), name(Token::Surface), name(Token::Outline), name(Token::Sunken));
}

} // namespace

void apply(Mode mode)
{
    g_mode = mode;
    static QPointer<RingStyle> style;
    if (!style) {
        style = new RingStyle; // the application takes it
        QApplication::setStyle(style.data());
    }
    QApplication::setPalette(paletteOf(mode));
    QApplication::setFont(font(Type::Body));
    qApp->setStyleSheet(styleSheetOf(mode));
}

Mode mode()
{
    return g_mode;
}

QColor color(Token token)
{
    return colorIn(g_mode, token);
}

QColor color(Role role, Part part)
{
    return color(tokenOf(role, part));
}

QFont font(Type type)
{
    const TypeRow &row = typeRow(type);
    QFont made;
    made.setFamilies(familiesOf(row.family));
    made.setPixelSize(row.px);
    made.setWeight(static_cast<QFont::Weight>(row.weight));
    made.setStyleStrategy(QFont::PreferAntialias);
    if (type == Type::Headline)
        made.setLetterSpacing(QFont::AbsoluteSpacing, -0.54); // -1 %
    if (row.family == TypeRow::Family::Wire)
        made.setStyleHint(QFont::TypeWriter);
    return made;
}

int lineHeight(Type type)
{
    return typeRow(type).line;
}

bool isCompact(int width, int height)
{
    return width < 1200 || height < 720;
}

QPalette paletteOf(Mode mode)
{
    const auto at = [mode](Token token) { return colorIn(mode, token); };
    QPalette made;
    made.setColor(QPalette::Window, at(Token::Window));
    made.setColor(QPalette::WindowText, at(Token::Text));
    made.setColor(QPalette::Base, at(Token::Surface));
    made.setColor(QPalette::AlternateBase, at(Token::Sunken));
    made.setColor(QPalette::Text, at(Token::Text));
    made.setColor(QPalette::PlaceholderText, at(Token::Muted));
    made.setColor(QPalette::Button, at(Token::Surface));
    made.setColor(QPalette::ButtonText, at(Token::Text));
    made.setColor(QPalette::BrightText, at(Token::BadText));
    made.setColor(QPalette::Highlight, at(Token::Ink));
    made.setColor(QPalette::HighlightedText, at(Token::OnInk));
    made.setColor(QPalette::Link, at(Token::Text));
    made.setColor(QPalette::LinkVisited, at(Token::Text));
    made.setColor(QPalette::ToolTipBase, at(Token::Surface));
    made.setColor(QPalette::ToolTipText, at(Token::Text));
    made.setColor(QPalette::Light, at(Token::Surface));
    made.setColor(QPalette::Midlight, at(Token::Line));
    made.setColor(QPalette::Mid, at(Token::Outline));
    made.setColor(QPalette::Dark, at(Token::Outline));
    made.setColor(QPalette::Shadow, at(Token::Outline));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText,
                            QPalette::PlaceholderText})
        made.setColor(QPalette::Disabled, role, at(Token::DisText));
    for (const auto role : {QPalette::Button, QPalette::Base, QPalette::Highlight})
        made.setColor(QPalette::Disabled, role, at(Token::DisBg));
    return made;
}

} // namespace ikkai::theme
