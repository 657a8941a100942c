// A machine's structure in a trace: its states, their transitions, and the payloads of its events.

/** A machine's structure: enough to draw it and to detect changes. */
export interface MachineChart {
  readonly id: string
  readonly hash: string
  readonly root: ChartState
  /** The payloads of its events, if the machine declares them. */
  readonly events?: EventSchemas
}

export interface ChartState {
  /** Path from the machine's root, joined with dots; empty for the root. */
  readonly path: string
  readonly key: string
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  readonly initial?: string
  /** For a history state: whether it restores all levels or only one. */
  readonly history?: 'shallow' | 'deep'
  /** For a history state: paths of its default targets, if not the parent's initial state. */
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
  /** Exits and re-enters its state, even if the target is the state itself or a descendant. */
  readonly reenter?: true
  /** Milliseconds of an `after`; absent if code computes them at run time. */
  readonly delay?: number
  readonly description?: string
}

/** A subset of JSON Schema; other keywords are ignored. */
export interface PayloadSchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, PayloadSchema>>
  readonly required?: readonly string[]
  readonly items?: PayloadSchema
  readonly anyOf?: readonly PayloadSchema[]
}

/** Payload schemas by event type; they do not contain `type` itself. */
export type EventSchemas = Readonly<Record<string, PayloadSchema>>
