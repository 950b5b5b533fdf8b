#include "core/closing/reconcile.h"

#include <QtCore/QHash>
#include <QtCore/QMap>
#include <QtCore/QSet>

#include <algorithm>
#include <tuple>

namespace ikkai {

namespace reconcile_detail {

/// What a checkout's outcome word means for the comparison.
enum class Standing { Paid, NotPaid, Voided, WrittenOff, Open, Mismatch, Voiding };

Standing standingOf(const QString &state)
{
    static const QHash<QString, Standing> known{
        {QStringLiteral("approved"), Standing::Paid},         {QStringLiteral("declined"), Standing::NotPaid},
        {QStringLiteral("refused"), Standing::NotPaid},       {QStringLiteral("not_sent"), Standing::NotPaid},
        {QStringLiteral("voided"), Standing::Voided},         {QStringLiteral("written_off"), Standing::WrittenOff},
        {QStringLiteral("key_mismatch"), Standing::Mismatch}, {QStringLiteral("voiding"), Standing::Voiding},
        {QStringLiteral("void_pending"), Standing::Voiding},
    };
    return known.value(state, Standing::Open); // unknown, sending, waiting
}

/// Money that was taken and not given back.
bool isCharge(const BankChargeRow &row)
{
    return row.status == QLatin1String("approved") && !row.reversed;
}

/// Where no charge is left.
QString settlesAs(const BankChargeRow &row)
{
    return row.status == QLatin1String("declined") ? QStringLiteral("declined") : QStringLiteral("voided");
}

bool sameDetails(const OurRow &ours, const BankChargeRow &row)
{
    return ours.orderId == row.orderId && ours.amountMinor == row.amountMinor && ours.currency == row.currency;
}

/// All that both sides say under one key.
struct Group {
    const OurRow *ours = nullptr;
    std::vector<const BankChargeRow *> rows;
    int charges = 0; ///< of the rows
    bool isForeign = false;
    bool isYoung = false;
    bool isNamed = false; ///< in a difference of its order

    /// A supervisor wrote off what is under our key at the bank because it is not ours.
    [[nodiscard]] bool isStrangersCharge() const
    {
        return ours && standingOf(ours->state) == Standing::WrittenOff && charges > 0 && !isOurs();
    }
    [[nodiscard]] bool isOurs() const
    {
        return ours && std::all_of(rows.begin(), rows.end(),
                                   [this](const BankChargeRow *row) { return sameDetails(*ours, *row); });
    }
    [[nodiscard]] bool isPaidHere() const { return ours && standingOf(ours->state) == Standing::Paid; }
    /// An inquiry or a void that is under way will settle it.
    [[nodiscard]] bool settlesItself() const
    {
        if (!ours)
            return false;
        const Standing standing = standingOf(ours->state);
        return standing == Standing::Open || standing == Standing::Mismatch || standing == Standing::Voiding;
    }
};

struct Order {
    std::vector<Group *> groups;  ///< of this till
    std::vector<Group *> foreign; ///< of other tills, with charges
    bool isKnownHere = false;
};

class Comparison {
public:
    Comparison(const std::vector<OurRow> &ours, const std::vector<BankChargeRow> &theirs,
               const ReconcileSettings &settings)
        : m_settings(settings)
        , m_bankNowMs(settings.bankNowWallMs != 0 ? settings.bankNowWallMs : settings.nowWallMs)
    {
        groupByKey(ours, theirs);
        groupByOrder();
        m_result.fromWallMs = settings.fromWallMs;
        m_result.toWallMs = settings.toWallMs;
        m_result.checkedWallMs = settings.nowWallMs;
        m_result.bankRows = static_cast<qint64>(theirs.size());
        m_result.ourRows = static_cast<qint64>(
            std::count_if(ours.begin(), ours.end(), [this](const OurRow &row) { return isInRange(row); }));
    }

    Reconciliation run()
    {
        for (const Order &order : std::as_const(m_orders)) {
            compareTills(order);
            compareOrder(order);
        }
        for (Group &group : m_groups) {
            if (group.isYoung)
                ++m_result.heldBack;
            else if (!group.isNamed)
                compareGroup(group);
        }
        for (auto sum = m_agreeSums.cbegin(); sum != m_agreeSums.cend(); ++sum)
            m_result.agreeSums.append({currencyOf(sum.key()), sum.value()});
        sortDifferences(m_result.differences);
        return std::move(m_result);
    }

private:
    static Currency currencyOf(const QString &code)
    {
        const auto currency = Currency::parse(code);
        return currency ? currency.value() : Currency::jpy();
    }
    [[nodiscard]] bool isInRange(const OurRow &row) const
    {
        return row.createdWallMs >= m_settings.fromWallMs &&
               (m_settings.toWallMs == 0 || row.createdWallMs < m_settings.toWallMs);
    }
    [[nodiscard]] bool isYoung(qint64 createdMs, qint64 nowMs) const
    {
        const qint64 ageMs = nowMs - createdMs;
        return ageMs < m_settings.holdBackMs && ageMs > -m_settings.holdBackMs;
    }
    [[nodiscard]] bool isForeign(const BankChargeRow &row) const
    {
        return !row.terminalId.isEmpty() && row.terminalId != m_settings.terminalId;
    }

    void groupByKey(const std::vector<OurRow> &ours, const std::vector<BankChargeRow> &theirs)
    {
        m_groups.reserve(ours.size() + theirs.size()); // pointers into it stay good
        QHash<QString, Group *> byKey;
        byKey.reserve(static_cast<qsizetype>(ours.size() + theirs.size()));
        const auto groupOf = [&](const QString &key) {
            Group *&group = byKey[key];
            if (!group)
                group = &m_groups.emplace_back();
            return group;
        };
        for (const OurRow &row : ours) {
            Group *group = groupOf(row.key);
            group->ours = &row;
            group->isYoung = isYoung(row.createdWallMs, m_settings.nowWallMs);
        }
        for (const BankChargeRow &row : theirs)
            groupOf(row.key)->rows.push_back(&row);
        for (Group &group : m_groups)
            finish(group);
    }

    void finish(Group &group) const
    {
        // Of one charge that was read twice, the row that knows of its reversal is the newer one.
        const auto order = [](const BankChargeRow *a, const BankChargeRow *b) {
            return std::tie(a->createdWallMs, a->chargeId, b->reversed, a->amountMinor, a->orderId, a->terminalId) <
                   std::tie(b->createdWallMs, b->chargeId, a->reversed, b->amountMinor, b->orderId, b->terminalId);
        };
        const auto isSame = [](const BankChargeRow *a, const BankChargeRow *b) {
            return !a->chargeId.isEmpty() && a->chargeId == b->chargeId;
        };
        std::sort(group.rows.begin(), group.rows.end(), order);
        group.rows.erase(std::unique(group.rows.begin(), group.rows.end(), isSame), group.rows.end());
        group.isForeign = !group.ours && std::all_of(group.rows.begin(), group.rows.end(),
                                                     [this](const BankChargeRow *row) { return isForeign(*row); });
        for (const BankChargeRow *row : group.rows) {
            group.charges += isCharge(*row) ? 1 : 0;
            group.isYoung = group.isYoung || isYoung(row->createdWallMs, m_bankNowMs);
        }
    }

    void groupByOrder()
    {
        m_orders.reserve(static_cast<qsizetype>(m_groups.size()));
        for (Group &group : m_groups) {
            if (group.isYoung)
                continue;
            const QString &name = group.ours ? group.ours->orderId : group.rows.front()->orderId;
            Order &order = m_orders[name];
            order.isKnownHere = order.isKnownHere || group.ours;
            if (!group.isForeign)
                order.groups.push_back(&group);
            else if (group.charges > 0)
                order.foreign.push_back(&group);
        }
    }

    /// One order, paid at this till and at another.
    void compareTills(const Order &order)
    {
        if (order.foreign.empty())
            return;
        const Group *here = nullptr;
        for (const Group *group : order.groups) {
            if (group->charges > 0 && (!here || isEarlier(*group, *here)))
                here = group;
        }
        if (!here)
            return;
        Difference difference = begin(DifferenceKind::TwoTerminals, *here);
        difference.theirs.clear();
        for (const Group *group : order.groups) {
            addCharges(difference, *group);
            m_atTwoTills.insert(group);
        }
        for (const Group *group : order.foreign)
            difference.bankMinusHereMinor += addCharges(difference, *group);
        finish(difference);
    }

    /// More money was taken for one order than this till says was paid.
    void compareOrder(const Order &order)
    {
        if (!order.isKnownHere)
            return;
        int charges = 0;
        int paidHere = 0;
        Group *surplus = nullptr;
        const OurRow *ours = nullptr;
        for (Group *group : order.groups) {
            if (group->settlesItself() || group->isStrangersCharge())
                continue;
            const bool isPaidEarlier = group->isPaidHere() && group->rows.empty() && !isInRange(*group->ours);
            charges += isPaidEarlier ? 1 : group->charges;
            paidHere += group->isPaidHere() ? 1 : 0;
            if (group->charges > (group->isPaidHere() ? 1 : 0) && (!surplus || isEarlier(*group, *surplus)))
                surplus = group;
            if (group->isPaidHere() && (!ours || group->ours->key < ours->key))
                ours = group->ours;
        }
        if (!surplus || charges < 2 || charges <= paidHere)
            return;
        Difference difference = begin(DifferenceKind::ChargedTwice, *surplus);
        difference.theirs.clear();
        if (!difference.ours && ours)
            difference.ours = *ours;
        for (Group *group : order.groups) {
            if (group->settlesItself() || group->isStrangersCharge() || group->charges == 0)
                continue;
            difference.bankMinusHereMinor += addCharges(difference, *group);
            if (group->isPaidHere())
                difference.bankMinusHereMinor -= group->ours->amountMinor;
            group->isNamed = true;
        }
        finish(difference);
    }

    static bool isEarlier(const Group &a, const Group &b)
    {
        const auto at = [](const Group &group) {
            return std::tie(group.rows.front()->createdWallMs, group.rows.front()->key);
        };
        return at(a) < at(b);
    }

    void compareGroup(const Group &group)
    {
        if (group.isForeign)
            return;
        if (group.charges > 1)
            return add(DifferenceKind::ChargedTwice, group);
        if (!group.ours || group.isStrangersCharge()) {
            if (group.charges > 0)
                add(DifferenceKind::UnknownOrigin, group);
            return;
        }
        switch (standingOf(group.ours->state)) {
        case Standing::Paid:
            return comparePaid(group);
        case Standing::NotPaid:
        case Standing::WrittenOff:
            return group.charges > 0 ? add(DifferenceKind::PaidAfterRefused, group) : agree(group);
        case Standing::Voided:
            return group.charges > 0 ? add(DifferenceKind::PaidAfterVoid, group) : agree(group);
        case Standing::Open:
        case Standing::Mismatch:
        case Standing::Voiding:
            return compareOpen(group);
        }
    }

    void comparePaid(const Group &group)
    {
        if (group.charges == 0) {
            if (isInRange(*group.ours) || !group.rows.empty())
                add(DifferenceKind::NotAtBank, group);
        } else if (!group.isOurs()) {
            add(DifferenceKind::DifferentAmount, group);
        } else {
            agree(group);
        }
    }

    void compareOpen(const Group &group)
    {
        if (group.rows.empty())
            return; // open on both sides
        if (!group.isOurs())
            add(DifferenceKind::DifferentAmount, group);
        else if (standingOf(group.ours->state) == Standing::Voiding)
            add(DifferenceKind::VoidUnderWay, group);
        else
            add(DifferenceKind::OpenHere, group);
    }

    void agree(const Group &group)
    {
        if (m_atTwoTills.contains(&group) || (group.rows.empty() && !isInRange(*group.ours)))
            return;
        ++m_result.agreeCount;
        if (group.isPaidHere())
            m_agreeSums[group.ours->currency] += group.ours->amountMinor;
    }

    Difference begin(DifferenceKind kind, const Group &group) const
    {
        Difference difference;
        difference.kind = kind;
        difference.key = group.ours ? group.ours->key : group.rows.front()->key;
        difference.orderId = group.ours ? group.ours->orderId : group.rows.front()->orderId;
        if (group.ours)
            difference.ours = *group.ours;
        for (const BankChargeRow *row : group.rows)
            difference.theirs.push_back(*row);
        difference.currency = currencyOf(group.rows.empty() ? group.ours->currency : group.rows.front()->currency);
        return difference;
    }

    /// Sum of the charges in the difference's currency, in minor units.
    static qint64 addCharges(Difference &difference, const Group &group)
    {
        qint64 sumMinor = 0;
        for (const BankChargeRow *row : group.rows) {
            if (!isCharge(*row))
                continue;
            difference.theirs.push_back(*row);
            if (row->currency == difference.currency.code())
                sumMinor += row->amountMinor;
        }
        return sumMinor;
    }

    void add(DifferenceKind kind, const Group &group)
    {
        Difference difference = begin(kind, group);
        for (const BankChargeRow *row : group.rows) {
            if (isCharge(*row) && row->currency == difference.currency.code())
                difference.bankMinusHereMinor += row->amountMinor;
        }
        if (group.isPaidHere() && group.ours->currency == difference.currency.code())
            difference.bankMinusHereMinor -= group.ours->amountMinor;
        if (kind == DifferenceKind::OpenHere && standingOf(group.ours->state) == Standing::Open)
            difference.wouldSettleAs = group.charges > 0 ? QStringLiteral("approved") : settlesAs(*group.rows.back());
        finish(difference);
    }

    void finish(Difference &difference)
    {
        std::sort(difference.theirs.begin(), difference.theirs.end(), [](const auto &a, const auto &b) {
            return std::tie(a.createdWallMs, a.chargeId) < std::tie(b.createdWallMs, b.chargeId);
        });
        m_result.differences.append(std::move(difference));
    }

    const ReconcileSettings &m_settings;
    qint64 m_bankNowMs;
    std::vector<Group> m_groups;
    QHash<QString, Order> m_orders;
    QSet<const Group *> m_atTwoTills;
    QMap<QString, qint64> m_agreeSums;
    Reconciliation m_result;
};

qint64 timeOf(const Difference &difference)
{
    if (difference.ours)
        return difference.ours->createdWallMs;
    return difference.theirs.empty() ? 0 : difference.theirs.front().createdWallMs;
}

} // namespace reconcile_detail

void sortDifferences(QList<Difference> &differences)
{
    using reconcile_detail::timeOf;
    std::sort(differences.begin(), differences.end(), [](const Difference &a, const Difference &b) {
        return std::make_tuple(a.kind, timeOf(a), a.key) < std::make_tuple(b.kind, timeOf(b), b.key);
    });
}

Reconciliation reconcile(const std::vector<OurRow> &ours, const std::vector<BankChargeRow> &theirs,
                         const ReconcileSettings &settings)
{
    return reconcile_detail::Comparison(ours, theirs, settings).run();
}

} // namespace ikkai
