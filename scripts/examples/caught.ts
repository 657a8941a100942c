// XState as the examples see it: an actor that they create is not run, but told of.
import type { AnyActorLogic } from 'xstate'

export * from 'xstate'

/** What an example creates its actors from. */
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

/** Nobody waits for actors that are not run. */
export const waitFor = (): Promise<never> => new Promise(() => undefined)
export const toPromise = (): Promise<never> => waitFor()
