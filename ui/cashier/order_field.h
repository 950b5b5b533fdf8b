#pragma once

#include <QtWidgets/QLineEdit>

namespace ikkai {

/// The order's number with its caption inside the frame. At most 64 characters, no control characters.
class OrderField final : public QLineEdit {
    Q_OBJECT

public:
    explicit OrderField(QWidget *parent = nullptr);

    void setCaption(const QString &caption);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_caption;
};

} // namespace ikkai
