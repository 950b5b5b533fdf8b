#pragma once

#include "tests/support/raw_http.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QSslCertificate>
#include <QtNetwork/QSslConfiguration>
#include <QtNetwork/QSslSocket>

#include <thread>

namespace ikkai::test {

/// Certificates as a test needs them, made by the openssl program in a folder that goes with this object.
class CertificateLab {
public:
    struct Pair {
        QString certFile;
        QString keyFile;
        [[nodiscard]] QByteArray certificate() const { return contents(certFile); }
        [[nodiscard]] QByteArray key() const { return contents(keyFile); }
    };

    [[nodiscard]] static bool isPossible()
    {
        return !QStandardPaths::findExecutable(QStringLiteral("openssl")).isEmpty();
    }

    CertificateLab() { m_authority = selfSigned(QStringLiteral("authority")); }

    [[nodiscard]] const Pair &authority() const { return m_authority; }
    [[nodiscard]] QList<QSslCertificate> authorities() const
    {
        return QSslCertificate::fromData(m_authority.certificate());
    }

    /// Signed by the authority, for `names` as in DNS:localhost,IP:127.0.0.1; with `days` -1 it has expired.
    Pair issue(const QString &name, const QString &names = QStringLiteral("DNS:localhost,IP:127.0.0.1"), int days = 1,
               const QStringList &kind = ec()) const
    {
        const Pair pair = pairOf(name);
        const QString request = file(name + QStringLiteral(".csr"));
        const QString extensions = file(name + QStringLiteral(".ext"));
        QFile written(extensions);
        if (!written.open(QIODevice::WriteOnly))
            qFatal("cannot write %s", qPrintable(extensions));
        written.write("subjectAltName=" + names.toLatin1() + '\n');
        written.close();
        openssl(QStringList{s("req"), s("-nodes"), s("-subj"), s("/CN=") + name, s("-keyout"), pair.keyFile, s("-out"),
                            request} +
                kind);
        openssl({s("x509"), s("-req"), s("-in"), request, s("-CA"), m_authority.certFile, s("-CAkey"),
                 m_authority.keyFile, s("-days"), QString::number(days), s("-extfile"), extensions, s("-out"),
                 pair.certFile});
        return pair;
    }
    /// Vouched for by nobody.
    Pair selfSigned(const QString &name) const
    {
        const Pair pair = pairOf(name);
        openssl(QStringList{s("req"), s("-x509"), s("-nodes"), s("-subj"), s("/CN=") + name, s("-days"), s("1"),
                            s("-keyout"), pair.keyFile, s("-out"), pair.certFile} +
                ec());
        return pair;
    }
    /// The same key behind a passphrase.
    QString encrypted(const Pair &pair) const
    {
        const QString name = pair.keyFile + QStringLiteral(".encrypted");
        openssl({s("pkey"), s("-in"), pair.keyFile, s("-aes128"), s("-passout"), s("pass:secret"), s("-out"), name});
        return name;
    }
    [[nodiscard]] QString file(const QString &name) const { return m_folder.filePath(name); }

    [[nodiscard]] static QStringList ec()
    {
        return {s("-newkey"), s("ec"), s("-pkeyopt"), s("ec_paramgen_curve:prime256v1")};
    }
    [[nodiscard]] static QStringList rsa() { return {s("-newkey"), s("rsa:2048")}; }

private:
    static QString s(const char *text) { return QString::fromLatin1(text); }
    static QByteArray contents(const QString &name)
    {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    Pair pairOf(const QString &name) const { return {file(name + s(".crt")), file(name + s(".key"))}; }
    static void openssl(const QStringList &arguments)
    {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(s("openssl"), arguments);
        if (!process.waitForFinished(20'000) || process.exitCode() != 0)
            qFatal("openssl %s: %s", qPrintable(arguments.join(QLatin1Char(' '))), process.readAll().constData());
    }

    QTemporaryDir m_folder;
    Pair m_authority;
};

/// A client of one blocking TLS connection to loopback. Belongs to one thread.
class TlsConnection {
public:
    TlsConnection(quint16 port, const QList<QSslCertificate> &authorities,
                  QSsl::SslProtocol protocol = QSsl::TlsV1_2OrLater)
    {
        QSslConfiguration tls;
        tls.setCaCertificates(authorities);
        tls.setProtocol(protocol);
        m_socket.setSslConfiguration(tls);
        m_socket.connectToHostEncrypted(QStringLiteral("127.0.0.1"), port, QStringLiteral("localhost"));
        m_encrypted = m_socket.waitForEncrypted(5000);
    }

    [[nodiscard]] bool isEncrypted() const { return m_encrypted; }
    [[nodiscard]] QString error() const { return m_socket.errorString(); }
    [[nodiscard]] QSslSocket &socket() { return m_socket; }

    void send(const QByteArray &bytes)
    {
        m_socket.write(bytes);
        while (m_socket.encryptedBytesToWrite() + m_socket.bytesToWrite() > 0 && m_socket.waitForBytesWritten(5000)) {
        }
    }
    /// The next answer; where the connection ends before it is complete, `bytes` is what came.
    RawAnswer read(int timeoutMs = 5000)
    {
        RawAnswer answer;
        QElapsedTimer clock;
        clock.start();
        while (!takeAnswer(&m_buffer, &answer)) {
            const int left = static_cast<int>(std::max<qint64>(0, timeoutMs - clock.elapsed()));
            const bool more = m_socket.bytesAvailable() > 0 || m_socket.waitForReadyRead(left);
            m_buffer += m_socket.readAll();
            if (!more) {
                answer.ending = m_socket.state() == QAbstractSocket::ConnectedState ? Ending::Silent : Ending::Closed;
                answer.bytes = m_buffer;
                return answer;
            }
        }
        answer.ending = Ending::Complete;
        return answer;
    }

private:
    QSslSocket m_socket;
    bool m_encrypted = false;
    QByteArray m_buffer;
};

/// Stands between one client and the bank and passes bytes on unread: sees how the bank really ends a connection, which
/// TLS hides from those who speak it.
class Wiretap {
public:
    explicit Wiretap(quint16 bankPort)
        : m_bankPort(bankPort)
        , m_listening(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address = loopback(0);
        socklen_t length = sizeof address;
        ::bind(m_listening, reinterpret_cast<sockaddr *>(&address), length);
        ::listen(m_listening, 1);
        ::getsockname(m_listening, reinterpret_cast<sockaddr *>(&address), &length);
        m_port = ntohs(address.sin_port);
        m_thread = std::thread([this] { pass(); });
    }
    ~Wiretap() { join(); }

    [[nodiscard]] quint16 port() const { return m_port; }
    /// Waits for the bank to end the connection, and says how it did: Closed, Reset, or Silent after 10 s.
    Ending bankEnding()
    {
        join();
        return m_ending;
    }
    /// The type of the last TLS record from the bank (RFC 5246 section 6.2.1; in TLS 1.3 they all look alike).
    [[nodiscard]] int lastRecordType() const
    {
        int type = -1;
        for (qsizetype at = 0; at + 5 <= m_fromBank.size();) {
            type = static_cast<unsigned char>(m_fromBank[at]);
            at += 5 + (static_cast<unsigned char>(m_fromBank[at + 3]) << 8) +
                  static_cast<unsigned char>(m_fromBank[at + 4]);
        }
        return type;
    }

private:
    static sockaddr_in loopback(quint16 port)
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port);
        return address;
    }
    void join()
    {
        if (m_thread.joinable())
            m_thread.join();
    }
    void pass()
    {
        pollfd waiting{m_listening, POLLIN, 0};
        if (::poll(&waiting, 1, 10'000) != 1) {
            ::close(m_listening);
            return;
        }
        const int client = ::accept(m_listening, nullptr, nullptr);
        ::close(m_listening);
        const int bank = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address = loopback(m_bankPort);
        ::connect(bank, reinterpret_cast<sockaddr *>(&address), sizeof address);
        QElapsedTimer clock;
        clock.start();
        bool clientOpen = true;
        while (m_ending == Ending::Silent && clock.elapsed() < 10'000) {
            pollfd both[] = {{bank, POLLIN, 0}, {clientOpen ? client : -1, POLLIN, 0}};
            if (::poll(both, 2, 1000) <= 0)
                continue;
            char bytes[16384];
            if (both[1].revents != 0) {
                const ssize_t n = ::recv(client, bytes, sizeof bytes, 0);
                clientOpen = n > 0;
                if (n > 0)
                    ::send(bank, bytes, static_cast<size_t>(n), MSG_NOSIGNAL);
                else
                    ::shutdown(bank, SHUT_WR);
            }
            if (both[0].revents != 0) {
                const ssize_t n = ::recv(bank, bytes, sizeof bytes, 0);
                if (n > 0) {
                    m_fromBank.append(bytes, n);
                    ::send(client, bytes, static_cast<size_t>(n), MSG_NOSIGNAL);
                } else {
                    m_ending = n == 0 ? Ending::Closed : Ending::Reset;
                }
            }
        }
        ::close(bank);
        ::close(client);
    }

    const quint16 m_bankPort;
    int m_listening;
    quint16 m_port = 0;
    Ending m_ending = Ending::Silent;
    QByteArray m_fromBank;
    std::thread m_thread;
};

} // namespace ikkai::test
