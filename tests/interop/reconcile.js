// Reads a bank's whole ledger and holds it against the keys that a client saw approved, one a line in a file.
// usage: node reconcile.js URL TOKEN_FILE ANSWERED_FILE
'use strict';
const fs = require('fs');
const http = require('http');
const [url, tokenFile, answeredFile] = process.argv.slice(2);
const token = fs.readFileSync(tokenFile, 'utf8').trim();

function get(path) {
    return new Promise((resolve, reject) => {
        http.get(url + path, { headers: { Authorization: 'Bearer ' + token } }, (answer) => {
            let text = '';
            answer.on('data', (part) => (text += part));
            answer.on('end', () => (answer.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(text))));
        }).on('error', reject);
    });
}

async function main() {
    const charges = new Map();
    let next = 0;
    while (next !== null && next !== undefined) {
        const page = await get(`/control/ledger?after=${next}&limit=500`);
        for (const movement of page.movements) {
            if (movement.kind === 'charge')
                charges.set(movement.idempotency_key, (charges.get(movement.idempotency_key) || 0) + 1);
        }
        next = page.movements.length > 0 ? page.next : null;
    }
    const answered = new Set(fs.readFileSync(answeredFile, 'utf8').split('\n').filter((line) => line !== ''));
    const twice = [...charges].filter(([, count]) => count > 1).map(([key]) => key);
    const lost = [...answered].filter((key) => !charges.has(key));
    console.log(`${charges.size} keys charged, ${answered.size} answered approved, ` +
        `${twice.length} charged twice, ${lost.length} approved without a charge`);
    if (answered.size === 0 || twice.length > 0 || lost.length > 0) {
        console.log({ twice: twice.slice(0, 5), lost: lost.slice(0, 5) });
        process.exit(1);
    }
}
main().catch((error) => {
    console.error(error.message);
    process.exit(1);
});
