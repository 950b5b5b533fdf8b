#pragma once

#include "tests/support/terminal_driver.h"
#include "tests/support/virtual_bench.h"
#include "tests/ui/fake_closing.h"
#include "tests/ui/fake_history.h"

#include "ui/main_window.h"
#include "ui/object_names.h"
#include "ui/trainer/trainer_link.h"

#include <QtCore/QDir>
#include <QtGui/QPixmap>

#include <algorithm>
#include <memory>

namespace ikkai::test {

/// A bank's control side that only remembers what it was asked.
class PlayedTrainer final : public TrainerLink {
    Q_OBJECT

public:
    QStringList calls;

    void arm(const QString &spec) override { calls << QStringLiteral("arm ") + spec; }
    void disarm(const QString &id) override { calls << QStringLiteral("disarm ") + id; }
    void disarmAll() override { calls << QStringLiteral("disarm all"); }
};

/// The whole window on the real service, on virtual time, with a bank that the test plays.
struct Till {
    MemoryJournal journal;
    Engine engine{journal};
    PlayedTrainer trainer;
    FakeClosing closing;
    FakeHistory history;
    std::unique_ptr<MainWindow> window;
    std::unique_ptr<TerminalDriver> driver;

    explicit Till(MainWindowOptions options = english(), QSize size = {1280, 720})
    {
        open(std::move(options), size);
        engine.open();
        driver->settle();
    }
    /// A window alone: the engine is not told to recover and the bank is not known yet.
    struct Cold {};
    explicit Till(Cold, MainWindowOptions options = english()) { open(std::move(options), {1280, 720}); }

    static MainWindowOptions english()
    {
        MainWindowOptions options;
        options.language = Language::English;
        return options;
    }
    static MainWindowOptions japanese() { return {}; }

    [[nodiscard]] WindowParts parts()
    {
        WindowParts parts;
        parts.service = &engine.service;
        parts.clock = &engine.time;
        parts.trainer = &trainer;
        parts.closing = &closing;
        parts.history = &history;
        return parts;
    }
    void open(MainWindowOptions options, QSize size)
    {
        window = std::make_unique<MainWindow>(std::move(options), parts());
        window->resize(size);
        window->show();
        driver = std::make_unique<TerminalDriver>(*window);
        driver->settle();
    }
    /// Time goes on in small steps, as the window sees it.
    void pass(qint64 ms)
    {
        while (ms > 0) {
            const qint64 step = std::min<qint64>(ms > 1'000 ? 500 : 100, ms);
            engine.time.advance(step);
            window->tick();
            driver->settle();
            readScreen();
            ms -= step;
        }
    }
    /// Everything that could be read since `watching` was set: no word that was on the screen is missed.
    bool watching = false;
    QStringList seen;
    void readScreen()
    {
        if (watching)
            seen << driver->allText();
    }
    /// The try that is under way gets no answer within its deadline.
    void silence()
    {
        pass(3'000);
        engine.gateway.stayAway(Transmission::End::DeadlinePassed, 1);
        driver->settle();
    }
    /// Until the next try is transmitted.
    void untilNextTry()
    {
        const std::size_t sent = engine.gateway.charges.size();
        for (int i = 0; i < 600 && engine.gateway.charges.size() == sent; ++i)
            pass(100);
    }
    void answer(int status, const QByteArray &word, const QHash<QByteArray, QByteArray> &headers = {})
    {
        engine.gateway.answer(status, word, headers);
        driver->settle();
        readScreen();
    }
    /// The bank's word to the void under way: reversed, prevented, not_charged.
    void voidAnswered(const QByteArray &result)
    {
        const VoidTransmission &sent = engine.gateway.voids.back();
        QByteArray body = sent.body.trimmed();
        body.chop(1); // the closing brace: the bank's own members follow
        body += ",\"at\":\"2026-01-01T00:00:00Z\",\"result\":\"" + result + "\"}";
        const QHash<QByteArray, QByteArray> headers{{"content-type", "application/json"}, {"ledger-id", "ledger-1"}};
        voidEnded(Transmission{Transmission::End::Answered, HttpAnswer{200, headers, body}, 1, 40, {}});
    }
    /// A problem of the bank, with its type, for the void under way.
    void voidProblem(int status, const QByteArray &type)
    {
        const QByteArray body = "{\"type\":\"urn:ikkai:problem:" + type +
                                "\",\"title\":\"t\",\"status\":" + QByteArray::number(status) +
                                ",\"detail\":\"d\",\"retryable\":false,\"original_key\":\"" +
                                engine.gateway.voids.back().key.bytes() + "\"}";
        const QHash<QByteArray, QByteArray> headers{{"content-type", "application/problem+json"},
                                                    {"ledger-id", "ledger-1"}};
        voidEnded(Transmission{Transmission::End::Answered, HttpAnswer{status, headers, body}, 1, 40, {}});
    }
    void voidSilence() { voidEnded(Transmission{Transmission::End::DeadlinePassed, {}, 1, 3'000, {}}); }
    void voidEnded(const Transmission &transmission)
    {
        const VoidTransmission sent = engine.gateway.voids.back();
        engine.gateway.sink().voidEnded(sent.key, sent.voidTry, transmission);
        driver->settle();
        readScreen();
    }
    /// Until the terminal asks the bank by itself.
    void untilAsked()
    {
        const std::size_t asked = engine.gateway.inquiries.size();
        for (int i = 0; i < 1'000 && engine.gateway.inquiries.size() == asked; ++i)
            pass(100);
    }
    /// The bank's word to the inquiry under way: approved, declined.
    void inquiryAnswered(const QByteArray &word)
    {
        const IdempotencyKey key = engine.gateway.inquiries.back().key;
        const auto &charges = engine.gateway.charges;
        const auto sent = std::find_if(charges.rbegin(), charges.rend(),
                                       [&](const ChargeTransmission &each) { return each.attempt.key == key; });
        engine.gateway.sink().inquiryEnded(key, PlayedGateway::answerTo(*sent, 200, word));
        driver->settle();
        readScreen();
    }
    /// The bank does not know the charge that it is asked about.
    void inquiryFindsNothing()
    {
        const IdempotencyKey key = engine.gateway.inquiries.back().key;
        const QHash<QByteArray, QByteArray> headers{{"content-type", "application/problem+json"},
                                                    {"ledger-id", "ledger-1"}};
        const QByteArray body = "{\"type\":\"urn:ikkai:problem:charge-not-found\",\"title\":\"t\",\"status\":404,"
                                "\"detail\":\"d\",\"retryable\":false,\"idempotency_key\":\"" +
                                key.bytes() + "\"}";
        engine.gateway.sink().inquiryEnded(
            key, Transmission{Transmission::End::Answered, HttpAnswer{404, headers, body}, 1, 20, {}});
        driver->settle();
        readScreen();
    }
    void paid()
    {
        pass(200);
        answer(201, "approved", {{"idempotent-replayed", "false"}});
    }
    /// A problem of the bank, with its type, for the try that is under way.
    void problem(int status, const QByteArray &type, QHash<QByteArray, QByteArray> headers = {},
                 const QByteArray &more = {})
    {
        pass(100);
        const ChargeTransmission &sent = engine.gateway.charges.back();
        headers.insert("content-type", "application/problem+json");
        headers.insert("ledger-id", "ledger-1");
        const QByteArray body = "{\"type\":\"urn:ikkai:problem:" + type +
                                "\",\"title\":\"t\",\"status\":" + QByteArray::number(status) +
                                ",\"detail\":\"d\",\"retryable\":false,\"idempotency_key\":\"" +
                                sent.attempt.key.bytes() + "\"" + more + "}";
        engine.gateway.sink().attemptEnded(
            sent.attempt, Transmission{Transmission::End::Answered, HttpAnswer{status, headers, body}, 1, 100, {}});
        driver->settle();
        readScreen();
    }
    /// Declined first; then the first try's answer comes after all and says approved.
    void contradiction()
    {
        const ChargeTransmission first = engine.gateway.charges.back();
        engine.gateway.stayAway(Transmission::End::DeadlinePassed, 1);
        untilNextTry();
        answer(402, "declined");
        engine.gateway.sink().lateAnswer(first.attempt, PlayedGateway::answerTo(first, 201, "approved"));
        driver->settle();
    }
    /// Five silent tries: nobody knows.
    void unknown(const QString &order = QStringLiteral("A-1001"), qint64 amountMinor = 1'200)
    {
        driver->charge(order, amountMinor);
        for (int n = 1; n <= 5; ++n) {
            silence();
            if (n < 5)
                untilNextTry();
        }
    }

    /// For people to look at.
    void picture(const QString &name) const
    {
        const QString folder = qEnvironmentVariable("IKKAI_PICTURES");
        if (folder.isEmpty())
            return;
        QDir().mkpath(folder);
        window->grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
    }
};

} // namespace ikkai::test
