#pragma once

#include "ui/icons/icons.h"
#include "ui/theme/theme.h"

#include <QtCore/QElapsedTimer>
#include <QtWidgets/QFrame>

#include <optional>

class QTimer;

namespace ikkai {

class FlowText;
class Label;

/// The one solid colour of the window: icon, word, amount, order and reference of one checkout. What changes in it is
/// announced.
class OutcomeBanner : public QFrame {
    Q_OBJECT
    /// ok, bad, unk, wrk, neu; empty while there is no checkout to show.
    Q_PROPERTY(QString role READ role)
    /// The outcome word of the state: approved, unknown, waiting, ...; empty as above.
    Q_PROPERTY(QString outcome READ outcome)

public:
    struct Shown {
        QString outcome;
        std::optional<theme::Role> role; ///< none: a quiet card
        icons::Icon icon = icons::Icon::Brand;
        QString headline; ///< with `|` where it may break
        QString subHeadline;
        QString amount;
        QString order;
        QString reference;
        friend bool operator==(const Shown &, const Shown &) = default;
    };

    explicit OutcomeBanner(QWidget *parent = nullptr);

    void show(const Shown &shown);
    void setCompact(bool compact);
    [[nodiscard]] QString role() const;
    [[nodiscard]] QString outcome() const { return m_shown.outcome; }

    using QWidget::show;

Q_SIGNALS:
    /// What was announced to people who listen.
    void announced(const QString &words);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void arrange();
    void announce();
    void turnWhileWorking();
    [[nodiscard]] QRect iconRect() const;

    Shown m_shown;
    bool m_compact = false;
    FlowText *m_headline;
    Label *m_sub;
    Label *m_amount;
    Label *m_order;
    Label *m_reference;
    QTimer *m_turning;
    QElapsedTimer m_since;
};

} // namespace ikkai
