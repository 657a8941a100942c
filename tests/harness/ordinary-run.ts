// Runs of ordinary systems, unrecorded or recorded, in any platform; used by tests and by `npm run exactness`.
import { assign, createActor, createMachine, sendTo } from 'xstate'
import type { AnyActorRef, AnyEventObject, Snapshot } from 'xstate'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'
import { record } from '../../src/services/recording/record.ts'
import type { Recording } from '../../src/services/recording/recording-types.ts'
import { createDice } from './generated-world.ts'
import { EVENTS, type Input, type Item, ordinarySystem, VALUES } from './ordinary-system.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

export interface OrdinaryRun {
  /** What an app could observe: snapshots, emitted events, errors, and what the other system received. */
  readonly log: readonly string[]
  readonly recording: Recording | undefined
}

/** Another system: it counts, and responds to the actor that it is given. */
const other = createMachine({
  id: 'other',
  context: { received: [] as unknown[] },
  on: {
    noted: {
      actions: assign({ received: ({ context, event }) => [...context.received, event['n']] as unknown[] }),
    },
    answer: {
      actions: sendTo(({ event }) => (event as AnyEventObject)['to'] as AnyActorRef, {
        type: 'keep',
        value: 'answered',
      }),
    },
  },
} as never)

/** Runs the system of a seed once with about ten events. */
export async function runOrdinary(seed: number, isRecorded: boolean): Promise<OrdinaryRun> {
  const dice = createDice(seed + 1)
  const clock = createVirtualClock()
  const log: string[] = []
  const beside = createActor(other, { clock }).start()
  const tags = { color: 'green' }
  const items: readonly Item[] = ['a', 'b', 'c'].map(id => ({
    id,
    tags: dice.chance(0.5) ? tags : { color: id },
  }))
  const input: Input = { items, other: beside }
  const logic = ordinarySystem(seed)
  const options = { clock, input: input as never }
  const recording = isRecorded
    ? record(logic, { ...options, system: 'ordinary', entropy: createSeededEntropy(seed) })
    : undefined
  const actor: AnyActorRef = recording?.actor ?? createActor(logic, options)
  actor.subscribe({
    next: (snapshot: unknown) => log.push(describe(snapshot)),
    error: (error: unknown) => log.push(`failed: ${String(error)}`),
    complete: () => log.push('complete'),
  })
  actor.on('*', (event: AnyEventObject) => log.push(`emitted ${event.type}`))
  ;(actor as { start?: () => void }).start?.()
  let earlier: Item | undefined
  for (let at = 0; at < 10; at++) {
    const { context } = actor.getSnapshot() as { readonly context: { readonly items: readonly Item[] } }
    const found = dice.chance(0.7) && context.items.length > 0 ? dice.pick(context.items) : earlier
    earlier = dice.chance(0.5) ? found : earlier
    const item = dice.chance(0.1) ? { id: 'new', tags } : found
    const value = dice.chance(0.2) ? item : dice.pick(VALUES)()
    actor.send({ type: dice.pick(EVENTS), item, value } as AnyEventObject)
    if (dice.chance(0.5)) clock.advance(dice.below(4))
    for (let turns = dice.below(5); turns > 0; turns--) await Promise.resolve()
  }
  clock.advance(10)
  for (let turns = 0; turns < 5; turns++) await Promise.resolve()
  log.push(`other received ${JSON.stringify(beside.getSnapshot().context)}`)
  ;(actor as { stop?: () => void }).stop?.()
  beside.stop()
  return { log, recording }
}

function describe(snapshot: unknown): string {
  const { status, value, context } = snapshot as Snapshot<unknown> & {
    readonly value: unknown
    readonly context: {
      readonly n: number
      readonly kept: unknown
      readonly items: readonly Item[]
      readonly chosen?: Item
    }
  }
  const { n, kept, items, chosen } = context
  const at = chosen ? items.indexOf(chosen) : 'none'
  return [status, JSON.stringify(value), n, describeKept(kept), items.map(({ id }) => id).join(), at].join(
    ' | ',
  )
}

function describeKept(kept: unknown): string {
  if (kept instanceof Date) return `Date ${kept.getTime()}`
  if (Array.isArray(kept)) return kept.map(describeKept).join()
  return typeof kept === 'object' && kept !== null ? kept.constructor.name : String(kept)
}
