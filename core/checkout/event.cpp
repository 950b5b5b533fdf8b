#include "core/checkout/event.h"

namespace ikkai {

namespace event_detail {

struct Name {
    QString operator()(const event::CheckoutStarted &) const { return QStringLiteral("CheckoutStarted"); }
    QString operator()(const event::BankLearned &) const { return QStringLiteral("BankLearned"); }
    QString operator()(const event::AttemptEnded &) const { return QStringLiteral("AttemptEnded"); }
    QString operator()(const event::LateAnswer &) const { return QStringLiteral("LateAnswer"); }
    QString operator()(const event::WaitElapsed &) const { return QStringLiteral("WaitElapsed"); }
    QString operator()(const event::InquiryStarted &) const { return QStringLiteral("InquiryStarted"); }
    QString operator()(const event::InquiryEnded &) const { return QStringLiteral("InquiryEnded"); }
    QString operator()(const event::TriedAgain &) const { return QStringLiteral("TriedAgain"); }
    QString operator()(const event::LeftOpen &) const { return QStringLiteral("LeftOpen"); }
    QString operator()(const event::AnotherStarted &) const { return QStringLiteral("AnotherStarted"); }
    QString operator()(const event::Restarted &) const { return QStringLiteral("Restarted"); }
    QString operator()(const event::VoidStarted &) const { return QStringLiteral("VoidStarted"); }
    QString operator()(const event::VoidEnded &) const { return QStringLiteral("VoidEnded"); }
    QString operator()(const event::VoidWaitElapsed &) const { return QStringLiteral("VoidWaitElapsed"); }
    QString operator()(const event::Resumed &) const { return QStringLiteral("Resumed"); }
    QString operator()(const event::WrittenOff &) const { return QStringLiteral("WrittenOff"); }
};

} // namespace event_detail

QString eventName(const EventBody &body)
{
    return std::visit(event_detail::Name{}, body);
}

} // namespace ikkai
