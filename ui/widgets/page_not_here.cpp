#include "ui/widgets/page_not_here.h"

#include "ui/widgets/flow_text.h"

#include <QtCore/QEvent>
#include <QtWidgets/QVBoxLayout>

namespace ikkai {

PageNotHere::PageNotHere(QWidget *parent)
    : QWidget(parent)
    , m_sentence(new FlowText(theme::Type::Sentence, theme::Token::Text, this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 16);
    column->addWidget(m_sentence);
    column->addStretch(1);
    retranslate();
}

void PageNotHere::retranslate()
{
    m_sentence->setMarked(tr("This page is not available |in this window."));
}

void PageNotHere::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace ikkai
