const http = require('http');

function price(count) {
    if (count > 2) {
        return count * 9;
    }
    return count * 10;
}

function never() {
    return 1;
}

let waiting = null;
http.createServer((request, response) => {
    // A comment.
    if (request.url === '/fail') {
        setTimeout(() => {
            throw new TypeError('node fails');
        }, 1);
        return;
    }
    if (request.url === '/slow') {
        waiting = response;
        return;
    }
    if (waiting) {
        waiting.end('slow\n');
    }
    response.end(`${price(1)} ${request.headers['restage-step']}\n`);
}).listen(Number(process.argv[2]), '127.0.0.1');
