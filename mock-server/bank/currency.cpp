#include "mock-server/bank/currency.h"

#include <algorithm>
#include <string_view>

namespace mockbank {

namespace {

// ISO 4217 list one, without funds, metals and test codes, grouped by exponent; each code is three letters and a space.
constexpr std::string_view codesWithNoDigits = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF ";
constexpr std::string_view codesWithThreeDigits = "BHD IQD JOD KWD LYD OMR TND ";
constexpr std::string_view codesWithTwoDigits =
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP "
    "CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR "
    "JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN "
    "NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP "
    "SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD YER ZAR ZMW ZWL ";

bool listsCode(std::string_view codes, std::string_view code)
{
    for (size_t at = 0; at + 4 <= codes.size(); at += 4) {
        if (codes.substr(at, 3) == code)
            return true;
    }
    return false;
}

} // namespace

std::optional<int> minorUnitDigits(QByteArrayView code)
{
    const std::string_view text(code.data(), size_t(code.size()));
    if (text.size() != 3 || !std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
        return std::nullopt;
    if (listsCode(codesWithNoDigits, text))
        return 0;
    if (listsCode(codesWithTwoDigits, text))
        return 2;
    if (listsCode(codesWithThreeDigits, text))
        return 3;
    return std::nullopt;
}

} // namespace mockbank
