#include "core/domain/output_file.h"
#include "tests/support/test.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include <sys/stat.h>

using namespace ikkai;

class OutputFileTest : public test::Test {
    Q_OBJECT

    QTemporaryDir m_folder;

private Q_SLOTS:
    void aFileIsReplacedAndSoIsNothing()
    {
        const QString name = m_folder.filePath(QStringLiteral("report.csv"));
        QVERIFY(!whyNotReplaced(name));
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(!whyNotReplaced(name));
        const QString link = m_folder.filePath(QStringLiteral("link.csv"));
        QVERIFY(QFile::link(name, link));
        QVERIFY(!whyNotReplaced(link));
    }

    void aFolderAPipeAndADeviceStay()
    {
        QCOMPARE(whyNotReplaced(m_folder.path()).value_or(QString()), QStringLiteral("it is a folder"));
        const QString pipe = m_folder.filePath(QStringLiteral("pipe"));
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        for (const QString &name : {pipe, QStringLiteral("/dev/null")})
            QCOMPARE(whyNotReplaced(name).value_or(QString()), QStringLiteral("it is not a regular file"));
    }
};

IKKAI_TEST_MAIN(OutputFileTest)
#include "tst_output_file.moc"
