// A replacement for XState in the examples: actors that they create are recorded but not run.
import type { AnyActorLogic } from 'xstate'

export * from 'xstate'

/** The logic and options of each actor that an example creates. */
export const created: { readonly logic: AnyActorLogic; readonly options: { readonly input?: unknown } }[] = []

const idle = {
  start: () => idle,
  stop: () => idle,
  send: () => undefined,
  on: () => ({ unsubscribe: () => undefined }),
  subscribe: () => ({ unsubscribe: () => undefined }),
  getSnapshot: () => ({ context: {}, value: {}, matches: () => false, can: () => false, children: {} }),
  getPersistedSnapshot: () => ({}),
}

export function createActor(logic: AnyActorLogic, options: { readonly input?: unknown } = {}): typeof idle {
  created.push({ logic, options })
  return idle
}

export { createActor as interpret }

/** Never resolves, because the actors are not run. */
export const waitFor = (): Promise<never> => new Promise(() => undefined)
export const toPromise = (): Promise<never> => waitFor()
