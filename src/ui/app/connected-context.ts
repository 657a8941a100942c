// Contexts of the app for the backend that it is connected to.
import { createContext, use, useSyncExternalStore } from 'react'
import type { RegisteredRouter } from '@tanstack/react-router'
import type { ControlHandle } from '../../services/control/index.ts'
import type { LoadTraceStore } from '../../services/workbench/storage/index.ts'
import { createLazyRouter, type LazyRouter } from './lazy-router.ts'

export interface ConnectedApp {
  readonly router: LazyRouter
  /** Controls the current client; undefined outside of the app, where nothing can be controlled. */
  readonly control: ControlHandle | undefined
  /** Undefined outside of the app, where nothing is stored. */
  readonly traces: LoadTraceStore | undefined
  /** Path of the schema file that the deployment serves for the backend; undefined if there is none. */
  readonly schemaFile: string | undefined
}

export const ConnectedContext = createContext<ConnectedApp>({
  router: createLazyRouter(),
  control: undefined,
  traces: undefined,
  schemaFile: undefined,
})

/** The user has signed in on this page, so that the app takes over the focus of the form. */
export const SignedInHereContext = createContext(false)

export const useConnected = (): ConnectedApp => use(ConnectedContext)

/** The router, or undefined if it has not been loaded yet. */
export const useRouterIfThere = (): RegisteredRouter | undefined => {
  const { subscribe, current } = useConnected().router
  return useSyncExternalStore(subscribe, current)
}
