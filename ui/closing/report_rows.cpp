#include "ui/closing/report_rows.h"

#include "ui/closing/row_painting.h"
#include "ui/i18n/store_time.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QStyledItemDelegate>

#include <algorithm>

namespace ikkai {

namespace {

struct ReportWords {
    Q_DECLARE_TR_FUNCTIONS(ReportWords)
};

constexpr int headingHeight = 44;
constexpr int totalHeight = 44;
constexpr int plainHeight = 52;
constexpr int notedHeight = 62;
constexpr int sidePad = 16;
constexpr int actionWidth = 104;

int heightOf(const ReportRow &row)
{
    switch (row.kind) {
    case ReportRow::Kind::Heading:
    case ReportRow::Kind::Quiet:
        return headingHeight;
    case ReportRow::Kind::Total:
        return totalHeight;
    case ReportRow::Kind::Line:
        break;
    }
    return row.note.isEmpty() ? plainHeight : notedHeight;
}

QRect actionPlace(const QRect &rect)
{
    return {rect.right() - sidePad - actionWidth + 5, rect.top() + (rect.height() - theme::metrics::minimumTarget) / 2,
            actionWidth, theme::metrics::minimumTarget};
}

void paintTotal(QPainter &painter, const QRect &rect, const ReportRow &row)
{
    rows::sign(painter, rect.adjusted(sidePad, 0, 0, 0), row.sign.icon, row.sign.role);
    const int x = rect.left() + sidePad + 36;
    const int amountWidth =
        std::max(110, QFontMetrics(theme::font(theme::Type::FiguresStrong)).horizontalAdvance(row.amount));
    const int amountLeft = rect.right() - sidePad - amountWidth;
    constexpr int countWidth = 64;
    rows::text(painter, {x, rect.top(), amountLeft - countWidth - x, rect.height()}, theme::Type::Strong,
               theme::color(row.sign.role, theme::Part::Text), Qt::AlignLeft, row.sign.word);
    rows::text(painter, {amountLeft - countWidth, rect.top(), countWidth, rect.height()}, theme::Type::Figures,
               theme::color(theme::Token::Text), Qt::AlignRight, row.text);
    rows::text(painter, {amountLeft, rect.top(), amountWidth, rect.height()}, theme::Type::FiguresStrong,
               theme::color(theme::Token::Text), Qt::AlignRight, row.amount);
}

void paintLine(QPainter &painter, const QRect &rect, const ReportRow &row, bool hasFocus)
{
    using theme::color;
    using theme::Token;
    using theme::Type;
    const int right = row.actionLabel.isEmpty() ? rect.right() - sidePad : actionPlace(rect).left() - 8;
    const int first = row.note.isEmpty() ? rect.height() : 36;
    int x = rect.left() + sidePad;
    const auto cell = [&](int width) { return QRect(x, rect.top(), width, first); };
    const int room = right - x;
    const int time = std::clamp(room * 19 / 100, 96, 120);
    const int order = std::clamp(room * 22 / 100, 84, 200);
    const int amount = std::clamp(room * 20 / 100, 90, 140);
    rows::text(painter, cell(time), Type::Figures, color(Token::Muted), Qt::AlignLeft, row.time);
    x += time + 8;
    rows::text(painter, cell(order), Type::Figures, color(Token::Text), Qt::AlignLeft, row.text);
    x += order + 8;
    rows::text(painter, cell(amount), Type::FiguresStrong, color(Token::Text), Qt::AlignRight, row.amount);
    x += amount + 20;
    rows::sign(painter, cell(24), row.sign.icon, row.sign.role);
    x += 34;
    rows::text(painter, cell(right - x), Type::Strong, color(row.sign.role, theme::Part::Text), Qt::AlignLeft,
               row.sign.word);
    if (!row.note.isEmpty()) {
        const int left = rect.left() + sidePad + time + 8;
        rows::text(painter, {left, rect.top() + 34, right - left, 20}, Type::Small, color(Token::Muted), Qt::AlignLeft,
                   row.note);
    }
    if (!row.actionLabel.isEmpty())
        rows::button(painter, actionPlace(rect), row.actionLabel, rows::ButtonLook::Secondary, hasFocus);
}

class ReportDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        return {200, heightOf(static_cast<const ReportRowsModel *>(index.model())->at(index.row()))};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const ReportRow &row = static_cast<const ReportRowsModel *>(index.model())->at(index.row());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        rows::ground(*painter, option, true);
        const QRect words = option.rect.adjusted(sidePad, 0, -sidePad, 0);
        switch (row.kind) {
        case ReportRow::Kind::Heading:
            rows::text(*painter, words, theme::Type::SmallStrong, theme::color(theme::Token::Muted), Qt::AlignLeft,
                       row.text);
            break;
        case ReportRow::Kind::Quiet:
            rows::text(*painter, words, theme::Type::Body, theme::color(theme::Token::Text), Qt::AlignLeft, row.text);
            break;
        case ReportRow::Kind::Total:
            paintTotal(*painter, option.rect, row);
            break;
        case ReportRow::Kind::Line:
            paintLine(*painter, option.rect, row, option.state & QStyle::State_HasFocus);
            break;
        }
        painter->restore();
    }
};

ReportRow reportHeading(const QString &text)
{
    ReportRow row;
    row.kind = ReportRow::Kind::Heading;
    row.text = text;
    return row;
}

ReportRow reportQuiet(const QString &text)
{
    ReportRow row = reportHeading(text);
    row.kind = ReportRow::Kind::Quiet;
    return row;
}

ReportRow reportLine(const DayReport &report, const DayLine &of, ReportRow::Way way)
{
    const bool isThatDay = businessDayOf(store::calendar(), of.startedWallMs) == report.businessDay;
    ReportRow row;
    row.kind = ReportRow::Kind::Line;
    row.time = isThatDay ? store::clock(of.startedWallMs) : store::dayAndClock(of.startedWallMs);
    row.text = of.order.text();
    row.amount = format(of.money);
    row.sign = outcomeSign(of.state);
    row.note = of.note;
    row.way = way;
    row.actionLabel = way == ReportRow::Way::ToCheckout ? ReportWords::tr("Show") : ReportWords::tr("Details");
    row.key = of.key;
    return row;
}

/// The word of a remark is an outcome word (the bank contradicts) or what a supervisor wrote.
QString remarkNote(const DayLine &of)
{
    const OutcomeSign said = outcomeSign(of.note);
    const bool isWord = of.note == QLatin1StringView("unknown") || said != outcomeSign(QStringLiteral("unknown"));
    return isWord ? ReportWords::tr("the bank says now: %1").arg(said.word)
                  : ReportWords::tr("supervisor: %1").arg(of.note);
}

} // namespace

std::vector<ReportRow> totalRows(const DayReport &report)
{
    std::vector<ReportRow> made;
    made.push_back(reportHeading(ReportWords::tr("Settled in this day")));
    for (const DayTotal &total : report.totals) {
        ReportRow row;
        row.kind = ReportRow::Kind::Total;
        row.sign = outcomeSign(total.outcome);
        row.text = countWords(total.count);
        row.amount = formatMinorUnits(total.sumMinor, total.currency);
        made.push_back(row);
    }
    if (report.totals.isEmpty())
        made.push_back(reportQuiet(ReportWords::tr("No payment was settled.")));
    return made;
}

std::vector<ReportRow> lineRows(const DayReport &report)
{
    std::vector<ReportRow> made;
    const bool isClosed = report.number > 0;
    if (!report.carried.isEmpty()) {
        made.push_back(reportHeading(
            isClosed
                ? ReportWords::tr("Were open at closing and carried over: %1").arg(countWords(report.carried.size()))
                : ReportWords::tr("Still open, stay with us: %1").arg(countWords(report.carried.size()))));
        for (const DayLine &of : report.carried)
            made.push_back(reportLine(report, of, isClosed ? ReportRow::Way::ToRecord : ReportRow::Way::ToCheckout));
    }
    if (!report.carriedIn.isEmpty()) {
        made.push_back(reportHeading(ReportWords::tr("Carried over from before, settled in this day: %1")
                                         .arg(countWords(report.carriedIn.size()))));
        for (const DayLine &of : report.carriedIn)
            made.push_back(reportLine(report, of, ReportRow::Way::ToRecord));
    }
    if (!report.remarks.isEmpty()) {
        made.push_back(reportHeading(ReportWords::tr("Look at these: %1").arg(countWords(report.remarks.size()))));
        for (const DayLine &of : report.remarks) {
            made.push_back(reportLine(report, of, ReportRow::Way::ToRecord));
            if (!of.note.isEmpty())
                made.back().note = remarkNote(of);
        }
    }
    if (made.empty())
        made.push_back(reportQuiet(ReportWords::tr("Nothing is open and nothing is out of the ordinary.")));
    return made;
}

void ReportRowsModel::setRows(std::vector<ReportRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int ReportRowsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ReportRowsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    const ReportRow &row = at(index.row());
    QStringList words;
    if (row.kind == ReportRow::Kind::Total)
        words << row.sign.word << row.text << row.amount;
    else
        words << row.time << row.text << row.amount << row.sign.word << row.note << row.actionLabel;
    words.removeAll(QString());
    return words.join(QLatin1Char(' '));
}

Qt::ItemFlags ReportRowsModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const bool isLine = at(index.row()).kind == ReportRow::Kind::Line;
    return isLine ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
                  : Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
}

ReportRowsList::ReportRowsList(QWidget *parent)
    : QListView(parent)
    , m_model(new ReportRowsModel(this))
{
    setModel(m_model);
    setItemDelegate(new ReportDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    viewport()->setAutoFillBackground(false);
    QPalette clear = palette();
    clear.setColor(QPalette::Base, Qt::transparent);
    setPalette(clear);
    connect(this, &QListView::clicked, this, &ReportRowsList::press);
}

void ReportRowsList::setRows(std::vector<ReportRow> rows)
{
    // The selection is pinned to the payment, not to the row.
    const int now = currentIndex().row();
    const auto selected = now >= 0 ? m_model->at(now).key : std::nullopt;
    m_model->setRows(std::move(rows));
    for (int row = 0; selected && row < m_model->rowCount(); ++row) {
        if (m_model->at(row).key == selected)
            setCurrentIndex(m_model->index(row));
    }
}

void ReportRowsList::press(const QModelIndex &index)
{
    if (!index.isValid())
        return;
    const ReportRow row = m_model->at(index.row());
    if (row.way != ReportRow::Way::None && row.key)
        Q_EMIT actionWanted(row);
}

void ReportRowsList::keyPressEvent(QKeyEvent *event)
{
    const bool presses =
        event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (!presses) {
        QListView::keyPressEvent(event);
        return;
    }
    event->accept();
    if (!event->isAutoRepeat())
        press(currentIndex());
}

void ReportRowsList::paintEvent(QPaintEvent *event)
{
    {
        QPainter painter(viewport());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme::color(theme::Token::Line), 1));
        painter.setBrush(theme::color(theme::Token::Surface));
        painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusCard,
                                theme::metrics::radiusCard);
    }
    QListView::paintEvent(event);
}

} // namespace ikkai
