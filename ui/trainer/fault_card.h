#pragma once

#include "ui/icons/icons.h"
#include "ui/trainer/trainer_link.h"

#include <QtWidgets/QFrame>

#include <array>
#include <optional>

namespace ikkai {

class Button;
class FlowText;
class Label;
class LightsStrip;

/// One way to break the next payment: what happens in one sentence, how it is written on the wire, the three facts,
/// and how far it has come.
class FaultCard : public QFrame {
    Q_OBJECT

public:
    enum class Kind { RequestLost, AnswerLost, CrashMidway };

    FaultCard(Kind kind, QWidget *parent = nullptr);

    [[nodiscard]] QString spec() const;
    void setLights(const std::optional<FaultLights> &lights);

Q_SIGNALS:
    void armWanted(const QString &spec);
    void disarmWanted(const QString &id);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void retranslate();
    void press();
    [[nodiscard]] bool isUnderWay() const;

    Kind m_kind;
    std::optional<FaultLights> m_lights;
    Label *m_title;
    FlowText *m_sentence;
    Label *m_wire;
    std::array<QWidget *, 3> m_facts{};
    LightsStrip *m_strip;
    Label *m_light;
    Button *m_arm;
};

} // namespace ikkai
