// Collects a system's steps since the last call, from its recording or, if not recorded, from inspection.
import type { AnyActorRef, InspectionEvent, Snapshot } from 'xstate'
import { type Assertion, createAssertionWatch, type StateValue, type TraceSource } from '../../trace/index.ts'
import { type TransitionsTaken, viaOf, withMicrostep } from '../recording/index.ts'
import type { SeenStep } from './breakpoints.ts'

/** Collects steps. */
export interface StepWatch {
  /** Returns the steps since the last call. */
  take(): readonly SeenStep[]
  stop(): void
}

/** State values by path when the watch began. */
export type Values = ReadonlyMap<string, StateValue | undefined>

type Traced = Pick<TraceSource, 'actors' | 'steps'>

/** Follows a recording. */
export function watchTrace(trace: Traced, known: Values): StepWatch {
  const values = new Map(known)
  let { steps: records } = trace
  let seen = records.length
  return {
    stop: () => undefined,
    take() {
      // A new recording begins with the current state of all actors.
      if (records !== trace.steps) [records, seen] = [trace.steps, 0]
      const steps: SeenStep[] = []
      for (; seen < records.length; seen++) {
        const step = records[seen]
        const path = trace.actors[step?.actor ?? -1]?.path
        if (!step || path === undefined) continue
        const { seq, value, via = [] } = step
        steps.push({ path, type: step.event.type, before: values.get(path), value, via, seq })
        if (step.status === 'active') values.set(path, value)
        else values.delete(path)
      }
      return steps
    },
  }
}

/** Follows a system by inspection, which adds a cost to every step. */
export function watchInspection(
  root: AnyActorRef,
  known: Values,
  pathOf: (ref: AnyActorRef) => string,
): StepWatch {
  const values = new Map(known)
  const taken = new Map<unknown, TransitionsTaken>()
  let steps: SeenStep[] = []
  const inspect = (event: InspectionEvent) => {
    const ref = event.actorRef as AnyActorRef
    if (event.type === '@xstate.microstep') {
      if (event._transitions.length > 0)
        taken.set(
          ref,
          withMicrostep(taken.get(ref), event._transitions, () => ({})),
        )
    } else if (event.type === '@xstate.snapshot') {
      const path = pathOf(ref)
      const { status, value } = event.snapshot as Snapshot<unknown> & { readonly value?: StateValue }
      const transitions = taken.get(ref)
      taken.delete(ref)
      const via = transitions ? viaOf(transitions) : []
      steps.push({ path, type: event.event.type, before: values.get(path), value, via })
      if (status === 'active') values.set(path, value)
      else values.delete(path)
    }
  }
  const subscription = root.system.inspect(inspect)
  return {
    stop: () => subscription.unsubscribe(),
    take() {
      const all = steps
      steps = []
      return all
    },
  }
}

/** Checks a recording against assertions. Reports failures since the last call, not earlier ones. */
export function watchAssertions(trace: TraceSource, assertions: readonly Assertion[]) {
  let found: { readonly assertion: Assertion; readonly why: string; readonly seq: number }[] = []
  const look = createAssertionWatch(trace, assertions, {
    failed: (assertion, { why }, { seq }) => void found.push({ assertion, why, seq }),
  })
  look()
  return () => {
    found = []
    look()
    return found
  }
}
