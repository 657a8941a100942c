// Cancels statements of PGlite. It computes on the thread of the event loop, so that neither a timer nor a request is
// handled while a statement runs. Another thread watches the time and the user's connection instead, and interrupts this
// thread through its inspector: PostgreSQL then finds its own flag for a canceled query, ends the statement with an
// ordinary error, and the database goes on.
import { Script } from 'node:vm'
import { isMainThread, Worker } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import type { CancelReason } from '../sql-session.ts'

/** Flags of PostgreSQL, by their addresses; PGlite publishes no types for them. */
interface Flags {
  /** Replaced when the memory grows. */
  readonly HEAP32: Int32Array
  readonly _InterruptPending: number
  readonly _QueryCancelPending: number
  readonly _ProcDiePending: number
}

/** What the user's statements are watched for. */
export interface WatchOptions {
  readonly signal: AbortSignal
  readonly limitMs: number
  /** The file descriptor of the user's connection, whose end cancels. */
  readonly descriptor: () => number | undefined
}

/** Cancels what runs within it. */
export interface Watch {
  /** Runs a call into PostgreSQL. @throws Error with code `ERR_SCRIPT_EXECUTION_TIMEOUT` if it could only be ended */
  run(call: () => void): void
  /** Cancels what runs on this thread at its next check. */
  cancel(reason: CancelReason): void
  readonly canceledBy: CancelReason | undefined
}

/** How long a canceled statement may go on before PostgreSQL is ended; and how long until that must have worked. */
const GRACE_MS = 2_000
const LONGEST_GRACE_MS = 4_000
/** Sleeping PostgreSQL looks at the clock until the time has come. */
const PAST_ANY_SLEEP_MS = 1e9

/** Words of the memory that both threads share. */
const [TURN, LOCK, DESCRIPTOR, REMAINING] = [0, 1, 2, 3]
const HOOK = 'chartroom.cancel'

/**
 * The other thread. A turn is odd while a call runs. The lock keeps the connection open while it is checked: reading
 * from one that the user closed returns no bytes, and fails with EAGAIN while it is open.
 */
const WATCHER = `
const { workerData: words, parentPort } = require('node:worker_threads')
const { readSync } = require('node:fs')
const { Session } = require('node:inspector')
const byte = new Uint8Array(1)
const isClosed = turn => {
  if (words[${DESCRIPTOR}] < 0 || Atomics.compareExchange(words, ${LOCK}, 0, 1) !== 0) return false
  try {
    return Atomics.load(words, ${TURN}) === turn && readSync(words[${DESCRIPTOR}], byte) === 0
  } catch (error) {
    return error.code !== 'EAGAIN' && error.code !== 'EWOULDBLOCK'
  } finally {
    Atomics.store(words, ${LOCK}, 0)
    Atomics.notify(words, ${LOCK})
  }
}
const cancel = (turn, reason, isForced) => {
  // While a session is open, the process would wait for it before it exits.
  const session = new Session()
  session.connectToMainThread()
  session.post('Runtime.evaluate', {
    expression: 'globalThis[Symbol.for("${HOOK}")]?.(' + turn + ', "' + reason + '", ' + isForced + ')',
  })
  session.disconnect()
}
parentPort.postMessage('ready')
let turn = 0
for (;;) {
  Atomics.wait(words, ${TURN}, turn)
  turn = Atomics.load(words, ${TURN})
  const end = performance.now() + words[${REMAINING}]
  let reason
  let firstAt
  let canceledAt = -Infinity
  while (turn % 2 === 1 && Atomics.load(words, ${TURN}) === turn) {
    if (reason === undefined && isClosed(turn)) reason = 'user'
    if (reason === undefined && performance.now() >= end) reason = 'timeLimit'
    // A function may catch the error and go on.
    if (reason !== undefined && performance.now() > canceledAt + 500) {
      canceledAt = performance.now()
      firstAt ??= canceledAt
      cancel(turn, reason, canceledAt - firstAt >= ${GRACE_MS})
    }
    Atomics.wait(words, ${TURN}, turn, 20)
  }
}`

let watcher: Promise<Int32Array | undefined> | undefined

/** The other thread is started with the first use, and does not keep the process running. */
async function watcherWords(): Promise<Int32Array | undefined> {
  // The inspector only reaches the first thread.
  return isMainThread ? (watcher ??= startWatcher()) : undefined
}

/** Undefined where Node has no inspector: then statements are only ended. */
async function startWatcher(): Promise<Int32Array | undefined> {
  const words = new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(WATCHER, { eval: true, workerData: words, execArgv: [], env: {} })
  worker.unref()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  worker.once('message', () => resolve(true))
  worker.on('error', () => {
    resolve(false)
    watcher = undefined
  })
  return (await promise) ? words : undefined
}

/** What the interrupted thread does for the call that runs; one database at a time is watched in a process. */
let current: { readonly turn: number; readonly cancel: CancelCall } | undefined

type CancelCall = (reason: CancelReason, isForced?: boolean) => void

Object.defineProperty(globalThis, Symbol.for(HOOK), {
  value: (turn: number, reason: CancelReason, isForced: boolean) => {
    if (current?.turn === turn) current.cancel(reason, isForced)
  },
  configurable: true,
})

let runCurrentCall: () => void = () => undefined
const CALL = Symbol.for('chartroom.call')
Object.defineProperty(globalThis, CALL, { value: () => runCurrentCall(), configurable: true })
/** Only a script of `vm` can be ended. */
const script = new Script('globalThis[Symbol.for("chartroom.call")]()')

/** Watches the calls of one session. */
export async function openWatch(driver: PGlite, options: WatchOptions): Promise<Watch> {
  const flags = driver.Module as unknown as Flags
  const words = await watcherWords()
  const deadline = performance.now() + options.limitMs
  let canceledBy: CancelReason | undefined
  const cancel: CancelCall = (reason, isForced = false) => {
    canceledBy ??= reason
    // No function can catch that PostgreSQL is ended.
    flags.HEAP32[(isForced ? flags._ProcDiePending : flags._QueryCancelPending) >> 2] = 1
    flags.HEAP32[flags._InterruptPending >> 2] = 1
    shiftClock()
  }
  return {
    run(call) {
      const remainingMs = Math.max(0, deadline - performance.now())
      if (options.signal.aborted) cancel('user')
      else if (remainingMs === 0) cancel('timeLimit')
      const leave = words && enter(words, remainingMs, options.descriptor(), cancel)
      runCurrentCall = call
      try {
        script.runInThisContext({ timeout: Math.ceil(remainingMs) + LONGEST_GRACE_MS, displayErrors: false })
      } catch (error) {
        if (isTimeout(error)) canceledBy ??= 'timeLimit'
        throw error
      } finally {
        leave?.()
        restoreClock()
        flags.HEAP32[flags._QueryCancelPending >> 2] = 0
      }
    },
    cancel: reason => cancel(reason),
    get canceledBy() {
      return canceledBy
    },
  }
}

/** Begins a turn; returns what ends it. */
function enter(
  words: Int32Array,
  remainingMs: number,
  descriptor: number | undefined,
  cancel: CancelCall,
): () => void {
  words[DESCRIPTOR] = descriptor ?? -1
  words[REMAINING] = Math.ceil(remainingMs)
  const turn = Atomics.add(words, TURN, 1) + 1
  current = { turn, cancel }
  Atomics.notify(words, TURN)
  return () => {
    current = undefined
    Atomics.add(words, TURN, 1)
    Atomics.notify(words, TURN)
    while (Atomics.load(words, LOCK) === 1) Atomics.wait(words, LOCK, 1, 5)
  }
}

/** Until the call returns, only PostgreSQL reads the clock. */
function shiftClock(): void {
  if (Object.hasOwn(performance, 'now')) return
  const { now } = performance
  Object.defineProperty(performance, 'now', {
    value: () => now.call(performance) + PAST_ANY_SLEEP_MS,
    configurable: true,
  })
}

function restoreClock(): void {
  Reflect.deleteProperty(performance, 'now')
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
