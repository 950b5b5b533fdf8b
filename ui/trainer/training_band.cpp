#include "ui/trainer/training_band.h"

#include "ui/icons/icons.h"
#include "ui/object_names.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtCore/QEvent>
#include <QtGui/QPainter>
#include <QtGui/QPolygonF>
#include <QtGui/QShortcut>
#include <QtWidgets/QHBoxLayout>

namespace ikkai {

TrainingBand::TrainingBand(QWidget *parent)
    : QWidget(parent)
    , m_title(new Label(theme::Type::CardTitle, theme::Token::TrnOn, this))
    , m_armed(new Label(theme::Type::Body, theme::Token::TrnOn, this))
    , m_stop(new Button(Button::Kind::Kill, this))
{
    setObjectName(names::trainingBand);
    m_armed->setObjectName(names::faultsArmed);
    m_stop->setObjectName(names::stopFaultsButton);
    m_stop->setShape(icons::Icon::Power);
    m_stop->setHint(QStringLiteral("F12"));
    m_stop->setFixedHeight(theme::metrics::minimumTarget);
    setFixedHeight(theme::metrics::band);
    QFont spaced = m_title->font();
    spaced.setLetterSpacing(QFont::AbsoluteSpacing, 1);
    m_title->setFont(spaced);

    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(62, 0, 16, 0);
    row->setSpacing(24);
    row->addWidget(m_title);
    row->addWidget(m_armed);
    row->addStretch(1);
    row->addWidget(m_stop);

    connect(m_stop, &Button::clicked, this, &TrainingBand::stopWanted);
    auto *key = new QShortcut(QKeySequence(Qt::Key_F12), this);
    key->setContext(Qt::ApplicationShortcut);
    connect(key, &QShortcut::activated, this, &TrainingBand::stopWanted);
    retranslate();
}

void TrainingBand::setArmed(int count)
{
    m_count = count;
    retranslate();
}

void TrainingBand::retranslate()
{
    m_title->setText(tr("TRAINING"));
    m_armed->setText(m_count == 0   ? tr("no faults armed")
                     : m_count == 1 ? tr("1 fault armed")
                                    : tr("%1 faults armed").arg(m_count));
    m_stop->setText(tr("Stop all faults"));
    setAccessibleName(m_title->text() + QStringLiteral(", ") + m_armed->text());
}

void TrainingBand::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void TrainingBand::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme::color(theme::Token::TrnSolid));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::color(theme::Token::TrnStripe));
    const qreal step = 16 * 1.4142; // 16 px across the stripe, at 45 degrees
    for (qreal x = -height(); x < width() + height(); x += 2 * step) {
        painter.drawPolygon(
            QPolygonF{{x, static_cast<qreal>(height())}, {x + height(), 0}, {x + height() + step, 0},
                      {x + step, static_cast<qreal>(height())}});
    }
    icons::paint(painter, icons::Icon::Grad, QRectF(24, 14, 24, 24), theme::color(theme::Token::TrnOn),
                 theme::color(theme::Token::TrnSolid));
}

} // namespace ikkai
