// Random runs of a racing system under random control (paused, stepped, sped up, timers fired and skipped)
// replay exactly.
import { expect, test, vi } from 'vitest'
import { Control, ControlPoint } from '../../src/services/control/index.ts'
import { createSeededEntropy, type SystemParts } from '../../src/services/runtime/index.ts'
import { createRecorder } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { createRandomLeaves } from '../harness/random-leaves.ts'
import { composeRandom, randomSystem } from '../harness/random-system.ts'

const EVENTS = ['load', 'cancel', 'spawn', 'drop', 'ask', 'feed', 'race', 'boom', 'heir', 'break'] as const
const SPEEDS = [0, 0.1, 1, 1, 10, 100]

/** Counts the control actions, so that a run without any fails the test. */
interface Done {
  held: number
  stepped: number
  stale: number
  fired: number
  skipped: number
}

async function drivenRun(seed: number, done: Done) {
  const raw = createVirtualClock()
  const point = new ControlPoint()
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  const { clock } = point.world({ fetch: globalThis.fetch, WebSocket: undefined, storage, clock: raw })
  const chance = createSeededEntropy(seed)
  const leaves = createRandomLeaves(clock, createSeededEntropy(seed + 1), 0.4)
  const recorder = createRecorder({
    system: 'random',
    appVersion: 'test',
    clock,
    entropy: createSeededEntropy(seed + 2),
    compose: (parts: SystemParts) => composeRandom(leaves, parts),
  })
  recorder.actor.subscribe({ error: () => undefined })
  const { actor, actors } = recorder
  point.attach({ actor, send: (event: never) => recorder.send(event), recording: recorder, actors })
  const control = new Control(point)
  control.breakOn({ on: 'event', event: 'kid.done' }, 3)
  control.breakOn({ on: 'event', event: 'race' }, 4)
  recorder.start()
  const any = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance.random() * list.length)]
  const actions: readonly (() => void)[] = [
    () => control.hold(),
    () => control.release(),
    () => void (done.stepped += Number(control.step())),
    () => control.time.setSpeed(any(SPEEDS) ?? 1),
    () => void control.time.toNextDeadline(),
    () => control.time.toReal(),
    () => void (done.fired += Number(control.time.fire(any(control.timers())?.number ?? -1))),
    () => void (done.skipped += Number(control.time.skip(any(control.timers())?.number ?? -1))),
    () => void control.send('fleet', { type: 'ask', i: 0 }),
  ]
  for (let i = 0; i < 60; i++) {
    recorder.send({ type: any(EVENTS) ?? 'load', i } as never)
    if (chance.random() < 0.4) any(actions)?.()
    done.held += control.state().waiting.length
    if (chance.random() < 0.6) await raw.advanceAsync(chance.random() * 5)
  }
  control.changeBreakpoint(1, { isOn: false })
  control.changeBreakpoint(2, { isOn: false })
  control.release()
  control.time.toReal()
  await raw.advanceAsync(20)
  done.stale += control.state().stale
  expect(control.state().waiting).toEqual([])
  return recorder
}

test('twenty random runs', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const done: Done = { held: 0, stepped: 0, stale: 0, fired: 0, skipped: 0 }
  const outcomes: unknown[] = []
  for (let seed = 1; seed <= 20; seed++) {
    const recorder = await drivenRun(seed * 100, done)
    const read = await readTrace(await recorder.file())
    const report = 'trace' in read ? verify(read.trace, randomSystem()) : read
    outcomes.push('outcome' in report && report.outcome === 'exact' ? 'exact' : [seed, report])
    recorder.stop()
  }
  expect(outcomes).toEqual(outcomes.map(() => 'exact'))
  expect(Object.entries(done).filter(([, times]) => times <= 10)).toEqual([])
})
