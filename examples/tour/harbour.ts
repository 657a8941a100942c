// The simulated harbor office: it responds after a moment, and not at all during a squall.
import { fromPromise } from 'xstate'
import { logbookMachine } from './logbook.ts'
import { sessionMachine, type Pass } from './session.ts'
import { watch } from './watch.ts'

/** The clock functions that the office needs, so that a recording can be made without waiting. */
export interface OfficeClock {
  now(): number
  setTimeout(fn: () => void, ms: number): unknown
}

export interface Harbour {
  /** The system, connected to the office. */
  readonly machine: typeof watch
  /** Blocks all requests for this many milliseconds. */
  squall(ms: number): void
}

const LATENCY_MS = 300
/** Short, so that users of the tour do not wait long. */
const PASS_LIFE_MS = 12_000

class NoResponse extends Error {
  override readonly name = 'NoResponse'
  readonly status = 0
}

/** Opens the office. */
export function openHarbour(clock: OfficeClock): Harbour {
  let quietFrom = 0
  let passes = 0
  const ask = <T>(answer: () => T) =>
    new Promise<T>((resolve, reject) => {
      const isQuiet = clock.now() >= quietFrom
      clock.setTimeout(
        () => (isQuiet ? resolve(answer()) : reject(new NoResponse('the office did not respond'))),
        isQuiet ? LATENCY_MS : LATENCY_MS * 2,
      )
    })
  const newPass = (): Pass => ({ token: `pass-${++passes}`, life: PASS_LIFE_MS })
  return {
    machine: watch.provide({
      actors: {
        session: sessionMachine.provide({
          actors: {
            signIn: fromPromise(() => ask(newPass)),
            renew: fromPromise(() => ask(newPass)),
          },
        }),
        logbook: logbookMachine.provide({ actors: { post: fromPromise(() => ask(() => undefined)) } }),
      },
    }),
    squall: ms => (quietFrom = Math.max(quietFrom, clock.now() + ms)),
  }
}
