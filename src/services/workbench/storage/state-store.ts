// A state that components subscribe to.
import { Listeners } from '../../../trace/index.ts'

/** Base of the stores that outlive pages; each update replaces the state, for `useSyncExternalStore`. */
export class StateStore<State extends object> {
  readonly #listeners = new Listeners()
  #state: State

  constructor(state: State) {
    this.#state = state
  }

  readonly state = (): State => this.#state

  readonly subscribe = this.#listeners.subscribe

  protected update(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change }
    this.#listeners.notify()
  }
}
