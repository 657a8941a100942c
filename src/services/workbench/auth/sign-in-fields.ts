// What is typed into the sign-in page: kept across its forms, and outside of its machine.
import { Listeners } from '../../../trace/index.ts'
import { NOTHING_TYPED, type Typed, type TypedErrors } from './checks.ts'

export interface FieldValues {
  readonly values: Typed
  readonly errors: TypedErrors
  /** The password that was rejected as weak. */
  readonly refused: string
}

/** One page's fields; `current` keeps its identity until something changes. */
export interface SignInFields {
  current(this: void): FieldValues
  subscribe(this: void, listener: () => void): () => void
  /** Sets values, and clears the errors. */
  type(part: Partial<Typed>): void
  setErrors(errors: TypedErrors): void
  /** Remembers the present password as rejected. */
  refuse(): void
}

export function createSignInFields(email: string): SignInFields {
  const listeners = new Listeners()
  let current: FieldValues = { values: { ...NOTHING_TYPED, email }, errors: {}, refused: '' }
  const update = (part: Partial<FieldValues>) => {
    current = { ...current, ...part }
    listeners.notify()
  }
  return {
    current: () => current,
    subscribe: listeners.subscribe,
    type: part => update({ values: { ...current.values, ...part }, errors: {} }),
    setErrors: errors => update({ errors }),
    refuse: () => update({ refused: current.values.password }),
  }
}
