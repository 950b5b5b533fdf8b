#include "app/window.h"

#include "app/engine.h"
#include "ui/main_window.h"

#include <QtWidgets/QApplication>
#include <QtWidgets/QMessageBox>

#include <cstdio>

namespace ikkai::app {

namespace {

/// Nothing was opened: one line for the shell, and a box for whoever started it from a desktop.
int tellAndLeave(const Stop &stop)
{
    std::fprintf(stderr, "payment-terminal: %s\n", qUtf8Printable(stop.line));
    QMessageBox box(QMessageBox::Warning, QStringLiteral("Ikkai"), stop.line, QMessageBox::Close);
    QObject::connect(&box, &QMessageBox::finished, qApp, [&stop] { QApplication::exit(stop.exitCode); });
    box.open();
    return QApplication::exec();
}

} // namespace

int runWindow(int argc, char **argv, const Options &options)
{
    const QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("payment-terminal"));
    QApplication::setApplicationDisplayName(QStringLiteral("Ikkai"));

    const auto engine = Engine::open(options);
    if (!engine)
        return tellAndLeave(engine.error());

    MainWindowOptions window;
    window.role = options.role == Role::Trainer ? WindowRole::Trainer : WindowRole::Cashier;
    window.language = options.language == QStringLiteral("ja") ? Language::Japanese : Language::English;
    window.theme = options.theme == QStringLiteral("dark") ? theme::Mode::Dark : theme::Mode::Light;
    window.terminalId = options.terminalId;
    MainWindow main(window, &(*engine)->service(), (*engine)->clock());
    main.show();
    (*engine)->recover();
    return QApplication::exec();
}

} // namespace ikkai::app
