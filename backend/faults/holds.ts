// What is held: requests and responses that wait until someone lets them go on.
import type { FaultAction } from './plan.ts'

/** Something held, without its query, headers or body. */
export interface Held {
  readonly id: string
  readonly fault: string
  /** Before the request was carried out, or after. */
  readonly at: 'request' | 'response'
  readonly family: string
  readonly method?: string
  readonly path?: string
  readonly user?: string
  /** Milliseconds since 1970 by the true clock. */
  readonly since: number
}

/** What is answered in place of the real answer. */
export type HeldAnswer = Pick<FaultAction, 'status' | 'code' | 'message' | 'retryAfter'>

/** A place in the list; `released` resolves with the answer given on release, if any. */
export interface Hold {
  readonly id: string
  readonly at: Held['at']
  readonly released: Promise<HeldAnswer | undefined>
}

export interface Holds {
  hold(facts: Omit<Held, 'id' | 'since'>): Hold
  list(): readonly Held[]
  /** Lets it go on, or answers in its place; false when there is nothing of that id. */
  release(id: string, answer?: HeldAnswer): boolean
  /** Lets everything go on, now and from now on. */
  end(): void
}

/** More than this are not held back: whoever asks for so many has forgotten them. */
const MOST_HELD = 1_000

export function createHolds(): Holds {
  const held = new Map<string, { readonly facts: Held; release(answer?: HeldAnswer): void }>()
  let count = 0
  let ended = false
  const release = (id: string, answer?: HeldAnswer) => {
    const entry = held.get(id)
    held.delete(id)
    entry?.release(answer)
    return entry !== undefined
  }
  return {
    hold(facts) {
      const id = `held-${(count += 1)}`
      const { promise: released, resolve } = Promise.withResolvers<HeldAnswer | undefined>()
      if (ended || held.size >= MOST_HELD) resolve(undefined)
      else held.set(id, { facts: { id, ...facts, since: Date.now() }, release: resolve })
      return { id, at: facts.at, released }
    },
    list: () => [...held.values()].map(({ facts }) => facts),
    release,
    end() {
      ended = true
      for (const id of held.keys()) release(id)
    },
  }
}
