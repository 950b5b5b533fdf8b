#pragma once

#include <QtCore/QLatin1StringView>

#include <array>

/// The object names of the window: stable, unique, for tests and other drivers. A name is only ever added.
namespace ikkai::names {

using Name = QLatin1StringView;

// The window and its header
inline constexpr Name mainWindow{"mainWindow"};
inline constexpr Name header{"header"};
inline constexpr Name navCharge{"navCharge"};
inline constexpr Name navOpen{"navOpen"};
inline constexpr Name navHistory{"navHistory"};
inline constexpr Name navCloseDay{"navCloseDay"};
inline constexpr Name bankLink{"bankLink"};
inline constexpr Name trainerToggle{"trainerToggle"};
inline constexpr Name languageSwitch{"languageSwitch"};
inline constexpr Name clock{"clock"};
// Entry of the next sale
inline constexpr Name cashierPage{"cashierPage"};
inline constexpr Name orderField{"orderField"};
inline constexpr Name payBy{"payBy"}; ///< its segments: payBy.<source>
inline constexpr Name amountField{"amountField"};
inline constexpr Name keypad{"keypad"}; ///< its keys: keypad.0 to keypad.9
inline constexpr Name keypadDoubleZero{"keypad.00"};
inline constexpr Name keypadClear{"keypad.clear"};
inline constexpr Name keypadBackspace{"keypad.backspace"};
inline constexpr Name chargeButton{"chargeButton"};
inline constexpr Name chargeReason{"chargeReason"};
// The outcome of the checkout that is shown
inline constexpr Name outcomePanel{"outcomePanel"};
inline constexpr Name banner{"outcomeBanner"}; ///< properties: role, outcome
inline constexpr Name headline{"outcomeHeadline"};
inline constexpr Name subHeadline{"outcomeSubHeadline"};
inline constexpr Name bannerAmount{"outcomeAmount"};
inline constexpr Name bannerOrder{"outcomeOrder"};
inline constexpr Name bannerReference{"outcomeReference"};
inline constexpr Name lead{"outcomeLead"};
inline constexpr Name sentence{"outcomeSentence"};
inline constexpr Name explanation{"outcomeExplanation"};
inline constexpr Name notice{"outcomeNotice"};
inline constexpr Name tellCustomer{"tellCustomer"};
inline constexpr Name mismatchOurs{"mismatchOurs"};
inline constexpr Name mismatchTheirs{"mismatchTheirs"};
inline constexpr Name progressText{"progressText"};
inline constexpr Name countdown{"countdown"};
inline constexpr Name attemptTrack{"attemptTrack"};
inline constexpr Name attemptsList{"attemptsList"};
inline constexpr Name question{"question"};
inline constexpr Name tryAgainButton{"tryAgainButton"};
inline constexpr Name voidButton{"voidButton"};
inline constexpr Name leaveOpenButton{"leaveOpenButton"};
inline constexpr Name leaveOpenHint{"leaveOpenHint"};
inline constexpr Name checkState{"checkState"};
inline constexpr Name checkNowButton{"checkNowButton"};
inline constexpr Name newSaleButton{"newSaleButton"};
inline constexpr Name newChargeButton{"newChargeButton"};
inline constexpr Name secondSaleButton{"secondSaleButton"};
inline constexpr Name tryAsNewButton{"tryAsNewButton"};
inline constexpr Name closeButton{"closeButton"};
inline constexpr Name copyDetailsButton{"copyDetailsButton"};
inline constexpr Name detailsButton{"detailsButton"};
inline constexpr Name receiptButton{"receiptButton"};
inline constexpr Name explainButton{"explainButton"};
inline constexpr Name detailsText{"detailsText"};
inline constexpr Name showOpenButton{"showOpenButton"};
inline constexpr Name checkSeconds{"checkSeconds"};
inline constexpr Name supervisorButton{"supervisorButton"};
inline constexpr Name reconcileButton{"reconcileButton"};
inline constexpr Name newsNote{"newsNote"};
inline constexpr Name showNewsButton{"showNewsButton"};
// What a supervisor is asked
inline constexpr Name supervisorPanel{"supervisorPanel"};
inline constexpr Name supervisorTitle{"supervisorTitle"};
inline constexpr Name supervisorMeans{"supervisorMeans"};
inline constexpr Name supervisorPin{"supervisorPin"};
inline constexpr Name supervisorReason{"supervisorReason"};
inline constexpr Name supervisorMissing{"supervisorMissing"};
inline constexpr Name supervisorAnswer{"supervisorAnswer"};
inline constexpr Name supervisorCancel{"supervisorCancelButton"};
inline constexpr Name supervisorConfirm{"supervisorConfirmButton"};
// The Open list
inline constexpr Name openPage{"openPage"};
inline constexpr Name openList{"openList"};
inline constexpr Name openEmpty{"openEmpty"};
inline constexpr Name openSelected{"openSelectedButton"};
// History
inline constexpr Name historyPage{"historyPage"};
inline constexpr Name historyFilter{
    "historyFilter"}; ///< its chips: historyFilter.all, .paid, .unknown, .voided, .declined, .other
inline constexpr Name historySearch{"historySearch"};
inline constexpr Name historyAmount{"historyAmount"};
inline constexpr Name historyDay{"historyDay"};
inline constexpr Name historyDayPopup{"historyDayPopup"};
inline constexpr Name historyCalendar{"historyCalendar"};
inline constexpr Name historyAnyDay{"historyAnyDay"};
inline constexpr Name historyToday{"historyToday"};
inline constexpr Name historyExport{"historyExport"};
inline constexpr Name historyExportDialog{"historyExportDialog"};
inline constexpr Name historyTable{"historyTable"};
inline constexpr Name historyEmpty{"historyEmpty"};
inline constexpr Name historyShowAll{"historyShowAll"};
inline constexpr Name historyRetry{"historyRetry"};
inline constexpr Name historyShown{"historyShown"};
inline constexpr Name historyMore{"historyMore"};
inline constexpr Name historyMessage{"historyMessage"};
inline constexpr Name historyDetail{"historyDetail"};
inline constexpr Name historyNothingChosen{"historyNothingChosen"};
inline constexpr Name historyBanner{"historyBanner"};
inline constexpr Name historyContradiction{"historyContradiction"};
inline constexpr Name historySupervisor{"historySupervisor"};
inline constexpr Name historyFact{"historyFact"}; ///< historyFact.key, .source, .started, .settled, .charge, .void
inline constexpr Name historyReplaces{"historyReplaces"};
inline constexpr Name historyReplacedBy{"historyReplacedBy"};
inline constexpr Name historyRecordCount{"historyRecordCount"};
inline constexpr Name historyEvents{"historyEvents"};
inline constexpr Name historyShow{"historyShow"};
inline constexpr Name historyReprint{"historyReprint"};
inline constexpr Name historyCopyKey{"historyCopyKey"};
inline constexpr Name historyExportOne{"historyExportOne"};
// The paper of a payment
inline constexpr Name receiptPage{"receiptPage"};
inline constexpr Name receiptSentence{"receiptSentence"};
inline constexpr Name receiptPaper{"receiptPaper"};
inline constexpr Name receiptScroll{"receiptScroll"};
inline constexpr Name receiptPrinters{"receiptPrinters"};
inline constexpr Name receiptPrinterList{"receiptPrinterList"};
inline constexpr Name receiptNoPrinter{"receiptNoPrinter"};
inline constexpr Name receiptPrint{"receiptPrint"};
inline constexpr Name receiptFile{"receiptFile"};
inline constexpr Name receiptFileDialog{"receiptFileDialog"};
inline constexpr Name receiptState{"receiptState"};
inline constexpr Name receiptBack{"receiptBack"};
// Training
inline constexpr Name trainingBand{"trainingBand"};
inline constexpr Name faultsArmed{"faultsArmed"};
inline constexpr Name stopFaultsButton{"stopFaultsButton"};
inline constexpr Name trainerDock{"trainerDock"};
inline constexpr Name requestLostArm{"fault.requestLost.arm"};
inline constexpr Name requestLostLight{"fault.requestLost.light"};
inline constexpr Name answerLostArm{"fault.answerLost.arm"};
inline constexpr Name answerLostLight{"fault.answerLost.light"};
inline constexpr Name crashMidwayArm{"fault.crashMidway.arm"};
inline constexpr Name crashMidwayLight{"fault.crashMidway.light"};
inline constexpr Name trainerMessage{"trainerMessage"};
inline constexpr Name bankEvents{"bankEvents"};
// Close day
inline constexpr Name closeDayPage{"closeDayPage"};
inline constexpr Name closeDayTitle{"closeDayTitle"};
inline constexpr Name tabReport{"tabReport"};
inline constexpr Name tabReconcile{"tabReconcile"};
inline constexpr Name tabClosedDays{"tabClosedDays"};
inline constexpr Name closeDayStatus{"closeDayStatus"};
inline constexpr Name checkAgainButton{"checkAgainButton"};
inline constexpr Name closePrintButton{"closePrintButton"};
inline constexpr Name closeExportButton{"closeExportButton"}; ///< opens closeExportDialog
inline constexpr Name closeExportDialog{"closeExportDialog"}; ///< there only while it is open
inline constexpr Name closeReading{"closeReading"};
inline constexpr Name closeTrouble{"closeTrouble"};
inline constexpr Name dayReport{"dayReport"}; ///< its parts: dayReport.facts, .totals, .lines
inline constexpr Name closeHint{"closeHint"};
inline constexpr Name closeDayButton{"closeDayButton"};
inline constexpr Name closeQuestion{"closeQuestion"};
inline constexpr Name closeNotYet{"closeNotYet"};
inline constexpr Name closeConfirm{"closeConfirm"};
inline constexpr Name closeDone{"closeDone"};
inline constexpr Name closeShowReport{"closeShowReport"};
inline constexpr Name closePutAway{"closePutAway"};
inline constexpr Name reconcileAbout{"reconcileAbout"};
inline constexpr Name reconcileTrouble{"reconcileTrouble"};
inline constexpr Name reconcileBegin{"reconcileBeginButton"};
inline constexpr Name reconcilePhase{"reconcilePhase"};
inline constexpr Name reconcileProgress{"reconcileProgress"};
inline constexpr Name reconcileCancel{"reconcileCancel"};
inline constexpr Name tileAgree{"tileAgree"};
inline constexpr Name tilePerson{"tilePerson"};
inline constexpr Name tileSettle{"tileSettle"};
inline constexpr Name tileElsewhere{"tileElsewhere"};
inline constexpr Name differences{"differences"}; ///< one row a difference; its last column is a button
inline constexpr Name reconcileClean{"reconcileClean"};
inline constexpr Name reconcileConfirmed{"reconcileConfirmed"};
inline constexpr Name reconcileClose{"reconcileClose"};
inline constexpr Name settleAllButton{"settleAllButton"};
inline constexpr Name bankCharges{"bankCharges"};
inline constexpr Name bankChargesText{"bankChargesText"};
inline constexpr Name bankChargesList{"bankChargesList"};
inline constexpr Name bankChargesCopy{"bankChargesCopy"};
inline constexpr Name bankChargesBack{"bankChargesBack"};
inline constexpr Name closedDays{"closedDays"};
inline constexpr Name closedDaysEmpty{"closedDaysEmpty"};
inline constexpr Name closedDaysTrouble{"closedDaysTrouble"};
inline constexpr Name closedDaysOpen{"closedDaysOpen"};
inline constexpr Name closedDaysBack{"closedDaysBack"};
inline constexpr Name closedDaysTitle{"closedDaysTitle"};
inline constexpr Name closedReport{"closedReport"}; ///< its parts: closedReport.facts, .totals, .lines

/// Every name above.
inline constexpr std::array all{
    mainWindow,
    header,
    navCharge,
    navOpen,
    bankLink,
    trainerToggle,
    languageSwitch,
    clock,
    cashierPage,
    orderField,
    payBy,
    amountField,
    keypad,
    keypadDoubleZero,
    keypadClear,
    keypadBackspace,
    chargeButton,
    chargeReason,
    outcomePanel,
    banner,
    headline,
    subHeadline,
    bannerAmount,
    bannerOrder,
    bannerReference,
    lead,
    sentence,
    explanation,
    notice,
    tellCustomer,
    mismatchOurs,
    mismatchTheirs,
    progressText,
    countdown,
    attemptTrack,
    attemptsList,
    question,
    tryAgainButton,
    voidButton,
    leaveOpenButton,
    leaveOpenHint,
    checkState,
    checkNowButton,
    newSaleButton,
    newChargeButton,
    tryAsNewButton,
    closeButton,
    copyDetailsButton,
    detailsButton,
    receiptButton,
    explainButton,
    detailsText,
    showOpenButton,
    openPage,
    openList,
    openEmpty,
    openSelected,
    trainingBand,
    faultsArmed,
    stopFaultsButton,
    trainerDock,
    requestLostArm,
    requestLostLight,
    answerLostArm,
    answerLostLight,
    crashMidwayArm,
    crashMidwayLight,
    trainerMessage,
    bankEvents,
    secondSaleButton,
    navHistory,
    navCloseDay,
    closeDayPage,
    closeDayTitle,
    tabReport,
    tabReconcile,
    tabClosedDays,
    closeDayStatus,
    checkAgainButton,
    closePrintButton,
    closeExportButton,
    closeReading,
    closeTrouble,
    closeHint,
    closeDayButton,
    closeQuestion,
    closeNotYet,
    closeConfirm,
    closeDone,
    closeShowReport,
    closePutAway,
    reconcileAbout,
    reconcileTrouble,
    reconcileButton,
    reconcilePhase,
    reconcileProgress,
    reconcileCancel,
    tileAgree,
    tilePerson,
    tileSettle,
    tileElsewhere,
    differences,
    reconcileClean,
    reconcileConfirmed,
    reconcileClose,
    settleAllButton,
    bankCharges,
    bankChargesText,
    bankChargesList,
    bankChargesCopy,
    bankChargesBack,
    closedDays,
    closedDaysEmpty,
    closedDaysTrouble,
    closedDaysOpen,
    closedDaysBack,
    closedDaysTitle,
    receiptPage,
    receiptSentence,
    receiptPaper,
    receiptScroll,
    receiptPrinters,
    receiptNoPrinter,
    receiptPrint,
    receiptFile,
    receiptState,
    receiptBack,
    checkSeconds,
    supervisorButton,
    reconcileBegin,
    newsNote,
    showNewsButton,
    supervisorPanel,
    supervisorTitle,
    supervisorMeans,
    supervisorPin,
    supervisorReason,
    supervisorMissing,
    supervisorAnswer,
    supervisorCancel,
    supervisorConfirm,
};

// A window of its own, instead of the till: the journal cannot be used. Its banner is outcomeBanner.
inline constexpr Name journalFaultScreen{"journalFaultScreen"};
inline constexpr Name journalFaultMeans{"journalFaultMeans"};
inline constexpr Name journalFaultWorks{"journalFaultWorks"};
inline constexpr Name journalFaultToDo{"journalFaultToDo"};
inline constexpr Name journalFaultRecord{"journalFaultRecord"};
inline constexpr Name journalFaultLanguage{"journalFaultLanguage"};
inline constexpr Name journalFaultCopy{"journalFaultCopy"};
inline constexpr Name journalFaultClose{"journalFaultClose"};

} // namespace ikkai::names
