#pragma once

#include "ui/cashier/outcome_words.h"

#include <QtCore/QCoreApplication>

/// The rows of the one table, by kind of state. Only outcome_words.cpp asks it.
namespace ikkai::detail {

/// Where every sentence of the table is translated.
struct OutcomeWords {
    Q_DECLARE_TR_FUNCTIONS(OutcomeWords)

public:
    const Checkout &checkout;
    const Stamp &now;
    const Circumstances &beside;

    // The terminal goes on by itself: running_words.cpp
    [[nodiscard]] Outcome operator()(const state::Sending &sending) const;
    [[nodiscard]] Outcome operator()(const state::Waiting &waiting) const;
    // Open: open_words.cpp
    [[nodiscard]] Outcome operator()(const state::Unknown &unknown) const;
    [[nodiscard]] Outcome operator()(const state::KeyMismatch &mismatch) const;
    [[nodiscard]] Outcome operator()(const state::Voiding &voiding) const;
    [[nodiscard]] Outcome operator()(const state::VoidPending &pending) const;
    // Settled: settled_words.cpp
    [[nodiscard]] Outcome operator()(const state::Approved &approved) const;
    [[nodiscard]] Outcome operator()(const state::Declined &declined) const;
    [[nodiscard]] Outcome operator()(const state::Refused &refused) const;
    [[nodiscard]] Outcome operator()(const state::NotSent &notSent) const;
    [[nodiscard]] Outcome operator()(const state::Voided &voided) const;
    [[nodiscard]] Outcome operator()(const state::WrittenOff &off) const;
    /// A word of the bank against what was settled.
    [[nodiscard]] Outcome lookAtThis(const Outcome &settled) const;

private:
    [[nodiscard]] Outcome contacting() const;
    [[nodiscard]] Outcome checking() const;
    [[nodiscard]] Outcome stillWorking() const;
    [[nodiscard]] bool earlierTriesNotSent() const;
    [[nodiscard]] const ChargeVerdict *lastVerdict() const;
    [[nodiscard]] QString whyUnknown(const state::Unknown &unknown) const;
    [[nodiscard]] QString lastInquiry() const;
    [[nodiscard]] QString whyNoVoid() const;
    [[nodiscard]] Outcome cancelling() const;
    [[nodiscard]] QString repeatedAnswer(const ChargeDetails &details) const;
};

} // namespace ikkai::detail
