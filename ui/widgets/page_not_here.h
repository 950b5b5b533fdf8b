#pragma once

#include <QtWidgets/QWidget>

namespace ikkai {

class FlowText;

/// Stands for a page whose other side is not there: one sentence instead of controls that could do nothing.
class PageNotHere : public QWidget {
    Q_OBJECT

public:
    explicit PageNotHere(QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    FlowText *m_sentence;
};

} // namespace ikkai
