#pragma once

#include "core/checkout/retry_policy.h"
#include "core/closing/charge_list.h"
#include "core/closing/charge_page.h"
#include "core/domain/random.h"
#include "core/gateway/authorities.h"

#include <QtCore/QByteArray>
#include <QtCore/QUrl>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace ikkai {

class PatientGet;
struct HttpAnswer;

struct ChargeListClientSettings {
    QUrl baseUrl;                 ///< of parseBankUrl
    QByteArray apiKey;            ///< of parseApiKey; empty: none is sent
    Authorities authorities = {}; ///< who may vouch for an https bank; empty: those the system trusts
    qint64 deadlineMs = 10'000;   ///< of one try for one page, or for one key
    int pageRows = 500;           ///< 1 to 500
    RetryPolicy retry = {};       ///< of one page, and of one key: maxAttempts, budgetMs and the backoff count
};

/// Reads `GET /v1/charges` and `GET /v1/charges/{key}` of a bank over HTTP (mock-server/README.md, "Voiding, listing").
/// Keeps no row: what it holds is one page.
class ChargeListClient final : public ChargeList {
    Q_OBJECT

public:
    /// `random` must outlive this.
    ChargeListClient(ChargeListClientSettings settings, Random &random, QObject *parent = nullptr);
    /// Ends what is under way without a word.
    ~ChargeListClient() override;

    void read(const ikkai::ChargeListRequest &request) override;
    void inquire(const QString &key, const QString &expectLedger) override;
    void cancel() override;

private:
    /// It may be let go from inside its own signal.
    struct LetGo {
        void operator()(PatientGet *get) const;
    };
    using Get = std::unique_ptr<PatientGet, LetGo>;

    struct Reading {
        ChargeListRequest request;
        ChargePageQuery query;
        ChargeListEnd end;
        Get get;
    };
    struct Asked {
        QString key;
        QString expectLedger;
    };
    struct Asking {
        Asked asked;
        Get get;
    };

    [[nodiscard]] Get getOf(const QUrl &url, const QString &expectLedger, const QString &what);
    void askForPage();
    void takePage(const HttpAnswer &answer);
    void failReading(const ChargeListError &error);
    void askForKeys();
    void takeKey(PatientGet *get, const Asked &asked, const HttpAnswer &answer);
    void tell(PatientGet *get, const KeyInquiry &answer);

    ChargeListClientSettings m_settings;
    Random &m_random;
    std::unique_ptr<Reading> m_reading;
    quint64 m_readings = 0; ///< that were begun
    std::deque<Asked> m_toAsk;
    std::vector<Asking> m_asking;
};

} // namespace ikkai
