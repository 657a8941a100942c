// Patterns that are checked against a machine's types: its states, its events, the names in its context.
import type { Comparison, Comparisons, StepPattern } from './language.ts'

/** The types of a machine that patterns need; XState machines provide them. */
export interface MachineLike {
  readonly id: string
  transition(snapshot: never, event: never, scope: never): unknown
}

type SnapshotOf<M extends MachineLike> = Extract<ReturnType<M['transition']>, { value: unknown }>
type EventOf<M extends MachineLike> = Parameters<M['transition']>[1] extends never
  ? never
  : Parameters<M['transition']>[1]

type Join<A extends string, B extends string> = `${A}.${B}`

/** Paths of the states in a state value. */
export type StatePath<V> = V extends string
  ? V
  : V extends object
    ? { [K in keyof V & string]: K | Join<K, StatePath<NonNullable<V[K]>> & string> }[keyof V & string]
    : never

type Plain =
  string | number | boolean | bigint | null | undefined | readonly unknown[] | ((...args: never) => unknown)
type Less = [never, 0, 1, 2, 3]

/** Paths of the values in a context, four keys deep. */
export type ValuePath<C, Depth extends number = 4> = [Depth] extends [never]
  ? string
  : C extends Plain
    ? never
    : string extends keyof C
      ? string
      : {
          [K in keyof C & string]: K | Join<K, ValuePath<NonNullable<C[K]>, Less[Depth]> & string>
        }[keyof C & string]

type Names<T extends string> = T | `**.${string}` | readonly (T | `**.${string}`)[]
type Types<E> = E extends { readonly type: infer T extends string } ? T : never
type Prefixes<T extends string> = T extends `${infer Head}.${string}` ? `${Head}.*` : never
type Events<E> = Types<E> | Prefixes<Types<E>> | `xstate.${string}` | '*'

/** A pattern over the steps of one machine. */
export interface MachinePattern<M extends MachineLike> extends Omit<
  StepPattern,
  'src' | 'state' | 'entered' | 'left' | 'event' | 'context' | 'was'
> {
  readonly event?: Events<EventOf<M>> | readonly Events<EventOf<M>>[]
  readonly state?: Names<StatePath<SnapshotOf<M>['value']>>
  readonly entered?: Names<StatePath<SnapshotOf<M>['value']>>
  readonly left?: Names<StatePath<SnapshotOf<M>['value']>>
  readonly context?: ContextPattern<SnapshotOf<M>>
  readonly was?: Pick<MachinePattern<M>, 'state' | 'status' | 'context'>
}

type ContextPattern<S> = S extends { readonly context: infer C }
  ? { readonly [P in ValuePath<C>]?: Comparison }
  : Comparisons

/**
 * Creates patterns over the steps of a machine, checked against its types: `stepsOf(machine)({ state: 'ready'
 * })`. `src` is the name under which it was provided, if that is not its id.
 */
export function stepsOf<M extends MachineLike>(
  machine: M,
  src: string = machine.id,
): (pattern?: MachinePattern<M>) => StepPattern {
  return (pattern = {}) => ({ ...(pattern as StepPattern), src })
}
