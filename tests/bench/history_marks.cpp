#include "tests/bench/history_marks.h"

#include "core/journal/history_reader.h"
#include "core/journal/journal_verification.h"
#include "tests/bench/process_facts.h"
#include "tests/bench/samples.h"
#include "tests/support/big_journal.h"

#include <QtCore/QEventLoop>
#include <QtCore/QFileInfo>
#include <QtCore/QThread>
#include <QtCore/QTimer>

#include <cstdio>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

namespace ikkai::bench {

namespace {

using test::BigJournal;

constexpr int stuckAfterMs = 60'000;
constexpr int rowsOnPage = 100;

bool failHistory(const QString &why)
{
    std::fprintf(stderr, "ikkai-bench: history: %s\n", qPrintable(why));
    return false;
}

/// The system forgets what it has read of the file, as after a night.
void forgetCached(const QString &file)
{
    const int descriptor = ::open(file.toLocal8Bit().constData(), O_RDONLY);
    if (descriptor < 0)
        return;
    ::fdatasync(descriptor);
    ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    ::close(descriptor);
}

/// A reader on a thread of its own, asked and waited for as a window would, one request after the other.
class Window {
public:
    explicit Window(const QString &file)
        : m_reader(new HistoryReader(file, {}))
    {
        m_reader->moveToThread(&m_thread);
        QObject::connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);
        QObject::connect(m_reader, &HistorySource::pageRead, &m_loop, [this](const HistoryPage &page) {
            m_page = page;
            m_loop.quit();
        });
        QObject::connect(m_reader, &HistorySource::exported, &m_loop, [this] { m_loop.quit(); });
        QObject::connect(m_reader, &HistorySource::failed, &m_loop, [this](const QString &what) {
            flaw = what;
            m_loop.quit();
        });
        m_thread.start();
    }
    ~Window()
    {
        m_thread.quit();
        m_thread.wait();
    }

    HistoryPage read(const HistoryRequest &request, Samples *mark)
    {
        const std::int64_t from = nowNs();
        m_page = {};
        QMetaObject::invokeMethod(
            m_reader, [this, request] { m_reader->read(request); }, Qt::QueuedConnection);
        wait();
        if (mark)
            mark->add(nowNs() - from);
        return m_page;
    }
    void write(const HistoryExport &wanted, Samples &mark)
    {
        const std::int64_t from = nowNs();
        QMetaObject::invokeMethod(
            m_reader, [this, wanted] { m_reader->exportRows(wanted); }, Qt::QueuedConnection);
        wait();
        mark.add(nowNs() - from);
    }

    QString flaw;

private:
    void wait()
    {
        QTimer stuck;
        QObject::connect(&stuck, &QTimer::timeout, &m_loop, [this] {
            flaw = QStringLiteral("a page does not come");
            m_loop.quit();
        });
        stuck.start(stuckAfterMs);
        m_loop.exec();
    }

    QThread m_thread;
    HistoryReader *m_reader;
    QEventLoop m_loop;
    HistoryPage m_page;
};

void printMark(const char *name, const Samples &mark)
{
    std::printf("%-52s %9.2f %9.2f %9.2f ms\n", name, mark.percentileMs(50), mark.percentileMs(99),
                mark.percentileMs(100));
    std::fflush(stdout);
}

class HistoryMarks {
public:
    HistoryMarks(const Settings &settings, QString file, int checkouts)
        : m_settings(settings)
        , m_file(std::move(file))
        , m_checkouts(checkouts)
    {
    }

    /// Empty, or what went wrong.
    QString take()
    {
        markOpening();
        Window window(m_file);
        markScrolling(window);
        markFilters(window);
        Samples written;
        window.write({{}, ExportFormat::Csv, m_settings.folder + QStringLiteral("/history.csv")}, written);
        printMark("export of everything as CSV", written);
        const std::int64_t from = nowNs();
        const auto verified = verifyJournal(m_file);
        Samples verifying;
        verifying.add(nowNs() - from);
        if (!verified || !verified->damage.isEmpty())
            return verified ? verified->damage.first() : describe(verified.error());
        printMark("verify-journal", verifying);
        return m_flaw.isEmpty() ? window.flaw : m_flaw;
    }

private:
    void expect(bool isAsAsked, const char *what)
    {
        if (!isAsAsked && m_flaw.isEmpty())
            m_flaw = QStringLiteral("another page than was asked for: %1").arg(QLatin1String(what));
    }

    void markOpening()
    {
        Samples first;
        for (int n = 0; n < 9; ++n) {
            forgetCached(m_file);
            const std::int64_t from = nowNs();
            Window window(m_file);
            const HistoryPage page = window.read({1, {}, {}, rowsOnPage, false}, nullptr);
            first.add(nowNs() - from);
            expect(page.rows.size() == rowsOnPage, "the first page");
        }
        printMark("history opened: thread, connection, first page, cold", first);
    }

    void markScrolling(Window &window)
    {
        Samples scrolled;
        HistoryRequest request{1, {}, {}, rowsOnPage, false};
        for (int n = 0; n < m_checkouts / rowsOnPage && n < 2'000; ++n) {
            const HistoryPage page = window.read(request, &scrolled);
            expect(!page.rows.isEmpty(), "a page further down");
            if (page.rows.isEmpty())
                return;
            request.after = page.rows.last().key;
        }
        printMark("next page while scrolling", scrolled);
        Samples anywhere;
        for (int n = 1; n < 200; ++n) {
            const int number = static_cast<int>(static_cast<qint64>(m_checkouts) * n / 200);
            request.after = IdempotencyKey::parse(BigJournal::keyOf(number)).value();
            const HistoryPage page = window.read(request, &anywhere);
            expect(!page.rows.isEmpty() && page.rows.first().key.text() == BigJournal::keyOf(number - 1),
                   "a page anywhere");
        }
        printMark("a page anywhere in the journal", anywhere);
    }

    void markFilters(Window &window)
    {
        const auto mark = [&](const char *name, const HistoryFilter &filter, bool isFound) {
            Samples samples;
            for (int n = 0; n < 5; ++n)
                expect(window.read({1, filter, {}, rowsOnPage, false}, &samples).rows.isEmpty() != isFound, name);
            printMark(name, samples);
        };
        HistoryFilter filter;
        filter.text = QStringLiteral("7");
        mark("part of an order, found often", filter, true);
        filter.text = QStringLiteral("A-77");
        mark("part of an order, the newest far down", filter, true);
        filter.text = QStringLiteral("zebra");
        mark("part of an order, found nowhere (all is read)", filter, false);
        filter.text = BigJournal::keyOf(m_checkouts / 2).right(4);
        mark("last four of a reference", filter, true);
        filter = {};
        filter.states = {QStringLiteral("unknown"), QStringLiteral("voiding"), QStringLiteral("void_pending"),
                         QStringLiteral("key_mismatch")};
        mark("what is open", filter, true);
        filter = {};
        filter.amountMinor = 100 + 77 * 7'919 % 9'900;
        mark("an amount", filter, true);
        filter = {};
        filter.day = QDateTime::fromMSecsSinceEpoch(BigJournal::firstWallMs).date().addDays(m_checkouts / 2'880);
        mark("a day", filter, true);
        Samples counted;
        for (int n = 0; n < 3; ++n)
            expect(window.read({1, {}, {}, 0, true}, &counted).total == m_checkouts, "the count");
        printMark("count of everything, where it is asked for", counted);
    }

    const Settings &m_settings;
    QString m_file;
    int m_checkouts;
    QString m_flaw;
};

} // namespace

bool printHistoryMarks(const Settings &settings)
{
    const int checkouts = settings.perMark < std::chrono::seconds(1) ? 20'000 : 1'000'000;
    const QString file = settings.folder + QStringLiteral("/history.sqlite");
    const std::int64_t from = nowNs();
    if (const QString flaw = BigJournal::write(file, checkouts); !flaw.isEmpty())
        return failHistory(flaw);
    std::printf("History: HistoryReader on its own thread, pages of %d; a journal of %d checkouts, %lld MiB on %s,\n"
                "written in %.1f s\n\n%-52s %9s %9s %9s\n",
                rowsOnPage, checkouts, static_cast<long long>(QFileInfo(file).size() / 1'048'576),
                qPrintable(fileSystemOf(settings.folder)), static_cast<double>(nowNs() - from) / 1e9, "", "p50", "p99",
                "most");
    const QString flaw = HistoryMarks(settings, file, checkouts).take();
    std::printf("\n");
    return flaw.isEmpty() || failHistory(flaw);
}

} // namespace ikkai::bench
