#include "ui/cashier/notice_words.h"

#include "ui/cashier/journal_words.h"

#include <QtCore/QCoreApplication>

namespace ikkai {

namespace {

struct NoticeWords {
    Q_DECLARE_TR_FUNCTIONS(NoticeWords)

public:
    static Notice rejected(const StartRejection &rejection)
    {
        const QString typed = format(rejection.request.money);
        const QString order = shortOrder(rejection.request.order.text());
        switch (rejection.why) {
        case StartRejection::Why::OrderIsOpen:
            return {
                theme::Role::Unk,
                tr("<b>%1 is still open for %2; you typed %3.</b> |Nothing new was charged. |Settle this one first.")
                    .arg(order, rejection.existing ? format(rejection.existing->money) : QString(), typed)};
        case StartRejection::Why::AlreadyPaid:
            return {theme::Role::Unk,
                    tr("<b>%1 is already paid.</b> |You typed %2: nothing new was charged.").arg(order, typed)};
        case StartRejection::Why::CannotRecord:
            return {theme::Role::Bad, tr("<b>Cannot record, so cannot charge.</b> |%1").arg(quoted(rejection.detail))};
        case StartRejection::Why::ApiKeyRefused:
            return {theme::Role::Bad,
                    tr("<b>The bank does not accept this terminal.</b> |Nothing was charged. |Call support.")};
        case StartRejection::Why::OtherLedger:
            return {theme::Role::Bad,
                    tr("<b>Another bank answers here.</b> |%1 is still open at the earlier one. |Nothing new was "
                       "charged. |If that bank is gone for good, a supervisor can close it.")
                        .arg(rejection.existing ? shortOrder(rejection.existing->order.text()) : QString())};
        }
        return {};
    }
    static Notice unwritten(const JournalError &error, bool onCheckout)
    {
        if (onCheckout) // the press did nothing, and the payment is as it was
            return {theme::Role::Bad,
                    tr("<b>It could not be written down, so nothing was sent.</b> |%1").arg(journalShutReason(error))};
        return {theme::Role::Bad, tr("<b>Cannot record, so cannot charge.</b> |%1").arg(quoted(describe(error)))};
    }
    static Notice fromBefore(int count)
    {
        return {theme::Role::Unk,
                count == 1 ? tr("<b>1 payment is open from before.</b> |The terminal asks the bank about it by itself.")
                           : tr("<b>%1 payments are open from before.</b> |The terminal asks the bank about them by "
                                "itself.")
                                 .arg(count)};
    }
};

} // namespace

Notice noticeOf(const Desk &desk, const Outcome &outcome)
{
    if (desk.rejection())
        return NoticeWords::rejected(*desk.rejection());
    if (!outcome.notice.isEmpty())
        return {theme::Role::Bad, outcome.notice};
    if (desk.journalError())
        return NoticeWords::unwritten(*desk.journalError(), desk.shown() && isOpen(desk.shown()->state));
    if (!desk.shown() && desk.openFromBefore() > 0)
        return NoticeWords::fromBefore(desk.openFromBefore());
    return {};
}

} // namespace ikkai
