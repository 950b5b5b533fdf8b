#include "ui/widgets/flow_text.h"

#include <QtGui/QPainter>

#include <algorithm>

namespace ikkai {

namespace {

const QLatin1Char phraseMark('|');

bool isSentence(theme::Type type)
{
    return type == theme::Type::Sentence || type == theme::Type::SentenceStrong;
}

} // namespace

QString plainWords(const QString &marked)
{
    QString plain = marked;
    plain.remove(QStringLiteral("<b>")).remove(QStringLiteral("</b>")).remove(phraseMark);
    return plain;
}

FlowText::FlowText(theme::Type type, theme::Token token, QWidget *parent)
    : QWidget(parent)
    , m_type(type)
    , m_token(token)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void FlowText::setMarked(const QString &marked)
{
    if (m_marked == marked)
        return;
    m_marked = marked;
    setAccessibleName(plainWords(marked));
    updateGeometry();
    update();
}

void FlowText::setToken(theme::Token token)
{
    m_token = token;
    update();
}

void FlowText::setType(theme::Type type)
{
    m_type = type;
    updateGeometry();
    update();
}

void FlowText::setLineHeight(int px)
{
    m_lineHeight = px;
    updateGeometry();
}

bool FlowText::isCjk() const
{
    return std::any_of(m_marked.cbegin(), m_marked.cend(), [](QChar c) { return c.unicode() >= 0x3000; });
}

QFont FlowText::fontOf(bool strong) const
{
    QFont font = theme::font(m_type);
    if (strong)
        font.setWeight(font.pixelSize() >= 18 ? QFont::Bold : QFont::DemiBold);
    if (isCjk() && isSentence(m_type))
        font.setPixelSize(22);
    return font;
}

int FlowText::lineStep() const
{
    if (m_lineHeight > 0)
        return m_lineHeight;
    if (isCjk() && isSentence(m_type))
        return 34;
    return theme::lineHeight(m_type);
}

std::vector<FlowText::Phrase> FlowText::phrases() const
{
    const bool marked = m_marked.contains(phraseMark);
    std::vector<Phrase> made;
    Phrase phrase;
    QString run;
    bool strong = false;
    const auto endRun = [&] {
        if (!run.isEmpty())
            phrase.push_back({run, strong});
        run.clear();
    };
    const auto endPhrase = [&] {
        endRun();
        if (!phrase.empty())
            made.push_back(phrase);
        phrase.clear();
    };
    for (qsizetype at = 0; at < m_marked.size(); ++at) {
        const QStringView rest = QStringView(m_marked).mid(at);
        if (rest.startsWith(QLatin1StringView("<b>"))) {
            endRun();
            strong = true;
            at += 2;
        } else if (rest.startsWith(QLatin1StringView("</b>"))) {
            endRun();
            strong = false;
            at += 3;
        } else if (rest.front() == phraseMark) {
            endPhrase();
        } else {
            run += rest.front();
            if (!marked && rest.front().isSpace())
                endPhrase();
        }
    }
    endPhrase();
    return made;
}

int FlowText::widthOf(const Phrase &phrase, bool atLineEnd) const
{
    int width = 0;
    for (std::size_t i = 0; i < phrase.size(); ++i) {
        QString text = phrase[i].text;
        if (atLineEnd && i + 1 == phrase.size()) {
            while (!text.isEmpty() && text.back().isSpace())
                text.chop(1);
        }
        width += QFontMetrics(fontOf(phrase[i].strong)).horizontalAdvance(text);
    }
    return width;
}

std::vector<FlowText::Line> FlowText::lines(int width) const
{
    std::vector<Line> made;
    Line line;
    int used = 0;
    for (const Phrase &phrase : phrases()) {
        if (!line.empty() && used + widthOf(phrase, true) > width) {
            made.push_back(line);
            line.clear();
            used = 0;
        }
        line.push_back(phrase);
        used += widthOf(phrase, false);
    }
    if (!line.empty())
        made.push_back(line);
    return made;
}

int FlowText::lineCount(int width) const
{
    return static_cast<int>(lines(width).size());
}

int FlowText::widestLine(int width) const
{
    int widest = 0;
    for (const Line &line : lines(width)) {
        int used = 0;
        for (std::size_t i = 0; i < line.size(); ++i)
            used += widthOf(line[i], i + 1 == line.size());
        widest = std::max(widest, used);
    }
    return widest;
}

int FlowText::heightForWidth(int width) const
{
    return std::max(1, lineCount(width)) * lineStep();
}

QSize FlowText::sizeHint() const
{
    int width = 0;
    for (const Phrase &phrase : phrases())
        width += widthOf(phrase, false);
    return {width + 1, lineStep()};
}

QSize FlowText::minimumSizeHint() const
{
    int width = 0;
    for (const Phrase &phrase : phrases())
        width = std::max(width, widthOf(phrase, true));
    return {std::min(width, 400), lineStep()};
}

void FlowText::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(theme::color(m_token));
    int top = 0;
    for (const Line &line : lines(width())) {
        const QFontMetrics metrics(fontOf(false));
        const int baseline = top + (lineStep() - metrics.height()) / 2 + metrics.ascent();
        int x = 0;
        for (const Phrase &phrase : line) {
            for (const Run &run : phrase) {
                painter.setFont(fontOf(run.strong));
                painter.drawText(x, baseline, run.text);
                x += painter.fontMetrics().horizontalAdvance(run.text);
            }
        }
        top += lineStep();
    }
}

} // namespace ikkai
