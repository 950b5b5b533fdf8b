<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja_JP" sourcelanguage="en">
<context>
    <name>AttemptWords</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>Not sent</source>
        <translation>未送信</translation>
    </message>
    <message>
        <source>the bank cannot be reached</source>
        <translation>銀行につながりません</translation>
    </message>
    <message>
        <source>no safe line to the bank</source>
        <translation>安全な回線がありません</translation>
    </message>
    <message>
        <source>the bank does not accept this terminal</source>
        <translation>この端末は銀行に認められていません</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>返事なし</translation>
    </message>
    <message>
        <source>after %1 s</source>
        <translation>%1 秒待ちました</translation>
    </message>
    <message>
        <source>the connection was lost</source>
        <translation>接続が切れました</translation>
    </message>
    <message>
        <source>it was cut off in the middle</source>
        <translation>返事が途中で切れました</translation>
    </message>
    <message>
        <source>what came was not the bank’s</source>
        <translation>銀行の返事ではありません</translation>
    </message>
    <message>
        <source>Paid</source>
        <translation>支払い済み</translation>
    </message>
    <message>
        <source>the bank repeated its first answer</source>
        <translation>銀行が最初の返事をくり返しました</translation>
    </message>
    <message>
        <source>Declined by the bank</source>
        <translation>銀行が承認しませんでした</translation>
    </message>
    <message>
        <source>Declined by the bank: %1</source>
        <translation>銀行が承認しませんでした：%1</translation>
    </message>
    <message>
        <source>Voided</source>
        <translation>取消済み</translation>
    </message>
    <message>
        <source>The bank is still working on it</source>
        <translation>銀行が処理中です</translation>
    </message>
    <message>
        <source>The bank has other details</source>
        <translation>銀行の内容が違います</translation>
    </message>
    <message>
        <source>No clear answer</source>
        <translation>はっきりした返事なし</translation>
    </message>
    <message>
        <source>the bank has trouble (%1)</source>
        <translation>銀行側の障害（%1）</translation>
    </message>
    <message>
        <source>the bank repeats its trouble (%1)</source>
        <translation>銀行が障害の返事をくり返しました（%1）</translation>
    </message>
    <message>
        <source>Not accepted</source>
        <translation>受け付けられませんでした</translation>
    </message>
    <message>
        <source>not carried out (%1)</source>
        <translation>実行されていません（%1）</translation>
    </message>
    <message>
        <source>refused (%1), but an earlier try got no answer</source>
        <translation>断られましたが（%1）、前の試行は返事がありません</translation>
    </message>
    <message>
        <source>the bank no longer keeps its answer</source>
        <translation>銀行に返事が残っていません</translation>
    </message>
    <message>
        <source>another bank’s books answered</source>
        <translation>別の台帳が返事をしました</translation>
    </message>
    <message>
        <source>Sending …</source>
        <translation>送信中…</translation>
    </message>
    <message>
        <source>its end was not seen</source>
        <translation>終わりを確認できていません</translation>
    </message>
    <message>
        <source>another bank answers there</source>
        <translation>別の銀行が応答しています</translation>
    </message>
</context>
<context>
    <name>BankSaid</name>
    <message>
        <source>it is still working on it</source>
        <translation>銀行で処理中</translation>
    </message>
    <message>
        <source>it has no record of it yet</source>
        <translation>銀行にまだ記録なし</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>返事なし</translation>
    </message>
    <message>
        <source>what came was not the bank’s</source>
        <translation>銀行の返事ではありません</translation>
    </message>
    <message>
        <source>the bank has trouble of its own</source>
        <translation>銀行側で障害が発生中</translation>
    </message>
    <message>
        <source>another bank’s books answered</source>
        <translation>別の台帳が返事をしました</translation>
    </message>
    <message>
        <source>this bank does not cancel charges (%1)</source>
        <translation>この銀行では取り消せません（%1）</translation>
    </message>
    <message>
        <source>the bank is still working on the charge</source>
        <translation>銀行が請求を処理中</translation>
    </message>
    <message>
        <source>the bank cannot be reached</source>
        <translation>銀行につながりません</translation>
    </message>
    <message>
        <source>the bank has trouble (%1)</source>
        <translation>銀行側の障害（%1）</translation>
    </message>
    <message>
        <source>the bank did not take it (%1)</source>
        <translation>銀行が受け付けませんでした（%1）</translation>
    </message>
    <message>
        <source>Paid</source>
        <translation>支払い済み</translation>
    </message>
    <message>
        <source>Declined</source>
        <translation>承認され|ませんでした</translation>
    </message>
    <message>
        <source>Voided</source>
        <translation>取消済み</translation>
    </message>
    <message>
        <source>Not accepted</source>
        <translation>受け付けられませんでした</translation>
    </message>
    <message>
        <source>Not sent</source>
        <translation>未送信</translation>
    </message>
    <message>
        <source>Never known</source>
        <translation>結果不明</translation>
    </message>
</context>
<context>
    <name>ClosingWords</name>
    <message>
        <source>Open here, paid there</source>
        <translation>未了、銀行は承認済み</translation>
    </message>
    <message>
        <source>answer was lost</source>
        <translation>返事が届きませんでした</translation>
    </message>
    <message>
        <source>Open here, declined there</source>
        <translation>未了、銀行は不承認</translation>
    </message>
    <message>
        <source>Open here, voided there</source>
        <translation>未了、銀行は取消済み</translation>
    </message>
    <message>
        <source>Open here</source>
        <translation>こちらは未了</translation>
    </message>
    <message>
        <source>the bank has given no answer yet</source>
        <translation>銀行からまだ返事がありません</translation>
    </message>
    <message>
        <source>Charged twice</source>
        <translation>二重請求</translation>
    </message>
    <message>
        <source>one payment, two charges</source>
        <translation>1 件の会計に請求が 2 件</translation>
    </message>
    <message>
        <source>more charges than payments here</source>
        <translation>会計より請求が多くあります</translation>
    </message>
    <message>
        <source>Paid after void</source>
        <translation>取消後の請求</translation>
    </message>
    <message>
        <source>void was shown as done</source>
        <translation>取消済みと表示しました</translation>
    </message>
    <message>
        <source>Charged after all</source>
        <translation>請求されていました</translation>
    </message>
    <message>
        <source>was shown as not charged</source>
        <translation>請求なしと表示しました</translation>
    </message>
    <message>
        <source>Different amount</source>
        <translation>金額の相違</translation>
    </message>
    <message>
        <source>same payment on both sides</source>
        <translation>同じ会計で金額が違います</translation>
    </message>
    <message>
        <source>Two terminals</source>
        <translation>2 台の端末</translation>
    </message>
    <message>
        <source>both charged this order</source>
        <translation>同じ注文を両方が請求しました</translation>
    </message>
    <message>
        <source>Not at the bank</source>
        <translation>銀行に記録なし</translation>
    </message>
    <message>
        <source>was shown as paid</source>
        <translation>支払い完了と表示しました</translation>
    </message>
    <message>
        <source>Being cancelled</source>
        <translation>取消処理中</translation>
    </message>
    <message>
        <source>settles by itself</source>
        <translation>自動で確定します</translation>
    </message>
    <message>
        <source>Unknown origin</source>
        <translation>出所不明</translation>
    </message>
    <message>
        <source>no till of this shop</source>
        <translation>この店のレジではありません</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Voided</source>
        <comment>at the bank</comment>
        <translation>取消済み</translation>
    </message>
    <message>
        <source>%1 charges, %2</source>
        <translation>%1 件、%2</translation>
    </message>
    <message>
        <source>Approved</source>
        <comment>at the bank</comment>
        <translation>承認</translation>
    </message>
    <message>
        <source>Declined</source>
        <comment>at the bank</comment>
        <translation>不承認</translation>
    </message>
    <message>
        <source>Ask the bank</source>
        <translation>銀行に確認</translation>
    </message>
    <message>
        <source>Settle as Paid</source>
        <translation>支払い完了にする</translation>
    </message>
    <message>
        <source>Settle as Declined</source>
        <translation>不承認にする</translation>
    </message>
    <message>
        <source>Settle as Voided</source>
        <translation>取消済みにする</translation>
    </message>
    <message>
        <source>asking the bank…</source>
        <translation>銀行に確認中…</translation>
    </message>
    <message>
        <source>the bank gave no answer at %1</source>
        <translation>%1 銀行から返事なし</translation>
    </message>
    <message>
        <source>Ask once more</source>
        <translation>もう一度確認</translation>
    </message>
    <message>
        <source>Settled: %1</source>
        <translation>確定：%1</translation>
    </message>
    <message>
        <source>by the bank&apos;s own answer at %1</source>
        <translation>%1 銀行の回答による</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>Paid</source>
        <translation>支払い完了</translation>
    </message>
    <message>
        <source>Declined</source>
        <translation>不承認</translation>
    </message>
    <message>
        <source>Not accepted</source>
        <translation>受付不可</translation>
    </message>
    <message>
        <source>Not sent</source>
        <translation>未送信</translation>
    </message>
    <message>
        <source>Voided</source>
        <translation>取消済み</translation>
    </message>
    <message>
        <source>Never known</source>
        <translation>結果不明</translation>
    </message>
    <message>
        <source>Other details</source>
        <translation>内容の不一致</translation>
    </message>
    <message>
        <source>With the bank</source>
        <translation>銀行に確認中</translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation>処理未了</translation>
    </message>
</context>
<context>
    <name>DayPaper</name>
    <message>
        <source>Day report no. %1</source>
        <translation>日計 No. %1</translation>
    </message>
    <message>
        <source>Not closed yet</source>
        <translation>まだ締めていません</translation>
    </message>
    <message>
        <source>Closed at %1</source>
        <translation>%1 に締めました</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1&#x3000;%2 件</translation>
    </message>
</context>
<context>
    <name>DetailWords</name>
    <message>
        <source>Order</source>
        <translation>注文</translation>
    </message>
    <message>
        <source>Amount</source>
        <translation>金額</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Idempotency key</source>
        <translation>冪等キー</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>口座</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>端末</translation>
    </message>
    <message>
        <source>Bank</source>
        <translation>銀行</translation>
    </message>
    <message>
        <source>Ledger</source>
        <translation>台帳</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Sent on the wire</source>
        <translation>送信回数</translation>
    </message>
    <message>
        <source>Charge at the bank</source>
        <translation>銀行側の請求番号</translation>
    </message>
    <message>
        <source>Request at the bank</source>
        <translation>銀行側の受付番号</translation>
    </message>
    <message>
        <source>Try %1</source>
        <translation>%1 回目</translation>
    </message>
    <message>
        <source>Key of the void</source>
        <translation>取消のキー</translation>
    </message>
    <message>
        <source>Void sent on the wire</source>
        <translation>取消の送信回数</translation>
    </message>
    <message>
        <source>Started instead of</source>
        <translation>代わりに始めた元の請求</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>経過</translation>
    </message>
</context>
<context>
    <name>EventWords</name>
    <message>
        <source>The bank named its books</source>
        <translation>銀行の台帳を確認</translation>
    </message>
    <message>
        <source>: </source>
        <translation>：</translation>
    </message>
    <message>
        <source>Late answer to try %1: %2</source>
        <translation>%1 回目への遅い返事：%2</translation>
    </message>
    <message>
        <source>Same charge sent (try %1)</source>
        <translation>同じ請求を送信（%1 回目）</translation>
    </message>
    <message>
        <source>The bank is asked how it ended</source>
        <translation>銀行に結果を照会</translation>
    </message>
    <message>
        <source>The bank is still working on it</source>
        <translation>銀行が処理中</translation>
    </message>
    <message>
        <source>The bank has not seen it so far</source>
        <translation>銀行にはまだ届いていない</translation>
    </message>
    <message>
        <source>No answer to the question</source>
        <translation>照会への返事なし</translation>
    </message>
    <message>
        <source>What came was not the bank’s</source>
        <translation>銀行のものでない返事</translation>
    </message>
    <message>
        <source>The bank has trouble of its own</source>
        <translation>銀行側の不具合</translation>
    </message>
    <message>
        <source>Another bank’s books answered</source>
        <translation>別の台帳が応答</translation>
    </message>
    <message>
        <source>The bank has other details</source>
        <translation>銀行の内容と不一致</translation>
    </message>
    <message>
        <source>The bank says: paid</source>
        <translation>銀行の回答：支払い済み</translation>
    </message>
    <message>
        <source>The bank says: declined</source>
        <translation>銀行の回答：不承認</translation>
    </message>
    <message>
        <source>The bank says: voided</source>
        <translation>銀行の回答：取消済み</translation>
    </message>
    <message>
        <source>Try again: same charge sent (try %1)</source>
        <translation>再試行：同じ請求を送信（%1 回目）</translation>
    </message>
    <message>
        <source>Left open</source>
        <translation>未了のまま保留</translation>
    </message>
    <message>
        <source>Another sale was started</source>
        <translation>別の会計を開始</translation>
    </message>
    <message>
        <source>The terminal was started anew</source>
        <translation>端末を再起動</translation>
    </message>
    <message>
        <source>Void safely: written down, then sent</source>
        <translation>安全な取消を記録して送信</translation>
    </message>
    <message>
        <source>Void by a supervisor: written down, then sent</source>
        <translation>責任者による取消を記録して送信</translation>
    </message>
    <message>
        <source>Voided: the money goes back</source>
        <translation>取消済み：返金される</translation>
    </message>
    <message>
        <source>Voided: it had never arrived</source>
        <translation>取消済み：請求は届いていなかった</translation>
    </message>
    <message>
        <source>The bank had declined it: nothing to void</source>
        <translation>銀行は承認していない：取消は不要</translation>
    </message>
    <message>
        <source>The bank is still working on the charge</source>
        <translation>銀行が請求を処理中</translation>
    </message>
    <message>
        <source>The void was not sent: no line to the bank</source>
        <translation>取消は未送信：銀行につながらない</translation>
    </message>
    <message>
        <source>No answer to the void</source>
        <translation>取消への返事なし</translation>
    </message>
    <message>
        <source>The bank did not take the void (%1)</source>
        <translation>銀行が取消を受け付けない（%1）</translation>
    </message>
    <message>
        <source>Same void sent (try %1)</source>
        <translation>同じ取消を送信（%1 回目）</translation>
    </message>
    <message>
        <source>The machine had slept for %1 s</source>
        <translation>端末が %1 秒休止していた</translation>
    </message>
    <message>
        <source>Closed by a supervisor: outcome never known</source>
        <translation>責任者が終了：結果は不明のまま</translation>
    </message>
    <message>
        <source>by the bank’s answer</source>
        <translation>銀行の返事で確定</translation>
    </message>
    <message>
        <source>by the repeated answer</source>
        <translation>返事の再送で確定</translation>
    </message>
    <message>
        <source>by asking the bank</source>
        <translation>銀行への照会で確定</translation>
    </message>
    <message>
        <source>by the void</source>
        <translation>取消で確定</translation>
    </message>
    <message>
        <source>by a supervisor</source>
        <translation>責任者が終了</translation>
    </message>
    <message>
        <source>by this terminal</source>
        <translation>この端末で確定</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>未確定</translation>
    </message>
    <message>
        <source>sent once</source>
        <translation>送信 1 回</translation>
    </message>
    <message>
        <source>sent %1 times</source>
        <translation>送信 %1 回</translation>
    </message>
    <message>
        <source>charges not certain</source>
        <translation>請求の件数は要確認</translation>
    </message>
    <message>
        <source>1 charge</source>
        <translation>請求 1 件</translation>
    </message>
    <message>
        <source>1 charge, money back</source>
        <translation>請求 1 件、返金済み</translation>
    </message>
    <message>
        <source>no charge</source>
        <translation>請求なし</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the parts of a list</comment>
        <translation>、</translation>
    </message>
    <message>
        <source> (%1 s, not sent)</source>
        <translation>（%1 秒、未送信）</translation>
    </message>
    <message>
        <source> (%1 s, sent once)</source>
        <translation>（%1 秒、送信 1 回）</translation>
    </message>
    <message>
        <source> (%1 s, sent %2 times)</source>
        <translation>（%1 秒、送信 %2 回）</translation>
    </message>
    <message>
        <source>Approved, the first answer again</source>
        <translation>承認、最初の返事の再送</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>承認</translation>
    </message>
    <message>
        <source>Key recorded, then sent (try 1)</source>
        <translation>開始、キーを記録、送信（1 回目）</translation>
    </message>
</context>
<context>
    <name>HappeningWords</name>
    <message>
        <source>Pressed: %1</source>
        <translation>操作：%1</translation>
    </message>
    <message>
        <source>Try again (same charge)</source>
        <translation>もう一度試す（同じ請求）</translation>
    </message>
    <message>
        <source>Leave open</source>
        <translation>保留にする</translation>
    </message>
    <message>
        <source>Another sale was started</source>
        <translation>別の会計が始まりました</translation>
    </message>
    <message>
        <source>The terminal was restarted</source>
        <translation>端末が再起動しました</translation>
    </message>
    <message>
        <source>The machine slept for %1 s</source>
        <translation>端末が %1 秒スリープしていました</translation>
    </message>
    <message>
        <source>Void safely</source>
        <translation>安全に取り消す</translation>
    </message>
    <message>
        <source>A supervisor started it anew</source>
        <translation>責任者が新しく始めました</translation>
    </message>
    <message>
        <source>Closed by a supervisor</source>
        <translation>責任者が終了しました</translation>
    </message>
    <message>
        <source>Paid</source>
        <translation>支払い済み</translation>
    </message>
    <message>
        <source>Declined</source>
        <translation>承認され|ませんでした</translation>
    </message>
    <message>
        <source>Voided</source>
        <translation>取消済み</translation>
    </message>
    <message>
        <source>it has other details</source>
        <translation>内容が一致しません</translation>
    </message>
    <message>
        <source>Asked the bank</source>
        <translation>銀行に確認</translation>
    </message>
    <message>
        <source>The bank cancelled it</source>
        <translation>銀行が取り消しました</translation>
    </message>
    <message>
        <source>the money goes back</source>
        <translation>返金されます</translation>
    </message>
    <message>
        <source>it had never arrived</source>
        <translation>請求は届いていませんでした</translation>
    </message>
    <message>
        <source>The bank had declined it</source>
        <translation>銀行は承認していませんでした</translation>
    </message>
    <message>
        <source>there was nothing to cancel</source>
        <translation>取り消すものはありませんでした</translation>
    </message>
    <message>
        <source>Cancelling</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>the bank has other details</source>
        <translation>銀行の内容と一致しません</translation>
    </message>
    <message>
        <source>Cancelling, try %1</source>
        <translation>取消 %1 回目</translation>
    </message>
    <message>
        <source>came late</source>
        <translation>遅れて届きました</translation>
    </message>
    <message>
        <source>Asking the bank …</source>
        <translation>銀行に確認しています…</translation>
    </message>
    <message>
        <source>%1 earlier lines</source>
        <translation>それより前 %1 行</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1 回</translation>
    </message>
    <message>
        <source>Check now</source>
        <translation>今すぐ確認</translation>
    </message>
    <message>
        <source>Asked the bank by itself</source>
        <translation>銀行に自動で確認</translation>
    </message>
</context>
<context>
    <name>HistoryWords</name>
    <message>
        <source>All</source>
        <translation>すべて</translation>
    </message>
    <message>
        <source>Paid</source>
        <translation>支払い済み</translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation>処理未了</translation>
    </message>
    <message>
        <source>Voided</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Declined</source>
        <translation>不承認</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>その他</translation>
    </message>
    <message>
        <source>Card (OK)</source>
        <translation>カード（正常）</translation>
    </message>
    <message>
        <source>Card (low funds)</source>
        <translation>カード（残高不足）</translation>
    </message>
    <message>
        <source>Card (declines)</source>
        <translation>カード（不承認）</translation>
    </message>
    <message>
        <source>ddd d MMM</source>
        <comment>how a day of this year is written</comment>
        <translation>M月d日（ddd）</translation>
    </message>
    <message>
        <source>ddd d MMM yyyy</source>
        <comment>how a day of another year is written</comment>
        <translation>yyyy年M月d日（ddd）</translation>
    </message>
    <message>
        <source>en</source>
        <comment>language of the names of days and months</comment>
        <translation>ja</translation>
    </message>
</context>
<context>
    <name>JournalWords</name>
    <message>
        <source>The disk |is full</source>
        <translation>ディスクが|いっぱいです</translation>
    </message>
    <message>
        <source>The journal |cannot be written</source>
        <translation>記録簿に|書き込めません</translation>
    </message>
    <message>
        <source>The disk |does not work</source>
        <translation>ディスクが|動作しません</translation>
    </message>
    <message>
        <source>The journal |is damaged</source>
        <translation>記録簿が|壊れています</translation>
    </message>
    <message>
        <source>The journal |is too new</source>
        <translation>記録簿が|新しすぎます</translation>
    </message>
    <message>
        <source>Open in |another window</source>
        <translation>別の画面で|使用中です</translation>
    </message>
    <message>
        <source>The journal |does not open</source>
        <translation>記録簿を|開けません</translation>
    </message>
    <message>
        <source>There is no room to write a charge down. |&lt;b&gt;What cannot be recorded is not sent.&lt;/b&gt;</source>
        <translation>請求を記録する|空きがありません。|&lt;b&gt;記録できない請求は|送りません。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>What the journal holds cannot be trusted. |&lt;b&gt;Nothing is started from it.&lt;/b&gt;</source>
        <translation>記録簿の内容を|信用できません。|&lt;b&gt;ここからは何も|始めません。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>A newer Ikkai wrote it, and this one could misread it. |&lt;b&gt;It is left as it is.&lt;/b&gt;</source>
        <translation>新しい版の「一回」が|書いたため、|読み違えるおそれがあります。|&lt;b&gt;手を加えません。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>Another Ikkai works with the same journal. |&lt;b&gt;Two at once could charge twice.&lt;/b&gt;</source>
        <translation>別の「一回」が|同じ記録簿を使っています。|&lt;b&gt;同時に使うと、|二重に請求するおそれがあります。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>The terminal cannot get at its journal. |&lt;b&gt;What cannot be recorded is not sent.&lt;/b&gt;</source>
        <translation>記録簿に|たどり着けません。|&lt;b&gt;記録できない請求は|送りません。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>Payments that are open stay on the Open list. |What the bank answers is shown, |and written down as soon as that is possible.</source>
        <translation>未了の支払いは|一覧に残ります。|銀行の返事は画面に出し、|書けるようになり次第、|記録します。</translation>
    </message>
    <message>
        <source>The other window goes on as before.</source>
        <translation>もう一方の画面は|そのまま使えます。</translation>
    </message>
    <message>
        <source>The file was not changed. |What can be read of it can be exported and compared with the bank.</source>
        <translation>ファイルは変えていません。|読める部分は書き出して、|銀行と突き合わせられます。</translation>
    </message>
    <message>
        <source>Nothing is lost: |open payments stand in the journal |and are asked about at the next start.</source>
        <translation>失われたものはありません。|未了の支払いは|記録簿に残っており、|次の起動時に銀行へ確認します。</translation>
    </message>
    <message>
        <source>Make room on the disk, |then press Charge again.</source>
        <translation>ディスクに空きを作り、|もう一度「請求する」を|押してください。</translation>
    </message>
    <message>
        <source>Make room on the disk, |then start the terminal again.</source>
        <translation>ディスクに空きを作り、|端末を起動し直してください。</translation>
    </message>
    <message>
        <source>Let this user write the file, |then press Charge again.</source>
        <translation>このファイルへの|書き込みを許可し、|もう一度「請求する」を|押してください。</translation>
    </message>
    <message>
        <source>Let this user write the file and its folder, |then start the terminal again.</source>
        <translation>このファイルとフォルダへの|書き込みを許可し、|端末を起動し直してください。</translation>
    </message>
    <message>
        <source>Leave the terminal switched on and call support: |the disk may be dying. |Sell at another till.</source>
        <translation>電源を切らずに、|サポートへ|電話してください。|ディスクが故障しかけている|おそれがあります。|会計は別のレジで|お願いします。</translation>
    </message>
    <message>
        <source>Call support and keep the file. |&lt;b&gt;payment-terminal verify-journal&lt;/b&gt; says what is wrong.</source>
        <translation>サポートへ電話し、|ファイルは残してください。|&lt;b&gt;payment-terminal verify-journal&lt;/b&gt; で|異常の箇所がわかります。</translation>
    </message>
    <message>
        <source>Start the newer version, |or bring this one up to date.</source>
        <translation>新しい版を起動するか、|この版を更新してください。</translation>
    </message>
    <message>
        <source>Close the other program, |then press Charge again.</source>
        <translation>もう一方のプログラムを閉じ、|もう一度「請求する」を|押してください。</translation>
    </message>
    <message>
        <source>Use the window that is open. |If there is none, end the program named below.</source>
        <translation>開いている画面を|お使いください。|見当たらないときは、|下に示すプログラムを|終了してください。</translation>
    </message>
    <message>
        <source>See that the folder is there and may be opened, |then start the terminal again.</source>
        <translation>フォルダがあり、|開けることを確かめて、|端末を起動し直してください。</translation>
    </message>
    <message>
        <source>The disk is full: |cannot record, so cannot charge.</source>
        <translation>ディスクがいっぱいです。|記録できないため、|請求できません。</translation>
    </message>
    <message>
        <source>The journal is read-only: |cannot record, so cannot charge.</source>
        <translation>記録簿に書き込めません。|記録できないため、|請求できません。</translation>
    </message>
    <message>
        <source>The disk does not work: |cannot record, so cannot charge.</source>
        <translation>ディスクが動作しません。|記録できないため、|請求できません。</translation>
    </message>
    <message>
        <source>The journal is damaged: |cannot record, so cannot charge.</source>
        <translation>記録簿が壊れています。|記録できないため、|請求できません。</translation>
    </message>
    <message>
        <source>The journal is too new: |cannot record, so cannot charge.</source>
        <translation>記録簿が新しすぎます。|記録できないため、|請求できません。</translation>
    </message>
    <message>
        <source>The journal is in use: |cannot record, so cannot charge.</source>
        <translation>記録簿が使用中です。|記録できないため、|請求できません。</translation>
    </message>
    <message>
        <source>The journal does not open: |cannot record, so cannot charge.</source>
        <translation>記録簿を開けません。|記録できないため、|請求できません。</translation>
    </message>
    <message>
        <source>The terminal may read its journal |but not write into it. |&lt;b&gt;What cannot be recorded is not sent.&lt;/b&gt;</source>
        <translation>記録簿は読めますが、|書き込みが許されていません。|&lt;b&gt;記録できない請求は|送りません。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>The disk does not take or give back |what the terminal writes down. |&lt;b&gt;What cannot be recorded is not sent.&lt;/b&gt;</source>
        <translation>ディスクの読み書きが|できません。|&lt;b&gt;記録できない請求は|送りません。&lt;/b&gt;</translation>
    </message>
</context>
<context>
    <name>NoticeWords</name>
    <message>
        <source>&lt;b&gt;%1 is still open for %2; you typed %3.&lt;/b&gt; |Nothing new was charged. |Settle this one first.</source>
        <translation>&lt;b&gt;%1 は %2 で|未了のままです。|入力は %3 でした。&lt;/b&gt;|新しい請求はしていません。|先にこちらを|確定してください。</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 is already paid.&lt;/b&gt; |You typed %2: nothing new was charged.</source>
        <translation>&lt;b&gt;%1 は支払い済みです。&lt;/b&gt;|入力は %2 でした。|新しい請求はしていません。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Cannot record, so cannot charge.&lt;/b&gt; |%1</source>
        <translation>&lt;b&gt;記録できないため、|請求できません。&lt;/b&gt;|%1</translation>
    </message>
    <message>
        <source>&lt;b&gt;The bank does not accept this terminal.&lt;/b&gt; |Nothing was charged. |Call support.</source>
        <translation>&lt;b&gt;この端末は銀行に|認められていません。&lt;/b&gt;|請求はしていません。|サポートに|連絡してください。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Another bank answers here.&lt;/b&gt; |%1 is still open at the earlier one. |Nothing new was charged. |If that bank is gone for good, a supervisor can close it.</source>
        <translation>&lt;b&gt;別の銀行が|応答しています。&lt;/b&gt;|%1 は以前の銀行で|未了のままです。|新しい請求は|していません。|以前の銀行が|もう無いときは、|責任者が終了できます。</translation>
    </message>
    <message>
        <source>&lt;b&gt;It could not be written down, so nothing was sent.&lt;/b&gt; |%1</source>
        <translation>&lt;b&gt;記録できないため、|何も送っていません。&lt;/b&gt;|%1</translation>
    </message>
    <message>
        <source>&lt;b&gt;1 payment is open from before.&lt;/b&gt; |The terminal asks the bank about it by itself.</source>
        <translation>&lt;b&gt;前回から未了の支払いが|1 件あります。&lt;/b&gt;|端末が自動で|銀行に確認します。</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 payments are open from before.&lt;/b&gt; |The terminal asks the bank about them by itself.</source>
        <translation>&lt;b&gt;前回から未了の支払いが|%1 件あります。&lt;/b&gt;|端末が自動で|銀行に確認します。</translation>
    </message>
</context>
<context>
    <name>OutcomeWords</name>
    <message>
        <source>Contacting |the bank</source>
        <translation>銀行に|問い合わせ中</translation>
    </message>
    <message>
        <source>The charge is on its way. &lt;b&gt;Please wait.&lt;/b&gt;</source>
        <translation>請求を送っています。|&lt;b&gt;お待ちください。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>The bank cannot be reached. &lt;b&gt;Nothing has been charged:&lt;/b&gt; the terminal tries again.</source>
        <translation>銀行につながりません。|&lt;b&gt;請求はしていません。&lt;/b&gt;|もう一度試しています。</translation>
    </message>
    <message>
        <source>The terminal has written this charge down and sends it to the bank. If no answer comes, it sends the same charge again. The bank knows it by its number, so it cannot be charged twice.</source>
        <translation>端末はこの請求を記録してから銀行に送っています。返事がなければ、同じ請求をもう一度送ります。銀行は番号で見分けるので、二重に請求されることはありません。</translation>
    </message>
    <message>
        <source>Checking |with the bank</source>
        <translation>銀行に|確認中</translation>
    </message>
    <message>
        <source>The bank has trouble of its own. &lt;b&gt;Nobody is charged twice:&lt;/b&gt; the same charge is sent again.</source>
        <translation>銀行側で|障害が起きています。|&lt;b&gt;二重の請求にはなりません。&lt;/b&gt;|同じ請求を|もう一度送ります。</translation>
    </message>
    <message>
        <source>No answer yet. &lt;b&gt;Nobody is charged twice:&lt;/b&gt; the same charge is sent again.</source>
        <translation>まだ返事がありません。|&lt;b&gt;二重の請求にはなりません。&lt;/b&gt;|同じ請求を|もう一度送ります。</translation>
    </message>
    <message>
        <source>Bank is |still working</source>
        <translation>処理中です</translation>
    </message>
    <message>
        <source>The bank says that it is working on this very charge. The terminal waits and asks again with the same charge. It cannot be charged twice.</source>
        <translation>銀行はこの請求を処理中だと答えています。端末は待ってから、同じ請求でもう一度確認します。二重に請求されることはありません。</translation>
    </message>
    <message>
        <source>The bank repeated its answer of %1. Nothing was charged again.</source>
        <translation>銀行が %1 の返事を|もう一度送ってきました。|新しい請求は|していません。</translation>
    </message>
    <message>
        <source>The bank repeated its first answer. Nothing was charged again.</source>
        <translation>銀行が最初の返事を|もう一度送ってきました。|新しい請求は|していません。</translation>
    </message>
    <message>
        <source>“Your payment is complete. You were charged once.”</source>
        <translation>「お支払いは|完了しています。|請求は 1 回だけです。」</translation>
    </message>
    <message>
        <source>Paid</source>
        <translation>支払い完了</translation>
    </message>
    <message>
        <source>Charged once.</source>
        <translation>請求は 1 回だけです。</translation>
    </message>
    <message>
        <source>The bank approved try %1.</source>
        <translation>%1 回目の請求を|銀行が承認しました。</translation>
    </message>
    <message>
        <source>The tries before it were the same charge. It counts once.</source>
        <translation>それまでの送信も|同じ請求です。|数えるのは 1 回だけです。</translation>
    </message>
    <message>
        <source>Paid, |charged once</source>
        <translation>支払い済み|（重複なし）</translation>
    </message>
    <message>
        <source>There is one charge only.</source>
        <translation>お支払いは 1 回だけです。</translation>
    </message>
    <message>
        <source>The bank says that it has this payment. Nothing was charged again.</source>
        <translation>銀行に確認したところ、|支払い済みでした。|新しい請求は|していません。</translation>
    </message>
    <message>
        <source>Declined</source>
        <translation>承認され|ませんでした</translation>
    </message>
    <message>
        <source>|The card was not charged.</source>
        <translation>|請求はしていません。</translation>
    </message>
    <message>
        <source>Another card or another amount is a new charge.</source>
        <translation>別のカードや別の金額は、|新しい請求になります。</translation>
    </message>
    <message>
        <source>“Your bank did not approve it. Nothing was taken.”</source>
        <translation>「銀行の承認が|得られませんでした。|引き落としは|ありません。」</translation>
    </message>
    <message>
        <source>Not accepted</source>
        <translation>受け付け|られませんでした</translation>
    </message>
    <message>
        <source>The bank does not take this amount. |Nothing was charged.</source>
        <translation>銀行がこの金額を|受け付けません。|請求はしていません。</translation>
    </message>
    <message>
        <source>The bank does not take this order number. |Nothing was charged.</source>
        <translation>銀行がこの注文番号を|受け付けません。|請求はしていません。</translation>
    </message>
    <message>
        <source>The bank does not take this way to pay. |Nothing was charged.</source>
        <translation>銀行がこの支払い方法を|受け付けません。|請求はしていません。</translation>
    </message>
    <message>
        <source>The bank could not read this charge. |Nothing was charged.</source>
        <translation>銀行がこの請求を|読み取れませんでした。|請求はしていません。</translation>
    </message>
    <message>
        <source>Call support and read out the reference. Then start again.</source>
        <translation>サポートに連絡して|照会番号を伝え、|その後やり直してください。</translation>
    </message>
    <message>
        <source>Put it right, then charge again.</source>
        <translation>直してから、|もう一度請求してください。</translation>
    </message>
    <message>
        <source>“The terminal has a problem. Nothing was taken.”</source>
        <translation>「端末に問題があります。|引き落としはありません。」</translation>
    </message>
    <message>
        <source>The bank does not accept this terminal.</source>
        <translation>この端末は銀行に|認められていません。</translation>
    </message>
    <message>
        <source>Call support: the terminal’s key for the bank has to be put right.</source>
        <translation>サポートに|連絡してください。|端末の鍵を|直す必要があります。</translation>
    </message>
    <message>
        <source>There is no safe line to the bank.</source>
        <translation>銀行への安全な回線が|ありません。</translation>
    </message>
    <message>
        <source>Try as a new charge, or take another way to pay.</source>
        <translation>新しい請求として試すか、|別の支払い方法に|してください。</translation>
    </message>
    <message>
        <source>The bank cannot be reached.</source>
        <translation>銀行につながりません。</translation>
    </message>
    <message>
        <source>“We could not reach the bank. Nothing was taken.”</source>
        <translation>「銀行につながりませんでした。|引き落としはありません。」</translation>
    </message>
    <message>
        <source>Voided</source>
        <translation>取消済み</translation>
    </message>
    <message>
        <source>The charge was reversed. The money goes back.</source>
        <translation>請求を取り消しました。|お金は戻ります。</translation>
    </message>
    <message>
        <source>“It was cancelled. What was taken is returned.”</source>
        <translation>「取り消しました。|引き落とし分は返金されます。」</translation>
    </message>
    <message>
        <source>The charge never arrived, and now it cannot any more.</source>
        <translation>請求は届いておらず、|今後も届きません。</translation>
    </message>
    <message>
        <source>“It was cancelled. Nothing was taken.”</source>
        <translation>「取り消しました。|引き落としはありません。」</translation>
    </message>
    <message>
        <source>Nothing was charged.</source>
        <translation>請求はしていません。</translation>
    </message>
    <message>
        <source>Another charge for this order is a new one.</source>
        <translation>この注文をまた請求すると、|新しい請求になります。</translation>
    </message>
    <message>
        <source>%1 tries brought no answer.</source>
        <translation>%1 回試しましたが、|返事がありません。</translation>
    </message>
    <message>
        <source>No clear answer within %1 s.</source>
        <translation>%1 秒のうちに|はっきりした返事が|ありません。</translation>
    </message>
    <message>
        <source>The bank asks to wait %1 s.</source>
        <translation>銀行は %1 秒|待つように|言っています。</translation>
    </message>
    <message>
        <source>This charge is too old to be sent again.</source>
        <translation>この請求は古いため、|もう送れません。</translation>
    </message>
    <message>
        <source>The bank had trouble of its own with this charge.</source>
        <translation>この請求で|銀行側に障害が|起きました。</translation>
    </message>
    <message>
        <source>The bank refused a later try, but an earlier one got no answer.</source>
        <translation>後の試行は|断られましたが、|前の試行には|返事がありません。</translation>
    </message>
    <message>
        <source>Something answered that is not the bank.</source>
        <translation>銀行でないものが|返事をしました。</translation>
    </message>
    <message>
        <source>The bank no longer keeps its answer.</source>
        <translation>銀行に返事が|残っていません。</translation>
    </message>
    <message>
        <source>Another bank’s books answered.</source>
        <translation>別の台帳が|返事をしました。</translation>
    </message>
    <message>
        <source>It was left open.</source>
        <translation>保留に|なっていました。</translation>
    </message>
    <message>
        <source>Another sale was started meanwhile.</source>
        <translation>その間に|別の会計を|始めました。</translation>
    </message>
    <message>
        <source>The terminal was restarted meanwhile.</source>
        <translation>その間に|端末が再起動しました。</translation>
    </message>
    <message>
        <source>Outcome |not known yet</source>
        <translation>処理未了 — 結果を確認しています</translation>
    </message>
    <message>
        <source>The customer may have been charged. &lt;b&gt;Do not start over.&lt;/b&gt;</source>
        <translation>お支払いが済んでいる|可能性があります。|&lt;b&gt;最初からやり直さないでください。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>The bank has not said how this ended. &lt;b&gt;Do not start over.&lt;/b&gt;</source>
        <translation>銀行から結果を|聞けていません。|&lt;b&gt;最初からやり直さないでください。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>The bank is being asked.</source>
        <translation>銀行に確認しています。</translation>
    </message>
    <message>
        <source>Bank has |other details</source>
        <translation>内容が|一致しません</translation>
    </message>
    <message>
        <source>This request was not carried out; an earlier one may have been. &lt;b&gt;Call support.&lt;/b&gt;</source>
        <translation>この請求は|実行されていません。|前のものは|実行された可能性があります。|&lt;b&gt;サポートに|連絡してください。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>“Our terminal and the bank disagree. We are calling support.”</source>
        <translation>「端末と銀行の内容が違うため、|サポートに確認します。」</translation>
    </message>
    <message>
        <source>Look at |this one</source>
        <translation>要確認</translation>
    </message>
    <message>
        <source>The bank now says: %1. |Shown here before: %2.</source>
        <translation>銀行の今の返事：%1。|前の表示：%2。</translation>
    </message>
    <message>
        <source>Neither is dropped. A supervisor has to compare this order with the bank.</source>
        <translation>どちらも消していません。|責任者が銀行と|照合してください。</translation>
    </message>
    <message>
        <source>“We have to look at this with the bank. We will call you.”</source>
        <translation>「銀行と確認が必要です。|後ほどご連絡します。」</translation>
    </message>
    <message>
        <source>Not recorded yet: the terminal cannot write it down. Leave it switched on.</source>
        <translation>まだ記録できていません。|端末の電源を|切らないでください。</translation>
    </message>
    <message>
        <source>There is not enough money on this account.</source>
        <translation>口座の残高が足りません。</translation>
    </message>
    <message>
        <source>This card has expired.</source>
        <translation>カードの期限が切れています。</translation>
    </message>
    <message>
        <source>The bank does not know this card.</source>
        <translation>銀行にこのカードがありません。</translation>
    </message>
    <message>
        <source>The bank did not approve this card.</source>
        <translation>銀行がこのカードを承認しませんでした。</translation>
    </message>
    <message>
        <source>not enough money</source>
        <translation>残高不足</translation>
    </message>
    <message>
        <source>card expired</source>
        <translation>期限切れ</translation>
    </message>
    <message>
        <source>card not known</source>
        <translation>カード不明</translation>
    </message>
    <message>
        <source>The bank has this charge and is not done yet. &lt;b&gt;Nothing to do:&lt;/b&gt; the terminal asks again.</source>
        <translation>銀行が処理しています。|&lt;b&gt;何もしなくて|かまいません。&lt;/b&gt;|端末がもう一度|確認します。</translation>
    </message>
    <message>
        <source>Not sent, |nothing |was charged</source>
        <translation>未送信|（請求なし）</translation>
    </message>
    <message>
        <source>Cancelling |safely</source>
        <translation>取消処理中</translation>
    </message>
    <message>
        <source>Outcome |never known</source>
        <translation>結果不明の|まま終了</translation>
    </message>
    <message>
        <source>Another bank answers here.</source>
        <translation>別の銀行が|応答しています。</translation>
    </message>
    <message>
        <source>Open checkouts belong to the earlier bank: settle them there first.</source>
        <translation>未了の支払いは|以前の銀行のものです。|先にそちらで|片づけてください。</translation>
    </message>
    <message>
        <source>“We are asking your bank. You will not be charged twice.”</source>
        <translation>「銀行に確認しております。|二重に請求されることは|ありません。」</translation>
    </message>
    <message>
        <source>This charge is too old to be sent again.
Check now, or void it safely.</source>
        <translation>古い請求のため、もう送れません。
確認するか、安全に取り消してください。</translation>
    </message>
    <message>
        <source>Asked at %1: %2.</source>
        <translation>%1 に確認：|%2。</translation>
    </message>
    <message>
        <source>This bank does not cancel charges.
Leave it open: nothing is lost.</source>
        <translation>この銀行では取り消せません。
保留にしても失われません。</translation>
    </message>
    <message>
        <source>The bank did not cancel it: what it has under this reference differs. &lt;b&gt;Call support.&lt;/b&gt;</source>
        <translation>銀行は取り消しませんでした。|この照会番号の内容が|銀行と一致しません。|&lt;b&gt;サポートへ|電話してください。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>The bank is told to cancel this charge. &lt;b&gt;It settles by itself,&lt;/b&gt; also after a restart.</source>
        <translation>この請求の取消を|銀行に伝えています。|&lt;b&gt;自動で完了します。&lt;/b&gt;|再起動しても続きます。</translation>
    </message>
    <message>
        <source>The bank says that it was charged. The cancelling returns the money.</source>
        <translation>銀行によれば請求は済んでいます。|取消により返金されます。</translation>
    </message>
    <message>
        <source>Last try: %1.</source>
        <translation>前回の送信：%1。</translation>
    </message>
    <message>
        <source>“We are cancelling it. Whatever was taken is returned.”</source>
        <translation>「取り消しております。|引き落とし済みの場合は|返金されます。」</translation>
    </message>
    <message>
        <source>The terminal has written down that this charge is to be cancelled, and tells the bank until the bank has answered. If the charge was made, the money goes back. If it never arrived, it cannot any more. From now on this charge is not sent again, by anyone.</source>
        <translation>端末はこの請求を取り消すと記録し、銀行が返事をするまで伝え続けます。請求が済んでいれば返金されます。届いていなければ、今後も成立しません。これ以降、この請求はだれが操作しても二度と送られません。</translation>
    </message>
    <message>
        <source>It is being cancelled.
This charge is not sent again.</source>
        <translation>取り消しています。
この請求はもう送りません。</translation>
    </message>
    <message>
        <source>Under way already.
It goes on until the bank answers.</source>
        <translation>すでに実行中です。
銀行の返事があるまで続きます。</translation>
    </message>
    <message>
        <source>The bank had declined it: |there was nothing to cancel. |The card was not charged.</source>
        <translation>銀行は承認していませんでした。|取り消すものはありません。|カードへの請求は|ありません。</translation>
    </message>
    <message>
        <source>A supervisor closed this payment.</source>
        <translation>責任者がこの支払いを|終了しました。</translation>
    </message>
    <message>
        <source>Reason: |%1</source>
        <translation>理由：|%1</translation>
    </message>
    <message>
        <source>The bank has other details under this reference: |that charge is not ours. |It counts apart on the day’s report.</source>
        <translation>この照会番号の内容が|銀行と一致しません。|その請求は当店のものでは|ありません。|日報では別に数えます。</translation>
    </message>
    <message>
        <source>The bank it was open at is gone: |whether it was charged is not known. |It counts apart on the day’s report.</source>
        <translation>この支払いを扱った銀行は|もうありません。|請求されたかどうかは|わかりません。|日報では別に数えます。</translation>
    </message>
</context>
<context>
    <name>ProgressWords</name>
    <message>
        <source>Try %1 of %2</source>
        <translation>%2 回中 %1 回目</translation>
    </message>
    <message>
        <source>Try %1</source>
        <translation>%1 回目</translation>
    </message>
    <message>
        <source>%1 could not be sent</source>
        <translation>%1：送れませんでした</translation>
    </message>
    <message>
        <source>%1 got no answer</source>
        <translation>%1：返事がありません</translation>
    </message>
    <message>
        <source>%1: the bank has trouble</source>
        <translation>%1：銀行側の障害</translation>
    </message>
    <message>
        <source>%1: the bank is still working</source>
        <translation>%1：銀行が処理中</translation>
    </message>
    <message>
        <source>next try in</source>
        <translation>次の送信まで</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 is under way</source>
        <translation>%1：送信中</translation>
    </message>
    <message>
        <source>an answer is due in</source>
        <translation>返事の期限まで</translation>
    </message>
    <message>
        <source>Cancelling, try %1 is not answered yet</source>
        <translation>取消 %1 回目：返事がまだありません</translation>
    </message>
    <message>
        <source>Cancelling, try %1 is under way</source>
        <translation>取消 %1 回目を送信中</translation>
    </message>
</context>
<context>
    <name>ReceiptWords</name>
    <message>
        <source>Receipt</source>
        <translation>レシート</translation>
    </message>
    <message>
        <source>Paid</source>
        <translation>支払い完了</translation>
    </message>
    <message>
        <source>Charged once.</source>
        <translation>請求は 1 回です。</translation>
    </message>
    <message>
        <source>Bank’s number</source>
        <translation>銀行の番号</translation>
    </message>
    <message>
        <source>Payment slip</source>
        <translation>お支払い控え</translation>
    </message>
    <message>
        <source>Declined</source>
        <translation>承認されませんでした</translation>
    </message>
    <message>
        <source>Nothing was charged.</source>
        <translation>請求はされていません。</translation>
    </message>
    <message>
        <source>Not accepted</source>
        <translation>受け付けられませんでした</translation>
    </message>
    <message>
        <source>Not sent</source>
        <translation>未送信</translation>
    </message>
    <message>
        <source>The bank could not be reached.</source>
        <translation>銀行につながりませんでした。</translation>
    </message>
    <message>
        <source>Void slip</source>
        <translation>取消控え</translation>
    </message>
    <message>
        <source>Voided</source>
        <translation>取消済み</translation>
    </message>
    <message>
        <source>The charge was reversed.</source>
        <translation>請求を取り消しました。</translation>
    </message>
    <message>
        <source>The money goes back to your account.</source>
        <translation>お金は口座に戻ります。</translation>
    </message>
    <message>
        <source>Outcome slip</source>
        <translation>処理未了票</translation>
    </message>
    <message>
        <source>Outcome never known</source>
        <translation>結果不明のまま終了</translation>
    </message>
    <message>
        <source>A supervisor has closed this payment.</source>
        <translation>責任者がこの支払いを終了しました。</translation>
    </message>
    <message>
        <source>If it stands on your statement, ask us with the Ref below.</source>
        <translation>明細に載っていたら、下の照会番号でお尋ねください。</translation>
    </message>
    <message>
        <source>Outcome not known yet</source>
        <translation>処理未了</translation>
    </message>
    <message>
        <source>The bank has not told us how this ended. You may have been charged.</source>
        <translation>結果はまだ確認できていません。請求された可能性があります。</translation>
    </message>
    <message>
        <source>Do not pay again before you have asked us.</source>
        <translation>店に確認するまで、もう一度支払わないでください。</translation>
    </message>
    <message>
        <source>Keep this slip. We ask the bank, and tell you with the Ref below.</source>
        <translation>この控えを保管してください。銀行に確認し、下の照会番号でお答えします。</translation>
    </message>
    <message>
        <source>You will not be charged twice.</source>
        <translation>二重に請求されることはありません。</translation>
    </message>
    <message>
        <source>Being cancelled</source>
        <translation>取消処理中</translation>
    </message>
    <message>
        <source>The bank has been asked to cancel this charge and has not answered yet.</source>
        <translation>銀行に取消を依頼し、返事を待っています。</translation>
    </message>
    <message>
        <source>If you were charged, the money goes back.</source>
        <translation>請求されていた場合、お金は戻ります。</translation>
    </message>
    <message>
        <source>Keep this slip and ask us with the Ref below.</source>
        <translation>この控えを保管し、下の照会番号でお尋ねください。</translation>
    </message>
    <message>
        <source>Being looked into</source>
        <translation>確認中</translation>
    </message>
    <message>
        <source>The bank and this terminal do not say the same.</source>
        <translation>銀行と端末の記録が一致していません。</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>注文</translation>
    </message>
    <message>
        <source>Pay by</source>
        <translation>支払い方法</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Settled</source>
        <translation>確定</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>端末</translation>
    </message>
    <message>
        <source>Ref</source>
        <translation>照会番号</translation>
    </message>
</context>
<context>
    <name>ReportWords</name>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>the bank says now: %1</source>
        <translation>銀行の現在の回答：%1</translation>
    </message>
    <message>
        <source>supervisor: %1</source>
        <translation>責任者：%1</translation>
    </message>
    <message>
        <source>Settled in this day</source>
        <translation>この日に確定した会計</translation>
    </message>
    <message>
        <source>No payment was settled.</source>
        <translation>確定した会計はありません。</translation>
    </message>
    <message>
        <source>Were open at closing and carried over: %1</source>
        <translation>締めのとき未了で繰り越した会計：%1 件</translation>
    </message>
    <message>
        <source>Still open, stay with us: %1</source>
        <translation>未了のまま残る会計：%1 件</translation>
    </message>
    <message>
        <source>Carried over from before, settled in this day: %1</source>
        <translation>前から繰り越し、この日に確定した会計：%1 件</translation>
    </message>
    <message>
        <source>Look at these: %1</source>
        <translation>要確認：%1 件</translation>
    </message>
    <message>
        <source>Nothing is open and nothing is out of the ordinary.</source>
        <translation>未了も要確認もありません。</translation>
    </message>
</context>
<context>
    <name>StoreTime</name>
    <message>
        <source>en</source>
        <extracomment>the locale of dates: &quot;en&quot; or the language&apos;s own code</extracomment>
        <translation>ja</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>M月d日</translation>
    </message>
</context>
<context>
    <name>ikkai::ActionBar</name>
    <message>
        <source>Leave open</source>
        <translation>保留にする</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>詳細をコピー</translation>
    </message>
    <message>
        <source>Receipt</source>
        <translation>レシート</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>くわしく見る</translation>
    </message>
    <message>
        <source>Check now</source>
        <translation>今すぐ確認</translation>
    </message>
    <message>
        <source>New sale</source>
        <translation>次の会計へ</translation>
    </message>
    <message>
        <source>New charge for this order</source>
        <translation>この注文を新しく請求</translation>
    </message>
    <message>
        <source>Try as new charge</source>
        <translation>新しい請求として試す</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>What does this mean?</source>
        <translation>この表示の意味</translation>
    </message>
    <message>
        <source>Supervisor</source>
        <translation>責任者</translation>
    </message>
    <message>
        <source>Reconcile</source>
        <translation>突き合わせ</translation>
    </message>
</context>
<context>
    <name>ikkai::AmountField</name>
    <message>
        <source>Amount</source>
        <translation>金額</translation>
    </message>
</context>
<context>
    <name>ikkai::AttemptTrack</name>
    <message>
        <source>Tries</source>
        <translation>試行</translation>
    </message>
    <message>
        <source>now, %1 s</source>
        <translation>現在 %1 秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>limit %1 s</source>
        <translation>上限 %1 秒</translation>
    </message>
</context>
<context>
    <name>ikkai::BankChargesCard</name>
    <message>
        <source>%1: charge %2, order %3, terminal %4, %5, %6</source>
        <translation>%1: 請求 %2、注文 %3、端末 %4、%5、%6</translation>
    </message>
    <message>
        <source>Only the bank has this</source>
        <translation>銀行にだけある記録</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>一覧に戻る</translation>
    </message>
    <message>
        <source>This till has no record of it. |Tell the bank these details.</source>
        <translation>このレジには記録がありません。|銀行にこの内容を伝えてください。</translation>
    </message>
    <message>
        <source>charge %1, terminal %2</source>
        <translation>請求 %1、端末 %2</translation>
    </message>
</context>
<context>
    <name>ikkai::CloseDayPage</name>
    <message>
        <source>Written to %1</source>
        <translation>%1 に書き出しました</translation>
    </message>
    <message>
        <source>Not written: %1</source>
        <translation>書き出せません：%1</translation>
    </message>
    <message>
        <source>Close day, %1</source>
        <translation>レジ締め（%1）</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出し</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>表 (*.csv)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>書き出し中…</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>日計</translation>
    </message>
    <message>
        <source>Reconcile</source>
        <translation>照合</translation>
    </message>
    <message>
        <source>Closed days</source>
        <translation>締め済み</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>再照合</translation>
    </message>
    <message>
        <source>Print</source>
        <translation>印刷</translation>
    </message>
</context>
<context>
    <name>ikkai::ClosedDaysModel</name>
    <message>
        <source>none</source>
        <comment>carried over</comment>
        <translation>なし</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>番号</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>営業日</translation>
    </message>
    <message>
        <source>Closed at</source>
        <translation>締めた時刻</translation>
    </message>
    <message>
        <source>Payments settled</source>
        <translation>確定した会計</translation>
    </message>
    <message>
        <source>Carried over</source>
        <translation>繰り越し</translation>
    </message>
</context>
<context>
    <name>ikkai::ClosedDaysTab</name>
    <message>
        <source>Not read</source>
        <translation>読めません</translation>
    </message>
    <message>
        <source>No. %1: %2, closed %3</source>
        <translation>No. %1：%2（%3 に締め）</translation>
    </message>
    <message>
        <source>No day was closed yet.</source>
        <translation>締めた日はまだありません。</translation>
    </message>
    <message>
        <source>Closed days, newest first</source>
        <translation>締め済みの日（新しい順）</translation>
    </message>
    <message>
        <source>Open the report</source>
        <translation>日計を開く</translation>
    </message>
    <message>
        <source>All closed days</source>
        <translation>締め済み一覧</translation>
    </message>
</context>
<context>
    <name>ikkai::ControlTrainerLink</name>
    <message>
        <source>try %1</source>
        <translation>%1 回目</translation>
    </message>
    <message>
        <source>replayed</source>
        <translation>再送</translation>
    </message>
</context>
<context>
    <name>ikkai::DayChooser</name>
    <message>
        <source>Any day</source>
        <translation>すべての日</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>日付</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>本日</translation>
    </message>
</context>
<context>
    <name>ikkai::DetailsCard</name>
    <message>
        <source>Details</source>
        <translation>くわしく見る</translation>
    </message>
</context>
<context>
    <name>ikkai::DifferenceModel</name>
    <message>
        <source>none</source>
        <comment>order</comment>
        <translation>なし</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>相違</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>注文</translation>
    </message>
    <message>
        <source>This terminal</source>
        <translation>この端末</translation>
    </message>
    <message>
        <source>The bank</source>
        <translation>銀行</translation>
    </message>
    <message>
        <source>Bank − here</source>
        <translation>銀行 − 端末</translation>
    </message>
</context>
<context>
    <name>ikkai::DifferenceTable</name>
    <message>
        <source>Differences, worst first</source>
        <translation>相違（重いものから）</translation>
    </message>
</context>
<context>
    <name>ikkai::EntryPanel</name>
    <message>
        <source>Card OK</source>
        <translation>カード（正常）</translation>
    </message>
    <message>
        <source>Low funds</source>
        <translation>残高不足</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>拒否</translation>
    </message>
    <message>
        <source>Next sale</source>
        <translation>次の会計</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>注文</translation>
    </message>
    <message>
        <source>Charge</source>
        <translation>請求する</translation>
    </message>
    <message>
        <source>Pay by</source>
        <translation>支払い方法</translation>
    </message>
    <message>
        <source>Writing %1 down …</source>
        <translation>%1 を|記録しています…</translation>
    </message>
    <message>
        <source>Wait for %1, or leave it open.</source>
        <translation>%1 を待つか、|保留にしてください。</translation>
    </message>
    <message>
        <source>Wait for %1.</source>
        <translation>%1 の結果を|お待ちください。</translation>
    </message>
    <message>
        <source>Choose for %1 first, or leave it open.</source>
        <translation>先に %1 の扱いを|選んでください。</translation>
    </message>
    <message>
        <source>The screen stood still for a moment. Press Charge again.</source>
        <translation>画面が止まっていました。|もう一度押してください。</translation>
    </message>
    <message>
        <source>Digits only, at most %1. |Press C and type it again.</source>
        <translation>数字だけ、|%1 までです。|C を押して|入れ直してください。</translation>
    </message>
    <message>
        <source>Cannot record, so cannot charge.</source>
        <translation>記録できないため、|請求できません。</translation>
    </message>
    <message>
        <source>The bank does not accept this terminal. |Charge asks it again.</source>
        <translation>この端末は銀行に|認められていません。</translation>
    </message>
    <message>
        <source>Type the order first.</source>
        <translation>注文を入力してください。</translation>
    </message>
    <message>
        <source>This order number cannot be used.</source>
        <translation>この注文番号は使えません。</translation>
    </message>
    <message>
        <source>Type an amount first.</source>
        <translation>金額を入力してください。</translation>
    </message>
    <message>
        <source>The supervisor decides about %1 first.</source>
        <translation>先に責任者が |%1 の扱いを|決めます。</translation>
    </message>
</context>
<context>
    <name>ikkai::FaultCard</name>
    <message>
        <source>Request lost</source>
        <translation>要求が消える</translation>
    </message>
    <message>
        <source>The bank never hears of the payment.</source>
        <translation>銀行は|支払いのことを|知りません。</translation>
    </message>
    <message>
        <source>Answer lost</source>
        <translation>返事が消える</translation>
    </message>
    <message>
        <source>Money moves, the answer goes missing.</source>
        <translation>お金は動き、|返事だけが|消えます。</translation>
    </message>
    <message>
        <source>Crash midway</source>
        <translation>途中で停止</translation>
    </message>
    <message>
        <source>The bank dies before it has charged.</source>
        <translation>請求する前に|銀行が止まります。</translation>
    </message>
    <message>
        <source>reached</source>
        <translation>届いた</translation>
    </message>
    <message>
        <source>charged</source>
        <translation>引き落とし</translation>
    </message>
    <message>
        <source>knowable</source>
        <translation>わかる</translation>
    </message>
    <message>
        <source>healed</source>
        <translation>回復</translation>
    </message>
    <message>
        <source>seen by the terminal</source>
        <translation>端末が気づいた</translation>
    </message>
    <message>
        <source>fired</source>
        <translation>発動</translation>
    </message>
    <message>
        <source>matched</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>armed</source>
        <translation>準備済み</translation>
    </message>
    <message>
        <source>not armed</source>
        <translation>準備なし</translation>
    </message>
    <message>
        <source>Disarm</source>
        <translation>解除</translation>
    </message>
    <message>
        <source>Re-arm</source>
        <translation>再準備</translation>
    </message>
    <message>
        <source>Arm</source>
        <translation>準備</translation>
    </message>
</context>
<context>
    <name>ikkai::HeaderBar</name>
    <message>
        <source>Ikkai</source>
        <translation>一回</translation>
    </message>
    <message>
        <source>Charge</source>
        <comment>page</comment>
        <translation>会計</translation>
    </message>
    <message>
        <source>Open</source>
        <comment>page</comment>
        <translation>未了</translation>
    </message>
    <message>
        <source>Trainer</source>
        <translation>訓練</translation>
    </message>
    <message>
        <source>Bank not asked yet</source>
        <translation>銀行には未接続です</translation>
    </message>
    <message>
        <source>Bank online</source>
        <translation>銀行とつながっています</translation>
    </message>
    <message>
        <source>Bank is not answering</source>
        <translation>銀行から返事がありません</translation>
    </message>
    <message>
        <source>Bank cannot be reached</source>
        <translation>銀行につながりません</translation>
    </message>
    <message>
        <source>Bank refuses this terminal</source>
        <translation>銀行が端末を認めません</translation>
    </message>
    <message>
        <source>History</source>
        <comment>page</comment>
        <translation>履歴</translation>
    </message>
    <message>
        <source>Close day</source>
        <comment>page</comment>
        <translation>レジ締め</translation>
    </message>
    <message>
        <source>Another bank answers</source>
        <translation>別の銀行が応答中</translation>
    </message>
</context>
<context>
    <name>ikkai::HistoryDetailCard</name>
    <message>
        <source>Choose a payment to see its record.</source>
        <translation>会計を選ぶと記録が表示されます。</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>記録</translation>
    </message>
    <message>
        <source>Show in Charge</source>
        <translation>会計画面で見る</translation>
    </message>
    <message>
        <source>Reprint</source>
        <translation>再発行</translation>
    </message>
    <message>
        <source>Copy key</source>
        <translation>キーをコピー</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出し</translation>
    </message>
    <message>
        <source>Export this payment</source>
        <translation>この会計を書き出す</translation>
    </message>
    <message>
        <source>append-only, events: %1</source>
        <translation>追記のみ、%1 件</translation>
    </message>
    <message>
        <source>is being read …</source>
        <translation>読み込み中…</translation>
    </message>
    <message>
        <source>could not be read: %1</source>
        <translation>読み込めません：%1</translation>
    </message>
    <message>
        <source>Closed by a supervisor</source>
        <translation>責任者が終了</translation>
    </message>
    <message>
        <source>Overridden by a supervisor</source>
        <translation>責任者が上書き</translation>
    </message>
    <message>
        <source>By a supervisor</source>
        <translation>責任者による</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>キー</translation>
    </message>
    <message>
        <source>Pay by</source>
        <translation>支払い方法</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>%1, terminal %2</source>
        <translation>%1、端末 %2</translation>
    </message>
    <message>
        <source>Settled</source>
        <translation>確定</translation>
    </message>
    <message>
        <source>At the bank</source>
        <translation>銀行の番号</translation>
    </message>
    <message>
        <source>Void’s key</source>
        <translation>取消のキー</translation>
    </message>
    <message>
        <source>Started in place of …%1</source>
        <translation>…%1 の代わりに開始</translation>
    </message>
    <message>
        <source>Replaced by …%1</source>
        <translation>…%1 に置き換え</translation>
    </message>
</context>
<context>
    <name>ikkai::HistoryListPage</name>
    <message>
        <source>Written to %1: %2</source>
        <translation>%1 に %2 件を書き出しました</translation>
    </message>
    <message>
        <source>Not written: %1</source>
        <translation>書き出せません：%1</translation>
    </message>
    <message>
        <source>Order or Ref</source>
        <translation>注文・照会番号</translation>
    </message>
    <message>
        <source>Amount</source>
        <translation>金額</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>書き出し</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>すべて表示</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>もう一度読む</translation>
    </message>
    <message>
        <source>Payments, newest first</source>
        <translation>会計の一覧、新しい順</translation>
    </message>
    <message>
        <source>This is not an amount: digits only.</source>
        <translation>金額ではありません。数字だけ入力してください。</translation>
    </message>
    <message>
        <source>&lt;b&gt;The record of payments cannot be read.&lt;/b&gt; |%1</source>
        <translation>&lt;b&gt;会計の記録を読み込めません。&lt;/b&gt;|%1</translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation>読み込み中…</translation>
    </message>
    <message>
        <source>No payment fits this search.</source>
        <translation>条件に合う会計は|ありません。</translation>
    </message>
    <message>
        <source>There are no payments yet.</source>
        <translation>会計はまだありません。</translation>
    </message>
    <message>
        <source>%1 of %2 shown</source>
        <translation>%2 件のうち %1 件を表示</translation>
    </message>
    <message>
        <source>%1 shown</source>
        <translation>%1 件を表示</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>さらに %1 件</translation>
    </message>
    <message>
        <source>Older payments cannot be read: %1</source>
        <translation>これより古い会計を読み込めません：%1</translation>
    </message>
    <message>
        <source>Search to see older payments.</source>
        <translation>これより古い会計は検索してください。</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>表 (*.csv)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Writing …</source>
        <translation>書き出し中…</translation>
    </message>
</context>
<context>
    <name>ikkai::HistoryModel</name>
    <message>
        <source>Time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>注文</translation>
    </message>
    <message>
        <source>Amount</source>
        <translation>金額</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Ref</source>
        <translation>照会番号</translation>
    </message>
</context>
<context>
    <name>ikkai::JournalFaultScreen</name>
    <message>
        <source>Ikkai cannot start</source>
        <translation>「一回」を起動できません</translation>
    </message>
    <message>
        <source>What still holds</source>
        <translation>今も確かなこと</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>どうすればよいか</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>詳細をコピー</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
</context>
<context>
    <name>ikkai::Keypad</name>
    <message>
        <source>Clear the amount</source>
        <translation>金額を消す</translation>
    </message>
    <message>
        <source>Delete the last digit</source>
        <translation>最後の数字を消す</translation>
    </message>
</context>
<context>
    <name>ikkai::MainWindow</name>
    <message>
        <source>Ikkai</source>
        <translation>一回</translation>
    </message>
</context>
<context>
    <name>ikkai::OpenListPage</name>
    <message>
        <source>Open payments</source>
        <translation>未了の支払い</translation>
    </message>
    <message>
        <source>&lt;b&gt;These payments are still open.&lt;/b&gt; |They stay on this list. |Close once more to leave.</source>
        <translation>&lt;b&gt;未了の支払いがあります。&lt;/b&gt;|この一覧に残ります。|終了するには|もう一度閉じてください。</translation>
    </message>
    <message>
        <source>Their outcome is not known yet. |The oldest comes first. |None is dropped.</source>
        <translation>結果がまだ|わかっていません。|古いものから並んでいます。|消えることはありません。</translation>
    </message>
    <message>
        <source>Nothing is open. |Every payment is settled.</source>
        <translation>未了のものはありません。|すべて確定しています。</translation>
    </message>
    <message>
        <source>Show this one</source>
        <translation>これを表示する</translation>
    </message>
</context>
<context>
    <name>ikkai::OpenModel</name>
    <message>
        <source>told to the bank again in %1 s</source>
        <translation>%1 秒後に銀行へもう一度伝えます</translation>
    </message>
    <message>
        <source>the bank is being told</source>
        <translation>銀行に伝えています</translation>
    </message>
    <message>
        <source>the bank is being asked</source>
        <translation>銀行に確認中</translation>
    </message>
    <message>
        <source>asks the bank in %1 s</source>
        <translation>%1 秒後に銀行へ確認</translation>
    </message>
    <message>
        <source>%1; at %2: %3</source>
        <translation>%1（%2：%3）</translation>
    </message>
</context>
<context>
    <name>ikkai::OutcomePanel</name>
    <message>
        <source>What happened</source>
        <translation>経過</translation>
    </message>
    <message>
        <source>What will the customer do?</source>
        <translation>お客様はどうされますか。</translation>
    </message>
    <message>
        <source>Customer is still here</source>
        <translation>このままお待ちになる</translation>
    </message>
    <message>
        <source>Customer is still here</source>
        <comment>narrow window</comment>
        <translation>このままお待ちになる</translation>
    </message>
    <message>
        <source>Try again (same charge)</source>
        <translation>もう一度試す（同じ請求）</translation>
    </message>
    <message>
        <source>Sends the same charge once more.</source>
        <translation>同じ請求をもう一度送ります。</translation>
    </message>
    <message>
        <source>It cannot be charged twice.</source>
        <translation>二重の請求にはなりません。</translation>
    </message>
    <message>
        <source>Customer leaves or pays otherwise</source>
        <translation>お帰りになる・別の方法で払う</translation>
    </message>
    <message>
        <source>Leaves or pays otherwise</source>
        <translation>お帰り・別の方法で払う</translation>
    </message>
    <message>
        <source>Void safely</source>
        <translation>安全に取り消す</translation>
    </message>
    <message>
        <source>The bank cancels this charge.</source>
        <translation>銀行で取り消します。</translation>
    </message>
    <message>
        <source>Money already taken is returned.</source>
        <translation>引き落とし済みなら返金されます。</translation>
    </message>
    <message>
        <source>Ref …%1</source>
        <translation>照会番号 …%1</translation>
    </message>
    <message>
        <source>Tell the customer</source>
        <translation>お客様へ</translation>
    </message>
    <message>
        <source>Asking the bank …</source>
        <translation>銀行に確認しています…</translation>
    </message>
    <message>
        <source>Ask how it ended:</source>
        <translation>銀行に結果を</translation>
    </message>
    <message>
        <source>Stays on the Open list.</source>
        <translation>「未了」に残ります。</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>準備ができました</translation>
    </message>
    <message>
        <source>%1 is on the Open list. |The next customer can be served.</source>
        <translation>%1 は|「未了」にあります。|次のお客様の|会計ができます。</translation>
    </message>
    <message>
        <source>Type the order and the amount, |then press Charge.</source>
        <translation>注文と金額を入力して、|「請求する」を|押してください。</translation>
    </message>
    <message>
        <source>Meanwhile</source>
        <translation>その間に</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1、%2：%3</translation>
    </message>
    <message>
        <source>%1 s of at most %2 s. Serves the next customer.</source>
        <translation>%1 秒経過、最長 %2 秒。次の会計に進めます。</translation>
    </message>
    <message>
        <source>Serves the next customer.</source>
        <translation>次の会計に進めます。</translation>
    </message>
    <message>
        <source>Serves the next customer. Stays on the Open list.</source>
        <translation>次の会計に進めます。「未了」に残ります。</translation>
    </message>
    <message>
        <source>%1 s of at most %2 s.</source>
        <translation>%1 秒経過、最長 %2 秒。</translation>
    </message>
    <message>
        <source>Show 1 open payment</source>
        <translation>未了の支払い 1 件を見る</translation>
    </message>
    <message>
        <source>Show %1 open payments</source>
        <translation>未了の支払い %1 件を見る</translation>
    </message>
    <message>
        <source>Charge as a second sale</source>
        <translation>別の会計として請求</translation>
    </message>
    <message>
        <source>Asks the bank by itself in</source>
        <translation>次の自動確認まで</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>表示する</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>ほか %1 件</translation>
    </message>
    <message>
        <source>Finished while you were away</source>
        <translation>不在中に完了</translation>
    </message>
</context>
<context>
    <name>ikkai::PageNotHere</name>
    <message>
        <source>This page is not available |in this window.</source>
        <translation>このページは|この画面では使えません。</translation>
    </message>
</context>
<context>
    <name>ikkai::ReceiptPage</name>
    <message>
        <source>A second paper is marked as a reprint. |Printing changes nothing about the payment.</source>
        <translation>2 枚目からは|「再発行」と記されます。|印刷しても、|支払いには影響しません。</translation>
    </message>
    <message>
        <source>Printing changes nothing about the payment.</source>
        <translation>印刷しても、|支払いには影響しません。</translation>
    </message>
    <message>
        <source>Printing …</source>
        <translation>印刷中…</translation>
    </message>
    <message>
        <source>&lt;b&gt;Written:&lt;/b&gt; %1</source>
        <translation>&lt;b&gt;保存しました：&lt;/b&gt;|%1</translation>
    </message>
    <message>
        <source>&lt;b&gt;Sent to %1.&lt;/b&gt; |If no paper comes out, put it right and print again: |it is marked as a reprint.</source>
        <translation>&lt;b&gt;%1 に送りました。&lt;/b&gt;|紙が出ないときは、|直してからもう一度|印刷してください。|「再発行」と記されます。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Not printed.&lt;/b&gt; |%1 |The payment stands as it is. Print again at any time.</source>
        <translation>&lt;b&gt;印刷できませんでした。&lt;/b&gt;|%1|支払いはそのままです。|いつでも印刷し直せます。</translation>
    </message>
    <message>
        <source>Print again</source>
        <translation>もう一度印刷</translation>
    </message>
    <message>
        <source>Print</source>
        <translation>印刷</translation>
    </message>
    <message>
        <source>Printer</source>
        <translation>プリンター</translation>
    </message>
    <message>
        <source>The paper as it will come out</source>
        <translation>印刷される紙</translation>
    </message>
    <message>
        <source>No printer is set up here. |A PDF file works always.</source>
        <translation>プリンターが|設定されていません。|PDF はいつでも作れます。</translation>
    </message>
    <message>
        <source>PDF file</source>
        <translation>PDF ファイル</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>戻る</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Printing changes nothing.</source>
        <translation>印刷しても何も変わりません。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Sent to %1.&lt;/b&gt; |If no paper comes out, put it right and print again.</source>
        <translation>&lt;b&gt;%1 に送りました。&lt;/b&gt;|紙が出ないときは、直してからもう一度印刷してください。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Not printed.&lt;/b&gt; |%1 |Print again at any time.</source>
        <translation>&lt;b&gt;印刷できませんでした。&lt;/b&gt;|%1 |いつでも印刷し直せます。</translation>
    </message>
</context>
<context>
    <name>ikkai::ReconcileTab</name>
    <message>
        <source>checked %1, took %2 s</source>
        <translation>%1 照合、%2 秒</translation>
    </message>
    <message>
        <source>Reading the bank&apos;s list: %1 of %2</source>
        <translation>銀行の一覧を読んでいます：%1 / %2 件</translation>
    </message>
    <message>
        <source>Reading the bank&apos;s list: %1</source>
        <translation>銀行の一覧を読んでいます：%1 件</translation>
    </message>
    <message>
        <source>Reading this till&apos;s payments: %1 of %2</source>
        <translation>このレジの会計を読んでいます：%1 / %2 件</translation>
    </message>
    <message>
        <source>Reading this till&apos;s payments: %1</source>
        <translation>このレジの会計を読んでいます：%1 件</translation>
    </message>
    <message>
        <source>Comparing both sides</source>
        <translation>両方を比べています</translation>
    </message>
    <message>
        <source>Asking the bank about each difference: %1 of %2</source>
        <translation>相違を銀行に確認しています：%1 / %2 件</translation>
    </message>
    <message>
        <source>agree</source>
        <translation>件が一致</translation>
    </message>
    <message>
        <source>on both sides</source>
        <translation>両方で同じ</translation>
    </message>
    <message>
        <source>%1 on both sides</source>
        <translation>両方で %1</translation>
    </message>
    <message>
        <source>needs a person</source>
        <translation>件は人の確認が必要</translation>
    </message>
    <message>
        <source>need a person</source>
        <translation>件は人の確認が必要</translation>
    </message>
    <message>
        <source>nothing in question</source>
        <translation>差額はありません</translation>
    </message>
    <message>
        <source>%1 in question</source>
        <translation>差額 %1</translation>
    </message>
    <message>
        <source>by the bank&apos;s own answer</source>
        <translation>銀行の回答により</translation>
    </message>
    <message>
        <source>%1 settled just now</source>
        <translation>%1 件を今確定しました</translation>
    </message>
    <message>
        <source>%1 more by themselves</source>
        <translation>ほか %1 件は自動で確定</translation>
    </message>
    <message>
        <source>can be settled now</source>
        <translation>件は今確定できます</translation>
    </message>
    <message>
        <source>not from here</source>
        <translation>件は別の端末</translation>
    </message>
    <message>
        <source>tell the bank</source>
        <translation>銀行に連絡</translation>
    </message>
    <message>
        <source>Both lists were read to their end.</source>
        <translation>両方の一覧を最後まで読みました。</translation>
    </message>
    <message>
        <source>%1 of %2 could not be confirmed: |the bank did not answer.</source>
        <translation>%2 件のうち %1 件は確認できません。|銀行から返事がありません。</translation>
    </message>
    <message>
        <source>Not confirmed one by one: |this bank answers no such questions.</source>
        <translation>1 件ずつの確認はしていません。|この銀行は問い合わせに対応しません。</translation>
    </message>
    <message>
        <source>%1 of %2 were confirmed |by asking the bank.</source>
        <translation>%2 件のうち %1 件を|銀行に確認しました。</translation>
    </message>
    <message>
        <source>Each difference was confirmed |by asking the bank.</source>
        <translation>相違はすべて|銀行に確認しました。</translation>
    </message>
    <message>
        <source> |1 row is younger than 5 s and waits.</source>
        <translation>|5 秒以内の 1 件は待機中です。</translation>
    </message>
    <message>
        <source> |%1 rows are younger than 5 s and wait.</source>
        <translation>|5 秒以内の %1 件は待機中です。</translation>
    </message>
    <message>
        <source>Settle the open one</source>
        <translation>未了の 1 件を確定</translation>
    </message>
    <message>
        <source>Settle both open ones</source>
        <translation>未了の 2 件を確定</translation>
    </message>
    <message>
        <source>Settle all %1 open ones</source>
        <translation>未了の %1 件を確定</translation>
    </message>
    <message>
        <source>Carry over and close</source>
        <translation>繰り越して締める</translation>
    </message>
    <message>
        <source>Close the day</source>
        <translation>この日を締める</translation>
    </message>
    <message>
        <source>Compare with the bank</source>
        <translation>銀行と照合する</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>中止</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>進み具合</translation>
    </message>
    <message>
        <source>Not compared</source>
        <translation>照合できませんでした</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>中止しました</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>何も変更していません。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Everything agrees.&lt;/b&gt; |This till and the bank say the same |of every payment.</source>
        <translation>&lt;b&gt;すべて一致しています。&lt;/b&gt;|どの会計も|レジと銀行の記録は同じです。</translation>
    </message>
    <message>
        <source>Compares this till&apos;s payments with the bank&apos;s list, |one by one. |Nothing is charged or changed.</source>
        <translation>このレジの会計と銀行の一覧を|1 件ずつ比べます。|請求も変更もしません。</translation>
    </message>
</context>
<context>
    <name>ikkai::ReportTab</name>
    <message>
        <source>Closing…</source>
        <translation>締めています…</translation>
    </message>
    <message>
        <source>Carry over and close</source>
        <translation>繰り越して締める</translation>
    </message>
    <message>
        <source>Close the day</source>
        <translation>この日を締める</translation>
    </message>
    <message>
        <source>The day was not closed</source>
        <translation>締められませんでした</translation>
    </message>
    <message>
        <source>The report could not be read</source>
        <translation>日計を読めません</translation>
    </message>
    <message>
        <source>Reading the payments of this day…</source>
        <translation>この日の会計を読んでいます…</translation>
    </message>
    <message>
        <source>Open payments do not stop the closing: |they are carried over |and stay on the Open list.</source>
        <translation>未了があっても締められます。|未了は繰り越され、|未了一覧に残ります。</translation>
    </message>
    <message>
        <source>Every payment is settled. |A closed day gets a number |and cannot be changed.</source>
        <translation>すべて確定しています。|締めた日には番号がつき、|変更できません。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Close %1?&lt;/b&gt; |%2 open, carried over. |A closed day |cannot be changed.</source>
        <translation>&lt;b&gt;%1を締めますか。&lt;/b&gt;|未了 %2 件は繰り越します。|締めた日は|変更できません。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Close %1?&lt;/b&gt; |A closed day |cannot be changed.</source>
        <translation>&lt;b&gt;%1を締めますか。&lt;/b&gt;|締めた日は|変更できません。</translation>
    </message>
    <message>
        <source>%1 is closed: |no. %2, |at %3</source>
        <translation>%1を締めました：|No. %2、|%3</translation>
    </message>
    <message>
        <source>Not yet</source>
        <translation>まだ締めない</translation>
    </message>
    <message>
        <source>Show the report</source>
        <translation>日計を見る</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>閉じる</translation>
    </message>
</context>
<context>
    <name>ikkai::ReportView</name>
    <message>
        <source>%1, day from %2, %3</source>
        <translation>%1、営業日は %2 から、%3</translation>
    </message>
    <message>
        <source>Totals by outcome</source>
        <translation>結果ごとの合計</translation>
    </message>
    <message>
        <source>Open payments and remarks</source>
        <translation>未了と要確認</translation>
    </message>
</context>
<context>
    <name>ikkai::SideBySide</name>
    <message>
        <source>This terminal has</source>
        <translation>この端末</translation>
    </message>
    <message>
        <source>The bank has</source>
        <translation>銀行</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>Shown here before</source>
        <translation>以前の表示</translation>
    </message>
    <message>
        <source>The bank says now</source>
        <translation>現在の銀行の返事</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>まだわかりません</translation>
    </message>
</context>
<context>
    <name>ikkai::SupervisorPanel</name>
    <message>
        <source>Supervisor’s PIN</source>
        <translation>責任者の暗証番号</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>戻る</translation>
    </message>
    <message>
        <source>Close it for good</source>
        <translation>終了を確定する</translation>
    </message>
    <message>
        <source>Start %1 anew?</source>
        <translation>%1 を新しく始めますか。</translation>
    </message>
    <message>
        <source>The open payment of %1 is cancelled first: |if it was charged, the money goes back. |&lt;b&gt;A new charge of %2 starts at once.&lt;/b&gt;</source>
        <translation>未了の %1 を先に取り消します。|請求済みなら返金されます。|&lt;b&gt;新しい %2 の請求が|すぐに始まります。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>Cancel it and charge %1</source>
        <translation>取り消して %1 を請求する</translation>
    </message>
    <message>
        <source>Close %1 without knowing?</source>
        <translation>%1 を結果不明のまま終了しますか。</translation>
    </message>
    <message>
        <source>The terminal stops asking about it. |Whether it was charged, only the comparison with the bank can show. |&lt;b&gt;This cannot be undone.&lt;/b&gt;</source>
        <translation>端末は銀行への確認をやめます。|請求されたかどうかは、|銀行との突き合わせでしか|わからなくなります。|&lt;b&gt;元に戻せません。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>One moment …</source>
        <translation>お待ちください…</translation>
    </message>
    <message>
        <source>The PIN has %1 to %2 digits.</source>
        <translation>暗証番号は %1～%2 桁です。</translation>
    </message>
    <message>
        <source>Write the reason: it is kept with the payment.</source>
        <translation>理由を書いてください。|支払いの記録に残ります。</translation>
    </message>
    <message>
        <source>This is not the PIN. |One try is left.</source>
        <translation>暗証番号が違います。|あと 1 回です。</translation>
    </message>
    <message>
        <source>This is not the PIN. |%1 tries are left.</source>
        <translation>暗証番号が違います。|あと %1 回です。</translation>
    </message>
    <message>
        <source>The PIN is locked after too many wrong ones. |Set it anew: &lt;b&gt;payment-terminal supervisor-pin&lt;/b&gt;</source>
        <translation>誤りが続いたため、|暗証番号はロックされました。|設定し直してください：|&lt;b&gt;payment-terminal supervisor-pin&lt;/b&gt;</translation>
    </message>
    <message>
        <source>No PIN has been set here yet. |Set one: &lt;b&gt;payment-terminal supervisor-pin&lt;/b&gt;</source>
        <translation>暗証番号がまだ|設定されていません。|設定方法：|&lt;b&gt;payment-terminal supervisor-pin&lt;/b&gt;</translation>
    </message>
    <message>
        <source>It could not be recorded, so nothing was done. |%1</source>
        <translation>記録できないため、|何もしていません。|%1</translation>
    </message>
    <message>
        <source>The open payment of %1 is closed: |how it ended stays unknown. |&lt;b&gt;A new charge of %2 starts at once.&lt;/b&gt;</source>
        <translation>未了の %1 を|結果不明のまま終了します。|&lt;b&gt;新しい %2 の請求が|すぐに始まります。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>Close it and charge %1</source>
        <translation>終了して %1 を請求する</translation>
    </message>
    <message>
        <source>Not possible now: |it is settled already, or its own bank can still settle it.</source>
        <translation>今はできません。|すでに完了しているか、|元の銀行でまだ確定できます。</translation>
    </message>
    <message>
        <source>Not possible now: |the open payment is settled already, or is being sent.</source>
        <translation>今はできません。|未了の支払いが|すでに完了しているか、|送信中です。</translation>
    </message>
</context>
<context>
    <name>ikkai::TrainerDock</name>
    <message>
        <source>Trainer</source>
        <translation>訓練</translation>
    </message>
    <message>
        <source>Faults for the next payment</source>
        <translation>次の支払いで起こす障害</translation>
    </message>
    <message>
        <source>Lights: armed, matched, fired, seen, healed</source>
        <translation>表示：準備、一致、発動、認識、回復</translation>
    </message>
    <message>
        <source>What the bank did</source>
        <translation>銀行の動き</translation>
    </message>
</context>
<context>
    <name>ikkai::TrainingBand</name>
    <message>
        <source>TRAINING</source>
        <translation>訓練中</translation>
    </message>
    <message>
        <source>no faults armed</source>
        <translation>準備中の障害なし</translation>
    </message>
    <message>
        <source>1 fault armed</source>
        <translation>準備中の障害 1 件</translation>
    </message>
    <message>
        <source>%1 faults armed</source>
        <translation>準備中の障害 %1 件</translation>
    </message>
    <message>
        <source>Stop all faults</source>
        <translation>すべて停止</translation>
    </message>
</context>
</TS>
