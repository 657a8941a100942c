// The router, loaded with the first page that needs it or on the first navigation.
import { Listeners } from '../../trace/index.ts'
import type { RegisteredRouter } from '@tanstack/react-router'
import { notify } from './shell/notify.ts'

export interface LazyRouter {
  readonly current: () => RegisteredRouter | undefined
  readonly subscribe: (listener: () => void) => () => void
  /** Returns the app's router; the first caller creates it. */
  readonly take: (make: () => RegisteredRouter) => RegisteredRouter
  /** Runs `todo` once the router's code has loaded. */
  readonly whenThere: (todo: (router: RegisteredRouter) => void) => void
}

/** Creates the handle, once per connection. */
export const createLazyRouter = (): LazyRouter => {
  const listeners = new Listeners()
  let router: RegisteredRouter | undefined
  const take = (make: () => RegisteredRouter) => {
    if (router) return router
    const made = make()
    router = made
    // Until a page renders, nothing else updates the router's location.
    made.history.subscribe(made.updateLatestLocation)
    queueMicrotask(() => listeners.notify())
    return made
  }
  return {
    take,
    current: () => router,
    subscribe: listeners.subscribe,
    whenThere: todo => {
      if (router) return todo(router)
      import('./router.tsx').then(
        ({ createAppRouter }) => todo(take(createAppRouter)),
        () =>
          notify({
            tone: 'fail',
            title: 'Could not load the page',
            detail: 'The server that hosts Chartroom is not responding. Try again in a moment.',
          }),
      )
    },
  }
}
