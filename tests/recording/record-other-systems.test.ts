// Actors of different systems that send to each other: what enters a recorded system is recorded, what leaves it is not repeated.
import {
  assign,
  createActor,
  createMachine,
  enqueueActions,
  forwardTo,
  fromCallback,
  sendParent,
  sendTo,
} from 'xstate'
import type { AnyActorRef, AnyStateMachine } from 'xstate'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readTrace } from '../../src/trace/read/read-file.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { record } from '../../src/services/recording/index.ts'
import {
  branch,
  createReplay,
  deriveSteps,
  drive,
  ReplayRun,
  type ReplayRunOptions,
  verify,
} from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

async function asFile(recording: { lines(): string[] }): Promise<ReplayableTrace> {
  const read = await readTrace(recording.lines().join('\n'))
  if (read.kind !== 'trace') throw new Error(read.message)
  return read.trace
}

/** Both the trace in memory and the one in a file replay exactly. */
async function expectExact(
  recording: { readonly trace: ReplayableTrace; lines(): string[] },
  machine: AnyStateMachine,
): Promise<void> {
  const file = await asFile(recording)
  for (const trace of [...(file.header.steps === false ? [] : [recording.trace]), file]) {
    const report = verify(trace, { [machine.id]: machine })
    expect(report).toMatchObject({ outcome: 'exact' })
    expect(report.compared + (report.keyframes ?? 0)).toBeGreaterThan(0)
  }
}

/** The stimuli as kind, receiver and type, with the position of anchored ones. */
function stimuliOf({ stimuli, actors }: ReplayableTrace): string[] {
  return stimuli.map(({ kind, to, event, anchor }) => {
    const path = (index: number | undefined) => actors[index ?? -1]?.path ?? ''
    const place = anchor ? ` in ${path(anchor.in)} ${anchor.phase} ${anchor.n}` : ''
    const { type } = event as { readonly type: string }
    return `${kind} ${type} to ${path(to)}${place}`
  })
}

/** Records the types of its events, in order. */
function listener(id: string, extra: object = {}) {
  return createMachine({
    id,
    context: { seen: [] as string[] },
    on: {
      '*': { actions: assign({ seen: ({ context, event }) => [...context.seen, event.type] }) },
    },
    ...extra,
  })
}

const seenBy = (actor: AnyActorRef) => (actor.getSnapshot() as { context: { seen: string[] } }).context.seen

describe('events that another system sends to a recorded one', () => {
  test.each([true, false])('sendTo to the root is an external stimulus (steps: %s)', async steps => {
    const machine = listener('store')
    const recording = record(machine, { steps })
    recording.start()
    const page = createActor(
      createMachine({ on: { add: { actions: sendTo(() => recording.actor, { type: 'inc' }) } } }),
    ).start()
    page.send({ type: 'add' })
    recording.actor.send({ type: 'own' })
    page.send({ type: 'add' })
    expect(seenBy(recording.actor)).toEqual(['inc', 'own', 'inc'])
    const kept = await asFile(recording)
    expect(stimuliOf(kept)).toEqual([
      'external inc to store',
      'external own to store',
      'external inc to store',
    ])
    await expectExact(recording, machine)
    const replay = createReplay(kept, { store: machine })
    replay.step(3)
    expect(seenBy(replay.actor)).toEqual(['inc', 'own', 'inc'])
  })

  test('delayed, from a child, forwarded, enqueued and to a child by its system id', async () => {
    const child = listener('child')
    const machine = listener('store', { invoke: { src: child, id: 'child', systemId: 'kid' } })
    const recording = record(machine)
    const { actor } = recording
    recording.start()
    const clock = createVirtualClock()
    const worker = createMachine({ entry: sendTo(() => actor, { type: 'fromWorker' }) })
    const page = createActor(
      createMachine({
        invoke: { src: worker },
        on: {
          late: { actions: sendTo(() => actor, { type: 'delayed' }, { delay: 10 }) },
          on: { actions: forwardTo(() => actor) },
          many: {
            actions: enqueueActions(({ enqueue }) => {
              enqueue.sendTo(() => actor, { type: 'one' })
              enqueue.sendTo(actor.system.get('kid') as AnyActorRef, { type: 'two' })
            }),
          },
          custom: { actions: () => actor.send({ type: 'byRef' }) },
        },
      }),
      { clock },
    ).start()
    for (const type of ['late', 'on', 'many', 'custom']) page.send({ type })
    clock.advance(10)
    expect(seenBy(actor)).toEqual(['fromWorker', 'on', 'one', 'byRef', 'delayed'])
    expect(stimuliOf(recording.trace)).toEqual([
      'external fromWorker to store',
      'external on to store',
      'external one to store',
      'external two to store/child',
      'external byRef to store',
      'external delayed to store',
    ])
    expect(recording.trace.steps.filter(({ cause }) => cause === 3)).toMatchObject([
      { actor: 1, event: { type: 'two' } },
    ])
    await expectExact(recording, machine)
  })

  test.each([true, false])(
    'a response within a step is replayed within that step (steps: %s)',
    async steps => {
      // Responds at once; the mailbox of the requesting actor holds the response back until its step is over.
      const other = createActor(
        createMachine({
          on: {
            ask: {
              actions: sendTo(({ event }) => (event as unknown as { by: AnyActorRef }).by, {
                type: 'answer',
              }),
            },
          },
        }),
      ).start()
      const ask = sendTo(
        () => other,
        ({ self }) => ({ type: 'ask', by: self }),
      )
      const child = listener('child')
      const machine = listener('asker', {
        invoke: { src: child, id: 'child' },
        on: {
          go: { actions: [sendTo('child', { type: 'before' }), ask, sendTo('child', { type: 'after' })] },
          viaChild: {
            actions: sendTo(
              () => other,
              ({ self }) => ({
                type: 'ask',
                by: (self.getSnapshot() as { children: Record<string, AnyActorRef> }).children['child'],
              }),
            ),
          },
          '*': {
            actions: assign({
              seen: ({ context, event }) => [...(context as { seen: string[] }).seen, event.type],
            }),
          },
        },
      })
      const recording = record(machine, { steps })
      recording.start()
      for (const type of ['go', 'viaChild', 'go']) recording.actor.send({ type })
      expect(seenBy(recording.actor)).toEqual(['answer', 'answer'])
      expect(stimuliOf(await asFile(recording))).toEqual([
        'external go to asker',
        'external answer to asker in asker send 0',
        'external viaChild to asker',
        'external answer to asker/child in asker send 1',
        'external go to asker',
        'external answer to asker in asker send 2',
      ])
      await expectExact(recording, machine)
    },
  )

  test('a response from within a custom action of the recorded system is anchored there', async () => {
    const other = createActor(
      createMachine({ on: { ask: { actions: sendTo(() => recording.actor, { type: 'answer' }) } } }),
    )
    const machine = listener('asker', {
      on: {
        go: { actions: () => other.send({ type: 'ask' }) },
        answer: { actions: assign({ seen: ['answer'] }) },
      },
    })
    const recording = record(machine)
    other.start()
    recording.start()
    recording.actor.send({ type: 'go' })
    expect(stimuliOf(recording.trace)).toEqual([
      'external go to asker',
      'external answer to asker in asker action 0',
    ])
    await expectExact(recording, machine)
  })

  test('two systems that send to each other are each exact under their own recorder', async () => {
    const pong: AnyStateMachine = createMachine({
      id: 'pong',
      context: { left: 3 },
      on: {
        ping: {
          guard: ({ context }) => context.left > 0,
          actions: [
            assign({ left: ({ context }) => context.left - 1 }),
            sendTo((): AnyActorRef => first.actor, { type: 'pong' }),
          ],
        },
      },
    })
    const ping: AnyStateMachine = createMachine({
      id: 'ping',
      context: { count: 0 },
      on: {
        go: { actions: sendTo((): AnyActorRef => second.actor, { type: 'ping' }) },
        pong: {
          actions: [
            assign({ count: ({ context }) => context.count + 1 }),
            sendTo((): AnyActorRef => second.actor, { type: 'ping' }),
          ],
        },
        late: { actions: sendTo((): AnyActorRef => second.actor, { type: 'ping' }, { delay: 5 }) },
      },
    })
    const clock = createVirtualClock()
    const first = record(ping, { clock })
    const second = record(pong)
    first.start()
    second.start()
    first.actor.send({ type: 'late' })
    clock.advance(5)
    first.actor.send({ type: 'go' })
    expect((first.actor.getSnapshot() as { context: object }).context).toEqual({ count: 3 })
    await expectExact(first, ping)
    await expectExact(second, pong)
    expect((second.actor.getSnapshot() as { context: object }).context).toEqual({ left: 0 })
  })

  test('before the start, to an actor that has ended, and from a system inside a child', async () => {
    const inner = (actor: AnyActorRef) =>
      createActor(createMachine({ entry: sendTo(() => actor, { type: 'inner' }) }))
    const machine = listener('store', {
      invoke: { src: fromCallback(() => void inner(recording.actor).start()) },
    })
    const recording = record(machine)
    const page = createActor(
      createMachine({ on: { '*': { actions: forwardTo(() => recording.actor) } } }),
    ).start()
    page.send({ type: 'early' })
    recording.start()
    page.send({ type: 'late' })
    recording.actor.stop()
    page.send({ type: 'never' })
    expect(seenBy(recording.actor)).toEqual(['early', 'inner', 'late'])
    await expectExact(recording, machine)
  })

  test('the inspector of the recorded system gets no more than without a recorder', () => {
    const run = (
      make: (machine: AnyStateMachine, inspect: (event: { type: string }) => void) => AnyActorRef,
    ) => {
      const types: string[] = []
      const actor = make(listener('store'), ({ type }) => void types.push(type))
      actor.start()
      createActor(createMachine({ entry: sendTo(() => actor, { type: 'inc' }) })).start()
      return types
    }
    const bare = run((machine, inspect) => createActor(machine, { inspect }))
    expect(run((machine, inspect) => record(machine, { inspect }).actor)).toEqual(bare)
  })
})

describe('a step without a recorded cause', () => {
  test.each([true, false])(
    'makes the recording unusable, in memory and in a file (steps: %s)',
    async steps => {
      const machine = listener('store')
      const recording = record(machine, { steps })
      recording.start()
      recording.actor.send({ type: 'own' })
      // What no part of XState does from outside.
      ;(recording.actor as unknown as { mailbox: { enqueue(event: object): void } }).mailbox.enqueue({
        type: 'smuggled',
      })
      const reason = 'store processed smuggled without a recorded cause; this cannot be replayed'
      for (const trace of [recording.trace, await asFile(recording)]) {
        expect(trace.damage).toMatchObject([{ message: reason }])
        expect(verify(trace, { store: machine })).toMatchObject({ outcome: 'unusable', reason })
      }
    },
  )

  test('an actor that is created from outside with a recorded parent is reported', () => {
    const machine = listener('store')
    const recording = record(machine)
    recording.start()
    createActor(listener('stray'), { id: 'stray', parent: recording.actor }).start()
    const reason = 'store/stray processed xstate.init without a recorded cause; this cannot be replayed'
    expect(verify(recording.trace, { store: machine })).toMatchObject({ outcome: 'unusable', reason })
  })

  test('a response to an event sent by a guard or an assignment is reported', async () => {
    const other = createActor(
      createMachine({ on: { ask: { actions: sendTo(() => recording.actor, { type: 'answer' }) } } }),
    ).start()
    const machine = listener('asker', {
      on: { go: { actions: assign(() => (other.send({ type: 'ask' }), {})) } },
    })
    const recording = record(machine)
    recording.start()
    recording.actor.send({ type: 'go' })
    const reason = expect.stringContaining('asker was sent answer by another system') as string
    for (const trace of [recording.trace, await asFile(recording)])
      expect(verify(trace, { asker: machine })).toMatchObject({ outcome: 'unusable', reason })
  })
})

describe('a replay', () => {
  const payments = vi.fn<(type: string) => void>()
  const cartMachine = createMachine({
    id: 'cart',
    on: { '*': { actions: ({ event }) => payments(event.type) } },
  })

  /** A shop that reaches its cart in every way that XState offers, and a recording of it. */
  function shop(steps: boolean) {
    payments.mockClear()
    const cart = createActor(cartMachine).start()
    const child = createMachine({
      entry: sendTo(() => cart, { type: 'fromChild' }),
      on: { tell: { actions: sendParent({ type: 'told' }) } },
    })
    const machine = createMachine({
      id: 'shop',
      context: ({ input }: { input: unknown }) => ({
        ref: (input as { cart: AnyActorRef }).cart,
        card: 'none',
      }),
      invoke: { src: child, id: 'child' },
      on: {
        pay: { actions: sendTo(() => cart, { type: 'pay', password: 'hunter2' }) },
        byRef: { actions: sendTo(({ context }) => context.ref, { type: 'byRef' }) },
        byEvent: {
          actions: sendTo(({ event }) => (event as unknown as { ref: AnyActorRef }).ref, { type: 'byEvent' }),
        },
        later: { actions: sendTo(() => cart, { type: 'later' }, { delay: 10 }) },
        laterByRef: { actions: sendTo(({ context }) => context.ref, { type: 'laterByRef' }, { delay: 10 }) },
        custom: { actions: () => cart.send({ type: 'custom' }) },
        forward: { actions: forwardTo(() => cart) },
        ask: { actions: sendTo('child', { type: 'tell' }) },
      },
    })
    const clock = createVirtualClock()
    const recording = record(machine, { clock, steps, input: { cart }, keyframeEvery: 3 })
    recording.start()
    for (const type of ['pay', 'byRef', 'later', 'laterByRef', 'ask', 'custom', 'forward'])
      recording.actor.send({ type })
    recording.actor.send({ type: 'byEvent', ref: cart } as never)
    clock.advance(10)
    const live = payments.mock.calls.length
    expect(live).toBe(8)
    payments.mockClear()
    return { recording, machine, clock, cart }
  }

  const SENT = ['fromChild', 'pay', 'byRef', 'forward', 'byEvent', 'later', 'laterByRef']

  test.each([true, false])('of any kind reaches no actor of another system (steps: %s)', async steps => {
    const { recording, machine } = shop(steps)
    const systems = { shop: machine }
    const changed = { shop: machine.provide({}) }
    const file = await asFile(recording)
    for (const trace of steps ? [recording.trace, file] : [file]) {
      const report = verify(trace, systems)
      expect(report.outcome).toBe('exact')
      drive(trace, changed)
      deriveSteps(trace, systems)
      const replay = createReplay(trace, systems)
      replay.step(100)
      replay.step(-4)
      replay.step(100)
      expect(replay.divergence).toBeUndefined()
      branch(trace, systems, { clock: createVirtualClock() }).recording.stop()
    }
    expect(payments.mock.calls).toEqual([])
  })

  test('reports what would have been sent, without secrets', async () => {
    const { recording, machine } = shop(true)
    const trace = await asFile(recording)
    const replay = createReplay(trace, { shop: machine })
    replay.step(100)
    expect(replay.sent.map(({ event }) => event.type)).toEqual(SENT)
    expect(replay.sent[0]).toEqual({
      stimulus: -1,
      from: 'shop/child',
      to: 'cart',
      event: { type: 'fromChild' },
    })
    const pay = trace.stimuli.findIndex(({ event }) => (event as { type: string }).type === 'pay')
    expect(replay.sent[1]).toMatchObject({ stimulus: pay, from: 'shop', to: 'cart' })
    expect(JSON.stringify(replay.sent)).not.toContain('hunter2')
    const seen: unknown[] = []
    verify(trace, { shop: machine }, { onSend: sent => void seen.push(sent) })
    expect(seen).toEqual(replay.sent)
    seen.length = 0
    drive(trace, { shop: machine }, { onSend: sent => void seen.push(sent) })
    expect(seen).toEqual(replay.sent)
    const all = replay.sent
    replay.stepTo(pay)
    expect(replay.sent).toEqual(all.slice(0, 1))
    replay.step(100)
    expect(replay.sent).toEqual(all)
  })

  test('that begins at a keyframe fires what was scheduled for another system', async () => {
    const { recording, machine } = shop(true)
    const trace = await asFile(recording)
    const from = trace.keyframes.find(({ timers }) => timers.length === 2)
    expect(from?.timers).toMatchObject([{ outside: 'cart' }, { outside: 'cart' }])
    const seen: string[] = []
    const onSend: ReplayRunOptions['onSend'] = ({ to, event }) => void seen.push(`${event.type} to ${to}`)
    const run = new ReplayRun(trace, machine, { from, onSend })
    run.start()
    for (const stimulus of trace.stimuli.slice(from?.at)) run.step(stimulus)
    expect(run.problems).toEqual([])
    expect(seen.slice(-2)).toEqual(['later to cart', 'laterByRef to cart'])
  })

  test('sends to other systems again once a branch is live', async () => {
    const { recording, machine } = shop(true)
    const { recording: live } = branch(recording.trace, { shop: machine }, { clock: createVirtualClock() })
    expect(payments.mock.calls).toEqual([])
    live.actor.send({ type: 'pay' } as never)
    expect(payments.mock.calls).toEqual([['pay']])
    live.stop()
  })

  test("runs no custom action, including those with names like XState's", async () => {
    const ran = vi.fn<() => void>()
    const machine = createMachine(
      { id: 'doer', entry: 'xstate.own', on: { go: { actions: [ran, 'xstate.own', { type: 'named' }] } } },
      { actions: { 'xstate.own': ran, named: ran } },
    )
    const recording = record(machine)
    recording.start()
    recording.actor.send({ type: 'go' })
    expect(ran).toHaveBeenCalledTimes(4)
    await expectExact(recording, machine)
    drive(recording.trace, { doer: machine })
    expect(ran).toHaveBeenCalledTimes(4)
  })

  test('rethrows what another system threw at the sender', async () => {
    const machine = createMachine({
      id: 'thrower',
      on: { go: { actions: sendTo(() => ({ system: {} }) as AnyActorRef, { type: 'x' }) } },
    })
    const recording = record(machine)
    recording.actor.subscribe({ error: () => undefined })
    recording.start()
    recording.actor.send({ type: 'go' })
    expect(recording.actor.getSnapshot().status).toBe('error')
    await expectExact(recording, machine)
  })
})

test('actors of other systems do not prevent a recording from starting in the middle of a run', async () => {
  const cart = createActor(createMachine({ id: 'cart' })).start()
  const machine = listener('shop', { entry: sendTo(() => cart, { type: 'hello' }) })
  const recording = record(machine)
  recording.start()
  recording.startRecording()
  recording.actor.send({ type: 'a' })
  expect(recording.trace.keyframes[0]?.unreachable).toEqual([])
  expect(recording.trace.actors.map(({ path }) => path)).toEqual(['shop'])
  await expectExact(recording, machine)
})
