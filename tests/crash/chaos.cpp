#include "tests/crash/chaos.h"

namespace ikkai::crash {

QByteArray Chaos::fault()
{
    // Answers and requests lost, held, cut, repeated, late and wrong; 409, 503 and 500 before and after the commit; a
    // crash of the bank inside. None of them lets the bank lie about its ledger.
    static const std::vector<QByteArray> ofAnyCall{"unread:hold",
                                                   "unread:fin",
                                                   "unread:rst",
                                                   "unread:status(code=503,retry_after=0)",
                                                   "unread:html_200",
                                                   "unread:delay(ms=220)",
                                                   "mid_answer:fin",
                                                   "mid_answer:fin(at=0.2)",
                                                   "mid_answer:hold",
                                                   "late:delay(ms=220)",
                                                   "late:dribble(bytes=40,ms=10)"};
    static const std::vector<QByteArray> ofCharges{"unread:restart(ms=80)",
                                                   "in_transit:hold",
                                                   "in_transit:drop",
                                                   "in_transit:twice(gap_ms=30)",
                                                   "in_transit:delay(ms=260)",
                                                   "before_commit:hold",
                                                   "before_commit:fin",
                                                   "before_commit:status(code=500)",
                                                   "before_commit:status(code=503,retry_after=0)",
                                                   "before_commit:status(code=429,retry_after=1)",
                                                   "before_commit:busy(ms=250)",
                                                   "before_commit:delay(ms=220)",
                                                   "before_commit:restart(ms=80)",
                                                   "before_commit:decline(decline_code=do_not_honor)",
                                                   "after_commit:hold",
                                                   "after_commit:fin",
                                                   "after_commit:rst",
                                                   "after_commit:delay(ms=220)",
                                                   "after_commit:status(code=503)",
                                                   "after_commit:bad_json",
                                                   "after_commit:wrong_shape",
                                                   "after_commit:wrong_echo",
                                                   "after_commit:garbage",
                                                   "after_commit:short_body",
                                                   "after_commit:restart(ms=80)",
                                                   "after_commit:clock_skew(s=90000)"};
    static const std::vector<QByteArray> ofVoids{"in_transit:drop",
                                                 "before_commit:hold",
                                                 "before_commit:status(code=503,retry_after=0)",
                                                 "after_commit:hold",
                                                 "after_commit:fin",
                                                 "after_commit:rst",
                                                 "after_commit:status(code=503)",
                                                 "after_commit:restart(ms=80)"};
    const int call = below(10);
    if (call < 7)
        return oneOf(percent(75) ? ofCharges : ofAnyCall) + ":route=charge:next=1";
    if (call < 9)
        return oneOf(percent(75) ? ofVoids : ofAnyCall) + ":route=void:next=1";
    return oneOf(ofAnyCall) + ":route=inquiry:next=1";
}

Moment momentOf(Chaos &chaos)
{
    if (chaos.percent(30))
        return {0, chaos.below(260)}; // also before anything is written down
    return {1 + chaos.below(5), chaos.percent(60) ? chaos.below(5) : chaos.below(120)};
}

} // namespace ikkai::crash
