#include "ui/trainer/fault_card.h"

#include "ui/object_names.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"

#include <QtCore/QEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace ikkai {

namespace {

/// A fact with its check or cross.
class FactMark final : public QWidget {
public:
    FactMark(bool yes, QWidget *parent)
        : QWidget(parent)
        , m_yes(yes)
    {
    }

    void setWords(const QString &words)
    {
        m_words = words;
        setAccessibleName(words + (m_yes ? QStringLiteral(" ✓") : QStringLiteral(" ✗")));
        updateGeometry();
        update();
    }

    QSize sizeHint() const override
    {
        return {22 + QFontMetrics(theme::font(theme::Type::Small)).horizontalAdvance(m_words), 20};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        icons::paint(painter, m_yes ? icons::Icon::Check : icons::Icon::Cross, QRectF(0, 2, 16, 16),
                     theme::color(theme::Token::Text), theme::color(theme::Token::Surface));
        painter.setFont(theme::font(theme::Type::Small));
        painter.setPen(theme::color(theme::Token::Text));
        painter.drawText(QRect(21, 0, width(), 20), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, m_words);
    }

private:
    bool m_yes;
    QString m_words;
};

struct FaultFacts {
    const char *spec;
    icons::Icon icon;
    QLatin1StringView armName;
    QLatin1StringView lightName;
    bool reached, charged, knowable;
};

const FaultFacts &factsOf(FaultCard::Kind kind)
{
    using icons::Icon;
    static const std::array<FaultFacts, 3> table{{
        {"unread:hold:next=1", Icon::RequestLost, names::requestLostArm, names::requestLostLight, false, false, false},
        {"after_commit:hold:next=1", Icon::AnswerLost, names::answerLostArm, names::answerLostLight, true, true, false},
        {"before_commit:restart(ms=3000):next=1", Icon::CrashMidway, names::crashMidwayArm, names::crashMidwayLight,
         true, false, false},
    }};
    return table[static_cast<std::size_t>(kind)];
}

} // namespace

/// Five lights on a line: armed, matched, fired, seen, healed.
class LightsStrip final : public QWidget {
public:
    explicit LightsStrip(QWidget *parent)
        : QWidget(parent)
    {
        setFixedSize(124, 20);
    }

    void setLit(const std::array<bool, 5> &lit)
    {
        m_lit = lit;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const bool any = m_lit[0] || m_lit[1] || m_lit[2] || m_lit[3] || m_lit[4];
        const QColor stroke = any ? theme::color(theme::Token::TrnLine) : theme::color(theme::Token::Outline);
        painter.setPen(QPen(stroke, 2));
        painter.drawLine(QPointF(8, 10), QPointF(116, 10));
        for (std::size_t i = 0; i < m_lit.size(); ++i) {
            painter.setBrush(m_lit[i] ? stroke : theme::color(theme::Token::Surface));
            painter.drawEllipse(QPointF(8 + 27 * static_cast<qreal>(i), 10), 5.5, 5.5);
        }
    }

private:
    std::array<bool, 5> m_lit{};
};

FaultCard::FaultCard(Kind kind, QWidget *parent)
    : QFrame(parent)
    , m_kind(kind)
    , m_title(new Label(theme::Type::CardTitle, theme::Token::Text, this))
    , m_sentence(new FlowText(theme::Type::Small, theme::Token::Text, this))
    , m_wire(new Label(theme::Type::SmallWire, theme::Token::Muted, this))
    , m_strip(new LightsStrip(this))
    , m_light(new Label(theme::Type::SmallStrong, theme::Token::TrnText, this))
    , m_arm(new Button(Button::Kind::Arm, this))
{
    const FaultFacts &facts = factsOf(kind);
    m_arm->setObjectName(facts.armName);
    m_light->setObjectName(facts.lightName);
    m_arm->setFixedHeight(theme::metrics::minimumTarget);
    m_wire->setText(QString::fromLatin1(facts.spec));

    auto *head = new QHBoxLayout;
    head->setSpacing(10);
    head->addSpacing(46); // the picture of what happens
    head->addWidget(m_title);
    head->addStretch(1);
    head->addWidget(m_arm);
    auto *marks = new QHBoxLayout;
    marks->setSpacing(14);
    const std::array<bool, 3> yes{facts.reached, facts.charged, facts.knowable};
    for (std::size_t i = 0; i < yes.size(); ++i) {
        m_facts[i] = new FactMark(yes[i], this);
        marks->addWidget(m_facts[i]);
    }
    marks->addStretch(1);
    auto *lights = new QHBoxLayout;
    lights->setSpacing(10);
    lights->addWidget(m_strip);
    lights->addWidget(m_light);
    lights->addStretch(1);

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 12, 10);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_sentence);
    column->addWidget(m_wire);
    column->addLayout(marks);
    column->addLayout(lights);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);

    connect(m_arm, &Button::clicked, this, &FaultCard::press);
    retranslate();
}

QString FaultCard::spec() const
{
    return QString::fromLatin1(factsOf(m_kind).spec);
}

bool FaultCard::isUnderWay() const
{
    return m_lights && m_lights->armed;
}

void FaultCard::setLights(const std::optional<FaultLights> &lights)
{
    m_lights = lights;
    retranslate();
    update();
}

void FaultCard::press()
{
    if (isUnderWay())
        Q_EMIT disarmWanted(m_lights->id);
    else
        Q_EMIT armWanted(spec());
}

void FaultCard::retranslate()
{
    switch (m_kind) {
    case Kind::RequestLost:
        m_title->setText(tr("Request lost"));
        m_sentence->setMarked(tr("The bank never hears of the payment."));
        break;
    case Kind::AnswerLost:
        m_title->setText(tr("Answer lost"));
        m_sentence->setMarked(tr("Money moves, the answer goes missing."));
        break;
    case Kind::CrashMidway:
        m_title->setText(tr("Crash midway"));
        m_sentence->setMarked(tr("The bank dies before it has charged."));
        break;
    }
    const std::array<QString, 3> facts{tr("reached"), tr("charged"), tr("knowable")};
    for (std::size_t i = 0; i < facts.size(); ++i)
        static_cast<FactMark *>(m_facts[i])->setWords(facts[i]);

    const FaultLights lights = m_lights.value_or(FaultLights{});
    m_strip->setLit({lights.armed || lights.fired, lights.matched, lights.fired, lights.seen, lights.healed});
    m_light->setText(lights.healed    ? tr("healed")
                     : lights.seen    ? tr("seen by the terminal")
                     : lights.fired   ? tr("fired")
                     : lights.matched ? tr("matched")
                     : lights.armed   ? tr("armed")
                                      : tr("not armed"));
    m_light->setToken(m_lights ? theme::Token::TrnText : theme::Token::Muted);
    m_arm->setText(isUnderWay() ? tr("Disarm") : lights.fired ? tr("Re-arm") : tr("Arm"));
    m_arm->setKind(isUnderWay() ? Button::Kind::Secondary : Button::Kind::Arm);
    m_arm->setAccessibleName(m_title->text() + QStringLiteral(": ") + m_arm->text());
    m_arm->setAccessibleDescription(m_light->text());
}

void FaultCard::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QFrame::changeEvent(event);
}

void FaultCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool live = m_lights && (m_lights->armed || m_lights->fired);
    painter.setPen(live ? QPen(theme::color(theme::Token::TrnLine), 2) : QPen(theme::color(theme::Token::Line), 1));
    painter.setBrush(theme::color(theme::Token::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), theme::metrics::radiusControl,
                            theme::metrics::radiusControl);
    icons::paint(painter, factsOf(m_kind).icon, QRectF(14, 14, 36, 36), theme::color(theme::Token::TrnText),
                 theme::color(theme::Token::Surface));
}

} // namespace ikkai
