// Objects that an event has in common with the system's state, its input or an earlier event are the same
// objects in a replay.
import { assign, createMachine, emit, enqueueActions, fromCallback, fromPromise, sendTo, setup } from 'xstate'
import type { Actor, AnyActorLogic, AnyActorRef, AnyEventObject } from 'xstate'
import { describe, expect, test } from 'vitest'
import { record } from '../../src/services/recording/index.ts'
import { createReplay, verify } from '../../src/services/replay/index.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { readAgain } from '../harness/bare-and-recorded.ts'
import { createDice } from '../harness/generated-world.ts'
import { volume } from '../harness/volume.ts'

type Item = Readonly<Record<string, unknown>>

interface Case {
  readonly machine: () => AnyActorLogic
  readonly input?: () => unknown
  readonly run: (root: Actor<AnyActorLogic>) => void | Promise<void>
  /** Whether the live run compared objects successfully. */
  readonly expected: object
  /** Machine code refers to objects that are not in the state. */
  readonly inClosure?: true
}

const contextOf = (ref: AnyActorRef) => (ref.getSnapshot() as { context: Record<string, unknown> }).context

/** A list that is changed by the identity of its items. */
const list = (items: () => readonly Item[]) =>
  createMachine({
    id: 'list',
    context: () => ({ items: items(), hits: 0 }),
    on: {
      add: { actions: assign({ items: ({ context, event }) => [...context.items, event.item as Item] }) },
      remove: {
        actions: assign({
          items: ({ context, event }) => context.items.filter(item => item !== event.item),
          hits: ({ context, event }) => context.hits + (context.items.includes(event.item as Item) ? 1 : 0),
        }),
      },
      many: {
        actions: assign({
          items: ({ context, event }) =>
            context.items.filter(item => !(event.items as readonly Item[]).includes(item)),
        }),
      },
      rename: {
        actions: assign({
          items: ({ context, event }) =>
            context.items.map(item => (item === event.item ? { ...item, name: event.name } : item)),
        }),
      },
    },
  })

const itemOf = (root: AnyActorRef, at: number) => (contextOf(root)['items'] as readonly Item[])[at]

const three = () => [{ name: 'a' }, { name: 'b' }, { name: 'c' }]

/** Sets of what was seen, by identity, in addition to the context. */
const seen = (count: (context: { n: number }, known: boolean) => number) => {
  const known = new WeakSet<object>()
  return createMachine({
    id: 'seen',
    context: { n: 0 },
    on: {
      '*': {
        actions: assign({
          n: ({ context, event }) => {
            const item = event.item as object
            const was = known.has(item)
            known.add(item)
            return count(context, was)
          },
        }),
      },
    },
  })
}

const CASES: Readonly<Record<string, Case>> = {
  'an item of the context is filtered out': {
    machine: () => list(three),
    run(root) {
      root.send({ type: 'remove', item: itemOf(root, 1) })
      root.send({ type: 'rename', item: itemOf(root, 1), name: 'z' })
      root.send({ type: 'remove', item: itemOf(root, 1) })
      root.send({ type: 'remove', item: { name: 'a' } })
    },
    expected: { items: [{ name: 'a' }], hits: 2 },
  },
  'items of an earlier event are sent back, in the same order or later': {
    machine: () => list(() => []),
    run(root) {
      const [a, b] = [{ name: 'a' }, { name: 'b' }]
      for (const item of [a, b, a]) root.send({ type: 'add', item })
      root.send({ type: 'remove', item: a })
    },
    expected: { items: [{ name: 'b' }], hits: 1 },
  },
  'a fresh list of known items': {
    machine: () => list(three),
    run: root => root.send({ type: 'many', items: [itemOf(root, 0), { name: 'b' }, itemOf(root, 2)] }),
    expected: { items: [{ name: 'b' }], hits: 0 },
  },
  'a listener sends back what the machine created': {
    machine: () =>
      createMachine({
        id: 'made',
        context: { items: [] as Item[], n: 0 },
        on: {
          make: {
            actions: [
              assign({ items: ({ context }) => [...context.items, { n: context.items.length }] }),
              emit(({ context }) => ({ type: 'made', item: context.items.at(-1) })),
            ],
          },
          back: { actions: assign({ n: ({ context, event }) => context.items.indexOf(event.item as Item) }) },
        },
      }),
    run(root) {
      root.on('made', event => root.send({ type: 'back', item: (event as AnyEventObject)['item'] as Item }))
      root.send({ type: 'make' })
      root.send({ type: 'make' })
    },
    expected: { items: [{ n: 0 }, { n: 1 }], n: 1 },
  },
  'a promise returns an object of its input': {
    machine: () =>
      setup({
        actors: {
          pick: fromPromise(({ input }: { input: { items: readonly Item[] } }) =>
            Promise.resolve({ chosen: input.items[1] }),
          ),
        },
      }).createMachine({
        id: 'picking',
        context: { items: three(), at: -1 },
        invoke: {
          src: 'pick',
          input: ({ context }) => ({ items: [...context.items] }),
          onDone: {
            actions: assign({
              at: ({ context, event }) => context.items.indexOf(event.output.chosen as never),
            }),
          },
        },
      }),
    run: () => Promise.resolve().then(() => undefined),
    expected: { items: three(), at: 1 },
  },
  'a callback returns an object that it received': {
    machine: () =>
      setup({
        actors: {
          echo: fromCallback(({ sendBack, receive }) =>
            receive(event => sendBack({ type: 'echoed', item: (event as AnyEventObject)['item'] as Item })),
          ),
        },
      }).createMachine({
        id: 'echoing',
        context: { items: three(), at: -1 },
        invoke: { src: 'echo', id: 'echo' },
        on: {
          go: { actions: sendTo('echo', ({ context }) => ({ type: 'take', item: context.items[2] })) },
          echoed: {
            actions: assign({ at: ({ context, event }) => context.items.indexOf(event.item as never) }),
          },
        },
      }),
    run: root => root.send({ type: 'go' }),
    expected: { items: three(), at: 2 },
  },
  'objects of the input': {
    machine: () =>
      createMachine({
        id: 'input',
        context: ({ input }) => ({ items: input as readonly Item[], at: -1 }),
        on: {
          find: {
            actions: assign({ at: ({ context, event }) => context.items.indexOf(event.item as Item) }),
          },
        },
      }),
    input: three,
    run: root => root.send({ type: 'find', item: itemOf(root, 2) }),
    expected: { items: three(), at: 2 },
  },
  'the same object twice in the input': {
    machine: () =>
      createMachine({
        id: 'input',
        context: ({ input: { items, chosen } }) => ({ at: (items as readonly unknown[]).indexOf(chosen) }),
      }),
    input: () => {
      const items = three()
      return { items, chosen: items[2] }
    },
    run: root => root.send({ type: 'go' }),
    expected: { at: 2 },
  },
  'a snapshot of a child, and objects in its context': {
    machine: () => {
      const child = createMachine({ id: 'child', context: { box: { size: 3 } } })
      return createMachine({
        id: 'parent',
        context: { found: [] as boolean[] },
        invoke: { src: child, id: 'child' },
        on: {
          look: {
            actions: enqueueActions(({ event, self, enqueue }) => {
              const of = (self as AnyActorRef).getSnapshot() as { children: Record<string, AnyActorRef> }
              const snapshot = of.children['child']?.getSnapshot() as { context: { box: unknown } }
              const found = [event.snapshot === snapshot, event.box === snapshot.context.box]
              enqueue.assign({ found })
            }),
          },
        },
      })
    },
    run(root) {
      const { children } = root.getSnapshot() as unknown as { children: Record<string, AnyActorRef> }
      const snapshot = children['child']?.getSnapshot() as { context: { box: unknown } }
      root.send({ type: 'look', snapshot, box: snapshot.context.box })
    },
    expected: { found: [true, true] },
  },
  'keys of maps, members of sets, dates, errors and instances': {
    machine: () =>
      createMachine({
        id: 'odd',
        context: () => ({
          map: new Map<unknown, unknown>([[{ key: 1 }, { value: 1 }]]),
          set: new Set([{ member: 1 }]),
          date: new Date(5),
          error: new Error('outer', { cause: { reason: 1 } }),
          bytes: new Uint8Array([1, 2]),
          found: [] as boolean[],
        }),
        on: {
          look: {
            actions: assign({
              found: ({ context, event }) => [
                context.map.has(event.key),
                [...context.map.values()].includes(event.value),
                context.set.has(event.member as never),
                context.date === event.date,
                context.error.cause === event.cause,
                context.bytes === event.bytes,
                (event.map as Map<unknown, unknown>).has([...context.map.keys()][0]),
                (event.set as Set<unknown>).has(context.date),
              ],
            }),
          },
        },
      }),
    run(root) {
      const { map, set, date, error, bytes } = contextOf(root) as {
        map: Map<unknown, unknown>
        set: Set<unknown>
        date: Date
        error: Error
        bytes: Uint8Array
      }
      const [[key, value] = []] = map
      const [member] = set
      const more = { map: new Map([[key, 5]]), set: new Set([1, date]) }
      root.send({ type: 'look', key, value, member, date, cause: error.cause, bytes, ...more })
    },
    expected: { found: Array.from({ length: 8 }, () => true) },
  },
  'the same object twice in one event, and one that contains itself': {
    machine: () =>
      createMachine({
        id: 'twice',
        context: { found: [] as boolean[] },
        on: {
          look: {
            actions: assign({
              found: ({ event: { a, b, list: [first, second] = [], ring } }) => [
                a === b,
                first === second,
                first === a,
                ring.self === ring,
              ],
            }),
          },
        },
      }),
    run(root) {
      const a = { n: 1 }
      const ring: Record<string, unknown> = { n: 2 }
      ring['self'] = ring
      root.send({ type: 'look', a, b: a, list: [a, a], ring })
    },
    expected: { found: [true, true, true, true] },
  },
  'weak collections that machine code keeps': {
    machine: () => seen(({ n }, known) => n + (known ? 100 : 1)),
    run(root) {
      const [a, b] = [{ name: 'a' }, { name: 'a' }]
      for (const item of [a, b, a, { name: 'a' }, { item: a }, b]) root.send({ type: 'see', item })
      root.send({ type: 'see', other: 1, item: { within: [a] } })
      root.send({ type: 'other', item: a })
    },
    expected: { n: 305 },
    inClosure: true,
  },
  'an object that has left the state is sent later': {
    machine: () => list(three),
    run(root) {
      const a = itemOf(root, 0)
      root.send({ type: 'remove', item: a })
      root.send({ type: 'add', item: itemOf(root, 0) })
      root.send({ type: 'add', item: a })
      root.send({ type: 'remove', item: a })
    },
    expected: { items: [{ name: 'b' }, { name: 'c' }, { name: 'b' }], hits: 2 },
  },
}

const settled = () => new Promise(resolve => void setTimeout(resolve, 5))

async function recorded({ machine, input, run }: Case, steps: boolean) {
  const logic = machine()
  const recording = record(logic, { steps, ...(input && { input: input() }), keyframeEvery: 2 } as object)
  recording.start()
  await run(recording.actor)
  await settled()
  recording.stop()
  return recording
}

function outcomeOf(trace: ReplayableTrace, { machine }: Case): unknown {
  const report = verify(trace, { [trace.header.system]: machine() })
  return report.outcome === 'exact' ? 'exact' : report
}

describe.each(Object.entries(CASES))('%s', (_name, one) => {
  test.each([true, false])('is exact in memory and from a file, with steps: %s', async steps => {
    const { actor, trace, ...recording } = await recorded(one, steps)
    expect(contextOf(actor)).toMatchObject(one.expected)
    expect(outcomeOf(trace, one)).toBe('exact')
    const again = await readAgain({ actor, trace, ...recording })
    expect(again.damage).toEqual([])
    expect(outcomeOf(again, one)).toBe('exact')
  })
})

/** No keyframe contains what a closure refers to. */
const IN_STATE = Object.entries(CASES).filter(([, { inClosure }]) => !inClosure)

test.each(IN_STATE)('%s: exact from each of its keyframes', async (_name, one) => {
  const trace = await readAgain(await recorded(one, true))
  for (const keyframeEvery of [1, 512]) {
    const systems = { [trace.header.system]: one.machine() }
    const replay = createReplay(trace, systems, { keyframeEvery })
    replay.stepTo(replay.length)
    for (let seq = replay.length - 1; seq >= 0; seq--) {
      replay.stepTo(seq)
      replay.stepTo(replay.length)
      expect(replay.divergence, `from ${seq}`).toBeUndefined()
      expect(replay.problems).toEqual([])
    }
  }
})

test('with `identity: false`, no object is examined', () => {
  const recording = record(list(three) as AnyActorLogic, { identity: false })
  recording.start()
  const item = itemOf(recording.actor, 1)
  recording.actor.send({ type: 'remove', item })
  recording.actor.send({
    type: 'remove',
    item: new Proxy({}, { ownKeys: () => expect.fail('was examined') }),
  })
  expect(recording.trace.stimuli[0]).not.toHaveProperty('same')
})

/** Every object inside a value, each once, in a stable order. */
function objectsIn(value: unknown, found: object[] = []): object[] {
  if (typeof value !== 'object' || value === null || found.includes(value)) return found
  found.push(value)
  const parts =
    value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value)
  for (const part of parts) objectsIn(part, found)
  return found
}

interface Memory {
  /** Every object that an event contained, until it is forgotten. */
  readonly known: readonly object[]
  /** For each event, where its objects are among the known ones. */
  readonly seen: readonly (readonly number[])[]
  readonly made: readonly object[]
}

const remembering = () =>
  createMachine({
    id: 'memory',
    context: ({ input }): Memory => ({ known: objectsIn(input), seen: [], made: [] }),
    on: {
      see: {
        actions: assign(({ context, event }) => {
          const { known, seen } = context as Memory
          const objects = objectsIn(event['value'])
          return {
            known: [...known, ...objects.filter(object => !known.includes(object))],
            seen: [...seen, objects.map(object => known.indexOf(object))],
          }
        }),
      },
      make: {
        actions: assign({
          made: ({ context, event }) => [
            ...(context as Memory).made,
            { n: event['n'], inner: { kept: [{}] } },
          ],
        }),
      },
      forget: {
        actions: assign({
          known: ({ context, event }) =>
            (context as Memory).known.filter(object => object !== event['value']),
          made: ({ context, event }) => (context as Memory).made.filter(object => object !== event['value']),
        }),
      },
    },
  })

test('generated runs share objects in every way, and compare them', async () => {
  let known = 0
  const runs = volume(20, 200)
  for (let seed = 1; seed <= runs; seed++) {
    const dice = createDice(seed)
    // Everything stays in the state, as far as a keyframe knows.
    const isKept = seed % 4 === 0
    const shared: object[] = [{ id: 0 }, [1]]
    const input = { list: [shared[0], shared[0]], set: new Set([shared[1]]) }
    const recording = record(remembering() as AnyActorLogic, {
      input,
      steps: seed % 2 === 0,
      keyframeEvery: 3,
    })
    const { actor } = recording
    recording.start()
    const value = (depth: number): unknown => {
      const { known: old, made } = contextOf(actor) as unknown as Memory
      const all = [...shared, ...old, ...made, ...objectsIn(made)]
      if (dice.chance(0.5) || depth > 3) return dice.pick(all)
      const parts = Array.from({ length: dice.below(3) }, () =>
        dice.chance(0.2) ? dice.below(9) : value(depth + 1),
      )
      const fresh: object = dice.pick([
        () => parts,
        () => ({ parts, first: parts[0] }),
        () => new Map(parts.map((part, at) => [dice.chance(0.5) ? part : at, part])),
        () => new Set(parts),
        () => new Date(dice.below(1000)),
        () => ({ bytes: new Uint8Array([dice.below(256)]), error: new Error('no', { cause: parts[0] }) }),
      ])()
      if (dice.chance(0.5)) shared.push(fresh)
      return fresh
    }
    for (let n = 0; n < 12; n++) {
      const type = dice.pick(['see', 'see', 'see', 'make', isKept ? 'see' : 'forget'])
      actor.send({ type, n, ...(!(isKept && type === 'make') && { value: value(0) }) })
    }
    recording.stop()
    known += (contextOf(actor) as unknown as Memory).seen.flat().filter(at => at >= 0).length
    for (const trace of [recording.trace, await readAgain(recording)]) {
      const report = verify(trace, { memory: remembering() })
      expect(report.outcome === 'exact' ? 'exact' : report, `seed ${seed}`).toBe('exact')
    }
    if (!isKept) continue
    const replay = createReplay(await readAgain(recording), { memory: remembering() }, { keyframeEvery: 2 })
    replay.stepTo(replay.length)
    for (let seq = replay.length - 1; seq > 0; seq--) {
      replay.stepTo(seq)
      replay.stepTo(replay.length)
      expect(replay.divergence, `seed ${seed} from ${seq}`).toBeUndefined()
    }
  }
  expect(known).toBeGreaterThan(5 * runs)
}, 120_000)
