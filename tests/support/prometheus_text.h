#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QSet>
#include <QtCore/QString>

#include <algorithm>
#include <limits>
#include <optional>

namespace ikkai::test {

/// Reads Prometheus' text format 0.0.4 and accepts nothing that a scraper could take two ways: every sample belongs to
/// the family declared last, every series is told once, histograms add up.
class Exposition {
public:
    using Labels = QMap<QByteArray, QByteArray>;
    struct Sample {
        QByteArray name;
        Labels labels;
        double value = 0;
    };

    QList<Sample> samples;

    /// The value of one series, NaN where there is none.
    [[nodiscard]] double value(const QByteArray &name, const Labels &labels = {}) const
    {
        for (const Sample &sample : samples) {
            if (sample.name == name && sample.labels == labels)
                return sample.value;
        }
        return std::numeric_limits<double>::quiet_NaN();
    }
    /// All series of a name together.
    [[nodiscard]] double sum(const QByteArray &name, const QByteArray &label = {}, const QByteArray &text = {}) const
    {
        double total = 0;
        for (const Sample &sample : samples) {
            if (sample.name == name && (label.isEmpty() || sample.labels.value(label) == text))
                total += sample.value;
        }
        return total;
    }

    [[nodiscard]] static QString lastError() { return error(); }

    [[nodiscard]] static std::optional<Exposition> parse(const QByteArray &text)
    {
        Exposition read;
        QByteArray family;
        QByteArray type;
        QSet<QByteArray> families;
        QSet<QByteArray> series;
        if (!text.endsWith('\n'))
            return fail("the last line has no end", {});
        for (const QByteArray &line : text.chopped(1).split('\n')) {
            if (line.startsWith("# HELP ")) {
                family = line.mid(7).split(' ').first();
                type.clear();
                if (families.contains(family))
                    return fail("family told twice", line);
                families.insert(family);
                continue;
            }
            if (line.startsWith("# TYPE ")) {
                const QByteArrayList words = line.mid(7).split(' ');
                if (words.size() != 2 || words[0] != family)
                    return fail("type without its help", line);
                type = words[1];
                if (type != "counter" && type != "gauge" && type != "histogram")
                    return fail("unknown type", line);
                if ((type == "counter") != family.endsWith("_total"))
                    return fail("a counter ends in _total, and nothing else does", line);
                continue;
            }
            const auto sample = parseSample(line);
            if (!sample)
                return fail("no sample", line);
            const QByteArray rest = sample->name.startsWith(family) ? sample->name.mid(family.size()) : "?";
            const bool belongs = type == "histogram" ? rest == "_bucket" || rest == "_sum" || rest == "_count"
                                                     : rest.isEmpty() && !type.isEmpty();
            if (family.isEmpty() || !belongs)
                return fail("not of the family above", line);
            if ((rest == "_bucket") != sample->labels.contains("le"))
                return fail("le belongs to buckets", line);
            const QByteArray id = line.first(line.lastIndexOf(' '));
            if (series.contains(id))
                return fail("series told twice", line);
            series.insert(id);
            read.samples.append(*sample);
        }
        return read.histogramsAddUp() ? std::optional(read) : std::nullopt;
    }

private:
    static QString &error()
    {
        static QString text;
        return text;
    }
    static std::nullopt_t fail(const char *why, const QByteArray &line)
    {
        error() = QLatin1String(why) + QStringLiteral(": ") + QString::fromUtf8(line);
        return std::nullopt;
    }

    static bool isName(const QByteArray &name)
    {
        return !name.isEmpty() && !(name[0] >= '0' && name[0] <= '9') &&
               std::all_of(name.begin(), name.end(), [](char c) {
                   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
               });
    }

    static std::optional<Sample> parseSample(const QByteArray &line)
    {
        Sample sample;
        qsizetype at = line.indexOf('{');
        const qsizetype space = line.indexOf(' ');
        if (at < 0 || (space >= 0 && space < at)) {
            at = space;
            if (at < 0)
                return std::nullopt;
            sample.name = line.first(at);
        } else {
            sample.name = line.first(at++);
            while (at < line.size() && line[at] != '}') {
                const qsizetype equals = line.indexOf("=\"", at);
                if (equals < 0)
                    return std::nullopt;
                const QByteArray label = line.mid(at, equals - at);
                QByteArray text;
                at = equals + 2;
                for (; at < line.size() && line[at] != '"'; ++at) {
                    if (line[at] != '\\') {
                        text += line[at];
                        continue;
                    }
                    const char next = ++at < line.size() ? line[at] : '\0';
                    if (next != '\\' && next != '"' && next != 'n')
                        return std::nullopt;
                    text += next == 'n' ? '\n' : next;
                }
                if (at >= line.size() || !isName(label) || sample.labels.contains(label))
                    return std::nullopt;
                sample.labels.insert(label, text);
                if (++at < line.size() && line[at] == ',')
                    ++at;
            }
            ++at;
        }
        bool isNumber = false;
        if (at >= line.size() || line[at] != ' ' || !isName(sample.name))
            return std::nullopt;
        sample.value = line.mid(at + 1).toDouble(&isNumber);
        return isNumber ? std::optional(sample) : std::nullopt;
    }

    bool histogramsAddUp() const
    {
        struct Running {
            double last = 0;
            double bound = -std::numeric_limits<double>::infinity();
            bool whole = false;
        };
        QMap<QByteArray, Running> running;
        const auto idOf = [](const Sample &sample, qsizetype suffix) {
            QByteArray id = sample.name.chopped(suffix);
            for (auto it = sample.labels.begin(); it != sample.labels.end(); ++it) {
                if (it.key() != "le")
                    id += '\n' + it.key() + '=' + it.value();
            }
            return id;
        };
        for (const Sample &sample : samples) {
            if (sample.labels.contains("le")) {
                Running &now = running[idOf(sample, 7)];
                const QByteArray le = sample.labels.value("le");
                const double bound = le == "+Inf" ? std::numeric_limits<double>::infinity() : le.toDouble();
                if (bound <= now.bound || sample.value < now.last) {
                    fail("buckets fall", sample.name);
                    return false;
                }
                now = {sample.value, bound, le == "+Inf"};
            } else if (sample.name.endsWith("_count")) {
                const Running now = running.value(idOf(sample, 6));
                if (!now.whole || now.last != sample.value) {
                    fail("the count is not the last bucket", sample.name);
                    return false;
                }
            }
        }
        return std::all_of(running.begin(), running.end(), [](const Running &now) { return now.whole; });
    }
};

} // namespace ikkai::test
