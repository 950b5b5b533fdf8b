#pragma once

#include <QtCore/QLatin1StringView>
#include <QtWidgets/QWidget>

class QLineEdit;

namespace ikkai {

/// A line to type into, with its caption inside the frame.
class CaptionField final : public QWidget {
    Q_OBJECT

public:
    /// `name`: of the line itself, for tests. At most `mostCharacters`.
    CaptionField(QLatin1StringView name, int mostCharacters, QWidget *parent = nullptr);

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
