#include "app/checkout_player.h"

namespace ikkai::app {

CheckoutPlayer::CheckoutPlayer(Engine &engine, QObject *parent)
    : QObject(parent)
    , m_engine(engine)
{
    CheckoutService &service = engine.service();
    connect(&service, &CheckoutService::eventRecorded, this, [this](const Event &event, const Checkout &after) {
        if (std::holds_alternative<event::CheckoutStarted>(event.body))
            m_key = after.key;
        if (m_key == after.key)
            Q_EMIT happened(event, after);
    });
    connect(&service, &CheckoutService::checkoutChanged, this, &CheckoutPlayer::follow);
    connect(&service, &CheckoutService::startRejected, this, [this](const StartRejection &rejection) {
        Q_EMIT failed(QStringLiteral("%1 was not started: %2")
                          .arg(rejection.request.order.text(),
                               rejection.detail.isEmpty() ? QStringLiteral("the order is open or paid here already")
                                                          : rejection.detail));
    });
}

void CheckoutPlayer::play(const StartRequest &request)
{
    m_key.reset();
    m_pressed = false;
    m_sincePress.start();
    QMetaObject::invokeMethod(&m_engine.service(),
                              [&service = m_engine.service(), request] { service.start(request); });
}

template <class Press>
void CheckoutPlayer::press(Press slot)
{
    m_pressed = true;
    QMetaObject::invokeMethod(&m_engine.service(),
                              [&service = m_engine.service(), slot, key = *m_key] { (service.*slot)(key); });
}

void CheckoutPlayer::checkNow()
{
    press(&CheckoutService::checkNow);
}

void CheckoutPlayer::tryAgain()
{
    press(&CheckoutService::tryAgain);
}

void CheckoutPlayer::follow(const Checkout &checkout, bool recorded)
{
    if (m_key != checkout.key || !recorded)
        return;
    const bool goesOn = isAutomatic(checkout.state) || checkout.inquiryUnderWay;
    if (goesOn)
        m_pressed = false;
    else if (!m_pressed)
        Q_EMIT rested(checkout);
}

} // namespace ikkai::app
