// An order with a promise, a timer and a child machine, and its specification; each defect is noticed by one check.
import { assign, fromPromise, sendParent, setup } from 'xstate'
import { hasEnded, specify } from '../../../src/public/devtools/testing.ts'

const neverRuns = () => {
  throw new Error('Random runs replace it.')
}

type ParcelEvent = { readonly type: 'parcel.scan' } | { readonly type: 'parcel.lose' }

const parcelMachine = setup({
  types: { events: {} as ParcelEvent },
  actions: { report: sendParent({ type: 'parcel.lost' }) },
}).createMachine({
  id: 'parcel',
  initial: 'packed',
  states: {
    packed: { on: { 'parcel.scan': 'moving', 'parcel.lose': 'lost' } },
    moving: { after: { 1_000: 'there' }, on: { 'parcel.lose': 'lost', 'parcel.scan': {} } },
    lost: { entry: 'report', type: 'final' },
    there: { type: 'final' },
  },
})

export const parcelSpec = specify(parcelMachine, {
  about: 'A parcel on its way.',
  events: { 'parcel.scan': [{}], 'parcel.lose': [{}] },
  settling: [{ type: 'parcel.scan' }],
  rests: hasEnded,
})

type OrderEvent =
  { readonly type: 'order.place' } | { readonly type: 'order.cancel' } | { readonly type: 'parcel.lost' }

interface OrderContext {
  readonly attempts: number
}

/** What a defect changes. */
export interface Order {
  readonly limit: number
  readonly failed: 'failed' | 'paying'
  readonly canCancel: boolean
  readonly hasExit: boolean
  readonly canLose: boolean
  readonly handlesError: boolean
}

const SOUND: Order = {
  limit: 3,
  failed: 'failed',
  canCancel: true,
  hasExit: true,
  canLose: true,
  handlesError: true,
}

function createOrder(given: Partial<Order> = {}) {
  const { limit, failed, canCancel, hasExit, canLose, handlesError } = { ...SOUND, ...given }
  return setup({
    types: {
      context: {} as OrderContext,
      events: {} as OrderEvent,
      input: {} as { readonly attempts: number },
    },
    actors: { pay: fromPromise<{ readonly receipt: string }>(neverRuns), parcel: parcelMachine },
    guards: { mayRetry: ({ context }) => context.attempts < limit },
    actions: { count: assign({ attempts: ({ context }) => context.attempts + 1 }) },
  }).createMachine({
    id: 'order',
    context: ({ input }) => ({ attempts: input.attempts }),
    initial: 'open',
    states: {
      open: { on: { 'order.place': 'paying' } },
      paying: {
        entry: 'count',
        invoke: {
          src: 'pay',
          onDone: 'sent',
          ...(handlesError && {
            onError: [{ guard: 'mayRetry', target: failed, reenter: true }, { target: 'refused' }],
          }),
        },
        after: { 60_000: 'failed' },
        on: canCancel ? { 'order.cancel': 'canceled' } : {},
      },
      failed: hasExit ? { on: { 'order.place': 'paying', 'order.cancel': 'canceled' } } : {},
      sent: {
        invoke: { id: 'parcel', src: 'parcel', onDone: 'done' },
        on: { 'parcel.lost': canLose ? 'refused' : 'failed' },
      },
      refused: { type: 'final' },
      canceled: { type: 'final' },
      done: { type: 'final' },
    },
  })
}

const LATE = 'The customer sees no such button then.'

export const orderSpec = (order: Partial<Order> = {}) =>
  specify(createOrder(order), {
    about: 'One order, from the cart to the parcel.',
    ports: {
      pay: {
        about: 'Charges the card.',
        outputs: [{ receipt: 'r1' }],
        errors: [new Error('The card was declined.')],
      },
    },
    children: { parcel: { spec: parcelSpec } },
    events: { 'order.place': [{}], 'order.cancel': [{}], 'parcel.lost': [{}] },
    randomEvents: ['order.place', 'order.cancel'],
    ignored: [
      { event: 'order.place', states: ['paying', 'sent'], reason: LATE },
      { event: 'order.cancel', states: ['open', 'sent'], reason: LATE },
      { event: 'parcel.lost', states: ['open', 'paying', 'failed'], reason: 'No parcel is on its way.' },
    ],
    inputs: [{ attempts: 0 }],
    situation: ({ attempts }) => Math.min(attempts, 4),
    settling: [{ type: 'order.place' }, { type: 'order.cancel' }],
    rests: snapshot => hasEnded(snapshot) || snapshot.matches('sent'),
    goal: snapshot => snapshot.matches('done'),
  })
