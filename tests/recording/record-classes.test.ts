// Instances of an app's classes are instances in a replay, too; otherwise the report names class and path.
import { assign, createMachine, fromPromise } from 'xstate'
import type { AnyActorLogic } from 'xstate'
import { describe, expect, test } from 'vitest'
import { record } from '../../src/services/recording/index.ts'
import { type Codec, withCodec } from '../../src/services/runtime/index.ts'
import { createReplay, verify } from '../../src/services/replay/index.ts'
import { readAgain } from '../harness/bare-and-recorded.ts'

class Money {
  amount: number
  constructor(amount: number) {
    this.amount = amount
  }
  doubled(): number {
    return this.amount * 2
  }
}

class PaymentError extends Error {
  override readonly name = 'PaymentError'
  readonly code: number
  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

class Basket extends Array<Money> {
  total(): number {
    return this.reduce((sum, { amount }) => sum + amount, 0)
  }
}

/** Its field is private, so it has a codec. */
class Account {
  readonly #number: string
  constructor(number: string) {
    this.#number = number
  }
  get number(): string {
    return this.#number
  }
}

/** Its own codec. */
class Point {
  readonly #at: readonly [number, number]
  constructor(x: number, y: number) {
    this.#at = [x, y]
  }
  static fromJSON([x, y]: [number, number]): Point {
    return new Point(x, y)
  }
  toJSON(): readonly [number, number] {
    return this.#at
  }
  get x(): number {
    return this.#at[0]
  }
}

class Tick {
  readonly n: number
  constructor(n: number) {
    this.n = n
  }
  get type(): string {
    return 'tick'
  }
  next(): number {
    return this.n + 1
  }
}

const ACCOUNT = {
  class: Account,
  encode: ({ number }: Account) => ({ number }),
  decode: ({ number }: { number: string }) => new Account(number),
}

const SHOP = { Money, errors: { PaymentError }, Basket, ACCOUNT, Point, Tick, fix: 5 }

const shop = () =>
  createMachine({
    id: 'shop',
    context: ({ input }) => ({ budget: input as Money, paid: [] as unknown[] }),
    invoke: {
      src: fromPromise(() => Promise.reject<unknown>(new PaymentError('declined', 7))),
      onError: [
        {
          guard: ({ event }) => event.error instanceof PaymentError,
          actions: assign({
            paid: ({ context, event }) => [...context.paid, (event.error as PaymentError).code],
          }),
        },
        { actions: assign({ paid: ({ context }) => [...context.paid, 'unknown error'] }) },
      ],
    },
    on: {
      pay: {
        guard: ({ event }) => event.price instanceof Money,
        actions: assign({
          paid: ({ context, event }) => [...context.paid, (event.price as Money).doubled(), event.price],
        }),
      },
      fill: {
        guard: ({ event }) => event.basket instanceof Basket,
        actions: assign({
          paid: ({ context, event }) => [...context.paid, (event.basket as Basket).total()],
        }),
      },
      move: {
        actions: assign({
          paid: ({ context, event }) => [
            ...context.paid,
            (event.account as Account).number,
            (event.point as Point).x,
            event.point,
          ],
        }),
      },
      tick: {
        actions: assign({
          paid: ({ context, event }) => [...context.paid, (event as unknown as Tick).next()],
        }),
      },
      again: {
        guard: ({ context, event }) => event.price instanceof Money && context.budget instanceof Money,
        actions: assign({ paid: ({ context, event }) => [context.paid.includes(event.price)] }),
      },
    },
  })

async function recorded(codec?: Codec) {
  const recording = record(shop() as AnyActorLogic, { input: new Money(50), ...(codec && { codec }) })
  recording.start()
  await new Promise(resolve => void setTimeout(resolve, 2))
  const { actor } = recording
  const price = new Money(3)
  actor.send({ type: 'pay', price })
  actor.send({ type: 'fill', basket: Basket.of(new Money(1), new Money(2)) as Basket })
  actor.send({ type: 'move', account: new Account('DE1'), point: new Point(4, 5) })
  actor.send(new Tick(1))
  actor.send({ type: 'again', price })
  recording.stop()
  return recording
}

describe('instances', () => {
  test('a recording in memory and its file replay with the exports of a module', async () => {
    const recording = await recorded(SHOP)
    const { context } = recording.actor.getSnapshot() as { context: { paid: unknown } }
    expect(context.paid).toEqual([true])
    const memory = verify(recording.trace, { shop: shop() }, { codec: SHOP })
    expect(memory.outcome === 'exact' ? 'exact' : memory).toBe('exact')
    const file = verify(await readAgain(recording), { shop: shop() }, { codec: SHOP })
    expect(file.outcome === 'exact' ? 'exact' : file).toBe('exact')
  })

  test('a replay from a keyframe restores those of the state', async () => {
    const trace = await readAgain(await recorded(SHOP))
    const replay = createReplay(trace, { shop: withCodec(shop(), SHOP) }, { keyframeEvery: 1 })
    replay.stepTo(replay.length)
    for (let seq = replay.length - 1; seq > 0; seq--) {
      replay.stepTo(seq)
      replay.stepTo(replay.length)
      expect(replay.divergence).toBeUndefined()
    }
  })

  test('without the class, the report names class and path', async () => {
    const report = verify(await readAgain(await recorded(SHOP)), { shop: shop() })
    expect(report).toMatchObject({
      outcome: 'diverged',
      hints: expect.arrayContaining([
        'PaymentError at /event/data of the event xstate.promise.reject (#0) lost its class: pass the class in `codec`',
      ]) as unknown,
    })
  })

  test('the classes of the values in a recording in memory need not be given', () => {
    const recording = record(shop() as AnyActorLogic, { input: new Money(1) })
    recording.start()
    recording.actor.send({ type: 'pay', price: new Money(3) })
    recording.actor.send({ type: 'fill', basket: Basket.of(new Money(1)) as Basket })
    recording.actor.send({ type: 'again', price: new Money(3) })
    expect(verify(recording.trace, { shop: shop() }).outcome).toBe('exact')
  })
})
