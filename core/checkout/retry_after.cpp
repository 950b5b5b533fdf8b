#include "core/checkout/retry_after.h"

#include <QtCore/QDate>
#include <QtCore/QList>

#include <algorithm>
#include <array>
#include <limits>

namespace ikkai {

// By hand, because Qt's date formats follow a locale and accept less and more than the three forms of the RFC.
namespace retry_after_detail {

constexpr std::array weekdays{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool isDigits(const QByteArray &text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Exactly `size` digits.
std::optional<int> number(const QByteArray &text, qsizetype size)
{
    if (text.size() != size || !isDigits(text))
        return {};
    return text.toInt();
}

bool isWeekday(const QByteArray &text, bool whole)
{
    return std::any_of(weekdays.begin(), weekdays.end(), [&](const char *day) {
        const QByteArray name(day);
        return text == (whole ? name : name.left(3));
    });
}

std::optional<int> month(const QByteArray &text)
{
    const auto *found = std::find_if(months.begin(), months.end(), [&](const char *name) { return text == name; });
    if (found == months.end())
        return {};
    return static_cast<int>(found - months.begin()) + 1;
}

/// hh:mm:ss; second 60 is a leap second.
std::optional<qint64> msOfDay(const QByteArray &text)
{
    if (text.size() != 8 || text.at(2) != ':' || text.at(5) != ':')
        return {};
    const auto hour = number(text.left(2), 2);
    const auto minute = number(text.mid(3, 2), 2);
    const auto second = number(text.mid(6, 2), 2);
    if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60)
        return {};
    return ((*hour * 60 + *minute) * 60 + *second) * qint64{1'000};
}

std::optional<qint64> unixMs(std::optional<int> year, std::optional<int> monthOfYear, std::optional<int> day,
                             std::optional<qint64> timeMs)
{
    if (!year || !monthOfYear || !day || !timeMs)
        return {};
    const QDate date(*year, *monthOfYear, *day);
    if (!date.isValid())
        return {};
    return QDate(1970, 1, 1).daysTo(date) * qint64{86'400'000} + *timeMs;
}

/// Two digits name the latest such year that is not more than 50 years ahead (RFC 9110, section 5.6.7).
std::optional<int> fullYear(std::optional<int> twoDigits, int thisYear)
{
    if (!twoDigits)
        return {};
    const int latest = thisYear + 50;
    const int year = latest - latest % 100 + *twoDigits;
    return year > latest ? year - 100 : year;
}

/// `thisYear`: what two-digit years are measured by.
std::optional<qint64> parseDate(const QByteArray &text, int thisYear)
{
    const QList<QByteArray> part = text.split(' ');

    // Sun, 06 Nov 1994 08:49:37 GMT
    if (part.size() == 6 && part[0].endsWith(',') && isWeekday(part[0].chopped(1), false) && part[5] == "GMT")
        return unixMs(number(part[3], 4), month(part[2]), number(part[1], 2), msOfDay(part[4]));

    // Sunday, 06-Nov-94 08:49:37 GMT
    if (part.size() == 4 && part[0].endsWith(',') && isWeekday(part[0].chopped(1), true) && part[3] == "GMT") {
        const QList<QByteArray> date = part[1].split('-');
        if (date.size() != 3)
            return {};
        return unixMs(fullYear(number(date[2], 2), thisYear), month(date[1]), number(date[0], 2), msOfDay(part[2]));
    }

    // Sun Nov  6 08:49:37 1994: the day has two characters, the first may be a space
    if (text.size() == 24 && text.at(3) == ' ' && text.at(7) == ' ' && text.at(10) == ' ' && text.at(19) == ' ' &&
        isWeekday(text.left(3), false)) {
        const QByteArray day = text.at(8) == ' ' ? '0' + text.mid(9, 1) : text.mid(8, 2);
        return unixMs(number(text.mid(20), 4), month(text.mid(4, 3)), number(day, 2), msOfDay(text.mid(11, 8)));
    }
    return {};
}

constexpr int yearWithoutReference = 2020; ///< two-digit years then mean 1971 to 2070

} // namespace retry_after_detail

std::optional<qint64> httpDateMs(const QByteArray &text)
{
    return retry_after_detail::parseDate(text.trimmed(), retry_after_detail::yearWithoutReference);
}

std::optional<qint64> retryAfterMs(const QByteArray &retryAfter, const QByteArray &date)
{
    using namespace retry_after_detail;
    const QByteArray asked = retryAfter.trimmed();
    if (isDigits(asked)) {
        constexpr qint64 longestS = std::numeric_limits<qint64>::max() / 1'000;
        bool fits = false;
        const qint64 seconds = asked.toLongLong(&fits);
        return fits && seconds <= longestS ? seconds * 1'000 : std::numeric_limits<qint64>::max();
    }

    const std::optional<qint64> nowMs = httpDateMs(date);
    if (!nowMs)
        return {};
    const int thisYear = QDate(1970, 1, 1).addDays(*nowMs / 86'400'000).year();
    const std::optional<qint64> untilMs = parseDate(asked, thisYear);
    if (!untilMs)
        return {};
    return std::max<qint64>(*untilMs - *nowMs, 0);
}

} // namespace ikkai
