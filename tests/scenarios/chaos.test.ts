// Days of chaos, each from its seed: all invariants pass, calm comes in time, and a sample replays
// exactly.
import { describe, expect, test } from 'vitest'
import { fromCallback, type EventObject } from 'xstate'
import type {
  LockEvent,
  SocketCommand,
  SocketEvent,
  SocketInput,
  TickEvent,
} from '../../src/machines/ports.ts'
import { RESTS_WITHIN, runChaos } from '../harness/chaos.ts'
import { sendsAtOnce } from '../harness/mutants.ts'
import { examine } from '../harness/chaos-report.ts'
import type { TabClock } from '../harness/world-clock.ts'
import { volume } from '../harness/volume.ts'

const EACH = 10
const SCHEDULES = volume(10, 200)

describe(`${SCHEDULES} schedules of 24 virtual hours`, () => {
  test.each(Array.from({ length: SCHEDULES / EACH }, (_, n) => n * EACH + 1))(
    'seeds %i and the nine after it',
    async first => {
      for (let seed = first; seed < first + EACH; seed++) {
        const { complaint, settledAfter } = await examine(seed, seed === first)
        expect(complaint).toBeUndefined()
        expect(settledAfter).toBeLessThan(RESTS_WITHIN)
      }
    },
  )
})

describe('chaos detects', () => {
  test('a lock that does not lock: two tabs refresh at the same time', async () => {
    const lock = fromCallback<EventObject, { readonly steal: boolean }, LockEvent>(({ sendBack }) =>
      sendBack({ type: 'lock.held' }),
    )
    const { broken } = await runChaos(5, { broken: () => ({ lock }) })
    expect(broken).toContainEqual(
      expect.stringMatching(/^oneRefresh .* tab \d started a refresh while that of tab \d was in flight\./),
    )
  })

  test('requests that skip the gate: they are sent anonymously', async () => {
    const { broken } = await runChaos(3, { mutant: sendsAtOnce })
    expect(broken).toContainEqual(expect.stringMatching(/^tab \d: liveToken /))
    expect(broken).toContainEqual(
      expect.stringMatching(/ of (?:skipper|mate) came with the API key alone\.$/),
    )
  })

  test('a ticker that never stops: its timers outlive the dispose', async () => {
    const deaf = (clock: TabClock) =>
      fromCallback<EventObject, { readonly every: number }, TickEvent>(({ input, sendBack }) => {
        const tick = () => {
          sendBack({ type: 'clock.tick', at: clock.now() })
          clock.setTimeout(tick, input.every)
        }
        tick()
      })
    const { broken } = await runChaos(1, { hours: 1, broken: clock => ({ ticker: deaf(clock) }) })
    expect(broken).toContainEqual(
      expect.stringMatching(/^tab 1: nothingOutlives .* timers outlived the dispose\./),
    )
  })

  test('a socket that never opens: calm does not come', async () => {
    const socket = fromCallback<SocketCommand, SocketInput, SocketEvent>(() => undefined)
    const { broken, settledAfter } = await runChaos(1, { hours: 1, broken: () => ({ socket }) })
    expect(broken).toContainEqual(
      expect.stringMatching(/^tab 1: comesToRest .*: the socket is (?:connecting|reconnecting)/),
    )
    expect(settledAfter).toBe(RESTS_WITHIN)
  })
})
