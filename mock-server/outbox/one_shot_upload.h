#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QIODevice>

namespace mockbank {

/// A request body that can be read once. QNetworkAccessManager sends a request again by itself when the connection
/// closes before a whole answer head, and has to rewind the body for that: this one refuses, so one `post` is one
/// transmission and the number of attempts that is told is the number there was.
class OneShotUpload final : public QIODevice {
    Q_OBJECT

public:
    OneShotUpload(QByteArray bytes, QObject *parent);

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

} // namespace mockbank
