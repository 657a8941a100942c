// Breakpoints and the clock of a controlled system: what pauses it and when, and how its time advances.
import { createActor, type EventObject } from 'xstate'
import { describe, expect, test } from 'vitest'
import { type BreakOn, Control, ControlPoint } from '../../src/services/control/index.ts'
import { record } from '../../src/services/recording/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { lighthouse } from '../harness/lighthouse.ts'

function scene(isRecorded = true) {
  const raw = createVirtualClock()
  const point = new ControlPoint()
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  const { clock } = point.world({ fetch: globalThis.fetch, WebSocket: undefined, storage, clock: raw })
  let emit: (event: EventObject) => void = () => undefined
  const logic = lighthouse(told => void (emit = told), Promise.resolve(1))
  const recording = isRecorded ? record(logic, { clock: clock as never }) : undefined
  const actor = recording?.actor ?? createActor(logic, { clock: clock as never })
  point.attach({ actor, send: (event: never) => actor.send(event), recording })
  const control = new Control(point)
  actor.start()
  return {
    actor,
    control,
    raw,
    emit: (event: EventObject) => emit(event),
    state: () => actor.getSnapshot().value,
    hold: () => control.state().hold,
    hits: () => control.state().breakpoints.map(({ hits }) => hits),
  }
}

describe.each([
  ['recorded', true],
  ['not recorded', false],
])('breakpoints of a system that is %s', (_, isRecorded) => {
  const after: readonly (readonly [string, BreakOn, string])[] = [
    ['a state', { on: 'state', state: 'filling' }, 'After any actor enters filling'],
    [
      'a transition',
      { on: 'transition', actor: 'lighthouse', transition: 'dark#0' },
      'After lighthouse takes transition dark#0',
    ],
  ]
  test.each(after)('%s pauses after the step, and later events wait', (__, where, text) => {
    const { actor, control, hits, hold, state } = scene(isRecorded)
    control.breakOn(where)
    actor.send({ type: 'power', watts: 1 })
    expect([hold(), hits()]).toEqual([undefined, [0]])
    actor.send({ type: 'light' })
    actor.send({ type: 'quench' })
    const { seq, ...reason } = hold() ?? {}
    expect(reason).toEqual({ by: 'breakpoint', breakpoint: 1, text })
    expect(typeof seq).toBe(isRecorded ? 'number' : 'undefined')
    expect([state(), hits(), control.state().waiting.length]).toEqual(['filling', [1], 1])
    control.release()
    expect([state(), hold()]).toEqual(['dark', undefined])
  })

  test('an external event pauses before it is taken, and is counted once', () => {
    const { actor, control, hits, hold, state } = scene(isRecorded)
    control.breakOn({ on: 'event', event: 'li*' })
    actor.send({ type: 'light' })
    expect([state(), hold()?.text, hits()]).toEqual(['dark', 'Before lighthouse receives light', [1]])
    control.release()
    expect([state(), hits(), hold()]).toEqual(['filling', [1], undefined])
  })

  test('an event between actors pauses after its step', async () => {
    const { actor, control, hold, state } = scene(isRecorded)
    control.breakOn({ on: 'event', actor: 'lighthouse/keeper', event: 'lit' })
    actor.send({ type: 'light' })
    await expect.poll(state).toBe('burning')
    expect(hold()?.text).toBe('After lighthouse/keeper receives lit')
  })

  test('a disabled breakpoint does not pause; one from the second hit on counts the first', () => {
    const { actor, control, hits, hold } = scene(isRecorded)
    control.breakOn({ on: 'state', state: 'filling' }, 2)
    const off = control.breakOn({ on: 'state', state: 'dark' })
    control.changeBreakpoint(off.id, { isOn: false })
    for (const type of ['light', 'quench'] as const) actor.send({ type })
    expect([hold(), hits()]).toEqual([undefined, [1, 0]])
    actor.send({ type: 'light' })
    expect([hold()?.text, hits()]).toEqual(['After any actor enters filling (time 2)', [2, 0]])
    control.removeBreakpoint(1)
    expect(control.state().breakpoints.map(({ id }) => id)).toEqual([2])
  })
})

test('an assertion pauses when it fails; without a recording there is nothing to check', () => {
  const { actor, control, hold } = scene()
  const assertion = { name: 'no power in the dark', check: { never: { event: 'power' } } } as const
  control.breakOn({ on: 'assertion', assertion })
  actor.send({ type: 'light' })
  expect(hold()).toBe(undefined)
  actor.send({ type: 'power', watts: 9 })
  expect(hold()?.text).toContain('“no power in the dark” fails')
  expect(() => scene(false).control.breakOn({ on: 'assertion', assertion })).toThrow('not recorded')
})

describe('the clock', () => {
  const lit = async () => {
    const found = scene()
    found.actor.send({ type: 'light' })
    await expect.poll(found.state).toBe('burning')
    return found
  }

  test('runs faster and slower', async () => {
    const { control: steered, raw, state } = await lit()
    steered.time.setSpeed(100)
    raw.advance(9)
    expect([state(), Math.round(steered.time.ahead)]).toEqual(['burning', 891])
    raw.advance(1)
    expect(state()).toBe('dark')
    steered.time.setSpeed(0.1)
    raw.advance(39_000)
    expect(steered.timers().map(({ left }) => Math.round(left))).toEqual([100])
  })

  test('stops, steps to the next deadline, and catches up with real time', async () => {
    const { control: steered, raw, state } = await lit()
    steered.time.setSpeed(0)
    raw.advance(60_000)
    expect(state()).toBe('burning')
    expect([steered.time.toNextDeadline(), state(), steered.time.ahead]).toEqual([true, 'dark', -59_000])
    steered.time.toReal()
    expect([steered.timers(), steered.time.ahead, steered.state().speed]).toEqual([[], 0, 1])
    expect(steered.time.toNextDeadline()).toBe(false)
  })

  test('a timer that falls due during a pause waits with the other events', async () => {
    const { actor, control: steered, raw, state } = await lit()
    steered.breakOn({ on: 'event', actor: 'lighthouse', event: 'xstate.after.*' })
    raw.advance(1_000)
    expect([state(), steered.state().hold?.by]).toEqual(['burning', 'breakpoint'])
    expect(steered.timers().map(({ isDue }) => isDue)).toEqual([true, false])
    steered.send('lighthouse', { type: 'quench' })
    steered.release()
    expect([state(), steered.state().stale]).toEqual(['dark', 1])
    actor.stop()
  })
})
