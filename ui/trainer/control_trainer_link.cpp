#include "ui/trainer/control_trainer_link.h"

#include "core/domain/money.h"

#include <QtCore/QJsonObject>
#include <QtCore/QStringList>

namespace ikkai {

namespace {

/// The terminal has noticed that something is wrong: no word of the bank to this try.
bool isTrouble(const ChargeVerdict &verdict)
{
    return std::holds_alternative<verdict::NoAnswer>(verdict) ||
           std::holds_alternative<verdict::ServerTrouble>(verdict) ||
           std::holds_alternative<verdict::StillProcessing>(verdict) ||
           std::holds_alternative<verdict::NotSent>(verdict) || std::holds_alternative<verdict::Unclear>(verdict);
}

} // namespace

QString bankEventWords(const BankLogEntry &entry)
{
    const QJsonObject &data = entry.data;
    const auto text = [&data](const char *name) { return data.value(QLatin1StringView(name)).toString(); };
    QStringList words;
    if (const int attempt = data.value(QLatin1StringView("attempt")).toInt(); attempt > 0)
        words << ControlTrainerLink::tr("try %1").arg(attempt);
    if (const QString order = text("order_id"); !order.isEmpty())
        words << order;
    const auto currency = Currency::parse(text("currency"));
    if (const auto amount = data.value(QLatin1StringView("amount")); currency && amount.isDouble())
        words << formatMinorUnits(amount.toInteger(), currency.value());
    if (const int status = data.value(QLatin1StringView("status")).toInt(); status > 0)
        words << QString::number(status);
    if (data.value(QLatin1StringView("replayed")).toBool())
        words << ControlTrainerLink::tr("replayed");
    if (const QString light = text("light"); !light.isEmpty())
        words << light;
    if (const QString spec = text("spec"); !spec.isEmpty())
        words << spec;
    if (const QString key = text("idempotency_key"); !key.isEmpty())
        words << QStringLiteral("…") + key.right(4);
    return words.join(QStringLiteral(", "));
}

ControlTrainerLink::ControlTrainerLink(ControlClient *client, CheckoutService *service, QObject *parent)
    : TrainerLink(parent)
    , m_client(client)
{
    connect(client, &ControlClient::faultsListed, this,
            [this](quint64, const QList<FaultStatus> &faults) { takeFaults(faults); });
    connect(client, &ControlClient::faultArmed, this, [this] { m_client->listFaults(); });
    connect(client, &ControlClient::faultDisarmed, this, [this] { m_client->listFaults(); });
    connect(client, &ControlClient::allFaultsDisarmed, this, [this] { m_client->listFaults(); });
    connect(client, &ControlClient::happened, this, &ControlTrainerLink::takeEntry);
    connect(client, &ControlClient::failed, this,
            [this](quint64, const ControlError &error) { Q_EMIT troubled(describe(error)); });
    connect(client, &ControlClient::streamTroubled, this,
            [this](const ControlError &error) { Q_EMIT troubled(describe(error)); });
    connect(client, &ControlClient::linkChanged, this, [this](ControlLink link) {
        if (link == ControlLink::Following) {
            Q_EMIT troubled({});
            m_client->listFaults();
        }
    });
    connect(
        service, &CheckoutService::eventRecorded, this, [this](const Event &event) { takeEvent(event); },
        Qt::QueuedConnection);
}

void ControlTrainerLink::start()
{
    m_client->follow(EventFollower::From::Now);
    m_client->listFaults();
}

void ControlTrainerLink::arm(const QString &spec)
{
    m_client->armFault(spec);
}

void ControlTrainerLink::disarm(const QString &id)
{
    m_client->disarmFault(id);
}

void ControlTrainerLink::disarmAll()
{
    m_client->disarmAllFaults();
}

void ControlTrainerLink::takeFaults(const QList<FaultStatus> &faults)
{
    m_faults = faults;
    tell();
}

void ControlTrainerLink::takeEntry(const BankLogEntry &entry)
{
    Q_EMIT happened({entry.atMs, entry.kind, bankEventWords(entry)});
    // The bank's list is the truth about the lights; an event of a fault says that it has changed.
    if (entry.kind == QLatin1StringView("fault") || entry.kind == QLatin1StringView("started"))
        m_client->listFaults();
}

void ControlTrainerLink::takeEvent(const Event &event)
{
    const auto *ended = std::get_if<event::AttemptEnded>(&event.body);
    if (!ended || !isTrouble(ended->verdict))
        return;
    for (const FaultStatus &fault : std::as_const(m_faults)) {
        if (fault.fired > 0)
            m_seen.insert(fault.id);
    }
    tell();
}

void ControlTrainerLink::tell()
{
    QList<FaultLights> lights;
    for (const FaultStatus &fault : std::as_const(m_faults)) {
        if (fault.light == FaultLight::NotFired)
            continue; // over, and nothing came of it
        const bool healed = fault.light == FaultLight::Healed;
        const bool seen = healed || fault.light == FaultLight::Seen || m_seen.contains(fault.id);
        lights.append({fault.id, fault.spec, fault.live, fault.matched > 0 || fault.fired > 0, fault.fired > 0, seen,
                       healed});
    }
    Q_EMIT faultsChanged(lights);
}

} // namespace ikkai
