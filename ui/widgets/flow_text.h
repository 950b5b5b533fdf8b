#pragma once

#include "ui/theme/theme.h"

#include <QtWidgets/QWidget>

#include <vector>

namespace ikkai {

/// The words without their marks: what a person hears and a test reads.
[[nodiscard]] QString plainWords(const QString &marked);

/// Sentences that wrap as people read. Marks in the text: `<b>` and `</b>` for emphasis, `|` for a place between two
/// phrases. A text that has `|` breaks only there (Japanese), any other at its spaces.
class FlowText : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)

public:
    FlowText(theme::Type type, theme::Token token, QWidget *parent = nullptr);

    void setMarked(const QString &marked);
    void setToken(theme::Token token);
    void setType(theme::Type type);
    void setLineHeight(int px); ///< 0: the type's own

    [[nodiscard]] QString text() const { return plainWords(m_marked); }
    [[nodiscard]] int lineCount(int width) const;
    [[nodiscard]] int widestLine(int width) const; ///< in pixels, wrapped to this width

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Run {
        QString text;
        bool strong = false;
    };
    using Phrase = std::vector<Run>;
    using Line = std::vector<Phrase>;

    [[nodiscard]] std::vector<Phrase> phrases() const;
    [[nodiscard]] std::vector<Line> lines(int width) const;
    [[nodiscard]] int widthOf(const Phrase &phrase, bool atLineEnd) const;
    [[nodiscard]] bool isCjk() const;
    [[nodiscard]] QFont fontOf(bool strong) const;
    [[nodiscard]] int lineStep() const;

    theme::Type m_type;
    theme::Token m_token;
    int m_lineHeight = 0;
    QString m_marked;
};

} // namespace ikkai
