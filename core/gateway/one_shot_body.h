#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QIODevice>

namespace ikkai {

/// A request body that can be read once and never rewound.
///
/// QNetworkAccessManager sends a request again by itself when the connection closes before a whole answer head; no
/// option turns that off. It has to rewind the body for that: this one refuses, so the request ends with
/// ContentReSendError instead of a second transmission. Also for a request without a body (zero bytes), which then
/// needs `Content-Length: 0`.
class OneShotBody final : public QIODevice {
    Q_OBJECT

public:
    explicit OneShotBody(QByteArray bytes, QObject *parent = nullptr);

    /// The transport has taken bytes: the head is already on its way.
    [[nodiscard]] bool wasTouched() const { return m_at > 0; }

    [[nodiscard]] bool isSequential() const override { return true; }
    [[nodiscard]] bool reset() override { return false; }
    [[nodiscard]] bool atEnd() const override { return m_at == m_bytes.size(); }
    [[nodiscard]] qint64 bytesAvailable() const override { return m_bytes.size() - m_at; }

protected:
    qint64 readData(char *data, qint64 maxSize) override;
    qint64 writeData(const char *data, qint64 maxSize) override;

private:
    const QByteArray m_bytes;
    qint64 m_at = 0;
};

} // namespace ikkai
