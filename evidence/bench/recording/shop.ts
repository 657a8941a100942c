// The machine that is recorded alone: a shop's checkout with twenty states, guards, delays and a growing
// context.
import { SimulatedClock, assign, setup } from 'xstate'

interface Item {
  readonly sku: string
  readonly count: number
  readonly price: number
}

interface ShopContext {
  readonly items: readonly Item[]
  readonly address: { readonly street: string; readonly city: string } | undefined
  readonly total: number
  readonly tries: number
  readonly orders: number
  readonly last: readonly string[]
}

type ShopEvent =
  | { readonly type: 'search'; readonly words: string }
  | { readonly type: 'open' | 'remove'; readonly sku: string }
  | { readonly type: 'add'; readonly sku: string; readonly price: number }
  | { readonly type: 'address'; readonly street: string; readonly city: string }
  | { readonly type: 'pay'; readonly card: string }
  | { readonly type: 'back' | 'checkout' | 'ship' | 'confirm' | 'refused' | 'accepted' | 'return' | 'again' }

/** Counts custom actions, which must have some effect. */
const counted = { actions: 0 }

const EMPTY = { items: [], address: undefined, total: 0, tries: 0 } satisfies Partial<ShopContext>

const shop = setup({
  types: { context: {} as ShopContext, events: {} as ShopEvent },
  delays: { backoff: ({ context }) => 100 * 2 ** context.tries, patience: 5000 },
  guards: {
    hasItems: ({ context }) => context.items.length > 0,
    hasAddress: ({ context }) => context.address !== undefined,
    mayRetry: ({ context }) => context.tries < 3,
    isKnown: ({ context, event }) =>
      event.type === 'remove' && context.items.some(one => one.sku === event.sku),
  },
  actions: {
    note: assign({ last: ({ context, event }) => [...context.last, event.type].slice(-8) }),
    put: assign({
      items: ({ context, event }) =>
        event.type === 'add'
          ? [...context.items, { sku: event.sku, count: 1, price: event.price }]
          : context.items,
    }),
    take: assign({
      items: ({ context, event }) =>
        event.type === 'remove' ? context.items.filter(one => one.sku !== event.sku) : context.items,
    }),
    sum: assign({
      total: ({ context }) => context.items.reduce((sum, one) => sum + one.count * one.price, 0),
    }),
    track: () => void (counted.actions += 1),
  },
}).createMachine({
  id: 'shop',
  context: { ...EMPTY, orders: 0, last: [] },
  initial: 'browsing',
  on: { again: { target: '.browsing', actions: assign(EMPTY) } },
  states: {
    browsing: {
      initial: 'list',
      on: {
        add: { actions: ['put', 'sum', 'note'] },
        remove: { guard: 'isKnown', actions: ['take', 'sum', 'note'] },
        checkout: { guard: 'hasItems', target: 'checkout' },
      },
      states: {
        list: { on: { search: 'searching', open: 'detail' } },
        searching: { after: { 200: 'found', patience: 'list' }, on: { back: 'list' } },
        found: { on: { open: { target: 'detail', actions: 'note' }, back: 'list' } },
        detail: { entry: 'track', on: { back: 'found' } },
      },
    },
    checkout: {
      initial: 'address',
      on: { back: { target: 'browsing', actions: 'note' } },
      states: {
        address: {
          on: {
            address: {
              target: 'shipping',
              actions: assign({ address: ({ event: { street, city } }) => ({ street, city }) }),
            },
          },
        },
        shipping: { on: { ship: { guard: 'hasAddress', target: 'payment' } } },
        payment: {
          initial: 'card',
          states: {
            card: { on: { pay: { target: 'verifying', actions: ['note', 'track'] } } },
            verifying: {
              on: {
                accepted: '#shop.checkout.review',
                refused: [
                  {
                    guard: 'mayRetry',
                    target: 'waiting',
                    actions: assign({ tries: ({ context }) => context.tries + 1 }),
                  },
                  { target: '#shop.failed' },
                ],
              },
              after: { patience: 'waiting' },
            },
            waiting: { after: { backoff: 'verifying' } },
          },
        },
        review: { on: { confirm: '#shop.placing' } },
      },
    },
    placing: {
      entry: 'track',
      after: { 50: { target: 'placed', actions: assign({ orders: ({ context }) => context.orders + 1 }) } },
    },
    placed: {
      initial: 'packed',
      on: { return: 'returning' },
      states: {
        packed: { after: { 1000: 'shipped' } },
        shipped: { after: { 2000: 'delivered' } },
        delivered: { entry: 'note' },
      },
    },
    returning: { always: { guard: 'hasItems', target: 'refunded' } },
    refunded: { entry: assign(EMPTY) },
    failed: { entry: 'note' },
  },
})

type ShopStep = ShopEvent | number

/** One visit: the events sent, and the milliseconds between them. */
const VISIT: readonly ShopStep[] = [
  { type: 'search', words: 'lamp' },
  200,
  { type: 'open', sku: 'lamp-1' },
  { type: 'add', sku: 'lamp-1', price: 40 },
  { type: 'back' },
  { type: 'open', sku: 'rope-9' },
  { type: 'add', sku: 'rope-9', price: 12 },
  { type: 'remove', sku: 'sail-3' },
  { type: 'remove', sku: 'lamp-1' },
  { type: 'add', sku: 'lamp-2', price: 55 },
  { type: 'checkout' },
  { type: 'ship' },
  { type: 'address', street: 'Quay 4', city: 'Kiel' },
  { type: 'ship' },
  { type: 'pay', card: 'harbour' },
  { type: 'refused' },
  200,
  { type: 'accepted' },
  { type: 'confirm' },
  50,
  1000,
  2000,
  { type: 'return' },
  { type: 'search', words: 'nothing listens' },
  { type: 'again' },
]

export const shopWorkload = {
  logic: shop,
  words:
    'a checkout of 20 states: 25 actions per visit, of which 5 advance the time and 2 are rejected by a guard',
  clock: () => new SimulatedClock(),
  /** Performs the given number of actions. */
  drive(actor: { send(event: ShopEvent): void }, clock: SimulatedClock, count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const step = VISIT[n % VISIT.length]
      if (typeof step === 'number') clock.increment(step)
      else if (step) actor.send(step)
    }
    return Promise.resolve()
  },
}
