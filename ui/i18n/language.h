#pragma once

#include <QtCore/QString>
#include <QtCore/QTranslator>

namespace ikkai {

enum class Language { English, Japanese };

/// Puts one language into force for the whole application; every widget hears LanguageChange.
class LanguageSwitch {
public:
    ~LanguageSwitch();

    void use(Language language);
    [[nodiscard]] Language language() const { return m_language; }

private:
    Language m_language = Language::English;
    QTranslator m_japanese;
    QTranslator m_qtJapanese;
};

} // namespace ikkai
