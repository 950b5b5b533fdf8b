#pragma once

#include <QtCore/QList>
#include <QtCore/QMetaType>
#include <QtCore/QObject>
#include <QtCore/QString>

namespace ikkai {

/// A fault as the bank knows it, with its lights.
struct FaultLights {
    QString id;
    QString spec; ///< in the one grammar: `after_commit:hold:next=1`
    bool armed = false;
    bool matched = false;
    bool fired = false;
    bool seen = false;   ///< the terminal has noticed
    bool healed = false; ///< the payment it struck is settled
    friend bool operator==(const FaultLights &, const FaultLights &) = default;
};

/// One thing that happened at the bank, ready to read.
struct BankEventLine {
    qint64 atWallMs = 0;
    QString kind; ///< arrival, claim, commit, answer, fault, ...
    QString words;
    friend bool operator==(const BankEventLine &, const BankEventLine &) = default;
};

/// What the trainer's dock needs of a bank's control API: values in, values out. Lives on the GUI thread; never waits.
class TrainerLink : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

public Q_SLOTS:
    virtual void arm(const QString &spec) = 0;
    virtual void disarm(const QString &id) = 0;
    virtual void disarmAll() = 0;

Q_SIGNALS:
    /// All faults the bank knows, armed or spent.
    void faultsChanged(const QList<ikkai::FaultLights> &faults);
    void happened(const ikkai::BankEventLine &line);
    /// A call that did not go through, in one sentence; empty once it goes again.
    void troubled(const QString &sentence);
};

} // namespace ikkai

Q_DECLARE_METATYPE(ikkai::FaultLights)
Q_DECLARE_METATYPE(ikkai::BankEventLine)
