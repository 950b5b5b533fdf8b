#pragma once

#include "app/options.h"
#include "core/gateway/authorities.h"

#include <QtCore/QByteArray>
#include <QtCore/QUrl>

#include <memory>

namespace mockbank {
class MockServer;
struct MockServerOptions;
} // namespace mockbank

namespace ikkai::app {

/// The bank that the options name, and what it takes to speak to it; an embedded one runs as long as this lives.
class BankAtHand {
public:
    /// The embedded bank as the options want it; used where they name no server.
    static mockbank::MockServerOptions embeddedOf(const Options &options);
    /// Errors: exit code 2 for files that options name, 1 for the embedded bank.
    static Result<std::unique_ptr<BankAtHand>, Stop> open(const Options &options,
                                                          const mockbank::MockServerOptions &embedded);
    ~BankAtHand();

    [[nodiscard]] QUrl url() const { return m_url; }
    [[nodiscard]] QByteArray apiKey() const { return m_apiKey; }
    /// Who may vouch for an https bank, of `--ca-file`; empty: those the system trusts.
    [[nodiscard]] Authorities authorities() const { return m_authorities; }
    /// Of the embedded bank, or of `--control-token-file`; empty where neither is there.
    [[nodiscard]] QByteArray controlToken() const { return m_controlToken; }

private:
    BankAtHand();
    std::optional<Stop> readFiles(const Options &options);
    std::optional<Stop> start(const mockbank::MockServerOptions &embedded);

    std::unique_ptr<mockbank::MockServer> m_embedded;
    QUrl m_url;
    QByteArray m_apiKey;
    Authorities m_authorities;
    QByteArray m_controlToken;
};

} // namespace ikkai::app
