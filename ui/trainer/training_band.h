#pragma once

#include <QtWidgets/QWidget>

namespace ikkai {

class Button;
class Label;

/// The permanent stripe of a training session: how many faults are armed, and one key that stops them all.
class TrainingBand : public QWidget {
    Q_OBJECT

public:
    explicit TrainingBand(QWidget *parent = nullptr);

    void setArmed(int count);

Q_SIGNALS:
    void stopWanted();

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    int m_count = 0;
    Label *m_title;
    Label *m_armed;
    Button *m_stop;
};

} // namespace ikkai
