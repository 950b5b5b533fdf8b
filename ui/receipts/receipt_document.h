#pragma once

#include "ui/receipts/receipt.h"

#include <QtCore/QByteArray>

#include <memory>

class QPagedPaintDevice;
class QTextDocument;

namespace ikkai {

/// A receipt is as wide as a roll of 80 mm prints: 72 mm. On a larger sheet it stands at the top, in the middle.
inline constexpr qreal receiptWidthMm = 72;

/// The receipt as it is laid out, for the screen and for paper. Black on white in every theme. Any thread; the document
/// belongs to the thread that makes it.
[[nodiscard]] std::unique_ptr<QTextDocument> documentOf(const Receipt &receipt);

/// One page of 80 mm as long as the receipt is.
[[nodiscard]] QByteArray pdfOf(const Receipt &receipt);

/// Paints it on the device's page. False: the device does not take it.
[[nodiscard]] bool paintReceipt(const Receipt &receipt, QPagedPaintDevice &device);

} // namespace ikkai
