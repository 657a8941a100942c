// A small system for drives: a kettle that requests two effects and a timer, in versions that differ.
import { assign, fromCallback, fromPromise, sendTo, setup } from 'xstate'
import { record } from '../../src/services/recording/record.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

export interface KettleVersion {
  /** A request before the water: an effect that the first version does not have. */
  readonly asksFirst?: boolean
  /** How often the water is requested for one `fill`. */
  readonly cups?: readonly string[]
  readonly keepsWarm?: number
  /** Whether it handles `stop` while it boils. */
  readonly stops?: boolean
  readonly hasLid?: boolean
}

interface Context {
  readonly poured: readonly string[]
  readonly left: readonly string[]
  readonly heat: number
}

/** The machine; its effects respond with their input, after some time. */
export function kettleMachine(version: KettleVersion = {}, clock = createVirtualClock()) {
  const { asksFirst = false, cups = ['a', 'b'], keepsWarm = 100, stops = true, hasLid = false } = version
  const later = <T>(ms: number, value: T) =>
    new Promise<T>(resolve => void clock.setTimeout(() => resolve(value), ms))
  return setup({
    types: {
      context: {} as Context,
      events: {} as { type: 'fill' | 'stop' } | { type: 'lid.open' } | { type: 'heat'; to: number },
    },
    actors: {
      water: fromPromise(({ input }: { input: { cup: string } }) => later(5, `water for ${input.cup}`)),
      mains: fromPromise(() => later(1, 'on')),
      lid: fromCallback(() => undefined),
      stove: fromCallback<{ type: 'on' }>(({ sendBack, receive }) => {
        receive(() => {
          sendBack({ type: 'heat', to: 40 })
          clock.setTimeout(() => sendBack({ type: 'heat', to: 100 }), 20)
        })
      }),
    },
  }).createMachine({
    id: 'kettle',
    context: { poured: [], left: [], heat: 0 },
    invoke: [{ id: 'stove', src: 'stove' }, ...(hasLid ? [{ id: 'lid', src: 'lid' } as const] : [])],
    initial: 'cold',
    on: { heat: { actions: assign({ heat: ({ event }) => event.to }) } },
    states: {
      cold: {
        on: { fill: { target: asksFirst ? 'asking' : 'filling', actions: assign({ left: cups }) } },
      },
      asking: { invoke: { id: 'mains', src: 'mains', onDone: 'filling' } },
      filling: {
        invoke: {
          id: 'water',
          src: 'water',
          input: ({ context }) => ({ cup: context.left[0] ?? '' }),
          onDone: {
            target: 'filled',
            actions: assign({
              poured: ({ context, event }) => [...context.poured, event.output],
              left: ({ context }) => context.left.slice(1),
            }),
          },
        },
      },
      filled: {
        always: [
          { guard: ({ context }) => context.left.length > 0, target: 'filling' },
          { target: 'boiling' },
        ],
      },
      boiling: {
        entry: sendTo('stove', { type: 'on' }),
        after: { [keepsWarm]: 'cold' },
        on: stops ? { stop: 'cold' } : {},
      },
    },
  })
}

/** One fill that boils until it is over, and another that is stopped; a while later a measurement. */
export async function recordedKettle(version: KettleVersion = {}) {
  const clock = createVirtualClock()
  const { actor, trace } = record(kettleMachine(version, clock), { clock })
  actor.start()
  await clock.advanceAsync(1)
  actor.send({ type: 'fill' })
  await clock.advanceAsync(200)
  actor.send({ type: 'fill' })
  await clock.advanceAsync(30)
  actor.send({ type: 'stop' })
  await clock.advanceAsync(60)
  actor.send({ type: 'heat', to: 90 })
  return trace
}
