#pragma once

#include "core/domain/clock.h"

#include "ui/receipts/print_engine.h"
#include "ui/receipts/print_memory.h"

#include <QtCore/QThread>
#include <QtWidgets/QWidget>

#include <functional>
#include <memory>
#include <optional>

class QComboBox;
class QScrollArea;

namespace ikkai {

class Button;
class FlowText;
class Label;
class PaperView;

/// The paper of one checkout, as it will come out, and the ways to get it: a printer or a PDF file. Holds a copy of the
/// checkout and can change none: a printer that jams changes nothing but a sentence here. GUI thread; the printing is
/// done on a thread of its own.
class ReceiptPage final : public QWidget {
    Q_OBJECT

public:
    /// `engine` none: the machine's printers, on a thread that belongs to the page and begins with the first paper. One
    /// that is given may live on another thread and must outlive the page, as `clock` must.
    explicit ReceiptPage(const Clock &clock, PrintEngine *engine = nullptr, QWidget *parent = nullptr);
    ~ReceiptPage() override;

    /// What is shown until the next call or `closed`.
    void show(const Checkout &checkout, PrintOrigin origin);
    using QWidget::show;
    /// A paper of no single checkout: `make` makes it, again in each language that comes into force. `fileName` is what
    /// a PDF file is called first.
    void showOther(std::function<Receipt()> make, const QString &fileName);
    void arrange(bool compact);
    [[nodiscard]] const std::optional<Receipt> &receipt() const { return m_receipt; }

public Q_SLOTS:
    /// The checkout on show may have been settled: the paper says so then.
    void noteChanged(const ikkai::Checkout &checkout, bool recorded);
    /// Prints to this file.
    void printTo(const QString &pdfFile);

Q_SIGNALS:
    /// Back to where the paper was asked for.
    void closed();

    // To the engine.
    void printWanted(const ikkai::PrintOrder &order);
    void printersWanted();

protected:
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    /// What the last order came to, said below the buttons.
    enum class Said { Nothing, Printing, Written, SentToPrinter, NotPrinted };

    void build();
    void startOwnEngine();
    void speakTo(PrintEngine *engine);
    void retranslate();
    void make();
    void begin();
    void refresh();
    [[nodiscard]] QString saidWords() const;
    void order(PrintOrder::Target target, const QString &name);
    void takePrinted(int id);
    void takeNotPrinted(int id, const QString &what);
    void takePrinters(const QStringList &names, const QString &usual);
    void chooseFile();
    [[nodiscard]] QString fileName() const;

    std::unique_ptr<QThread> m_thread; ///< of an engine of our own
    PrintMemory m_memory;
    std::optional<Checkout> m_checkout;
    PrintOrigin m_origin = PrintOrigin::Outcome;
    std::function<Receipt()> m_other; ///< or none: the paper is the checkout's
    QString m_otherName;
    std::optional<Receipt> m_receipt;

    struct Ordered {
        int id = 0;
        std::optional<Checkout> checkout; ///< none: of the other paper
        PrintOrder::Target target;
        QString name;
    };
    std::optional<Ordered> m_ordered; ///< the order that is on its way
    int m_lastId = 0;
    bool m_isConnected = false; ///< to an engine
    bool m_printersAreKnown = false;
    Said m_said = Said::Nothing;
    QString m_saidOf;

    Label *m_title;
    FlowText *m_sentence;
    QScrollArea *m_scroll;
    PaperView *m_paper;
    Label *m_printerTitle;
    QComboBox *m_printers;
    FlowText *m_noPrinter;
    Button *m_print;
    Button *m_file;
    FlowText *m_state;
    Button *m_back;
};

} // namespace ikkai
