#pragma once

#include "core/journal/journal.h"

#include "ui/i18n/language.h"
#include "ui/theme/tokens.h"

#include <QtWidgets/QWidget>

#include <vector>

namespace ikkai {

class Button;
class FlowText;
class Label;
class OutcomeBanner;

/// The window that opens instead of the till where the journal cannot be used: what it means, what still works, what to
/// do, in both languages. Nothing can be charged from it. Closing it is all it leads to. GUI thread; a top-level
/// widget of its own, which sets the application's look and language as MainWindow does.
class JournalFaultScreen : public QWidget {
    Q_OBJECT

public:
    JournalFaultScreen(JournalError error, Language language, theme::Mode mode, QWidget *parent = nullptr);

    void setLanguage(Language language);

Q_SIGNALS:
    void closed();

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void retranslate();
    void place();

    JournalError m_error;
    LanguageSwitch m_language;
    OutcomeBanner *m_banner;
    FlowText *m_means;
    Label *m_worksTitle;
    FlowText *m_works;
    Label *m_toDoTitle;
    FlowText *m_toDo;
    FlowText *m_record;
    Button *m_other;
    Button *m_copy;
    Button *m_close;
};

} // namespace ikkai
