#pragma once

#include "core/checkout/checkout_service.h"

#include "ui/i18n/language.h"

#include <QtWidgets/QWidget>

namespace ikkai {

class Button;
class Label;
class LinkMark;
class NavButton;

/// Brand, till, pages, the way to the bank, language, clock.
class HeaderBar : public QWidget {
    Q_OBJECT

public:
    enum class Page { Charge, Open };

    HeaderBar(const QString &terminalId, bool withTrainer, QWidget *parent = nullptr);

    void setPage(Page page);
    void setOpenCount(int count);
    void setLink(BankLink link);
    void setLanguage(Language language);
    void setTime(const QString &time);
    void setTrainerShown(bool shown);
    void arrange(bool compact);

Q_SIGNALS:
    void pageWanted(ikkai::HeaderBar::Page page);
    void otherLanguageWanted();
    void trainerWanted(bool shown);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    Label *m_brand;
    Label *m_till;
    NavButton *m_charge;
    NavButton *m_open;
    LinkMark *m_mark;
    Label *m_linkWords;
    Button *m_trainer;
    Button *m_language;
    Label *m_clock;
    BankLink m_link = BankLink::NotTriedYet;
    Language m_shown = Language::English;
};

} // namespace ikkai
