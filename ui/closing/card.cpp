#include "ui/closing/card.h"

#include "ui/closing/row_painting.h"
#include "ui/theme/theme.h"

#include <QtGui/QPainter>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QTableView>

namespace ikkai {

namespace {

constexpr int captionPadding = 16;

class CardTableHead final : public QHeaderView {
public:
    CardTableHead(int high, QWidget *parent)
        : QHeaderView(Qt::Horizontal, parent)
    {
        setSectionsClickable(false);
        setHighlightSections(false);
        setSectionResizeMode(QHeaderView::Fixed);
        setMinimumSectionSize(20);
        setFixedHeight(high);
        viewport()->setAutoFillBackground(false);
    }

    QSize sizeHint() const override { return {100, height()}; }

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override
    {
        const auto side = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole);
        const bool atRight = side.isValid() && (side.toInt() & Qt::AlignRight);
        painter->save();
        rows::text(*painter, rect.adjusted(atRight ? 4 : captionPadding, 0, atRight ? -captionPadding : 0, 0),
                   theme::Type::SmallStrong, theme::color(theme::Token::Muted),
                   atRight ? Qt::AlignRight : Qt::AlignLeft,
                   model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString());
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme::color(theme::Token::Line));
        painter->restore();
    }
};

} // namespace

Card::Card(QWidget *parent)
    : QWidget(parent)
{
}

void Card::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme::color(theme::Token::Line), 1));
    painter.setBrush(theme::color(theme::Token::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::metrics::radiusCard,
                            theme::metrics::radiusCard);
}

void dressCardTable(QTableView *table, int headHeight, int rowHeight)
{
    table->setHorizontalHeader(new CardTableHead(headHeight, table));
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setCornerButtonEnabled(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->setVisible(false);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setMinimumSectionSize(rowHeight);
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->viewport()->setAutoFillBackground(false);
    QPalette clear = table->palette();
    clear.setColor(QPalette::Base, Qt::transparent);
    table->setPalette(clear);
}

} // namespace ikkai
