#pragma once

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

#ifdef IKKAI_TEST_GUI
#include <QtWidgets/QApplication>
#else
#include <QtCore/QCoreApplication>
#endif

namespace ikkai::test {

/// Base of every test class: a warning that was not announced with QTest::ignoreMessage fails the test,
/// and so does a top-level widget that outlives it.
class Test : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        // The offscreen platform says this whenever a visible window's smallest size changes.
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
        beforeEach();
    }
    void cleanup()
    {
        afterEach();
#ifdef IKKAI_TEST_GUI
        for (const QWidget *widget : QApplication::topLevelWidgets()) {
            if (widget->isVisible())
                QFAIL(qPrintable(QStringLiteral("a window was left open: ") + widget->objectName()));
        }
#endif
    }

protected:
    virtual void beforeEach() {}
    virtual void afterEach() {}
};

} // namespace ikkai::test

#ifdef IKKAI_TEST_GUI
#define IKKAI_TEST_MAIN(TestClass)                                                                                     \
    int main(int argc, char **argv)                                                                                    \
    {                                                                                                                  \
        QApplication application(argc, argv);                                                                          \
        TestClass test;                                                                                                \
        return QTest::qExec(&test, argc, argv);                                                                        \
    }
#else
#define IKKAI_TEST_MAIN(TestClass)                                                                                     \
    int main(int argc, char **argv)                                                                                    \
    {                                                                                                                  \
        QCoreApplication application(argc, argv);                                                                      \
        TestClass test;                                                                                                \
        return QTest::qExec(&test, argc, argv);                                                                        \
    }
#endif
