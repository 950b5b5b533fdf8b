#pragma once

#include "core/checkout/transition.h"
#include "core/domain/business_day.h"
#include "core/journal/history.h"

#include <QtCore/QThread>
#include <QtCore/QTimeZone>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

// A journal to look at, without a disk: stories that are told by the real transition, and as many plain rows as a test
// wants.
namespace ikkai::test {

inline const QTimeZone &tokyo()
{
    static const QTimeZone zone("Asia/Tokyo");
    return zone;
}

inline qint64 atTokyo(const QString &text)
{
    QDateTime moment = QDateTime::fromString(text, QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
    moment.setTimeZone(tokyo());
    return moment.toMSecsSinceEpoch();
}

/// Later keys are greater: `ms` is what a UUIDv7 begins with.
inline IdempotencyKey keyAt(qint64 ms, const QString &lastFour = QStringLiteral("0000"))
{
    const QString hex = QStringLiteral("%1").arg(ms, 12, 16, QLatin1Char('0'));
    return IdempotencyKey::parse(hex.left(8) + QLatin1Char('-') + hex.mid(8) + QStringLiteral("-7155-9b1e-2f60d4a1") +
                                 lastFour)
        .value();
}

/// One checkout as it goes on, told from its start.
class Story {
public:
    Story(qint64 wallMs, const QString &order, qint64 amountMinor, const QString &lastFour,
          const QString &source = QStringLiteral("card_ok"), std::optional<IdempotencyKey> replaces = {})
        : m_nowMs(wallMs)
        , m_detail{begin(wallMs, order, amountMinor, lastFour, source, replaces)}
    {
    }

    Story &after(qint64 ms, EventBody body)
    {
        m_nowMs += ms;
        const Event event{stampAt(m_nowMs), std::move(body)};
        m_detail.checkout = transition(m_detail.checkout, event).after;
        m_detail.events.append(event);
        return *this;
    }
    Story &answered(qint64 ms, ChargeVerdict verdict)
    {
        const auto attempt = static_cast<int>(m_detail.checkout.attempts.size());
        const bool sent = !std::holds_alternative<verdict::NotSent>(verdict);
        return after(ms, event::AttemptEnded{attempt, std::move(verdict), sent ? 1 : 0, ms, 0x8000'0000, {}});
    }
    Story &approved(qint64 ms = 412)
    {
        return answered(ms, verdict::Approved{SettledBy::Answer, {QStringLiteral("ch_41"), {}, {}, {}}});
    }
    Story &declined(qint64 ms = 530)
    {
        return answered(ms, verdict::Declined{SettledBy::Answer, {{}, QStringLiteral("insufficient_funds"), {}, {}}});
    }
    Story &silence() { return answered(3'000, verdict::NoAnswer{}); }
    /// The first answer was lost; the second try brings it again.
    Story &onceByReplay()
    {
        silence();
        after(402, event::WaitElapsed{2});
        return answered(11, verdict::Approved{SettledBy::Replay, {QStringLiteral("ch_42"), {}, {}, {}}});
    }
    Story &unreachable()
    {
        const int most = m_detail.checkout.policy.maxAttempts;
        for (int n = 1; n <= most; ++n) {
            answered(20, verdict::NotSent{});
            if (n < most)
                after(400, event::WaitElapsed{n + 1});
        }
        return *this;
    }
    Story &leftUnknown()
    {
        silence();
        return after(1'000, event::LeftOpen{});
    }
    Story &voidStarted(const QString &overrideReason = {})
    {
        return after(500, event::VoidStarted{keyAt(m_nowMs, QStringLiteral("ffff")), "{}", overrideReason});
    }
    Story &voided(VoidResult result = VoidResult::Reversed)
    {
        return after(300, event::VoidEnded{1, voiding::Settled{result, {}}, 1, 300, 0, {}});
    }
    Story &replacedBy(const IdempotencyKey &key)
    {
        m_detail.replacedBy = key;
        return *this;
    }

    [[nodiscard]] const HistoryDetail &detail() const { return m_detail; }
    [[nodiscard]] const Checkout &checkout() const { return m_detail.checkout; }
    [[nodiscard]] const IdempotencyKey &key() const { return m_detail.checkout.key; }

private:
    static Stamp stampAt(qint64 wallMs) { return {wallMs, wallMs - 1'700'000'000'000, wallMs - 1'700'000'000'000}; }
    static HistoryDetail begin(qint64 wallMs, const QString &order, qint64 amountMinor, const QString &lastFour,
                               const QString &source, const std::optional<IdempotencyKey> &replaces)
    {
        const event::CheckoutStarted started{keyAt(wallMs, lastFour),
                                             OrderId::parse(order).value(),
                                             Money::ofMinor(amountMinor, Currency::jpy()).value(),
                                             SourceId::parse(source).value(),
                                             QStringLiteral("till-1"),
                                             "{}",
                                             QStringLiteral("embedded"),
                                             QStringLiteral("ldg_1"),
                                             24 * 3'600'000,
                                             RetryPolicy{},
                                             QStringLiteral("boot-1"),
                                             replaces};
        const Event first{stampAt(wallMs), started};
        return {ikkai::begin(started, first.at).after, {first}, {}};
    }

    qint64 m_nowMs;
    HistoryDetail m_detail;
};

/// What the projection says of a checkout.
inline HistoryRow rowOf(const Checkout &checkout)
{
    const auto word = [](SettledBy by) {
        switch (by) {
        case SettledBy::Answer:
            return QStringLiteral("answer");
        case SettledBy::Replay:
            return QStringLiteral("replay");
        case SettledBy::Inquiry:
            return QStringLiteral("inquiry");
        case SettledBy::Void:
            return QStringLiteral("void");
        }
        return QString();
    };
    HistoryRow row{checkout.key,
                   checkout.order,
                   checkout.money,
                   checkout.source.text(),
                   outcomeWord(checkout.state),
                   {},
                   static_cast<int>(checkout.attempts.size()),
                   totalWireSends(checkout),
                   checkout.startedAt.wallMs,
                   checkout.updatedWallMs,
                   checkout.settledWallMs,
                   checkout.terminalId,
                   checkout.contradiction ? checkout.contradiction->said : QString(),
                   checkout.voidIntent ? checkout.voidIntent->overrideReason : QString(),
                   checkout.replaces};
    if (const auto *approved = std::get_if<state::Approved>(&checkout.state))
        row.settledBy = word(approved->by);
    if (const auto *declined = std::get_if<state::Declined>(&checkout.state))
        row.settledBy = word(declined->by);
    if (const auto *voided = std::get_if<state::Voided>(&checkout.state))
        row.settledBy = word(voided->by);
    if (const auto *off = std::get_if<state::WrittenOff>(&checkout.state))
        row.supervisorReason = off->reason;
    return row;
}

/// Answers at once, or when it is told to. `plain` rows of one minute each lie below the stories, made when they are
/// asked for.
class FakeHistory final : public HistorySource {
    Q_OBJECT

public:
    explicit FakeHistory(qint64 plain = 0)
        : m_plain(plain)
    {
    }

    void tell(const Story &story) { m_stories.insert_or_assign(story.key(), story.detail()); }

    /// Plain row n, 0 is the oldest.
    static HistoryRow plainRow(qint64 n)
    {
        const qint64 ms = plainStartMs + n * 60'000;
        return {keyAt(ms, QStringLiteral("%1").arg(n % 0x10000, 4, 16, QLatin1Char('0'))),
                OrderId::parse(QStringLiteral("P-%1").arg(n)).value(),
                Money::ofMinor(1 + n % 90'000, Currency::jpy()).value(),
                QStringLiteral("card_ok"),
                n % 10 == 3 ? QStringLiteral("declined") : QStringLiteral("approved"),
                QStringLiteral("answer"),
                1,
                1,
                ms,
                ms + 400,
                ms + 400,
                QStringLiteral("till-1"),
                {},
                {},
                {}};
    }

    bool holds = false;                   ///< answers wait for `release`
    QString refuse;                       ///< not empty: what every request is answered with
    std::vector<HistoryRequest> requests; ///< of pages
    std::vector<IdempotencyKey> details;  ///< records that were asked for
    std::vector<HistoryExport> exports;
    QThread *askedOn = nullptr;
    BusinessCalendar calendar{tokyo(), 0};

    void release()
    {
        const auto held = std::exchange(m_held, {});
        for (const auto &answer : held)
            answer();
    }
    [[nodiscard]] std::size_t held() const { return m_held.size(); }

    void read(const HistoryRequest &request) override
    {
        askedOn = QThread::currentThread();
        requests.push_back(request);
        answer([this, request] {
            if (!refuse.isEmpty())
                Q_EMIT failed(refuse, {request.id});
            else
                Q_EMIT pageRead(pageOf(request));
        });
    }
    void readDetail(const IdempotencyKey &key) override
    {
        details.push_back(key);
        answer([this, key] {
            const auto found = m_stories.find(key);
            if (!refuse.isEmpty() || found == m_stories.end())
                Q_EMIT failed(refuse.isEmpty() ? QStringLiteral("journal.sqlite has no such payment") : refuse, {key});
            else
                Q_EMIT detailRead(found->second);
        });
    }
    void exportRows(const HistoryExport &wanted) override
    {
        exports.push_back(wanted);
        answer([this, wanted] {
            if (!refuse.isEmpty())
                Q_EMIT failed(refuse, {wanted.file});
            else
                Q_EMIT exported(wanted.file, pageOf({0, wanted.filter, {}, 1, true}).total.value_or(0));
        });
    }

private:
    static constexpr qint64 plainStartMs = 1'600'000'000'000;

    void answer(std::function<void()> call)
    {
        if (holds)
            m_held.push_back(std::move(call));
        else
            call();
    }

    [[nodiscard]] bool fits(const HistoryRow &row, const HistoryFilter &filter) const
    {
        return (filter.states.isEmpty() || filter.states.contains(row.state)) &&
               (filter.text.isEmpty() || row.order.text().contains(filter.text, Qt::CaseInsensitive) ||
                row.key.text().endsWith(filter.text, Qt::CaseInsensitive)) &&
               (!filter.amountMinor || row.money.amountMinor() == *filter.amountMinor) &&
               (!filter.day || businessDayOf(calendar, row.createdWallMs) == *filter.day);
    }

    [[nodiscard]] HistoryPage pageOf(const HistoryRequest &request) const
    {
        HistoryPage page;
        page.id = request.id;
        const bool all = request.filter == HistoryFilter{};
        qint64 total = 0;
        for (auto story = m_stories.rbegin(); story != m_stories.rend(); ++story) {
            const HistoryRow row = rowOf(story->second.checkout);
            if (!fits(row, request.filter))
                continue;
            ++total;
            if ((!request.after || row.key < *request.after) && page.rows.size() <= request.limit)
                page.rows.append(row);
        }
        qint64 n = m_plain - 1;
        if (all && request.after) { // where the keyset would begin
            const auto ms = request.after->text().left(8).toLongLong(nullptr, 16) * 0x10000 +
                            request.after->text().mid(9, 4).toLongLong(nullptr, 16);
            n = std::min(n, (ms - plainStartMs) / 60'000);
        }
        for (; n >= 0; --n) {
            if (all && page.rows.size() > request.limit)
                break;
            const HistoryRow row = plainRow(n);
            if (!fits(row, request.filter))
                continue;
            ++total;
            if ((!request.after || row.key < *request.after) && page.rows.size() <= request.limit)
                page.rows.append(row);
        }
        page.isLast = page.rows.size() <= request.limit;
        if (!page.isLast)
            page.rows.removeLast();
        if (request.countAll)
            page.total = all ? static_cast<qint64>(m_stories.size()) + m_plain : total;
        return page;
    }

    qint64 m_plain;
    std::map<IdempotencyKey, HistoryDetail> m_stories;
    std::vector<std::function<void()>> m_held;
};

} // namespace ikkai::test
