// The Web Locks of a world: granted in order, stolen on demand, released when their holder ends.
import type { TabClock } from './world-clock.ts'

type LockCallback = (lock: { readonly name: string } | null) => unknown

interface LockOptions {
  readonly signal?: AbortSignal
  readonly steal?: boolean
  readonly ifAvailable?: boolean
}

/** What a tab sees of the locks; only the parts that are used. */
export interface TabLocks {
  request(name: string, options: LockOptions, callback: LockCallback): Promise<unknown>
  query(): Promise<{ readonly held: readonly { readonly name: string; readonly clientId: string }[] }>
  /** The tab is gone: the next tab gets its locks, and its requests are removed. */
  drop(): void
}

interface Claim {
  readonly name: string
  readonly tab: TabClock
  readonly clientId: string
  readonly grant: () => void
  readonly lose: () => void
}

/** Exclusive locks of one profile. */
export function createWorldLocks() {
  const held = new Map<string, Claim>()
  let waiting: readonly Claim[] = []
  const next = (name: string) => {
    held.delete(name)
    const first = waiting.find(claim => claim.name === name)
    if (!first) return
    waiting = waiting.filter(claim => claim !== first)
    take(first)
  }
  const take = (claim: Claim) => {
    held.set(claim.name, claim)
    claim.grant()
  }

  const request =
    (tab: TabClock, clientId: string): TabLocks['request'] =>
    (name, { signal, steal = false, ifAvailable = false }, callback) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error)
        const release = () => held.get(name) === claim && next(name)
        const run = () => {
          if (held.get(name) !== claim) return
          new Promise(done => done(callback({ name }))).then(resolve, reject).finally(release)
        }
        const claim: Claim = {
          name,
          tab,
          clientId,
          // Holders are notified in a separate task, which waits while their tab hangs.
          grant: () => tab.arrive(run, 0),
          lose: () => tab.arrive(() => reject(new DOMException('The lock was stolen.', 'AbortError')), 0),
        }
        if (steal) held.get(name)?.lose()
        if (steal || !held.has(name)) return take(claim)
        if (ifAvailable) return resolve(callback(null))
        waiting = [...waiting, claim]
        signal?.addEventListener('abort', () => {
          waiting = waiting.filter(one => one !== claim)
          reject(signal.reason as Error)
        })
      })

  /** The locks as one tab sees them. */
  const locksOf = (tab: TabClock, clientId: string): TabLocks => ({
    request: request(tab, clientId),
    query: () =>
      Promise.resolve({ held: [...held.values()].map(({ name, clientId }) => ({ name, clientId })) }),
    drop() {
      waiting = waiting.filter(claim => claim.tab !== tab)
      for (const [name, claim] of held) if (claim.tab === tab) next(name)
    },
  })
  return { locksOf }
}
