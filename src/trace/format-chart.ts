// A machine's structure as a trace holds it: its states, their transitions, and what its events carry.
import type { EventSchemas } from './payload-schema.ts'

/** A machine's structure: enough to draw it and to tell whether it changed. */
export interface MachineChart {
  readonly id: string
  readonly hash: string
  readonly root: ChartState
  /** 2: it tells re-entering, kinds of history and delays, and its hash goes by them. Absent in older files. */
  readonly revision?: 2
  /** What its events carry, where the machine says so. */
  readonly events?: EventSchemas
}

export interface ChartState {
  /** Path from the machine's root, joined with dots; empty for the root. */
  readonly path: string
  readonly key: string
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  readonly initial?: string
  /** Of a history state: whether it brings back all levels or its own alone. */
  readonly history?: 'shallow' | 'deep'
  /** Of a history state: paths of where it leads at first, if not to where its parent begins. */
  readonly fallback?: readonly string[]
  readonly states: readonly ChartState[]
  readonly transitions: readonly ChartTransition[]
  readonly entry: readonly string[]
  readonly exit: readonly string[]
  readonly invoke: readonly { readonly id: string; readonly src: string }[]
  readonly tags: readonly string[]
  readonly description?: string
}

export interface ChartTransition {
  /** Event descriptor, `after <delay>`, `always`, `done <src>` or `error <src>`. */
  readonly event: string
  /** Paths of the targets; empty for a transition without a target. */
  readonly targets: readonly string[]
  readonly guard?: string
  readonly actions: readonly string[]
  /** It leaves and enters its state anew, also where it leads to itself or inwards. */
  readonly reenter?: true
  /** Milliseconds of an `after`; absent where code tells them when the time comes. */
  readonly delay?: number
  readonly description?: string
}
