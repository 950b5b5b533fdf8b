#include "ui/receipts/receipt_document.h"

#include <QtCore/QBuffer>
#include <QtGui/QAbstractTextDocumentLayout>
#include <QtGui/QPainter>
#include <QtGui/QPdfWriter>
#include <QtGui/QTextDocument>

#include <algorithm>

namespace ikkai {

namespace {

constexpr qreal mmPerInch = 25.4;
constexpr qreal rollMm = 80;
constexpr qreal edgeMm = 4;

QString cell(const QString &text)
{
    return text.toHtmlEscaped();
}

/// Where a document that is `widthMm` wide is laid out for a device of so many dots per inch.
void layOut(QTextDocument &document, QPaintDevice *device, int dpi)
{
    document.documentLayout()->setPaintDevice(device);
    document.setTextWidth(receiptWidthMm / mmPerInch * dpi);
}

} // namespace

std::unique_ptr<QTextDocument> documentOf(const Receipt &receipt)
{
    auto document = std::make_unique<QTextDocument>();
    QFont font;
    font.setFamilies({QStringLiteral("Noto Sans"), QStringLiteral("Noto Sans CJK JP"), QStringLiteral("sans-serif")});
    font.setPointSizeF(9);
    document->setDefaultFont(font);
    document->setDocumentMargin(0);
    QString html = QStringLiteral("<body style='color:#000000'>");
    const auto paragraph = [&html](const QString &text, const char *style) {
        html += QStringLiteral("<p align='center' style='margin:2px 0;%1'>%2</p>")
                    .arg(QLatin1StringView(style), cell(text));
    };
    if (receipt.isReprint()) {
        html += QStringLiteral("<table width='100%' border='1' cellspacing='0' cellpadding='3' "
                               "style='border-color:#000000'><tr><td align='center' style='font-size:13pt;"
                               "font-weight:bold'>%1</td></tr></table>")
                    .arg(cell(receipt.reprintMark));
    }
    paragraph(receipt.title, "font-size:11pt");
    paragraph(receipt.headline, "font-size:15pt;font-weight:bold");
    paragraph(receipt.amount, "font-size:19pt;font-weight:bold");
    html += QStringLiteral("<hr>");
    for (const QString &words : receipt.words)
        html += QStringLiteral("<p style='margin:3px 0'>%1</p>").arg(cell(words));
    html += QStringLiteral("<hr><table width='100%' cellspacing='0' cellpadding='1'>");
    for (const Receipt::Line &line : receipt.lines) {
        html += QStringLiteral("<tr><td>%1</td><td align='right' style='font-weight:bold'>%2</td></tr>")
                    .arg(cell(line.name), cell(line.value));
    }
    html += QStringLiteral("</table><p align='center' style='margin-top:6px;font-size:7pt'>%1</p></body>")
                .arg(cell(receipt.foot));
    document->setHtml(html);
    return document;
}

QByteArray pdfOf(const Receipt &receipt)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(300);
    writer.setTitle(receipt.title);
    writer.setCreator(QStringLiteral("Ikkai"));
    const auto document = documentOf(receipt);
    layOut(*document, &writer, writer.resolution());
    const qreal heightMm = document->size().height() / writer.resolution() * mmPerInch;
    writer.setPageSize(QPageSize(QSizeF(rollMm, heightMm + 2 * edgeMm + 1), QPageSize::Millimeter));
    writer.setPageMargins(QMarginsF(edgeMm, edgeMm, edgeMm, edgeMm), QPageLayout::Millimeter);
    QPainter painter(&writer);
    document->drawContents(&painter);
    painter.end();
    return bytes;
}

bool paintReceipt(const Receipt &receipt, QPagedPaintDevice &device)
{
    QPainter painter;
    if (!painter.begin(&device))
        return false;
    const auto document = documentOf(receipt);
    const int dpi = device.logicalDpiX();
    layOut(*document, &device, dpi);
    const QRect page = device.pageLayout().paintRectPixels(dpi);
    // A roll that is narrower takes it smaller, rather than cut.
    const qreal scale = std::min(1.0, page.width() / document->size().width());
    painter.translate(std::max(0.0, (page.width() - document->size().width() * scale) / 2), 0);
    painter.scale(scale, scale);
    document->drawContents(&painter);
    return painter.end();
}

} // namespace ikkai
