// The typed helper: faults added, taken away, looked at and released by whoever runs the backend.
import { parseFaults, parsePlan } from './parse-plan.ts'
import type { Engine } from './engine.ts'
import type { FaultHit } from './hits.ts'
import type { Held, HeldAnswer } from './holds.ts'
import type { Fault, FaultPlan, Story } from './plan.ts'

/** Faults of a running backend. What is wrong with a plan is thrown as a `FaultPlanError`. */
export interface FaultControl {
  /** Adds faults behind those there are; answers their ids. */
  add(...faults: readonly (Fault | Story)[]): readonly string[]
  /** Takes a whole new plan; counting begins anew. */
  replace(plan: FaultPlan): readonly string[]
  /** Takes away one fault, a story by its name, or all; what is held stays held. Answers how many went. */
  clear(id?: string): number
  /** The plan as it stands, with how often each has hit. */
  plan(): ReturnType<Engine['plan']>
  /** The latest hits, oldest first; those after a `seq` where one is given. */
  hits(since?: number): readonly FaultHit[]
  /** Resolves with the next hit, of one fault or of any. */
  nextHit(fault?: string): Promise<FaultHit>
  onHit(listener: (hit: FaultHit) => void): () => void
  /** What waits to be released, oldest first. */
  held(): readonly Held[]
  /** Lets it go on, or answers in its place; false when there is nothing of that id. */
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
    held: holds.list,
    release: holds.release,
  }
}
