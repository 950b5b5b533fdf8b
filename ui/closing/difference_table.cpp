#include "ui/closing/difference_table.h"

#include "ui/closing/card.h"
#include "ui/closing/closing_client.h"
#include "ui/closing/row_painting.h"
#include "ui/object_names.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QStyledItemDelegate>

#include <algorithm>
#include <array>

namespace ikkai {

namespace {

constexpr int cellPadding = 16;
constexpr int signRoom = 38;

/// Where a row's button lies in its cell.
QRect buttonPlace(const QRect &cell)
{
    const QRect room = cell.adjusted(8, 0, -12, -1);
    return {room.left(), room.top() + (room.height() - theme::metrics::minimumTarget) / 2, room.width(),
            theme::metrics::minimumTarget};
}

class DifferenceDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        using theme::color;
        using theme::Token;
        using theme::Type;
        const DifferenceWords &words = static_cast<const DifferenceModel *>(index.model())->wordsAt(index.row());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        rows::ground(*painter, option, index.column() == DifferenceModel::What);
        const QRect cell = option.rect.adjusted(cellPadding, 0, -8, 0);
        const QString shown = index.data().toString();
        switch (index.column()) {
        case DifferenceModel::What: {
            rows::sign(*painter, cell.adjusted(2, 0, 0, 0), words.icon, words.role);
            const QRect lines = cell.adjusted(signRoom, 0, 0, 0);
            rows::text(*painter, QRect(lines.left(), lines.top() + 8, lines.width(), 22), Type::Strong,
                       color(words.role, theme::Part::Text), Qt::AlignLeft, words.word);
            rows::text(*painter, QRect(lines.left(), lines.top() + 30, lines.width(), 18), Type::Small,
                       color(Token::Muted), Qt::AlignLeft, words.sentence);
            break;
        }
        case DifferenceModel::BankMinusHere:
            rows::text(*painter, cell.adjusted(-8, 0, -8, 0), Type::FiguresStrong, color(Token::Text), Qt::AlignRight,
                       shown);
            break;
        case DifferenceModel::DoColumn:
            rows::button(*painter, buttonPlace(option.rect), words.actionLabel, lookOf(words.action),
                         hasFocus(option, index.row()));
            break;
        default:
            rows::text(*painter, cell, Type::Figures, color(Token::Text), Qt::AlignLeft, shown);
        }
        painter->restore();
    }

private:
    /// The button of the row that Enter would press, whichever cell the arrow keys came to.
    static bool hasFocus(const QStyleOptionViewItem &option, int row)
    {
        const auto *table = qobject_cast<const QTableView *>(option.widget);
        return table && table->hasFocus() && table->currentIndex().row() == row;
    }
    static rows::ButtonLook lookOf(DifferenceWords::Action action)
    {
        switch (action) {
        case DifferenceWords::Action::Settle:
            return rows::ButtonLook::Primary;
        case DifferenceWords::Action::Nothing:
            return rows::ButtonLook::Words;
        case DifferenceWords::Action::ShowRecord:
        case DifferenceWords::Action::ShowBankCharges:
            break;
        }
        return rows::ButtonLook::Secondary;
    }
};

} // namespace

DifferenceModel::DifferenceModel(ClosingClient *client, QObject *parent)
    : QAbstractTableModel(parent)
    , m_client(client)
{
}

void DifferenceModel::refresh()
{
    const std::optional<Reconciliation> &made = m_client->reconciliation();
    if (!made)
        return;
    if (m_client->madeCount() == m_made) {
        retranslate();
        return;
    }
    beginResetModel();
    m_made = m_client->madeCount();
    m_rows.clear();
    m_rows.reserve(static_cast<std::size_t>(made->differences.size()));
    for (const Difference &difference : made->differences)
        m_rows.push_back({difference, differenceWords(difference, m_client->settling(difference.key))});
    endResetModel();
}

void DifferenceModel::retranslate()
{
    if (m_rows.empty())
        return;
    for (Row &row : m_rows)
        row.words = differenceWords(row.difference, m_client->settling(row.difference.key));
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

int DifferenceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DifferenceModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DifferenceModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::TextAlignmentRole && index.column() == BankMinusHere)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
    case What:
        return row.words.word + QStringLiteral(": ") + row.words.sentence;
    case Order:
        return row.difference.orderId.isEmpty() ? tr("none", "order") : row.difference.orderId;
    case Here:
        return row.words.here;
    case AtBank:
        return row.words.atBank;
    case BankMinusHere:
        return row.words.bankMinusHere;
    case DoColumn:
        return row.words.actionLabel;
    default:
        return {};
    }
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == BankMinusHere ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter) : QVariant{};
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    switch (section) {
    case What:
        return tr("Difference");
    case Order:
        return tr("Order");
    case Here:
        return tr("This terminal");
    case AtBank:
        return tr("The bank");
    case BankMinusHere:
        return tr("Bank − here");
    default:
        return QString();
    }
}

DifferenceTable::DifferenceTable(DifferenceModel *model, QWidget *parent)
    : QTableView(parent)
{
    setObjectName(names::differences);
    setModel(model);
    setItemDelegate(new DifferenceDelegate(this));
    dressCardTable(this, headHeight, rowHeight);
    connect(this, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (index.column() == DifferenceModel::DoColumn)
            Q_EMIT actionWanted(index.row());
    });
    connect(model, &QAbstractItemModel::modelReset, this, [this] {
        if (this->model()->rowCount() > 0)
            setCurrentIndex(this->model()->index(0, DifferenceModel::DoColumn));
    });
    retranslate();
}

void DifferenceTable::retranslate()
{
    setAccessibleName(tr("Differences, worst first"));
}

void DifferenceTable::spread()
{
    // Of the whole width, in thousandths, as in the picture; what is left over is the button's.
    constexpr std::array shares{256, 98, 174, 190, 110};
    const int whole = viewport()->width();
    int used = 0;
    for (std::size_t column = 0; column < shares.size(); ++column) {
        const int width = whole * shares[column] / 1000;
        setColumnWidth(static_cast<int>(column), width);
        used += width;
    }
    setColumnWidth(DifferenceModel::DoColumn, whole - used);
}

void DifferenceTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    spread();
}

void DifferenceTable::keyPressEvent(QKeyEvent *event)
{
    const bool presses =
        event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (!presses) {
        QTableView::keyPressEvent(event);
        return;
    }
    event->accept();
    if (currentIndex().isValid() && !event->isAutoRepeat())
        Q_EMIT actionWanted(currentIndex().row());
}

} // namespace ikkai
