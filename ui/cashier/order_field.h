#pragma once

#include <QtWidgets/QWidget>

class QLineEdit;

namespace ikkai {

/// The order's number with its caption inside the frame. At most 64 characters, no control characters.
class OrderField final : public QWidget {
    Q_OBJECT

public:
    explicit OrderField(QWidget *parent = nullptr);

    void setCaption(const QString &caption);
    [[nodiscard]] QLineEdit *edit() const { return m_edit; }
    [[nodiscard]] QString text() const;
    void setText(const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QString m_caption;
    QLineEdit *m_edit;
};

} // namespace ikkai
