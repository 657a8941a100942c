// A recorded system behaves as it does unrecorded, whatever its logic and values, and its recording stays
// readable.
import {
  assign,
  createMachine,
  fromCallback,
  fromObservable,
  fromPromise,
  fromTransition,
  spawnChild,
} from 'xstate'
import type { AnyActorLogic, AnyActorRef, AnyActorScope, AnyEventObject, PromiseActorLogic } from 'xstate'
import { Observable } from 'rxjs'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { record } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import { observe, readAgain } from '../harness/bare-and-recorded.ts'
import type { Scenario } from '../harness/bare-and-recorded.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

/** Logic with some methods replaced, as composed in XState's documentation. */
function compose(logic: AnyActorLogic, methods: (base: AnyActorLogic) => object): AnyActorLogic {
  return { ...logic, ...methods(logic) } as AnyActorLogic
}

type Transition = (snapshot: never, event: AnyEventObject, scope: AnyActorScope) => unknown

const later = <T>(value: T) => Promise.resolve().then(() => value)

const parentOf = (src: AnyActorLogic) =>
  createMachine({
    id: 'parent',
    context: { got: [] as unknown[] },
    invoke: {
      src,
      id: 'child',
      input: { user: { name: 'Ann' } },
      onDone: { actions: assign({ got: ({ context, event }) => [...context.got, 'done', event.output] }) },
      onError: {
        actions: assign({ got: ({ context, event }) => [...context.got, 'error', String(event.error)] }),
      },
    },
    on: {
      '*': { actions: assign({ got: ({ context, event }) => [...context.got, event.type] }) },
      tell: { actions: ({ self }) => self.getSnapshot().children['child']?.send({ type: 'hello' }) },
    },
  })

interface Composed {
  /** Creates new logic, since logic may have state in its closures. */
  readonly make: () => AnyActorLogic
  readonly kind: string
}

const COMPOSED: Readonly<Record<string, Composed>> = {
  'a promise with its own getInitialSnapshot': {
    kind: 'promise',
    make: () =>
      compose(
        fromPromise(({ input }) => later((input as { user: { name: string } }).user.name)),
        base => ({
          getInitialSnapshot: (scope: AnyActorScope, input: { user: { name: string } }) => ({
            ...(base.getInitialSnapshot(scope, input) as object),
            label: input.user.name,
          }),
        }),
      ),
  },
  'a promise whose transition counts in a closure': {
    kind: 'promise',
    make: () =>
      compose(
        fromPromise(() => later(5)),
        base => {
          let count = 0
          const transition: Transition = (snapshot, event, scope) => {
            if (event.type === 'xstate.promise.resolve') count += 1
            const next = base.transition(snapshot, event, scope) as object
            return { ...next, ...('output' in next && next.output !== undefined && { output: count }) }
          }
          return { transition }
        },
      ),
  },
  'a promise whose transition reads scope.self.getSnapshot()': {
    kind: 'promise',
    make: () =>
      compose(
        fromPromise(() => later('answer')),
        base => {
          const transition: Transition = (snapshot, event, scope) => {
            if ((scope.self.getSnapshot() as { status: string }).status !== 'active') return snapshot
            return base.transition(snapshot, event, scope)
          }
          return { transition }
        },
      ),
  },
  'a promise that rejects, with its own transition': {
    kind: 'promise',
    make: () =>
      compose(
        fromPromise(() => Promise.reject(new TypeError('no answer'))),
        base => {
          const transition: Transition = (snapshot, event, scope) => base.transition(snapshot, event, scope)
          return { transition }
        },
      ),
  },
  'a promise with its own start': {
    kind: 'promise',
    make: () =>
      compose(
        fromPromise(() => later(1)),
        base => ({
          start: (snapshot: never, scope: AnyActorScope) => base.start?.(snapshot, scope),
        }),
      ),
  },
  'a callback with its own transition': {
    kind: 'callback',
    make: () =>
      compose(
        fromCallback(({ receive, sendBack }) => {
          receive(event => sendBack({ type: `heard ${event.type}` }))
          sendBack({ type: 'ready' })
          return () => undefined
        }),
        base => {
          const transition: Transition = (snapshot, event, scope) => base.transition(snapshot, event, scope)
          return { transition }
        },
      ),
  },
  'a callback whose own transition sends': {
    kind: 'callback',
    make: () =>
      compose(
        fromCallback(({ receive }) => receive(() => undefined)),
        base => {
          const transition: Transition = (snapshot, event, scope) => {
            if (event.type === 'hello') (scope.self as AnyActorRef)._parent?.send({ type: 'passed on' })
            return base.transition(snapshot, event, scope)
          }
          return { transition }
        },
      ),
  },
  'an observable with its own transition': {
    kind: 'observable',
    make: () =>
      compose(
        fromObservable(
          () =>
            new Observable<number>(observer => {
              observer.next(1)
              void later(2).then(value => {
                observer.next(value)
                observer.complete()
              })
            }),
        ),
        base => {
          const transition: Transition = (snapshot, event, scope) => ({
            ...(base.transition(snapshot, event, scope) as object),
            last: event.type,
          })
          return { transition }
        },
      ),
  },
  'a promise with its own start and transition': {
    kind: 'other',
    make: () =>
      compose(
        fromPromise(() => later(7)),
        base => {
          const transition: Transition = (snapshot, event, scope) => base.transition(snapshot, event, scope)
          return {
            transition,
            start: (snapshot: never, scope: AnyActorScope) => base.start?.(snapshot, scope),
          }
        },
      ),
  },
  'a callback with its own start and transition': {
    kind: 'other',
    make: () =>
      compose(
        fromCallback(({ receive, sendBack }) => receive(event => sendBack({ type: `heard ${event.type}` }))),
        base => {
          const transition: Transition = (snapshot, event, scope) => base.transition(snapshot, event, scope)
          return {
            transition,
            start: (snapshot: never, scope: AnyActorScope) => base.start?.(snapshot, scope),
          }
        },
      ),
  },
  'a transition function with a start': {
    kind: 'other',
    make: () =>
      compose(
        fromTransition((count: number) => count + 1, 0),
        () => ({
          start: (_: never, { self }: AnyActorScope) => void later(1).then(() => self.send({ type: 'tick' })),
        }),
      ),
  },
}

describe('composed logic', () => {
  describe.each(Object.entries(COMPOSED))('%s', (_title, { make, kind }) => {
    const asChild: Scenario = async ({ make: create }) => {
      const root = create(parentOf(make()))
      root.start()
      root.send({ type: 'tell' })
      await later(0)
      await later(0)
      root.send({ type: 'tell' })
    }
    const asRoot: Scenario = async ({ make: create, log }) => {
      const root = create(make(), { input: { user: { name: 'Ann' } } })
      root.subscribe({ next: snapshot => log((snapshot as { status: string }).status), error: log })
      root.start()
      root.send({ type: 'hello' })
      await later(0)
    }
    test.each([
      ['child', asChild, 1],
      ['root', asRoot, 0],
    ] as const)('as a %s behaves as it does unrecorded, and replays exactly', async (_place, run, index) => {
      const bare = await observe(run, false)
      for (const steps of [true, false]) {
        const { log, recordings } = await observe(run, true, steps)
        expect(log).toEqual(bare.log)
        const [recording] = recordings
        const trace = recording && (await readAgain(recording))
        expect(trace?.actors[index]?.kind).toBe(kind)
        const logic = index === 0 ? make() : parentOf(make())
        expect(trace && verify(trace, { [trace.header.system]: logic })).toMatchObject({ outcome: 'exact' })
      }
    })
  })

  test('logic is classified without running any of its code', async () => {
    const ran = vi.fn<(name: string) => void>()
    const spied = (logic: AnyActorLogic): AnyActorLogic =>
      Object.fromEntries(
        Object.entries(logic).map(([name, value]) =>
          typeof value === 'function' && name !== 'config'
            ? [
                name,
                (...args: never[]) => {
                  ran(name)
                  return (value as (...args: never[]) => unknown)(...args)
                },
              ]
            : [name, value],
        ),
      ) as unknown as AnyActorLogic
    const counts: string[][] = []
    for (const isRecorded of [false, true]) {
      ran.mockClear()
      await observe(async ({ make }) => {
        make(spied(fromPromise(() => later(1)) as PromiseActorLogic<number>)).start()
        make(spied(fromCallback(() => undefined))).start()
        await later(0)
      }, isRecorded)
      counts.push(ran.mock.calls.map(([name]) => name))
    }
    expect(counts[0]).toContain('getInitialSnapshot')
    expect(counts[1]).toEqual(counts[0])
  })
})

const invalid = () =>
  createMachine({ id: 'invalid', initial: 'nope', states: { a: {} } } as Parameters<typeof createMachine>[0])

class ClickEvent {
  readonly x = 3
  get type() {
    return 'click'
  }
}

const Numbered = Object.defineProperty(() => undefined, 'name', { value: 5 })

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const throwing = () => ({
  fine: 1,
  get bad(): never {
    throw new RangeError('not readable')
  },
})

const keeper = () =>
  createMachine({
    id: 'keeper',
    context: ({ input }: { input: unknown }) => ({ held: [input] as unknown[], count: 0 }),
    on: {
      '*': {
        actions: assign({
          count: ({ context }) => context.count + 1,
          held: ({ context, event }) => [...context.held, (event as { data?: unknown }).data],
        }),
      },
    },
  })

const sending =
  (...events: readonly unknown[]): Scenario =>
  ({ make, attempt, log }) => {
    const root = make(keeper())
    root.subscribe({ next: () => log('next'), error: log })
    root.start()
    for (const event of events) attempt(() => root.send(event as AnyEventObject))
    attempt(() => root.send({ type: 'last' }))
  }

const delayed = (delay: number): Scenario =>
  async function run({ make }) {
    const machine = createMachine({
      id: 'delayed',
      initial: 'a',
      states: { a: { after: { wait: 'b' } }, b: { after: { wait: 'c' } }, c: {} },
    }).provide({ delays: { wait: () => delay } })
    make(machine).start()
    await vi.waitFor(() => expect(true).toBe(true))
    await new Promise(resolve => void setTimeout(resolve, 15))
  }

/**
 * Scenarios by what is odd about them, with the outcome of replaying the written trace; `undefined` where it
 * depends.
 */
const ODD: Readonly<Record<string, readonly [Scenario, logic: () => AnyActorLogic, outcome: string]>> = {
  'an invalid machine as the root': [
    ({ make, log, attempt }) => {
      const root = make(invalid())
      root.subscribe({ error: log })
      attempt(() => root.start())
    },
    invalid,
    'exact',
  ],
  'an invalid machine that is invoked': [
    ({ make }) => void make(parentOf(invalid())).start(),
    () => parentOf(invalid()),
    'exact',
  ],
  'an invalid machine that is spawned later': [
    ({ make, attempt }) => {
      const root = make(
        createMachine({ id: 'spawner', on: { go: { actions: spawnChild(invalid(), { id: 'kid' }) } } }),
      )
      root.start()
      attempt(() => root.send({ type: 'go' }))
      attempt(() => root.send({ type: 'go on' }))
    },
    () => createMachine({ id: 'spawner', on: { go: { actions: spawnChild(invalid(), { id: 'kid' }) } } }),
    'exact',
  ],
  'a getter that throws inside an event': [sending({ type: 'a', data: throwing() }), keeper, 'exact'],
  'a getter that throws on the event itself': [
    sending(Object.assign(Object.defineProperty({ type: 'a' }, 'bad', { enumerable: true, get: throwing }))),
    keeper,
    'exact',
  ],
  'a revoked proxy inside an event': [sending({ type: 'a', data: revoked() }), keeper, 'exact'],
  'a function whose name is not a string': [sending({ type: 'a', data: Numbered }), keeper, 'exact'],
  'an event class with `get type()`': [sending(new ClickEvent()), keeper, 'exact'],
  'an event that is an error': [
    sending(Object.assign(new Error('as an event'), { type: 'failed' })),
    keeper,
    'exact',
  ],
  'an event whose type is a number': [sending({ type: 5 }), keeper, 'exact'],
  'a string in the place of an event': [sending('inc'), keeper, 'exact'],
  'undefined in the place of an event': [sending(undefined), keeper, 'exact'],
  'null in the place of an event': [sending(null), keeper, 'exact'],
  'a delay that is NaN': [
    delayed(Number.NaN),
    () =>
      createMachine({
        id: 'delayed',
        initial: 'a',
        states: { a: { after: { wait: 'b' } }, b: { after: { wait: 'c' } }, c: {} },
      }).provide({ delays: { wait: () => Number.NaN } }),
    'exact',
  ],
  'a negative delay': [
    delayed(-5),
    () =>
      createMachine({
        id: 'delayed',
        initial: 'a',
        states: { a: { after: { wait: 'b' } }, b: { after: { wait: 'c' } }, c: {} },
      }).provide({ delays: { wait: () => -5 } }),
    'exact',
  ],
}

describe.each(Object.entries(ODD))('%s', (_title, [scenario, logic, outcome]) => {
  test.each([true, false])('changes only what was recorded of it (steps: %s)', async steps => {
    const bare = await observe(scenario, false)
    const { log, recordings } = await observe(scenario, true, steps)
    expect(log).toEqual(bare.log)
    const [recording] = recordings
    const trace = recording && (await readAgain(recording))
    expect(trace?.damage).toEqual([])
    expect(recording?.trace.damage).toEqual([])
    const report = trace && verify(trace, { [trace.header.system]: logic() })
    // Without steps, a system that failed at its start leaves nothing to compare.
    const isEmpty = trace?.steps.length === 0 && trace.keyframes.length === 0 && trace.stimuli.length === 0
    expect(report).toMatchObject({ outcome: isEmpty ? 'unverified' : outcome })
  })
})

const talker = (...said: readonly unknown[]) =>
  createMachine({
    id: 'talker',
    invoke: {
      src: createMachine({
        id: 'listener',
        invoke: {
          src: fromCallback(({ sendBack }) => {
            for (const event of said) sendBack(event as AnyEventObject)
          }),
        },
        on: { '*': {} },
      }),
      id: 'listener',
    },
  })

test.each([['inc'], [undefined], [null], [5], [{ type: 5 }], [[]], [new ClickEvent()]])(
  'a leaf that sends %s back does what it does unrecorded',
  async said => {
    const scenario: Scenario = ({ make }) => void make(talker(said)).start()
    const bare = await observe(scenario, false)
    for (const steps of [true, false]) {
      const { log, recordings } = await observe(scenario, true, steps)
      expect(log).toEqual(bare.log)
      const trace = recordings[0] && (await readAgain(recordings[0]))
      expect(trace && [trace.damage, verify(trace, { talker: talker(said) }).outcome]).toEqual([[], 'exact'])
    }
  },
)

test('getters of an event do not run when it is sent', () => {
  let reads = 0
  const event = {
    type: 'with a getter',
    get once() {
      return ++reads
    },
  }
  const recording = record(keeper())
  recording.start()
  recording.actor.send(event)
  expect(reads).toBe(0)
})

test('logic of a class with private fields runs as it does unrecorded', async () => {
  class Counting {
    #count = 1
    getInitialSnapshot() {
      return { status: 'active', context: this.#count }
    }
    start() {
      this.#count += 1
    }
    transition(snapshot: object) {
      return { ...snapshot, context: ++this.#count }
    }
    getPersistedSnapshot(snapshot: object) {
      return { ...snapshot, saved: this.#count }
    }
  }
  const scenario: Scenario = ({ make, log, attempt }) => {
    const root = make(new Counting() as unknown as AnyActorLogic)
    root.start()
    root.send({ type: 'go' })
    attempt(() => log(JSON.stringify(root.getPersistedSnapshot())))
  }
  const bare = await observe(scenario, false)
  const { log } = await observe(scenario, true)
  expect(log).toEqual(bare.log)
  expect(bare.log[0]).toContain('"saved":3')
})

test('a spread of an actor’s logic has all its properties', () => {
  const logic = Object.assign({ ...fromPromise(() => later(1)) }, { label: 'mine' })
  const { actor } = record(logic)
  expect(Object.keys(actor.logic).sort()).toEqual(Object.keys(logic).sort())
  expect(actor.logic.label).toBe('mine')
})

test('an inspector that throws does what it does unrecorded, and marks the recording', async () => {
  const inspected: Scenario = ({ make, attempt }) => {
    const inspect = ({ type }: { type: string }) => {
      if (type === '@xstate.event') throw new Error('inspector')
    }
    const root = make(keeper(), { inspect })
    attempt(() => root.start())
    attempt(() => root.send({ type: 'a' }))
  }
  const added: Scenario = ({ make, attempt }) => {
    const root = make(keeper())
    root.start()
    root.system.inspect(() => {
      throw new Error('inspector')
    })
    attempt(() => root.send({ type: 'a' }))
  }
  for (const scenario of [inspected, added]) {
    const bare = await observe(scenario, false)
    const { log, recordings } = await observe(scenario, true)
    expect(log).toEqual(bare.log)
    expect(recordings[0]?.trace.damage[0]?.message).toBe(
      'an inspector threw, which cannot be replayed: inspector',
    )
  }
})

test('a thrown symbol is a symbol in the replay', async () => {
  const failing = () =>
    createMachine({
      id: 'failing',
      context: { kind: '' },
      invoke: {
        src: fromPromise(() => Promise.reject(Symbol('reason') as unknown as Error)),
        onError: { actions: assign({ kind: ({ event }) => typeof event.error }) },
      },
    })
  const { recordings } = await observe(async ({ make }) => {
    make(failing()).start()
    await later(0)
  }, true)
  const trace = recordings[0] && (await readAgain(recordings[0]))
  expect(trace?.steps.at(-1)?.context).toEqual({ kind: 'symbol' })
  expect(trace && verify(trace, { failing: failing() })).toMatchObject({ outcome: 'exact' })
})

describe.each([true, false])('with steps: %s', steps => {
  const nested = (depth: number, innermost: string): unknown =>
    depth === 0 ? innermost : { below: nested(depth - 1, innermost) }

  test('a replay is not called exact for a context with more levels than are recorded', async () => {
    const holding = (last: string) =>
      createMachine({
        id: 'holding',
        context: { value: 0 as unknown },
        on: { grow: { actions: assign({ value: () => nested(250, last) }) } },
      })
    const { recordings } = await observe(
      ({ make }) => {
        const root = make(holding('z'))
        root.start()
        root.send({ type: 'grow' })
      },
      true,
      steps,
    )
    const trace = recordings[0] && (await readAgain(recordings[0]))
    if (!trace) throw new Error('nothing was recorded')
    for (const last of ['z', 'w']) {
      const report = verify(trace, { holding: holding(last) })
      expect(report).toMatchObject({ outcome: 'unverified', reason: expect.stringMatching(/not compared/) })
    }
  })
})
