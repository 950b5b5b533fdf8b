#include "ui/receipts/paper_view.h"

#include "ui/receipts/receipt_document.h"
#include "ui/theme/theme.h"

#include <QtGui/QAbstractTextDocumentLayout>
#include <QtGui/QPainter>
#include <QtGui/QTextDocument>

namespace ikkai {

namespace {

constexpr int paperEdge = 24;
constexpr qreal enlarged = 1.25; ///< 9 pt of paper are read at arm's length on the screen

} // namespace

PaperView::PaperView(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

PaperView::~PaperView() = default;

void PaperView::show(const Receipt &receipt)
{
    m_document = documentOf(receipt);
    m_document->setTextWidth(receiptWidthMm / 25.4 * logicalDpiX());
    setAccessibleName(receipt.title);
    setAccessibleDescription(receipt.text());
    setFixedSize(sizeHint());
    update();
}

QString PaperView::text() const
{
    return m_document ? m_document->toPlainText() : QString();
}

QSize PaperView::sizeHint() const
{
    if (!m_document)
        return {300, 300};
    return (m_document->size() * enlarged).toSize() + QSize(2 * paperEdge, 2 * paperEdge);
}

void PaperView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Qt::white);
    painter.setPen(QPen(theme::color(theme::Token::Line), 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    if (!m_document)
        return;
    painter.translate(paperEdge, paperEdge);
    painter.scale(enlarged, enlarged);
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, Qt::black); // it is paper, whatever the theme
    m_document->documentLayout()->draw(&painter, context);
}

} // namespace ikkai
