#include "core/closing/charge_list_client.h"

#include "core/checkout/retry_after.h"
#include "core/closing/patient_get.h"

#include <algorithm>
#include <utility>

namespace ikkai {

namespace charge_list {

using Kind = ChargeListError::Kind;
using What = KeyInquiry::What;

constexpr size_t keysOnTheWire = 4;

/// Of a key, or of a cursor, only the ledger that was asked can speak. `expected` empty: any.
std::optional<ChargeListError> wrongLedger(const HttpAnswer &answer, const QString &expected)
{
    const QString theirs = QString::fromUtf8(answer.header("ledger-id").trimmed());
    if (answer.status == 421 || (!theirs.isEmpty() && !expected.isEmpty() && theirs != expected)) {
        return ChargeListError{Kind::OtherLedger, answer.status, QStringLiteral("Ledger-Id"),
                               QStringLiteral("The bank keeps another ledger than %1 now: %2.")
                                   .arg(expected, theirs.isEmpty() ? QStringLiteral("it does not say which") : theirs)};
    }
    return {};
}

ChargeListError notOffered(int status, const QString &what)
{
    return {
        Kind::NotOffered, status, {}, QStringLiteral("The bank does not offer %1: status %2.").arg(what).arg(status)};
}

ChargeListError notTheBanks(int status, const QString &what)
{
    return {Kind::NotUnderstood,
            status,
            {},
            QStringLiteral("Asked for %1 somebody answered who is not the bank: status %2.").arg(what).arg(status)};
}

/// Of a status that is neither 200 nor one that an inquiry or a list knows.
ChargeListError refusal(const HttpAnswer &answer, const QString &what)
{
    const int status = answer.status;
    if (status == 401 || status == 403) {
        return {Kind::ApiKeyRefused,
                status,
                {},
                QStringLiteral("The bank does not let this terminal read %1: status %2.").arg(what).arg(status)};
    }
    if (status == 405 || status == 501)
        return notOffered(status, what);
    const std::optional<BankProblem> problem = status >= 400 ? readProblem(answer) : std::nullopt;
    if (!problem)
        return notTheBanks(status, what);
    return {Kind::Refused, status, problem->field,
            QStringLiteral("The bank refuses to tell %1: %2 (status %3).")
                .arg(what, problem->detail.isEmpty() ? problem->type : problem->detail)
                .arg(status)};
}

/// Nobody's word about the question itself: it may be put again.
bool maySayMoreAnotherTime(const ChargeListError &error)
{
    return error.kind == Kind::NotUnderstood && error.member.isEmpty();
}

QString listWords()
{
    return QStringLiteral("its list of charges");
}

QString keyWords(const QString &key)
{
    return QStringLiteral("the charge under the key %1").arg(key);
}

/// The bank's word on one key; the error where there is none to use.
Result<KeyInquiry, ChargeListError> readKey(const HttpAnswer &answer, const QString &key)
{
    const auto says = [&](What what) { return KeyInquiry{key, what, {}, {}}; };
    switch (answer.status) {
    case 200: {
        const std::optional<BankCharge> charge = readCharge(answer);
        if (!charge)
            return notTheBanks(answer.status, keyWords(key));
        if (charge->key != key) {
            return ChargeListError{
                Kind::NotUnderstood, answer.status, QStringLiteral("idempotency_key"),
                QStringLiteral("Asked for %1 the bank speaks of another: %2.").arg(keyWords(key), charge->key)};
        }
        KeyInquiry found = says(What::Found);
        found.charge = charge;
        return found;
    }
    case 202:
        return says(What::InProgress);
    case 404:
        if (!readProblem(answer))
            return notTheBanks(answer.status, keyWords(key));
        return says(What::NeverSeen);
    case 405:
    case 501:
        return says(What::NotOffered);
    default:
        return refusal(answer, keyWords(key));
    }
}

} // namespace charge_list

void ChargeListClient::LetGo::operator()(PatientGet *get) const
{
    get->disconnect();
    get->deleteLater();
}

ChargeListClient::ChargeListClient(ChargeListClientSettings settings, Random &random, QObject *parent)
    : ChargeList(parent)
    , m_settings(std::move(settings))
    , m_random(random)
{
}

ChargeListClient::~ChargeListClient() = default;

void ChargeListClient::read(const ChargeListRequest &request)
{
    if (m_reading)
        return;
    const ChargePageQuery first{0, std::clamp(m_settings.pageRows, 1, 500), request.terminalId, request.fromWallMs,
                                request.toWallMs};
    ++m_readings;
    m_reading = std::make_unique<Reading>(Reading{request, first, {request.expectLedger, 0, 0}, nullptr});
    askForPage();
}

void ChargeListClient::askForPage()
{
    m_reading->get = getOf(chargeListUrl(m_settings.baseUrl, encode(m_reading->query)), m_reading->end.ledgerId,
                           charge_list::listWords());
    connect(m_reading->get.get(), &PatientGet::answered, this, &ChargeListClient::takePage);
    connect(m_reading->get.get(), &PatientGet::waiting, this, &ChargeList::waiting);
    connect(m_reading->get.get(), &PatientGet::failed, this, &ChargeListClient::failReading);
    m_reading->get->start();
}

void ChargeListClient::takePage(const HttpAnswer &answer)
{
    using namespace charge_list;
    ChargeListEnd &end = m_reading->end;
    if (const auto error = wrongLedger(answer, end.ledgerId)) {
        failReading(*error);
        return;
    }
    if (answer.status != 200) {
        const ChargeListError error =
            answer.status == 404 ? notOffered(404, listWords()) : refusal(answer, listWords());
        maySayMoreAnotherTime(error) ? m_reading->get->askAgain(error) : failReading(error);
        return;
    }
    const Result<ChargePage, ChargeListError> page = readChargePage(answer, m_reading->query);
    if (!page) {
        maySayMoreAnotherTime(page.error()) ? m_reading->get->askAgain(page.error()) : failReading(page.error());
        return;
    }
    const QString ledgerId = QString::fromUtf8(answer.header("ledger-id").trimmed());
    if (ledgerId.isEmpty()) {
        failReading({Kind::NotUnderstood, answer.status, QStringLiteral("Ledger-Id"),
                     QStringLiteral("The bank's list of charges does not say of which ledger it is.")});
        return;
    }
    if (end.rows + page->rows.size() > m_reading->request.maxRows) {
        failReading({Kind::TooMany,
                     answer.status,
                     {},
                     QStringLiteral("The bank's list of charges has more than %1 rows: ask for a shorter time.")
                         .arg(m_reading->request.maxRows)});
        return;
    }
    end.ledgerId = ledgerId;
    end.rows += page->rows.size();
    end.bankWallMs = httpDateMs(answer.header("date")).value_or(0);

    const quint64 reading = m_readings;
    Q_EMIT pageRead(page->rows, end.rows);
    if (!m_reading || m_readings != reading) // the taker has cancelled, or even begun anew
        return;
    if (page->next) {
        m_reading->query.after = *page->next;
        askForPage();
        return;
    }
    const ChargeListEnd ended = end;
    m_reading.reset();
    Q_EMIT finished(ended);
}

void ChargeListClient::failReading(const ChargeListError &error)
{
    const ChargeListError why = error; // it may belong to what is let go now
    m_reading.reset();
    Q_EMIT failed(why);
}

void ChargeListClient::inquire(const QString &key, const QString &expectLedger)
{
    m_toAsk.push_back({key, expectLedger});
    askForKeys();
}

void ChargeListClient::askForKeys()
{
    while (!m_toAsk.empty() && m_asking.size() < charge_list::keysOnTheWire) {
        const Asked asked = m_toAsk.front();
        m_toAsk.pop_front();
        Get get = getOf(foreignInquiryUrl(m_settings.baseUrl, asked.key), asked.expectLedger,
                        charge_list::keyWords(asked.key));
        PatientGet *asking = get.get();
        connect(asking, &PatientGet::answered, this,
                [this, asking, asked](const HttpAnswer &answer) { takeKey(asking, asked, answer); });
        connect(asking, &PatientGet::failed, this, [this, asking, asked](const ChargeListError &error) {
            tell(asking, {asked.key, KeyInquiry::What::NoAnswer, {}, error});
        });
        m_asking.push_back({asked, std::move(get)});
        asking->start();
    }
}

void ChargeListClient::takeKey(PatientGet *get, const Asked &asked, const HttpAnswer &answer)
{
    using namespace charge_list;
    if (const auto error = wrongLedger(answer, asked.expectLedger)) {
        tell(get, {asked.key, What::NoAnswer, {}, *error});
        return;
    }
    const Result<KeyInquiry, ChargeListError> read = readKey(answer, asked.key);
    if (read)
        tell(get, *read);
    else if (maySayMoreAnotherTime(read.error()))
        get->askAgain(read.error());
    else
        tell(get, {asked.key, What::NoAnswer, {}, read.error()});
}

void ChargeListClient::tell(PatientGet *get, const KeyInquiry &answer)
{
    const KeyInquiry told = answer; // it may belong to what is let go now
    std::erase_if(m_asking, [get](const Asking &asking) { return asking.get.get() == get; });
    askForKeys();
    Q_EMIT inquired(told);
}

void ChargeListClient::cancel()
{
    if (!m_reading && m_asking.empty() && m_toAsk.empty())
        return;
    m_reading.reset();
    m_asking.clear();
    m_toAsk.clear();
    QMetaObject::invokeMethod(this, &ChargeList::cancelled, Qt::QueuedConnection);
}

ChargeListClient::Get ChargeListClient::getOf(const QUrl &url, const QString &expectLedger, const QString &what)
{
    constexpr qint64 maxPageBytes = 1024 * 1024;
    return Get(new PatientGet({url, readHeaders(m_settings.apiKey, expectLedger), what, m_settings.deadlineMs,
                               maxPageBytes, m_settings.retry, m_settings.authorities},
                              m_random, this));
}

} // namespace ikkai
