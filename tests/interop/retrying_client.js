// A client as a shop would write it: one key per sale, written down before it is sent, the same key on every retry;
// 409, 429 and 5xx wait as Retry-After says; a reset, a cut answer and silence mean "unknown", so it asks again.
// Writes the keys it saw approved. usage: node retrying_client.js URL ANSWERED_FILE SALES
'use strict';
const fs = require('fs');
const http = require('http');
const [url, answeredFile, sales] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
const deadlineMs = 2000, maxAttempts = 30;
const counts = {};
const count = (what) => (counts[what] = (counts[what] || 0) + 1);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function once(key, attempt, body) {
    return new Promise((resolve) => {
        const request = http.request(url + '/v1/charges', {
            method: 'POST', agent, timeout: deadlineMs,
            headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body),
                'Idempotency-Key': key, 'Attempt-Number': attempt },
        }, (answer) => {
            let text = '';
            answer.on('data', (part) => (text += part));
            answer.on('aborted', () => resolve({ lost: 'cut answer' }));
            answer.on('error', () => resolve({ lost: 'cut answer' }));
            answer.on('end', () => resolve(answer.complete ? { status: answer.statusCode, headers: answer.headers, text }
                : { lost: 'cut answer' }));
        });
        request.on('timeout', () => request.destroy(new Error('silence')));
        request.on('error', (error) => resolve({ lost: error.code || error.message }));
        request.end(body);
    });
}

async function sell(number) {
    const key = `node-${process.pid}-${number}`;
    const body = JSON.stringify({ order_id: `N-${number}`, amount: 100, currency: 'JPY', source: 'card_ok' });
    for (let attempt = 1; attempt <= maxAttempts; ++attempt) {
        const result = await once(key, attempt, body);
        if (result.lost) {
            count(result.lost);
            await pause(5 * attempt);
            continue;
        }
        count(result.status);
        if (result.status === 201) {
            const answer = JSON.parse(result.text);
            if (answer.status !== 'approved' || answer.idempotency_key !== key || answer.amount !== 100)
                throw new Error('not the answer to ' + key + ': ' + result.text);
            return key;
        }
        if (result.status !== 409 && result.status !== 429 && result.status < 500)
            throw new Error(`${key}: ${result.status} ${result.text}`);
        const wait = Number(result.headers['retry-after']);
        await pause(Math.min(Number.isFinite(wait) ? wait * 1000 : 20, 1000) + 5);
    }
    throw new Error(key + ' stays unknown');
}

async function main() {
    const keys = [];
    let next = 0;
    const cashier = async () => {
        while (next < Number(sales)) keys.push(await sell(next++));
    };
    await Promise.all(Array.from({ length: 32 }, cashier));
    fs.writeFileSync(answeredFile, keys.join('\n') + '\n');
    agent.destroy();
    console.log(`${keys.length} sales, all approved; on the way: ${JSON.stringify(counts)}`);
}
main().catch((error) => {
    console.error(error.message);
    process.exit(1);
});
