// Pausing a running system: no event enters, none is lost, a step lets one through, and the run replays
// exactly.
import { assign, createActor, fromCallback, setup, type EventObject } from 'xstate'
import { describe, expect, test } from 'vitest'
import { createControl } from '../../src/public/devtools/control.ts'
import { Control } from '../../src/services/control/control.ts'
import { ControlPoint } from '../../src/services/control/index.ts'
import { record } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { lighthouse } from '../harness/lighthouse.ts'

/** A lighthouse under control, recorded or not. */
function scene(isRecorded: boolean) {
  const raw = createVirtualClock()
  const point = new ControlPoint()
  const { clock } = point.world({
    fetch: globalThis.fetch,
    WebSocket: undefined,
    storage: NOWHERE,
    clock: raw,
  })
  let emit: (event: EventObject) => void = () => undefined
  let fill: (litres: number) => void = () => undefined
  const answer = new Promise<number>(resolve => void (fill = resolve))
  const logic = lighthouse(told => void (emit = told), answer)
  const recording = isRecorded ? record(logic, { clock: clock as never }) : undefined
  const actor = recording?.actor ?? createActor(logic, { clock: clock as never })
  point.attach({ actor, send: (event: never) => actor.send(event), recording })
  const control = new Control(point)
  actor.start()
  return {
    actor,
    control,
    raw,
    recording,
    emit: (event: EventObject) => emit(event),
    fill: async (litres: number) => {
      fill(litres)
      await answer
      await Promise.resolve()
    },
    state: () => actor.getSnapshot().value,
    watts: () => actor.getSnapshot().context.watts,
    waits: () => control.state().waiting.map(({ kind, event }) => `${kind} ${event.type}`),
    async replays() {
      if (!recording) throw new Error('it is not recorded')
      const read = await readTrace(await recording.file())
      if (!('trace' in read)) throw new Error('it cannot be read')
      return verify(read.trace, { lighthouse: logic })
    },
  }
}

const NOWHERE = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }

describe.each([
  ['recorded', true],
  ['not recorded', false],
])('a system that is %s', (_, isRecorded) => {
  test('pauses: events wait in order and enter one by one', async () => {
    const { actor, control, fill, emit, state, waits, watts } = scene(isRecorded)
    actor.send({ type: 'light' })
    control.hold()
    await fill(3)
    emit({ type: 'power', watts: 40 } as EventObject)
    actor.send({ type: 'dim', by: 15 })
    expect([state(), watts(), waits()]).toEqual([
      'filling',
      0,
      ['leaf xstate.promise.resolve', 'leaf power', 'external dim'],
    ])
    expect([control.step(), state(), watts()]).toEqual([true, 'burning', 0])
    expect([control.step(), state(), watts()]).toEqual([true, 'burning', 40])
    expect(waits()).toEqual(['external dim'])
    control.release()
    expect([state(), watts(), waits(), control.state().hold]).toEqual(['burning', 25, [], undefined])
  })

  test('resumes: the waiting events follow at once, in order', async () => {
    const { actor, control, fill, emit, state, watts } = scene(isRecorded)
    control.hold()
    emit({ type: 'power', watts: 40 } as EventObject)
    actor.send({ type: 'light' })
    control.release()
    await fill(1)
    expect([state(), watts()]).toEqual(['burning', 40])
  })

  test('pauses its clock: timers keep their remaining time', async () => {
    const { actor, control, fill, raw, state } = scene(isRecorded)
    actor.send({ type: 'light' })
    await fill(1)
    raw.advance(400)
    control.hold()
    raw.advance(60_000)
    expect([state(), control.timers().map(({ actor: of, left }) => [of, left])]).toEqual([
      'burning',
      [
        ['lighthouse', 600],
        ['lighthouse/keeper', 4_600],
      ],
    ])
    control.release()
    raw.advance(599)
    expect(state()).toBe('burning')
    raw.advance(1)
    expect(state()).toBe('dark')
  })

  test('drops an event of an effect that has ended since', async () => {
    const { actor, control, fill, state } = scene(isRecorded)
    actor.send({ type: 'light' })
    control.hold()
    actor.send({ type: 'quench' })
    await fill(1)
    control.release()
    expect([state(), control.state().stale]).toEqual(['dark', 1])
  })

  test('takes an event sent by hand before the waiting ones', () => {
    const { actor, control, state, waits } = scene(isRecorded)
    control.hold()
    actor.send({ type: 'quench' })
    expect(control.send('lighthouse', { type: 'light' })).toBe(true)
    expect([state(), waits()]).toEqual(['filling', ['external quench']])
    expect(control.send('lighthouse/nobody', { type: 'light' })).toBe(false)
  })

  test('stops at once, regardless of waiting events', () => {
    const { actor, control } = scene(isRecorded)
    control.hold()
    actor.send({ type: 'light' })
    actor.stop()
    expect([actor.getSnapshot().status, control.state().waiting]).toEqual(['stopped', []])
  })
})

test('a run that was paused, stepped and controlled by hand replays exactly', async () => {
  const { actor, control, fill, raw, replays, emit, state } = scene(true)
  control.hold()
  actor.send({ type: 'light' })
  emit({ type: 'power', watts: 60 } as EventObject)
  control.step()
  await fill(1)
  control.send('lighthouse', { type: 'power', watts: 5 } as EventObject)
  control.release()
  const [keeper] = control.timers().filter(timer => timer.actor === 'lighthouse/keeper')
  control.time.fire(keeper?.number ?? 0)
  const [lamp] = control.timers()
  expect(control.time.skip(lamp?.number ?? 0)).toBe(true)
  raw.advance(10_000)
  expect([state(), control.timers()]).toEqual(['burning', []])
  actor.send({ type: 'quench' })
  const { outcome } = (await replays()) as { readonly outcome?: string }
  expect(outcome).toBe('exact')
})

test("an effect's event that was paused before the effect's end is not delivered after it", () => {
  const point = new ControlPoint()
  let emit: (event: EventObject) => void = () => undefined
  const machine = setup({
    actors: { ears: fromCallback(({ sendBack }) => void (emit = sendBack)) },
    types: { context: {} as { readonly heard: number } },
  }).createMachine({
    context: { heard: 0 },
    on: { word: { actions: assign({ heard: ({ context }) => context.heard + 1 }) } },
    initial: 'listening',
    states: { listening: { invoke: { id: 'ears', src: 'ears' }, on: { leave: 'deaf' } }, deaf: {} },
  })
  const actor = createActor(machine, { clock: point.clock as never })
  point.attach({ actor, send: (event: never) => actor.send(event) })
  const drive = new Control(point)
  actor.start()
  emit({ type: 'word' })
  drive.hold()
  emit({ type: 'word' })
  drive.send('(machine)', { type: 'leave' })
  drive.release()
  expect([actor.getSnapshot().value, actor.getSnapshot().context.heard, drive.state().stale]).toEqual([
    'deaf',
    1,
    1,
  ])
})

test('a system that is already running is controlled once the control is opened', async () => {
  const control = createControl()
  const recording = record(
    lighthouse(() => undefined, Promise.resolve(1)),
    { clock: control.clock },
  )
  const { actor, actors } = recording
  control.attach({ actor, send: actor.send, recording, actors })
  recording.start()
  const drive = await control.open()
  drive.hold()
  actor.send({ type: 'light' })
  expect(drive.state().waiting.map(({ to, event }) => [to, event])).toEqual([
    ['lighthouse', { type: 'light' }],
  ])
  drive.release()
  expect([actor.getSnapshot().value, await control.open()]).toEqual(['filling', drive])
  actor.stop()
})
