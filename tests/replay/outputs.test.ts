// Outputs of a machine are part of its behavior: a changed output is a divergence at its step, also if no state or
// context shows it.
import { describe, expect, test } from 'vitest'
import {
  assign,
  createActor,
  createMachine,
  emit,
  enqueueActions,
  fromTransition,
  log,
  raise,
  sendTo,
  setup,
  spawnChild,
  type AnyStateMachine,
  type EventObject,
} from 'xstate'
import { record } from '../../src/public/devtools/recording.ts'
import { drive, readTrace, verify } from '../../src/public/devtools/replay.ts'

const silent = () => undefined

/** An actor of another system. */
const ledger = createActor(fromTransition(() => 0, 0))
ledger.start()

interface Choices {
  readonly params?: number
  readonly inline?: number
  readonly emitted?: number
  readonly nested?: number
  readonly logged?: string
  readonly label?: string
  readonly sent?: number
  readonly delay?: number
  readonly timer?: string
  readonly raised?: number
  readonly order?: 'reverse'
  readonly start?: number
  readonly exit?: number
  readonly child?: number
}

/** A shop with every kind of output that XState has. */
function shop(choices: Choices = {}): AnyStateMachine {
  const { params = 1, inline = 1, emitted = 1, nested = 1, logged = 'sold', label = 'till' } = choices
  const { sent = 1, delay = 60_000, timer = 'close', raised = 1, start = 1, exit = 1, child = 1 } = choices
  const clerk = createMachine({
    id: 'clerk',
    on: { greet: { actions: emit({ type: 'greeted', times: child }) } },
  })
  const pair = [
    { type: 'ring', params: { times: 1 } } as const,
    { type: 'ring', params: { times: 2 } } as const,
  ]
  return setup({
    types: { context: {} as { sales: number } },
    actors: { clerk },
    actions: {
      track: (_args, _params: { readonly amount: number }) => undefined,
      ring: (_args, _params: { readonly times: number }) => undefined,
    },
    delays: { later: () => delay },
  }).createMachine({
    id: 'shop',
    context: { sales: 0 },
    invoke: { src: 'clerk', id: 'clerk' },
    initial: 'open',
    entry: { type: 'track', params: { amount: start } },
    states: {
      open: {
        after: { later: 'closed' },
        exit: { type: 'track', params: { amount: exit } },
        on: {
          sell: {
            actions: [
              assign({ sales: ({ context }) => context.sales + 1 }),
              { type: 'track', params: ({ context }) => ({ amount: context.sales * params }) },
              function inlined() {
                return inline
              },
              emit(({ context }) => ({ type: 'sold', total: context.sales * emitted })),
              log(logged, label),
              sendTo(ledger, { type: 'entry', amount: sent } as EventObject),
              enqueueActions(({ enqueue }) => enqueue.emit({ type: 'nested', nested } as EventObject)),
              ...(choices.order === 'reverse' ? pair.toReversed() : pair),
            ],
          },
          wait: { actions: raise({ type: 'note', raised }, { delay: 30_000, id: timer }) },
          greet: { actions: sendTo('clerk', { type: 'greet' }) },
          stop: 'closed',
        },
      },
      closed: {},
    },
  }) as AnyStateMachine
}

async function recorded(machine = shop()) {
  const recording = record(machine, { logger: silent })
  recording.start()
  for (const type of ['sell', 'sell', 'wait', 'greet', 'stop']) recording.actor.send({ type })
  recording.stop()
  const read = await readTrace(recording.lines().join('\n'))
  if (read.kind !== 'trace') throw new Error('the recording cannot be read')
  return read.trace
}

/** The changed choice, the event of the first step with the change, and where it is. */
const CHANGES: readonly (readonly [Choices, event: string, path: RegExp])[] = [
  [{ params: 2 }, 'sell', /^\/outputs\/0\/value\/amount$/],
  [{ emitted: 2 }, 'sell', /^\/outputs\/\d\/value\/total$/],
  [{ nested: 2 }, 'sell', /^\/outputs\/\d\/value\/nested$/],
  [{ logged: 'bought' }, 'sell', /^\/outputs\/\d\/value$/],
  [{ label: 'desk' }, 'sell', /^\/outputs\/\d\/name$/],
  [{ sent: 2 }, 'sell', /^\/outputs\/\d\/value\/amount$/],
  [{ order: 'reverse' }, 'sell', /^\/outputs\/\d\/value\/times$/],
  [{ delay: 61_000 }, 'xstate.init', /^\/outputs\/\d\/delay$/],
  [{ timer: 'shut' }, 'wait', /^\/outputs\/0\/name$/],
  [{ raised: 2 }, 'wait', /^\/outputs\/0\/value\/raised$/],
  [{ start: 2 }, 'xstate.init', /^\/outputs\/\d\/value\/amount$/],
  [{ exit: 2 }, 'stop', /^\/outputs\/\d\/value\/amount$/],
  [{ child: 2 }, 'greet', /^\/outputs\/0\/value\/times$/],
]

describe('a changed output', () => {
  test.each(CHANGES)('%o diverges at its step', async (choices, event, path) => {
    const trace = await recorded()
    const result = verify(trace, { shop: shop(choices) })
    expect(result).toMatchObject({ outcome: 'diverged', divergence: { expected: { event }, got: { event } } })
    const { divergence } = result as Extract<typeof result, { readonly outcome: 'diverged' }>
    const [difference] = divergence.differences
    expect(difference?.path).toMatch(path)
    expect(drive(trace, { shop: shop(choices) })).toMatchObject({ outcome: 'differs' })
  })

  test('none of the same machine does, nor of an inline function with another name', async () => {
    const trace = await recorded()
    expect(verify(trace, { shop: shop() })).toMatchObject({ outcome: 'exact' })
    // Minifiers rename functions.
    expect(verify(trace, { shop: shop({ inline: 2 }) })).toMatchObject({ outcome: 'exact' })
  })

  test('a recording from before outputs were recorded replays as before', async () => {
    const recording = record(shop(), { logger: silent })
    recording.start()
    recording.actor.send({ type: 'sell' })
    recording.stop()
    const lines = recording.lines().map(line => {
      const { outputs: _, ...rest } = JSON.parse(line) as Record<string, unknown>
      return JSON.stringify(rest)
    })
    const read = await readTrace(lines.join('\n'))
    if (read.kind !== 'trace') throw new Error('the recording cannot be read')
    expect(verify(read.trace, { shop: shop({ params: 2 }) })).toMatchObject({ outcome: 'exact' })
  })
})

test('outputs are written with their values, without secrets', async () => {
  const machine = createMachine({
    id: 'teller',
    on: {
      go: {
        actions: [
          { type: 'save', params: { password: 'Correct-Horse-9', list: new Set([1]) } },
          emit({ type: 'said', token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl', at: new Date(5) }),
          spawnChild(
            fromTransition(() => 0, 0),
            { id: 'kid' },
          ),
        ],
      },
    },
  }).provide({ actions: { save: silent } })
  const recording = record(machine)
  recording.start()
  recording.actor.send({ type: 'go' })
  recording.stop()
  const text = recording.lines().join('\n')
  expect(text).not.toContain('Correct-Horse')
  expect(text).not.toContain('c2lnbmF0dXJl')
  const read = await readTrace(text)
  if (read.kind !== 'trace') throw new Error('the recording cannot be read')
  const outputs = read.trace.steps.find(({ event }) => event.type === 'go')?.outputs
  expect(outputs).toMatchObject([
    { kind: 'action', name: 'save', value: { list: new Set([1]) } },
    { kind: 'emit', value: { type: 'said', at: new Date(5) } },
  ])
  expect(verify(read.trace, { teller: machine })).toMatchObject({ outcome: 'exact' })
})
