#pragma once

#include "ui/closing/card.h"

#include <memory>

namespace ikkai {

class Button;
class FlowText;
class Label;
class ReportRowsList;
struct Difference;

/// What the bank lists under a difference that this till has no record of: to read out, or to copy for the bank.
class BankChargesCard : public Card {
    Q_OBJECT

public:
    explicit BankChargesCard(QWidget *parent = nullptr);
    ~BankChargesCard() override;

    void setDifference(const Difference &difference);

Q_SIGNALS:
    void backWanted();

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void retranslate();
    [[nodiscard]] QString lines() const;

    std::unique_ptr<Difference> m_difference;
    Label *m_title;
    FlowText *m_text;
    ReportRowsList *m_rows;
    Button *m_copy;
    Button *m_back;
};

} // namespace ikkai
