#pragma once

#include "ui/receipts/receipt.h"

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace ikkai {

struct PrintOrder {
    enum class Target { PdfFile, Printer };
    int id = 0; ///< comes back with the answer
    Receipt receipt;
    Target target = Target::PdfFile;
    QString name; ///< of the file or of the printer
};

/// Puts receipts on paper. Knows nothing of checkouts, so nothing that happens here can touch one. Disks and printers
/// may be slow: it lives on a thread of its own and is spoken to by queued calls. Every order is answered once.
class PrintEngine : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

public Q_SLOTS:
    virtual void print(const ikkai::PrintOrder &order) = 0;
    virtual void findPrinters() = 0;

Q_SIGNALS:
    /// Handed over: written whole, or taken by the printer. Whether paper came out, only people see.
    void printed(int id);
    /// Nothing was handed over. `what`: one English sentence that names the file or printer.
    void notPrinted(int id, const QString &what);
    void printersFound(const QStringList &names, const QString &usual);
};

/// The printers of this machine, and PDF files that are written whole or not at all (QSaveFile).
class SystemPrintEngine final : public PrintEngine {
    Q_OBJECT

public:
    using PrintEngine::PrintEngine;

    void print(const PrintOrder &order) override;
    void findPrinters() override;

private:
    void writePdf(const PrintOrder &order);
    void sendToPrinter(const PrintOrder &order);
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::PrintOrder)
