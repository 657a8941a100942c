// A system that is started again after its end, as React's StrictMode does in development: two recordings, each exact.
import { assign, createMachine, fromCallback, setup, SimulatedClock } from 'xstate'
import type { AnyActorRef, AnyStateMachine } from 'xstate'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { createSegments, record } from '../../src/services/recording/index.ts'
import { typeOf, type ReplayableTrace } from '../../src/trace/index.ts'
import type { SystemRecording } from '../../src/services/recording/recording-types.ts'
import { encodeLines } from '../../src/trace/write/encode.ts'
import { verify } from '../../src/services/replay/index.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

const counter = createMachine({
  id: 'counter',
  context: { n: 0 },
  on: { inc: { actions: assign({ n: ({ context }) => (context as { n: number }).n + 1 }) } },
})

/** A machine with a child, a timer and an effect that sends at its start. */
const player = setup({
  actors: {
    sound: fromCallback(({ sendBack }) => sendBack({ type: 'ready' })),
    child: counter,
  },
}).createMachine({
  id: 'player',
  context: { ready: 0, late: 0 },
  invoke: [
    { src: 'sound', id: 'sound' },
    { src: 'child', id: 'child' },
  ],
  on: { ready: { actions: assign({ ready: ({ context }) => (context as { ready: number }).ready + 1 }) } },
  initial: 'waiting',
  states: {
    waiting: { after: { 100: 'playing' } },
    playing: { on: { pause: 'waiting' } },
  },
})

/** Stops a root as `@xstate/react` does (6.1), so that it can be started again where it was. */
function stopForRestart(root: AnyActorRef): void {
  const refs = [root, ...Object.values(root.getSnapshot().children as Record<string, AnyActorRef>)]
  const before = refs.map(ref => [ref, ref.getSnapshot() as unknown] as const)
  for (const ref of refs) Object.assign(ref, { observers: new Set() })
  const system = (root.system as unknown as { getSnapshot(): object }).getSnapshot()
  root.stop?.()
  Object.assign(root.system, { _snapshot: system })
  for (const [ref, snapshot] of before) Object.assign(ref, { _processingStatus: 0, _snapshot: snapshot })
}

async function expectExact(trace: ReplayableTrace, machine: AnyStateMachine): Promise<ReplayableTrace> {
  const read = await readTrace([...encodeLines(trace)].join('\n'))
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(read.trace.damage).toEqual([])
  expect(verify(read.trace, { [machine.id]: machine })).toMatchObject({ outcome: 'exact' })
  return read.trace
}

describe.each([true, false])('a system that is started again (steps: %s)', steps => {
  const made = (machine: AnyStateMachine) => {
    const clock = new SimulatedClock()
    const recording = record(machine, { clock, steps }) as unknown as SystemRecording<AnyStateMachine>
    const segments = createSegments(recording, () => clock.now())
    return { clock, recording, segments, actor: recording.actor as AnyActorRef }
  }

  test('continues after a stop as it does unrecorded, in another recording', async () => {
    const { recording, segments, actor } = made(counter)
    const ended: ReplayableTrace[] = []
    segments.onEnd(() => ended.push(segments.recorded()))
    actor.start()
    actor.send({ type: 'inc' })
    actor.stop?.()
    actor.start()
    actor.send({ type: 'inc' })
    actor.send({ type: 'inc' })
    expect(actor.getSnapshot()).toMatchObject({ status: 'stopped', context: { n: 3 } })
    expect([segments.run(), ended.length]).toEqual([1, 1])
    const [first] = ended
    if (!first) throw new Error('The first recording did not end.')
    const types = ({ stimuli }: ReplayableTrace) => stimuli.map(({ kind, event }) => typeOf(event) ?? kind)
    expect(types(await expectExact(first, counter))).toEqual(['inc', 'stop'])
    expect(types(await expectExact(segments.recorded(), counter))).toEqual(['inc', 'inc'])
    expect(types(await expectExact(recording.trace, counter))).toEqual(['inc', 'inc'])
  })

  test('continues where it was with its children, timers and effects', async () => {
    const { clock, segments, actor } = made(player)
    const ended: ReplayableTrace[] = []
    segments.onEnd(() => ended.push(segments.recorded()))
    actor.start()
    clock.increment(60)
    stopForRestart(actor)
    actor.start()
    const seen: unknown[] = []
    actor.subscribe(({ value }) => seen.push(value))
    const child = () => actor.getSnapshot().children.child as AnyActorRef
    child().send({ type: 'inc' })
    clock.increment(100)
    actor.send({ type: 'pause' })
    child().send({ type: 'inc' })
    clock.increment(100)
    expect(actor.getSnapshot()).toMatchObject({ value: 'playing', context: { ready: 2 } })
    expect([seen.length > 0, ended.length, segments.run()]).toEqual([true, 1, 1])
    for (const trace of [...ended, segments.recorded()]) await expectExact(trace, player)
    expect(
      segments
        .recorded()
        .stimuli.map(({ to }) => to)
        .filter(to => to > 0),
    ).toHaveLength(2)
  })

  test('start does nothing while it runs', async () => {
    const { segments, actor } = made(counter)
    actor.start()
    actor.send({ type: 'inc' })
    actor.start()
    actor.send({ type: 'inc' })
    expect(segments.run()).toBe(0)
    const { stimuli } = await expectExact(segments.recorded(), counter)
    expect(stimuli).toHaveLength(2)
  })

  test('several times, with a listener that sends', async () => {
    const { segments, actor } = made(counter)
    for (let round = 0; round < 3; round++) {
      actor.start()
      actor.subscribe(({ context }) => {
        if ((context as { n: number }).n % 3 === 1) actor.send({ type: 'inc' })
      })
      actor.send({ type: 'inc' })
      actor.send({ type: 'inc' })
      await expectExact(segments.recorded(), counter)
      stopForRestart(actor)
    }
    expect([segments.run(), actor.getSnapshot().context.n]).toEqual([2, 9])
  })
})

test('a stopped recording stays stopped', () => {
  const recording = record(counter)
  recording.start()
  recording.actor.send({ type: 'inc' })
  recording.stopRecording()
  recording.actor.stop()
  recording.actor.start()
  expect([recording.isRecording(), recording.trace.damage]).toEqual([false, []])
})
