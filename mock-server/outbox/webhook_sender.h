#pragma once

#include "mock-server/outbox/webhook.h"

#include <QtCore/QHash>
#include <QtCore/QObject>
#include <QtNetwork/QNetworkAccessManager>

#include <functional>

class QNetworkReply;
class QTimer;

namespace mockbank {

/// Makes one try: an edge, so that tests can play the receiver without a network.
class Webhook {
public:
    virtual ~Webhook() = default;

    /// Never blocks; `done` is called exactly once, later, unless this object is gone by then.
    virtual void post(const WebhookMessage &message, std::function<void(const WebhookOutcome &)> done) = 0;
};

/// The webhook on the network. One `post` is at most one transmission: no redirect is followed, no proxy used, nothing
/// sent again by itself, no cookie kept. Destroying it cuts what is under way. Lives on one thread with an event loop.
class WebhookSender final : public QObject, public Webhook {
    Q_OBJECT

public:
    explicit WebhookSender(const WebhookOptions &options);
    ~WebhookSender() override;

    void post(const WebhookMessage &message, std::function<void(const WebhookOutcome &)> done) override;

private:
    struct Try;

    void headRead(QNetworkReply *reply);
    void bodyRead(QNetworkReply *reply);
    void finished(QNetworkReply *reply);
    void tell(QNetworkReply *reply, const WebhookOutcome &outcome);

    const WebhookOptions m_options;
    QNetworkAccessManager m_network;
    QHash<QNetworkReply *, Try> m_tries;
};

} // namespace mockbank
