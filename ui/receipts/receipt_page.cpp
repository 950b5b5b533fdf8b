#include "ui/receipts/receipt_page.h"

#include "ui/object_names.h"
#include "ui/receipts/paper_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_text.h"
#include "ui/widgets/label.h"

#include <QtCore/QEvent>
#include <QtCore/QFileInfo>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QScrollArea>

namespace ikkai {

namespace {

constexpr int printerPatienceMs = 3'000;

/// A list of printers in the look of the house's fields.
class PrinterChooser final : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme::color(theme::Token::Outline), 1));
        painter.setBrush(theme::color(theme::Token::Surface));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusControl,
                                theme::metrics::radiusControl);
        painter.setFont(font());
        painter.setPen(theme::color(theme::Token::Text));
        const QRect inside = rect().adjusted(15, 0, -44, 0);
        painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(currentText(), Qt::ElideMiddle, inside.width()));
        icons::paint(painter, icons::Icon::Down, QRectF(width() - 33, (height() - 18) / 2.0, 18, 18),
                     theme::color(theme::Token::Text), theme::color(theme::Token::Surface));
    }
};

} // namespace

ReceiptPage::ReceiptPage(const Clock &clock, PrintEngine *engine, QWidget *parent)
    : QWidget(parent)
    , m_memory(clock.now().wallMs)
    , m_title(new Label(theme::Type::ChoiceTitle, theme::Token::Text, this))
    , m_sentence(new FlowText(theme::Type::Body, theme::Token::Muted, this))
    , m_scroll(new QScrollArea(this))
    , m_paper(new PaperView)
    , m_printerTitle(new Label(theme::Type::CardTitle, theme::Token::Text, this))
    , m_printers(new PrinterChooser(this))
    , m_noPrinter(new FlowText(theme::Type::Body, theme::Token::Muted, this))
    , m_print(new Button(Button::Kind::Primary, this))
    , m_file(new Button(Button::Kind::Secondary, this))
    , m_state(new FlowText(theme::Type::Body, theme::Token::Text, this))
    , m_back(new Button(Button::Kind::Secondary, this))
{
    build();
    if (engine)
        speakTo(engine);
    connect(m_print, &Button::clicked, this, [this] { order(PrintOrder::Target::Printer, m_printers->currentText()); });
    connect(m_file, &Button::clicked, this, &ReceiptPage::chooseFile);
    connect(m_back, &Button::clicked, this, &ReceiptPage::closed);
    arrange(false);
    retranslate();
}

void ReceiptPage::startOwnEngine()
{
    auto *engine = new SystemPrintEngine;
    m_thread = std::make_unique<QThread>();
    m_thread->setObjectName(QStringLiteral("printing"));
    engine->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::finished, engine, &QObject::deleteLater);
    m_thread->start();
    speakTo(engine);
}

void ReceiptPage::speakTo(PrintEngine *engine)
{
    m_isConnected = true;
    connect(this, &ReceiptPage::printWanted, engine, &PrintEngine::print, Qt::QueuedConnection);
    connect(this, &ReceiptPage::printersWanted, engine, &PrintEngine::findPrinters, Qt::QueuedConnection);
    connect(engine, &PrintEngine::printed, this, &ReceiptPage::takePrinted, Qt::QueuedConnection);
    connect(engine, &PrintEngine::notPrinted, this, &ReceiptPage::takeNotPrinted, Qt::QueuedConnection);
    connect(engine, &PrintEngine::printersFound, this, &ReceiptPage::takePrinters, Qt::QueuedConnection);
}

ReceiptPage::~ReceiptPage()
{
    if (m_thread) {
        m_thread->quit();
        if (!m_thread->wait(printerPatienceMs))
            (void)m_thread.release(); // a printer that hangs does not hold up the end of the program
    }
}

void ReceiptPage::build()
{
    setObjectName(names::receiptPage);
    m_sentence->setObjectName(names::receiptSentence);
    m_paper->setObjectName(names::receiptPaper);
    m_printers->setObjectName(names::receiptPrinters);
    m_printers->view()->setObjectName(names::receiptPrinterList);
    m_noPrinter->setObjectName(names::receiptNoPrinter);
    m_print->setObjectName(names::receiptPrint);
    m_file->setObjectName(names::receiptFile);
    m_state->setObjectName(names::receiptState);
    m_back->setObjectName(names::receiptBack);
    m_scroll->setObjectName(names::receiptScroll);
    m_print->setShape(icons::Icon::Print);
    m_print->setType(theme::Type::Primary);
    m_print->setFixedHeight(56);
    m_file->setShape(icons::Icon::Export);
    m_printers->setFixedHeight(theme::metrics::minimumTarget);
    m_printers->setFont(theme::font(theme::Type::Body));
    m_scroll->setWidget(m_paper);
    m_scroll->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QSizePolicy flows(QSizePolicy::Expanding, QSizePolicy::Preferred); // as many lines as it takes
    flows.setHeightForWidth(true);
    for (FlowText *text : {m_sentence, m_noPrinter, m_state})
        text->setSizePolicy(flows);

    auto *side = new QVBoxLayout;
    side->setSpacing(12);
    side->addWidget(m_title);
    side->addWidget(m_sentence);
    side->addSpacing(8);
    side->addWidget(m_printerTitle);
    side->addWidget(m_printers);
    side->addWidget(m_noPrinter);
    side->addWidget(m_print);
    side->addWidget(m_file);
    side->addSpacing(4);
    side->addWidget(m_state);
    side->addStretch(1);
    side->addWidget(m_back);
    auto *row = new QHBoxLayout(this);
    row->setSpacing(24);
    row->addWidget(m_scroll, 3);
    row->addLayout(side, 2);
}

void ReceiptPage::arrange(bool compact)
{
    const int edge = compact ? 16 : 24;
    layout()->setContentsMargins(edge, compact ? 12 : 16, edge, compact ? 12 : 20);
}

void ReceiptPage::show(const Checkout &checkout, PrintOrigin origin)
{
    m_checkout = checkout;
    m_origin = origin;
    m_other = nullptr;
    begin();
}

void ReceiptPage::showOther(std::function<Receipt()> make, const QString &fileName)
{
    m_checkout.reset();
    m_other = std::move(make);
    m_otherName = fileName;
    begin();
}

void ReceiptPage::begin()
{
    m_said = Said::Nothing;
    m_scroll->ensureVisible(0, 0);
    make();
    m_back->setFocus(); // Enter goes back; paper takes a press of its own
    if (!m_isConnected)
        startOwnEngine(); // most sales print nothing: no thread before it is needed
    Q_EMIT printersWanted();
}

void ReceiptPage::make()
{
    if (m_other)
        m_receipt = m_other();
    else
        m_receipt = m_checkout ? receiptOf(*m_checkout, m_memory.paperFor(*m_checkout, m_origin)) : std::nullopt;
    if (m_receipt)
        m_paper->show(*m_receipt);
    refresh();
}

void ReceiptPage::noteChanged(const Checkout &checkout, bool recorded)
{
    if (!recorded || !m_checkout || m_checkout->key != checkout.key || *m_checkout == checkout)
        return;
    const auto before = m_receipt;
    m_checkout = checkout;
    make();
    if (before && m_receipt && before->kind != m_receipt->kind) {
        m_said = Said::Nothing; // that was another paper
        refresh();
    }
}

void ReceiptPage::order(PrintOrder::Target target, const QString &name)
{
    if (!m_receipt || m_ordered || name.isEmpty())
        return;
    m_ordered = Ordered{++m_lastId, m_checkout, target, name};
    m_said = Said::Printing;
    refresh();
    Q_EMIT printWanted({m_lastId, *m_receipt, target, name});
}

void ReceiptPage::printTo(const QString &pdfFile)
{
    order(PrintOrder::Target::PdfFile, pdfFile);
}

void ReceiptPage::takePrinted(int id)
{
    if (!m_ordered || m_ordered->id != id)
        return;
    if (m_ordered->checkout)
        m_memory.note(*m_ordered->checkout);
    const bool isShown =
        m_ordered->checkout ? m_checkout && m_ordered->checkout->key == m_checkout->key : bool(m_other);
    if (isShown) {
        m_said = m_ordered->target == PrintOrder::Target::Printer ? Said::SentToPrinter : Said::Written;
        m_saidOf = m_said == Said::Written ? QFileInfo(m_ordered->name).fileName() : m_ordered->name;
    }
    m_ordered.reset();
    make();
}

void ReceiptPage::takeNotPrinted(int id, const QString &what)
{
    if (!m_ordered || m_ordered->id != id)
        return;
    m_said = Said::NotPrinted;
    m_saidOf = what;
    m_ordered.reset();
    refresh();
}

void ReceiptPage::takePrinters(const QStringList &printers, const QString &usual)
{
    m_printersAreKnown = true;
    const QString chosen = m_printers->currentText();
    m_printers->clear();
    m_printers->addItems(printers);
    m_printers->setCurrentText(printers.contains(chosen) ? chosen : usual);
    refresh();
}

void ReceiptPage::refresh()
{
    const bool any = m_printers->count() > 0;
    m_printers->setVisible(any);
    m_noPrinter->setVisible(m_printersAreKnown && !any);
    m_print->setEnabled(any && m_receipt && !m_ordered);
    m_file->setEnabled(m_receipt && !m_ordered);
    m_sentence->setMarked(
        m_other ? tr("Printing changes nothing.")
        : m_receipt && m_receipt->isReprint()
            ? tr("A second paper is marked as a reprint. |Printing changes nothing about the payment.")
            : tr("Printing changes nothing about the payment."));
    m_state->setToken(m_said == Said::NotPrinted ? theme::Token::BadText : theme::Token::Text);
    m_state->setMarked(saidWords());
    m_print->setText(m_said == Said::SentToPrinter || m_said == Said::NotPrinted ? tr("Print again") : tr("Print"));
}

QString ReceiptPage::saidWords() const
{
    switch (m_said) {
    case Said::Nothing:
        break;
    case Said::Printing:
        return tr("Printing …");
    case Said::Written:
        return tr("<b>Written:</b> %1").arg(m_saidOf);
    case Said::SentToPrinter:
        if (m_other)
            return tr("<b>Sent to %1.</b> |If no paper comes out, put it right and print again.").arg(m_saidOf);
        return tr("<b>Sent to %1.</b> |If no paper comes out, put it right and print again: |it is marked as a "
                  "reprint.")
            .arg(m_saidOf);
    case Said::NotPrinted:
        if (m_other)
            return tr("<b>Not printed.</b> |%1 |Print again at any time.").arg(m_saidOf);
        return tr("<b>Not printed.</b> |%1 |The payment stands as it is. Print again at any time.").arg(m_saidOf);
    }
    return {};
}

void ReceiptPage::retranslate()
{
    m_title->setText(tr("Print"));
    m_printerTitle->setText(tr("Printer"));
    m_printers->setAccessibleName(tr("Printer"));
    m_printers->view()->setAccessibleName(tr("Printer"));
    m_scroll->setAccessibleName(tr("The paper as it will come out"));
    m_noPrinter->setMarked(tr("No printer is set up here. |A PDF file works always."));
    m_file->setText(tr("PDF file"));
    m_back->setText(tr("Back"));
    make();
}

void ReceiptPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void ReceiptPage::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        event->accept();
        Q_EMIT closed();
        return;
    }
    QWidget::keyPressEvent(event);
}

void ReceiptPage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme::color(theme::Token::Window));
}

QString ReceiptPage::fileName() const
{
    if (m_other)
        return m_otherName;
    QString order = m_checkout->order.text();
    for (QChar &c : order) {
        if (!c.isLetterOrNumber() && c != QLatin1Char('-') && c != QLatin1Char('_'))
            c = QLatin1Char('_'); // an order may be called ../../x
    }
    return QStringLiteral("receipt-%1-%2.pdf").arg(order, m_checkout->key.lastFour());
}

void ReceiptPage::chooseFile()
{
    if (!m_receipt)
        return;
    auto *dialog = new QFileDialog(this, tr("PDF file"));
    dialog->setObjectName(names::receiptFileDialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setNameFilter(tr("PDF (*.pdf)"));
    dialog->setDefaultSuffix(QStringLiteral("pdf"));
    dialog->selectFile(fileName());
    connect(dialog, &QFileDialog::fileSelected, this, &ReceiptPage::printTo);
    dialog->open();
}

} // namespace ikkai
