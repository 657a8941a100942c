// A system that is started again after its end, as React's StrictMode does in development: two recordings, each exact.
import {
  assign,
  createMachine,
  fromCallback,
  fromPromise,
  raise,
  sendTo,
  setup,
  SimulatedClock,
  spawnChild,
  stopChild,
} from 'xstate'
import type { AnyActorRef, AnyStateMachine } from 'xstate'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { createSegments, record } from '../../src/services/recording/index.ts'
import { typeOf, type ReplayableTrace } from '../../src/trace/index.ts'
import type { SystemRecording } from '../../src/services/recording/recording-types.ts'
import { encodeLines } from '../../src/trace/write/encode.ts'
import { stageTimes, verify } from '../../src/services/replay/index.ts'
import { vitestTest } from '../../src/trace/index.ts'

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

/** The actor and those below it. */
function actorsOf(ref: AnyActorRef): AnyActorRef[] {
  const { children = {} } = ref.getSnapshot() as { children?: Record<string, AnyActorRef> }
  return [ref, ...Object.values(children).flatMap(actorsOf)]
}

/** Stops a root as `@xstate/react` does (6.1), so that it can be started again where it was. */
function stopForRestart(root: AnyActorRef): void {
  const refs = actorsOf(root)
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

  test('several times where it was, with a listener that sends: one recording', async () => {
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
    expect([segments.run(), actor.getSnapshot().context.n]).toEqual([0, 9])
  })
})

/** Whatever a machine may do in its initial state: entry actions, readings, timers, spawned actors and effects. */
const busy = setup({
  types: { context: {} as { online: boolean; random: number; uploads: number; greeted: number } },
  actors: {
    // Sends the same at each of its starts.
    network: fromCallback(({ sendBack }) => sendBack({ type: 'network', online: true })),
    wait: fromPromise(() => new Promise<number>(() => undefined)),
    child: createMachine({
      id: 'child',
      context: { n: 0 },
      initial: 'idle',
      states: { idle: { on: { greet: 'greeted' } }, greeted: { on: { greet: 'idle' } } },
    }),
  },
}).createMachine({
  id: 'busy',
  context: ({ spawn }) => {
    spawn('child', { id: 'upload', systemId: 'upload' })
    return { online: false, random: Math.random(), uploads: 1, greeted: 0 }
  },
  invoke: [{ src: 'network' }, { src: 'wait', id: 'wait' }],
  entry: [sendTo('upload', { type: 'greet' }), raise({ type: 'settle' }, { delay: 50, id: 'settle' })],
  on: {
    network: { actions: assign({ online: ({ event }) => event['online'] as boolean }) },
    settle: { actions: assign({ random: () => Math.random() }) },
    upload: {
      actions: [
        assign({ uploads: ({ context }) => context.uploads + 1 }),
        stopChild('upload'),
        spawnChild('child', { id: 'upload' }),
      ],
    },
  },
  initial: 'waiting',
  states: { waiting: { after: { 100: 'ready' } }, ready: { on: { back: 'waiting' } } },
})

describe.each([true, false])('started again before anything happened (steps: %s)', steps => {
  const made = (machine: AnyStateMachine) => {
    const clock = new SimulatedClock()
    const recording = record(machine, { clock, steps }) as unknown as SystemRecording<AnyStateMachine>
    return { clock, recording, actor: recording.actor as AnyActorRef }
  }
  const start = (actor: AnyActorRef, times: number) => {
    actor.start()
    for (let time = 0; time < times; time++) {
      stopForRestart(actor)
      actor.start()
    }
  }
  const runBusy = ({ clock, recording, actor }: ReturnType<typeof made>) => {
    clock.increment(60)
    actor.send({ type: 'upload' })
    clock.increment(60)
    actor.send({ type: 'back' })
    ;(actor.getSnapshot().children.upload as AnyActorRef).send({ type: 'greet' })
    clock.increment(100)
    recording.seal()
  }

  test.each([1, 2])('the recording begins at the start of the system (%i times)', async times => {
    const { clock, recording, actor } = made(busy)
    start(actor, times)
    runBusy({ clock, recording, actor })
    expect(actor.getSnapshot()).toMatchObject({ value: 'ready', context: { online: true, uploads: 2 } })
    const trace = await expectExact(recording.trace, busy)
    expect([trace.keyframes[0]?.at, trace.stimuli[0]?.kind]).not.toEqual([0, 'stop'])
    expect(trace.keyframes.filter(({ at }) => at === 0)).toEqual([])
    // As one that was never stopped.
    const once = made(busy)
    start(once.actor, 0)
    runBusy(once)
    expect(trace.stimuli).toEqual(once.recording.trace.stimuli)
    expect(trace.steps.map(({ actor: at, value, event }) => [at, value, event])).toEqual(
      once.recording.trace.steps.map(({ actor: at, value, event }) => [at, value, event]),
    )
  })

  test('it becomes a test that passes', async () => {
    const { clock, recording, actor } = made(busy)
    start(actor, 1)
    runBusy({ clock, recording, actor })
    const trace = await expectExact(recording.trace, busy)
    expect(stageTimes(trace, { busy }).problem).toBeUndefined()
    if (!steps) return
    expect(vitestTest(trace, { system: { import: '', name: 'busy' } })).toContain('createStage(busy')
  })

  test('one that changed by its second start begins with a keyframe', async () => {
    const { recording, actor } = made(player)
    start(actor, 1)
    expect(actor.getSnapshot().context).toMatchObject({ ready: 2 })
    actor.send({ type: 'pause' })
    recording.seal()
    const trace = await expectExact(recording.trace, player)
    expect(trace.keyframes[0]?.at).toBe(0)
  })

  test('after events, as by a hot update, it is the same recording', async () => {
    const { clock, recording, actor } = made(busy)
    actor.start()
    clock.increment(60)
    actor.send({ type: 'upload' })
    stopForRestart(actor)
    actor.start()
    clock.increment(100)
    actor.send({ type: 'upload' })
    actor.send({ type: 'back' })
    clock.increment(100)
    expect(actor.getSnapshot()).toMatchObject({ value: 'ready', context: { uploads: 3 } })
    recording.seal()
    const trace = await expectExact(recording.trace, busy)
    expect(trace.keyframes.filter(({ at }) => at === 0)).toEqual([])
    expect(trace.stimuli.map(({ kind, event }) => typeOf(event) ?? kind)).toEqual([
      'network',
      'settle',
      'upload',
      'xstate.after.100.busy.waiting',
      'upload',
      'back',
      'xstate.after.100.busy.waiting',
    ])
    const stopped = trace.steps.filter(({ status }) => status === 'stopped')
    expect(stopped.map(({ actor: at }) => trace.actors[at]?.path)).toEqual(
      steps ? ['busy/upload', 'busy/upload#2'] : [],
    )
  })

  test('a stop is recorded at once for those who read, and soon for those who listen', async () => {
    const { recording, actor } = made(counter)
    const kinds = () => recording.trace.stimuli.map(({ kind }) => kind)
    actor.start()
    actor.send({ type: 'inc' })
    let isHeard = false
    recording.trace.subscribe(() => (isHeard = true))
    actor.stop?.()
    await vi.waitFor(() => expect(isHeard).toBe(true))
    expect(kinds()).toEqual(['external', 'stop'])
    const other = made(counter)
    other.actor.start()
    other.actor.stop?.()
    expect(other.recording.trace.stimuli.map(({ kind }) => kind)).toEqual(['stop'])
  })

  test('a listener hears and sends as before', async () => {
    const { recording, actor } = made(counter)
    start(actor, 1)
    actor.subscribe(({ context }) => {
      if ((context as { n: number }).n === 1) actor.send({ type: 'inc' })
    })
    actor.send({ type: 'inc' })
    recording.seal()
    const trace = await expectExact(recording.trace, counter)
    expect([actor.getSnapshot().context.n, trace.keyframes.filter(({ at }) => at === 0)]).toEqual([2, []])
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
