// Holds: requests and responses that wait until they are released.
import type { FaultAction } from './plan.ts'

/** A held request or response, without query, headers or body. */
export interface HeldRequest {
  readonly id: string
  readonly fault: string
  /** Before the request was processed, or after. */
  readonly at: 'request' | 'response'
  readonly family: string
  readonly method?: string
  readonly path?: string
  readonly user?: string
  /** Milliseconds since 1970, by the unshifted clock. */
  readonly since: number
}

/** The response that replaces the real one. */
export type HeldAnswer = Pick<FaultAction, 'status' | 'code' | 'message' | 'retryAfter'>

/** A list entry; `released` resolves with the replacement response, if any. */
export interface Hold {
  readonly id: string
  readonly at: HeldRequest['at']
  readonly released: Promise<HeldAnswer | undefined>
}

export interface HeldRequests {
  hold(facts: Omit<HeldRequest, 'id' | 'since'>): Hold
  list(): readonly HeldRequest[]
  /** Releases it, optionally with a replacement response; false if the id is unknown. */
  release(id: string, answer?: HeldAnswer): boolean
  /** Releases everything, now and in the future. */
  end(): void
}

/** More than this are not held, because a test with so many has lost track of them. */
const MOST_HELD = 1_000

export function createHeldRequests(): HeldRequests {
  const requests = new Map<string, { readonly facts: HeldRequest; release(answer?: HeldAnswer): void }>()
  let count = 0
  let isReleased = false
  const release = (id: string, answer?: HeldAnswer) => {
    const entry = requests.get(id)
    requests.delete(id)
    entry?.release(answer)
    return entry !== undefined
  }
  return {
    hold(facts) {
      const id = `held-${(count += 1)}`
      const { promise: released, resolve } = Promise.withResolvers<HeldAnswer | undefined>()
      if (isReleased || requests.size >= MOST_HELD) resolve(undefined)
      else requests.set(id, { facts: { id, ...facts, since: Date.now() }, release: resolve })
      return { id, at: facts.at, released }
    },
    list: () => [...requests.values()].map(({ facts }) => facts),
    release,
    end() {
      isReleased = true
      for (const id of requests.keys()) release(id)
    },
  }
}
