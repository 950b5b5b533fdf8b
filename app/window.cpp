#include "app/window.h"

#include "app/engine.h"
#include "core/training/control_client.h"
#include "ui/cashier/journal_fault_screen.h"
#include "ui/main_window.h"
#include "ui/trainer/control_trainer_link.h"

#include <QtGui/QScreen>
#include <QtWidgets/QApplication>
#include <QtWidgets/QMessageBox>

#include <cstdio>
#include <memory>

namespace ikkai::app {

namespace {

/// Nothing can be recorded, so nothing can be charged: what that means stands in a window of its own.
int showJournalFault(const Stop &stop, const MainWindowOptions &options)
{
    JournalFaultScreen screen(*stop.journal, options.language, options.theme);
    QObject::connect(&screen, &JournalFaultScreen::closed, qApp, [&stop] { QApplication::exit(stop.exitCode); });
    screen.show();
    return QApplication::exec();
}

/// Nothing was opened: one line for the shell, and a window for whoever started it from a desktop.
int tellAndLeave(const Stop &stop, const MainWindowOptions &options)
{
    std::fprintf(stderr, "payment-terminal: %s\n", qUtf8Printable(stop.line));
    if (stop.journal)
        return showJournalFault(stop, options);
    QMessageBox box(QMessageBox::Warning, QStringLiteral("Ikkai"), stop.line, QMessageBox::Close);
    QObject::connect(&box, &QMessageBox::finished, qApp, [&stop] { QApplication::exit(stop.exitCode); });
    box.open();
    return QApplication::exec();
}

constexpr int titleBar = 40; ///< what a window manager may add, at the most

/// Qt ends the program with a core dump where it finds none of these.
bool hasDisplay()
{
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

} // namespace

int runWindow(int argc, char **argv, const Options &options)
{
    if (!hasDisplay()) {
        std::fputs("payment-terminal: there is no display for the window; without one: payment-terminal charge\n",
                   stderr);
        return 2;
    }
    const QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("payment-terminal"));
    QApplication::setApplicationDisplayName(QStringLiteral("Ikkai"));

    MainWindowOptions window;
    window.role = options.role == Role::Trainer ? WindowRole::Trainer : WindowRole::Cashier;
    window.language = options.language == QStringLiteral("ja") ? Language::Japanese : Language::English;
    window.theme = options.theme == QStringLiteral("dark") ? theme::Mode::Dark : theme::Mode::Light;
    window.terminalId = options.terminalId;
    window.calendar = options.calendar;

    const auto engine = Engine::open(options);
    if (!engine)
        return tellAndLeave(engine.error(), window);

    // The console has no private door: it drives the embedded bank, too, through its control API.
    std::unique_ptr<ControlClient> control;
    std::unique_ptr<ControlTrainerLink> trainer;
    if (window.role == WindowRole::Trainer && !(*engine)->controlToken().isEmpty()) {
        ControlClientSettings settings;
        settings.baseUrl = (*engine)->bankUrl();
        settings.token = (*engine)->controlToken();
        settings.authorities = (*engine)->authorities();
        control = std::make_unique<ControlClient>(settings);
        trainer = std::make_unique<ControlTrainerLink>(control.get(), &(*engine)->service());
    }
    WindowParts parts;
    parts.service = &(*engine)->service();
    parts.clock = &(*engine)->clock();
    parts.history = &(*engine)->history();
    parts.closing = &(*engine)->closing();
    parts.trainer = trainer.get();
    MainWindow main(window, parts);
    if (trainer)
        trainer->start();
    const QRect room = main.screen()->availableGeometry();
    if (main.width() > room.width() || main.height() + titleBar > room.height())
        main.showMaximized();
    else
        main.show();
    (*engine)->recover();
    return QApplication::exec();
}

} // namespace ikkai::app
