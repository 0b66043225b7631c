// The probe for Node: loaded before the application by NODE_OPTIONS.
'use strict';

const settings = {
    facts: process.env.RESTAGE_FACTS || '',
    want: new Set((process.env.RESTAGE_FACTS_WANT || '').split(',')),
    roots: [],
};

const fs = require('fs');
const path = require('path');
const { AsyncLocalStorage } = require('async_hooks');

const requests = new AsyncLocalStorage();
/** Requests that are being answered. */
const open = new Set();
/** The inspector's session, where lines are wanted and to be had. */
let inspector = null;
const sources = new Map();

try {
    if (settings.facts) {
        begin();
    }
} catch {
    // Without facts, then: the application goes on.
}

function begin() {
    settings.roots = (process.env.RESTAGE_FACTS_ROOT || '').split(':').filter(Boolean).map(root => {
        try {
            return fs.realpathSync(root).replace(/\/+$/, '') + '/';
        } catch {
            return root.replace(/\/+$/, '') + '/';
        }
    }).sort((a, b) => b.length - a.length);
    for (const name of ['http', 'https']) {
        watch(require(name).Server.prototype);
    }
    process.on('uncaughtExceptionMonitor', problem => addError(requests.getStore(), problem));
    // A process that ends by itself ends its requests.
    process.on('exit', () => open.forEach(end));
    if (settings.want.has('lines')) {
        const { Session } = require('inspector');
        inspector = new Session();
        inspector.connect();
        inspector.post('Profiler.enable');
        inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    }
}

function watch(server) {
    const emit = server.emit;
    server.emit = function (event, request, response) {
        if ((event !== 'request' && event !== 'checkContinue') || !request || !request.headers) {
            return emit.apply(this, arguments);
        }
        const step = request.headers['restage-step'];
        if (step === undefined) {
            return emit.apply(this, arguments);
        }
        hide(request);
        const facts = start(String(step));
        // Whichever comes: the answer is sent, or the connection is gone.
        response.once('finish', () => setImmediate(() => end(facts)));
        response.once('close', () => end(facts));
        return requests.run(facts, () => emit.apply(this, arguments));
    };
}

function hide(request) {
    delete request.headers['restage-step'];
    if (request.headersDistinct) {
        delete request.headersDistinct['restage-step'];
    }
    for (let at = request.rawHeaders.length - 2; at >= 0; at -= 2) {
        if (request.rawHeaders[at].toLowerCase() === 'restage-step') {
            request.rawHeaders.splice(at, 2);
        }
    }
}

function start(step) {
    const facts = { step, errors: new Map(), notes: new Set(), overlaps: open.size > 0, done: false };
    open.forEach(other => { other.overlaps = true; });
    open.add(facts);
    if (inspector && !facts.overlaps) {
        // What ran until now is counted no more.
        takeCoverage();
    }
    return facts;
}

function end(facts) {
    if (facts.done) {
        return;
    }
    facts.done = true;
    open.delete(facts);
    try {
        fs.appendFileSync(settings.facts, record(facts));
    } catch {
        // Nothing of it may reach the application.
    }
}

function record(facts) {
    const made = { v: 1, step: facts.step, runtime: 'node ' + process.versions.node };
    let outlines = '';
    if (inspector && facts.overlaps) {
        facts.notes.add('no lines: requests were answered at the same time, and V8 does not tell whose a line is');
    } else if (inspector) {
        const ran = lines(takeCoverage());
        if (Object.keys(ran.lines).length > 0) {
            made.lines = ran.lines;
        }
        outlines = ran.outlines;
    }
    if (settings.want.has('branches')) {
        facts.notes.add('no branches: V8 does not tell them');
    }
    if (settings.want.has('sql')) {
        facts.notes.add('no statements: the probe for Node does not see them');
    }
    if (settings.want.has('session')) {
        facts.notes.add('no session values: the probe for Node does not see them');
    }
    if (facts.errors.size > 0) {
        made.errors = [...facts.errors.values()];
    }
    if (facts.notes.size > 0) {
        made.notes = [...facts.notes];
    }
    return outlines + JSON.stringify(made) + '\n';
}

function addError(facts, problem) {
    if (!facts || !settings.want.has('errors')) {
        return;
    }
    const isError = problem instanceof Error;
    const fact = { type: isError ? problem.name : typeof problem, message: String(isError ? problem.message : problem).slice(0, 4096) };
    for (const line of String((isError && problem.stack) || '').split('\n')) {
        const found = /(?:\(|at )(?:file:\/\/)?(\/.*?):(\d+):\d+\)?$/.exec(line);
        const file = found && relative(found[1]);
        if (file) {
            Object.assign(fact, { file, line: Number(found[2]) });
            break;
        }
    }
    facts.errors.set([fact.type, fact.file, fact.line].join('\0'), fact);
}

function relative(file) {
    const root = settings.roots.find(folder => file.startsWith(folder));
    const found = root && file.slice(root.length);
    return !found || found.split('/').includes('node_modules') || file.startsWith(__dirname + path.sep) ? null : found;
}

function takeCoverage() {
    let found = [];
    // The session is of this thread: it answers before the call returns.
    inspector.post('Profiler.takePreciseCoverage', (problem, answer) => {
        found = problem ? [] : answer.result;
    });
    for (const script of found) {
        const source = sourceOf(script.url);
        if (source) {
            script.functions.forEach(one => source.add(one));
        }
    }
    return found;
}

/** A source file of the application: its lines with code, and the functions that V8 has told of so far. */
function sourceOf(url) {
    if (!url.startsWith('file://')) {
        return null;
    }
    if (!sources.has(url)) {
        let source = null;
        try {
            const file = require('url').fileURLToPath(url);
            const name = relative(file);
            source = name ? new Source(name, fs.readFileSync(file, 'utf8')) : null;
        } catch {
            // Gone since it was loaded.
        }
        sources.set(url, source);
    }
    return sources.get(url);
}

class Source {
    constructor(name, text) {
        this.name = name;
        this.text = text;
        this.digest = require('crypto').createHash('sha256').update(text).digest('hex');
        this.functions = new Map();
        this.told = 0;
        this.starts = [0];
        for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
            this.starts.push(at + 1);
        }
        /** For each line, where its code begins and ends; null for those without. */
        this.code = codeOf(text, this.starts);
    }

    add(one) {
        const range = one.ranges[0];
        if (one.functionName && !this.functions.has(range.startOffset)) {
            this.functions.set(range.startOffset, { name: one.functionName, first: this.line(range.startOffset), last: this.line(range.endOffset - 1) });
        }
    }

    line(offset) {
        let low = 0;
        let high = this.starts.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.starts[middle] <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low + 1;
    }

    /** Lines with code in a range that ran, inner ranges before outer ones. */
    ran(functions) {
        const ranges = functions.flatMap(one => one.ranges).sort((a, b) => (b.endOffset - b.startOffset) - (a.endOffset - a.startOffset));
        const counts = new Array(this.code.length).fill(0);
        for (const range of ranges) {
            for (let line = this.line(range.startOffset); line <= this.line(Math.max(range.startOffset, range.endOffset - 1)); line++) {
                const code = this.code[line - 1];
                // A line belongs to the range that holds all its code; the part of a line that did not run does not count.
                if (code && range.startOffset <= code[0] && code[1] <= range.endOffset) {
                    counts[line - 1] = range.count;
                } else if (code && range.count > 0 && range.startOffset > code[0] && range.startOffset < code[1] && range.endOffset <= code[1]) {
                    counts[line - 1] = Math.max(counts[line - 1], range.count);
                }
            }
        }
        return counts.flatMap((count, at) => (count > 0 ? [at + 1] : []));
    }

    outline() {
        this.told = this.functions.size;
        const functions = [...this.functions.values()].sort((a, b) => a.first - b.first || a.last - b.last);
        const all = this.code.flatMap((code, at) => (code ? [at + 1] : []));
        return JSON.stringify({ v: 1, file: this.name, digest: this.digest, lines: runs(all), functions }) + '\n';
    }
}

/** Where the code of each line begins and ends, without comments; lines of brackets alone have none. */
function codeOf(text, starts) {
    // Comments and what is quoted, so that neither is taken for the other. A `/` of a regular expression that holds
    // quotes may be misread: then a line too many counts as code.
    const bare = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/[^\n]*|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g, (all, before, quoted) => (quoted ? all : all.replace(/[^\n]/g, ' ')));
    return starts.map((start, at) => {
        const line = bare.slice(start, at + 1 < starts.length ? starts[at + 1] - 1 : bare.length);
        const first = line.search(/\S/);
        return first < 0 || /^[\s()[\]{};,]*$/.test(line) ? null : [start + first, start + line.trimEnd().length];
    });
}

function lines(coverage) {
    const found = {};
    let outlines = '';
    for (const script of coverage) {
        const source = sourceOf(script.url);
        const ran = source ? source.ran(script.functions) : [];
        if (ran.length > 0) {
            found[source.name] = runs(ran);
            if (source.told !== source.functions.size || !source.described) {
                source.described = true;
                outlines += source.outline();
            }
        }
    }
    return { lines: found, outlines };
}

function runs(numbers) {
    const found = [];
    for (const number of numbers) {
        const last = found[found.length - 1];
        if (last && last[1] === number - 1) {
            last[1] = number;
        } else {
            found.push([number, number]);
        }
    }
    return found.map(([first, last]) => (first === last ? first : [first, last]));
}
