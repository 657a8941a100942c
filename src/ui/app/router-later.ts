// The router, which comes with the first page that needs it: whoever only leads somewhere asks for it then.
import { createContext, use, useSyncExternalStore } from 'react'
import type { RegisteredRouter } from '@tanstack/react-router'
import { notify } from './shell/notify.ts'

export interface RouterLater {
  readonly current: () => RegisteredRouter | undefined
  readonly subscribe: (listener: () => void) => () => void
  /** That of the app; made by the first who has its code. */
  readonly take: (make: () => RegisteredRouter) => RegisteredRouter
  /** Does something with it as soon as its code is there. */
  readonly whenThere: (todo: (router: RegisteredRouter) => void) => void
}

/** For one connection. */
export const createRouterLater = (): RouterLater => {
  const listeners = new Set<() => void>()
  let router: RegisteredRouter | undefined
  const take = (make: () => RegisteredRouter) => {
    if (router) return router
    const made = make()
    router = made
    // Before a page is there nobody else tells it where the app has gone.
    made.history.subscribe(made.updateLatestLocation)
    queueMicrotask(() => listeners.forEach(listener => listener()))
    return made
  }
  return {
    take,
    current: () => router,
    subscribe: listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    whenThere: todo => {
      if (router) return todo(router)
      import('./router.tsx').then(
        ({ createAppRouter }) => todo(take(createAppRouter)),
        () =>
          notify({
            tone: 'fail',
            title: 'The way there could not be loaded',
            detail: 'Where Chartroom is served from does not answer. Try again in a moment.',
          }),
      )
    },
  }
}

export const RouterContext = createContext<RouterLater>(createRouterLater())

/** The router, once somebody needed it. */
export const useRouterIfThere = (): RegisteredRouter | undefined => {
  const { subscribe, current } = use(RouterContext)
  return useSyncExternalStore(subscribe, current)
}
