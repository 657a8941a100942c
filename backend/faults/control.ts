// Typed API to add, remove, inspect and release faults from the process that runs the backend.
import { parseFaults, parsePlan } from './parse-plan.ts'
import type { Engine } from './engine.ts'
import type { FaultHit } from './hits.ts'
import type { HeldRequest, HeldAnswer } from './held-requests.ts'
import type { Fault, FaultPlan, Story } from './plan.ts'

/** Faults of a running backend. Invalid plans throw a `FaultPlanError`. */
export interface FaultControl {
  /** Appends faults; returns their ids. */
  add(...faults: readonly (Fault | Story)[]): readonly string[]
  /** Replaces the plan; counters start again. */
  replace(plan: FaultPlan): readonly string[]
  /**
   * Removes one fault, a story by its name, or all faults; held requests stay held. Returns the number
   * removed.
   */
  clear(id?: string): number
  /** The current plan, with the number of hits of each fault. */
  plan(): ReturnType<Engine['plan']>
  /** The latest hits, oldest first; only those after `seq` if given. */
  hits(since?: number): readonly FaultHit[]
  /** Resolves with the next hit, of one fault or of any. */
  nextHit(fault?: string): Promise<FaultHit>
  onHit(listener: (hit: FaultHit) => void): () => void
  /** Held requests and responses, oldest first. */
  heldRequests(): readonly HeldRequest[]
  /** Releases a held request, optionally with a replacement response; false if the id is unknown. */
  release(id: string, answer?: HeldAnswer): boolean
}

export function createControl(engine: Engine): FaultControl {
  const { hits, holds } = engine
  return {
    add: (...faults) => engine.add(parseFaults(faults)),
    replace: plan => engine.replace(parsePlan(plan)),
    clear: engine.remove,
    plan: engine.plan,
    hits: hits.list,
    nextHit: fault =>
      new Promise(resolve => {
        const stop = hits.subscribe(hit => {
          if (fault !== undefined && hit.fault !== fault) return
          stop()
          resolve(hit)
        })
      }),
    onHit: hits.subscribe,
    heldRequests: holds.list,
    release: holds.release,
  }
}
