// Faults in a test, described as a story: what should go wrong, what is held back, and what was hit.
import { afterEach, expect } from 'vitest'
import type { Backend } from '../../backend/index.ts'
import type { Fault, FaultHit, FaultWhen, Held, HeldAnswer, Story } from '../../backend/faults/index.ts'

/** Something that a test holds back and lets continue. */
export interface Kept {
  /** Resolves once it is held. */
  arrived(): Promise<Held>
  /** Lets the oldest one continue, or responds in its place. */
  release(answer?: HeldAnswer): Promise<void>
}

export interface FaultScene {
  /** From now on this fails. */
  given(...faults: readonly (Fault | Story)[]): void
  /** Holds back what matches: before it is carried out, or after. */
  keep(id: string, when: FaultWhen, at?: Held['at']): Kept
  /** Hits, as `fault#n METHOD path` or `fault#n event topic phoenix`. */
  story(): string[]
}

/** Faults of a backend, removed after each test. */
export function faultScene({ faults }: Pick<Backend, 'faults'>): FaultScene {
  let since = 0
  afterEach(() => {
    faults.clear()
    for (const { id } of faults.heldRequests()) faults.release(id)
    since = faults.hits().at(-1)?.seq ?? since
  })
  return {
    given: (...added) => void faults.add(...added),
    keep(id, when, at = 'request') {
      faults.add({ id, when, do: { hold: at } })
      const oldest = () => faults.heldRequests().find(({ fault }) => fault === id)
      const arrived = async () => {
        await expect.poll(oldest, { timeout: 5_000 }).toBeDefined()
        const held = oldest()
        if (!held) throw new Error(`Nothing is held by ${id} any longer.`)
        return held
      }
      return { arrived, release: async answer => void faults.release((await arrived()).id, answer) }
    },
    story: () => faults.hits(since).map(lineOf),
  }
}

function lineOf({ fault, n, method, path, event, topic, phoenix }: FaultHit): string {
  const what = event === undefined ? [method, path] : [event, topic, phoenix]
  return [`${fault}#${n}`, ...what].filter(word => word !== undefined).join(' ')
}
