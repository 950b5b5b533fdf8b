#include "ui/receipts/print_engine.h"

#include "core/domain/output_file.h"
#include "ui/receipts/receipt_document.h"

#include <QtCore/QSaveFile>
#include <QtPrintSupport/QPrinter>
#include <QtPrintSupport/QPrinterInfo>

namespace ikkai {

void SystemPrintEngine::print(const PrintOrder &order)
{
    if (order.target == PrintOrder::Target::PdfFile)
        writePdf(order);
    else
        sendToPrinter(order);
}

void SystemPrintEngine::writePdf(const PrintOrder &order)
{
    if (const auto why = whyNotReplaced(order.name)) {
        Q_EMIT notPrinted(order.id, QStringLiteral("%1 cannot be written: %2.").arg(order.name, *why));
        return;
    }
    const QByteArray pdf = pdfOf(order.receipt);
    QSaveFile file(order.name);
    if (!file.open(QIODevice::WriteOnly) || file.write(pdf) != pdf.size() || !file.commit()) {
        Q_EMIT notPrinted(order.id, QStringLiteral("%1 cannot be written: %2.").arg(order.name, file.errorString()));
        return;
    }
    Q_EMIT printed(order.id);
}

void SystemPrintEngine::sendToPrinter(const PrintOrder &order)
{
    const QPrinterInfo info = QPrinterInfo::printerInfo(order.name);
    if (info.isNull()) {
        Q_EMIT notPrinted(order.id, QStringLiteral("There is no printer %1.").arg(order.name));
        return;
    }
    if (info.state() == QPrinter::Error) {
        Q_EMIT notPrinted(order.id, QStringLiteral("The printer %1 has stopped.").arg(order.name));
        return;
    }
    QPrinter printer(info, QPrinter::HighResolution);
    printer.setDocName(order.receipt.title);
    const bool painted = printer.isValid() && paintReceipt(order.receipt, printer);
    const auto state = printer.printerState();
    if (painted && state != QPrinter::Error && state != QPrinter::Aborted)
        Q_EMIT printed(order.id);
    else
        Q_EMIT notPrinted(order.id, QStringLiteral("The printer %1 did not take it.").arg(order.name));
}

void SystemPrintEngine::findPrinters()
{
    Q_EMIT printersFound(QPrinterInfo::availablePrinterNames(), QPrinterInfo::defaultPrinterName());
}

} // namespace ikkai
