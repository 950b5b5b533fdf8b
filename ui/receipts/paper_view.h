#pragma once

#include "ui/receipts/receipt.h"

#include <QtWidgets/QWidget>

#include <memory>

class QTextDocument;

namespace ikkai {

/// The paper as it will come out: black on white, also in the dark theme.
class PaperView final : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)

public:
    explicit PaperView(QWidget *parent = nullptr);
    ~PaperView() override;

    void show(const Receipt &receipt);
    using QWidget::show;
    [[nodiscard]] QString text() const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::unique_ptr<QTextDocument> m_document;
};

} // namespace ikkai
