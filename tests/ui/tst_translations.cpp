#include "tests/support/test.h"

#include "ui/i18n/language.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtCore/QXmlStreamReader>

using namespace ikkai;

namespace {

struct Message {
    QString context, source, translation;
    bool finished = false;
};

QList<Message> messagesOf(const QString &file)
{
    QFile ts(file);
    QList<Message> all;
    if (!ts.open(QIODevice::ReadOnly))
        return all;
    QXmlStreamReader xml(&ts);
    QString context;
    while (!xml.atEnd()) {
        if (!xml.readNextStartElement() && xml.atEnd())
            break;
        if (!xml.isStartElement())
            continue;
        if (xml.name() == QLatin1StringView("name"))
            context = xml.readElementText();
        else if (xml.name() == QLatin1StringView("source"))
            all.append({context, xml.readElementText(), {}, false});
        else if (xml.name() == QLatin1StringView("translation")) {
            all.last().finished = !xml.attributes().hasAttribute(QLatin1StringView("type"));
            all.last().translation = xml.readElementText();
        }
    }
    return all;
}

} // namespace

/// Every text of the window has its Japanese.
class Translations : public ikkai::test::Test {
    Q_OBJECT

private Q_SLOTS:
    void every_text_of_the_sources_is_translated()
    {
        QTemporaryDir folder;
        const QString fresh = folder.filePath(QStringLiteral("ikkai_ja.ts"));
        QVERIFY(QFile::copy(QStringLiteral(IKKAI_SOURCE "/ui/i18n/ikkai_ja.ts"), fresh));
        QFile::setPermissions(fresh, QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        QProcess lupdate;
        lupdate.setProcessChannelMode(QProcess::MergedChannels);
        lupdate.start(QStringLiteral(IKKAI_LUPDATE),
                      {QStringLiteral("-silent"), QStringLiteral("-no-obsolete"), QStringLiteral("-locations"),
                       QStringLiteral("none"), QStringLiteral("-I"), QStringLiteral(IKKAI_SOURCE),
                       QStringLiteral(IKKAI_SOURCE "/ui"), QStringLiteral("-ts"), fresh});
        QVERIFY(lupdate.waitForFinished(60'000));
        QVERIFY2(lupdate.exitCode() == 0, lupdate.readAll().constData());
        const QList<Message> now = messagesOf(fresh);
        QVERIFY(now.size() > 150);
        for (const Message &message : now) {
            QVERIFY2(message.finished && !message.translation.isEmpty(),
                     qPrintable(message.context + QStringLiteral(": ") + message.source));
        }
        QCOMPARE(messagesOf(QStringLiteral(IKKAI_SOURCE "/ui/i18n/ikkai_ja.ts")).size(), now.size());
    }
    void placeholders_and_emphasis_survive()
    {
        for (const Message &message : messagesOf(QStringLiteral(IKKAI_SOURCE "/ui/i18n/ikkai_ja.ts"))) {
            for (const QString &mark : {QStringLiteral("%1"), QStringLiteral("%2"), QStringLiteral("%3")}) {
                QVERIFY2(message.source.count(mark) == message.translation.count(mark), qPrintable(message.source));
            }
            QVERIFY2(message.translation.count(QStringLiteral("<b>")) ==
                         message.translation.count(QStringLiteral("</b>")),
                     qPrintable(message.source));
        }
    }
    void cashiers_texts_speak_of_the_same_charge_not_of_keys()
    {
        for (const Message &message : messagesOf(QStringLiteral(IKKAI_SOURCE "/ui/i18n/ikkai_ja.ts"))) {
            if (message.context != QStringLiteral("OutcomeWords") && message.context != QStringLiteral("AttemptWords"))
                continue;
            for (const char *word : {"replay", "idempot", "fail", "error"})
                QVERIFY2(!message.source.contains(QLatin1StringView(word), Qt::CaseInsensitive),
                         qPrintable(message.source));
        }
    }
    void the_compiled_texts_are_in_the_program()
    {
        LanguageSwitch languages;
        languages.use(Language::Japanese);
        QCOMPARE(QCoreApplication::translate("OutcomeWords", "Declined"), QStringLiteral("承認され|ませんでした"));
        languages.use(Language::English);
        QCOMPARE(QCoreApplication::translate("OutcomeWords", "Declined"), QStringLiteral("Declined"));
    }
};

IKKAI_TEST_MAIN(Translations)
#include "tst_translations.moc"
