// Ports that respond with anything at any time until calm begins, and then like a healthy world.
import { fromCallback, type AnyEventObject } from 'xstate'
import { draw } from '../../src/machines/backoff.ts'
import type { ClientPorts } from '../../src/services/client/compose-client.ts'
import { createTickerPort } from '../../src/services/client/environment.ts'
import type { Clock } from '../../src/services/runtime/clock.ts'
import { portEvents, portNames, type WorkbenchPorts } from '../../scripts/machine-docs/accepted-events.ts'
import { renumbered, anySample } from './sequences.ts'

/** The current run; one composition of the machines serves many runs. */
export interface Run {
  clock: Clock
  isAtRest: boolean
  seed: number
  /** Counts issued handles, so that none is issued twice. */
  count: number
}

/** Milliseconds until a port responds; may respond at once, within its own start. */
const DELAYS = [0, 3, 60, 900, 8_000, 50_000]

/** The healthy response, by port; a port without one emits nothing. */
const SETTLING: Readonly<Record<string, string>> = {
  environment: 'environment.changed',
  readSession: 'stored.same',
  detectUrl: 'url.none',
  authenticate: 'auth.succeeded',
  storeSession: 'session.stored',
  loadUser: 'user.loaded',
  lock: 'lock.held',
  leadership: 'leadership.gained',
  refreshToken: 'refresh.succeeded',
  removeSession: 'stored.removed',
  revoke: 'revoke.succeeded',
  send: 'send.answered',
  socket: 'socket.opened',
  probeSocket: 'probe.failed',
  topic: 'topic.joined',
  resync: 'resync.done',
  checkName: 'name.free',
  checkKey: 'key.checked',
  transfer: 'transfer.done',
  sendBatch: 'batch.written',
  readPage: 'page.read',
  readPages: 'pages.read',
  recheckDifferences: 'differences.checked',
  reviewStep: 'step.done',
  deleteRows: 'rows.deleted',
  writeEdit: 'write.saved',
  callFunction: 'call.failed',
  compareNotes: 'notes.unchanged',
  saveChange: 'change.saved',
  countFiles: 'files.counted',
  processBatch: 'batch.done',
  probeFamily: 'family.answered',
  checkBackend: 'check.answered',
  watchSession: 'session.changed',
  submitForm: 'attempt.succeeded',
  resendCode: 'code.sent',
  signInAsGuest: 'attempt.succeeded',
  signInWithPasskey: 'attempt.succeeded',
  openProvider: 'attempt.succeeded',
  loadFactors: 'factors.loaded',
  verifyFactor: 'attempt.succeeded',
  savePassword: 'password.saved',
  requestCode: 'code.requested',
  decideReport: 'report.allowed',
  captureReport: 'report.captured',
  nextReport: 'outbox.empty',
  announceReport: 'part.sent',
  attachFiles: 'part.sent',
  settleReport: 'outbox.settled',
}

/** Whether this is a request with its own deadlines, so that a response always arrives. */
const ENDS: ReadonlySet<string> = new Set([
  'sendBatch',
  'reviewStep',
  'deleteRows',
  'processBatch',
  'writeEdit',
  'compareNotes',
  'saveChange',
  'savePassword',
  'requestCode',
  'decideReport',
  'captureReport',
  'nextReport',
  'announceReport',
  'attachFiles',
  'settleReport',
  'checkBackend',
])

/** Emitted before the response. */
const isEarly = (name: string, type: string) => type.endsWith('.requested') && type !== SETTLING[name]

/** Events that a healthy port emits in response to an event. */
const REPLIES: Readonly<Record<string, (event: AnyEventObject) => AnyEventObject>> = {
  'body.check': () => ({ type: 'body.ended' }),
  'socket.probe': () => ({ type: 'socket.alive' }),
  'broadcast.send': ({ id }) => ({ type: 'push.settled', id: id as unknown }),
  'presence.track': ({ id }) => ({ type: 'push.settled', id: id as unknown }),
}

export function randomPorts(run: Run): ClientPorts & WorkbenchPorts {
  const below = (n: number) => {
    const { value, seed } = draw(run.seed)
    run.seed = seed
    return Math.floor(value * n)
  }
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  const port = (name: string) =>
    fromCallback(({ input, sendBack, receive }) => {
      const timers = new Set<unknown>()
      const answer = (event: AnyEventObject, after: number) => {
        const reply = () => sendBack(renumbered(event, ++run.count, run.clock.now()))
        if (after === 0) reply()
        else timers.add(run.clock.setTimeout(reply, after))
      }
      receive(event => {
        const reply = REPLIES[event.type]?.(event)
        if (reply && (run.isAtRest || below(3) > 0))
          timers.add(run.clock.setTimeout(() => sendBack(reply), 5))
      })
      const good = settlingReplies(name, input)
      if (run.isAtRest) for (const event of good) answer(event, 10)
      else {
        const types = portEvents(name).filter(type => !(ENDS.has(name) && isEarly(name, type)))
        for (let n = ENDS.has(name) ? 1 : below(4); n > 0; n--)
          answer(pick(anySample(pick(types))), pick(DELAYS))
      }
      return () => {
        for (const timer of timers) run.clock.clearTimeout(timer)
      }
    })
  const clock: Clock = {
    now: () => run.clock.now(),
    wall: () => run.clock.wall(),
    setTimeout: (fn, ms) => run.clock.setTimeout(fn, ms),
    clearTimeout: handle => run.clock.clearTimeout(handle),
  }
  const ports = Object.fromEntries(portNames.map(name => [name, port(name)]))
  return { ...ports, ticker: createTickerPort(clock) } as unknown as ClientPorts & WorkbenchPorts
}

function settlingReplies(name: string, input: unknown): readonly AnyEventObject[] {
  const hasToken = typeof input === 'object' && input !== null && 'tokenId' in input
  // Without a current token nothing can be the same as it.
  const type = name === 'readSession' && !hasToken ? 'stored.none' : SETTLING[name]
  const [first] = type === undefined ? [] : anySample(type)
  const subscribed = name === 'topic' ? [{ type: 'postgres.subscribed' }] : []
  return first ? [first, ...subscribed] : []
}
