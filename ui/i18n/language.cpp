#include "ui/i18n/language.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLibraryInfo>
#include <QtCore/QLocale>

namespace ikkai {

LanguageSwitch::~LanguageSwitch()
{
    QCoreApplication::removeTranslator(&m_japanese);
    QCoreApplication::removeTranslator(&m_qtJapanese);
}

void LanguageSwitch::use(Language language)
{
    if (m_japanese.isEmpty()) {
        if (!m_japanese.load(QStringLiteral(":/i18n/ikkai_ja.qm")))
            qWarning("the Japanese texts are not in this program");
        // Qt's own few words (the edit menu of a field); not every system has them.
        [[maybe_unused]] const bool found = m_qtJapanese.load(
            QStringLiteral("qtbase_ja"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    }
    if (language == m_language)
        return;
    m_language = language;
    if (language == Language::Japanese) {
        QCoreApplication::installTranslator(&m_qtJapanese);
        QCoreApplication::installTranslator(&m_japanese);
    } else {
        QCoreApplication::removeTranslator(&m_japanese);
        QCoreApplication::removeTranslator(&m_qtJapanese);
    }
}

} // namespace ikkai
