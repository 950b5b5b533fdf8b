#pragma once

#include <QtCore/QtGlobal>

#include <rapidcheck.h>

#include <iostream>

namespace ikkai::test {

/// 256 generated cases of one property; prints the smallest counterexample. The seed is fixed, so that a test run is
/// the same every time; IKKAI_SEED and IKKAI_CASES in the environment look further.
template <class Testable>
[[nodiscard]] bool holds(const char *property, Testable &&testable)
{
    rc::detail::TestMetadata metadata;
    metadata.id = property;
    rc::detail::TestParams params;
    bool given = false;
    const int seed = qEnvironmentVariableIntValue("IKKAI_SEED", &given);
    params.seed = given ? static_cast<uint64_t>(seed) : 1;
    const int cases = qEnvironmentVariableIntValue("IKKAI_CASES", &given);
    params.maxSuccess = given ? cases : 256;

    const rc::detail::TestResult result = rc::detail::checkTestable(std::forward<Testable>(testable), metadata, params);
    if (result.template is<rc::detail::SuccessResult>())
        return true;
    rc::detail::printResultMessage(result, std::cerr);
    std::cerr << "\nproperty: " << property << ", seed " << params.seed << std::endl;
    return false;
}

} // namespace ikkai::test
