#pragma once

#include "mock-server/outbox/delivery_plan.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QUrl>

#include <chrono>
#include <optional>

namespace mockbank {

/// Where the bank tells of money that moved, and how patiently.
struct WebhookOptions {
    QUrl url; ///< empty: nothing is published, events stay in the outbox
    std::chrono::milliseconds timeout = std::chrono::seconds(10); ///< for one whole try, connecting included
    BackoffSettings backoff;
    int parallel = 4; ///< tries under way at once; QNetworkAccessManager makes no more than 6 connections to a host
};

/// An http or https URL with a host; else nothing, and `error` says what is wrong.
[[nodiscard]] std::optional<QUrl> readWebhookUrl(const QString &text, QString *error);

/// The URL for people to see: without the parts in which secrets are kept.
[[nodiscard]] QString shownUrl(const QUrl &url);

/// One POST to the webhook (README.md, "Webhook").
struct WebhookMessage {
    QByteArray eventId; ///< the same at every try, never used for anything else: what receivers dedupe by
    QByteArray topic;
    QByteArray ledgerId;
    int attempt = 1; ///< counts the tries, from 1
    QByteArray body;
};

/// {"event_id","topic","created_at","data"}. `payload` is JSON and is sent as it is stored.
[[nodiscard]] QByteArray webhookBody(const QByteArray &eventId, const QByteArray &topic, qint64 createdAtMs,
                                     const QByteArray &payload);

/// The event of a ledger's outbox as it is sent, with the attempt after those it has behind it.
[[nodiscard]] WebhookMessage webhookMessage(const OutboxEvent &event, const QByteArray &ledgerId);

/// What came of one POST.
struct WebhookOutcome {
    DeliveryPlan::Outcome kind = DeliveryPlan::Outcome::Failed;
    int status = 0; ///< HTTP status, 0 where there was no answer
    QString detail; ///< one line for people
};

} // namespace mockbank
