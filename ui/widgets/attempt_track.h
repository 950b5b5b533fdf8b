#pragma once

#include <QtWidgets/QWidget>

#include <optional>
#include <vector>

namespace ikkai {

/// The run of tries on one bar as long as its limit: a block for each try, the next one dashed, and where now is.
class AttemptTrack : public QWidget {
    Q_OBJECT
    /// "try 3 of 5"
    Q_PROPERTY(QString value READ value)

public:
    struct Block {
        enum class Kind { Silent, NotSent, Busy, Running, Next };
        int number = 0;
        qint64 fromMs = 0; ///< since the run began
        qint64 toMs = 0;   ///< Running: its deadline
        Kind kind = Kind::Silent;
        friend bool operator==(const Block &, const Block &) = default;
    };
    struct Run {
        qint64 limitMs = 30'000;
        qint64 nowMs = 0;
        std::vector<Block> blocks;
        QString value;
        friend bool operator==(const Run &, const Run &) = default;
    };

    explicit AttemptTrack(QWidget *parent = nullptr);

    void show(const Run &run);
    [[nodiscard]] const Run &run() const { return m_run; }
    [[nodiscard]] QString value() const { return m_run.value; }

    using QWidget::show;
    QSize sizeHint() const override { return {400, 76}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    [[nodiscard]] qreal xOf(qint64 ms) const;
    void paintBlock(QPainter &painter, const Block &block, const QRectF &bar) const;
    void paintNow(QPainter &painter) const;
    void paintScale(QPainter &painter) const;

    Run m_run;
};

} // namespace ikkai
