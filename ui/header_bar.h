#pragma once

#include "core/checkout/checkout_service.h"

#include "ui/i18n/language.h"

#include <QtWidgets/QWidget>

class QHBoxLayout;

namespace ikkai {

class Button;
class Label;
class LinkMark;
class NavButton;

/// Brand, till, pages (Alt+1 to Alt+4), the way to the bank, language, clock. Narrow: closer together, the till's name
/// and the trainer's word go.
class HeaderBar : public QWidget {
    Q_OBJECT

public:
    enum class Page { Charge, Open, History, CloseDay };

    HeaderBar(const QString &terminalId, bool withTrainer, QWidget *parent = nullptr);

    void setPage(Page page);
    void setOpenCount(int count);
    void setLink(BankLink link);
    void setLanguage(Language language);
    void setTime(const QString &time);
    void setTrainerShown(bool shown);

Q_SIGNALS:
    void pageWanted(ikkai::HeaderBar::Page page);
    void otherLanguageWanted();
    void trainerWanted(bool shown);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void retranslate();
    void arrange(bool compact);
    [[nodiscard]] NavButton *buttonOf(Page page) const;

    Label *m_brand;
    Label *m_till;
    NavButton *m_charge;
    NavButton *m_open;
    NavButton *m_history;
    NavButton *m_closeDay;
    QHBoxLayout *m_nav;
    LinkMark *m_mark;
    Label *m_linkWords;
    Button *m_trainer;
    Button *m_language;
    Label *m_clock;
    bool m_compact = false;
    BankLink m_link = BankLink::NotTriedYet;
    Language m_shown = Language::English;
};

} // namespace ikkai
