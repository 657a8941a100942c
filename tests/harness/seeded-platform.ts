// The platform's time and random values from a seed, so that two runs read the same ones.
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'

/** The recorder reads the time and creates ids too, so these do not change. */
const NOW = 1_700_000_000_000

/** Replaces `Math.random`, `Date.now`, `performance.now` and `crypto`'s random values while `run` runs. */
export async function withSeededPlatform<T>(seed: number, run: () => Promise<T>): Promise<T> {
  const { random } = createSeededEntropy(seed)
  const RealDate = Date
  const StillDate = new Proxy(Date, {
    construct: (target, args, to) => Reflect.construct(target, args.length > 0 ? args : [NOW], to) as object,
    apply: () => new RealDate(NOW).toString(),
  })
  const restore = [
    replace(Math, 'random', () => random()),
    replace(Date, 'now', () => NOW),
    replace(globalThis, 'Date', StillDate),
    replace(performance, 'now', () => 5),
    replace(crypto, 'randomUUID', () => '00000000-0000-4000-8000-000000000000'),
    replace(crypto, 'getRandomValues', <A>(array: A): A => array),
  ]
  try {
    return await run()
  } finally {
    for (const back of restore) back()
  }
}

function replace(target: object, name: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, { value, configurable: true, writable: true })
  return () => {
    if (own) Object.defineProperty(target, name, own)
    else Reflect.deleteProperty(target, name)
  }
}
