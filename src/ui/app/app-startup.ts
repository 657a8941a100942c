// Startup of the app: defers all optional loading until the first page is usable.
import { createContext, use, useEffect, useState } from 'react'
import { useTimeout } from '../widgets/time.ts'

export interface AppStartup {
  /** Called by the first page once it is usable. */
  readonly usable: () => void
  /** Resolves when the first page is usable and the browser was idle, or after a short timeout. */
  readonly quiet: Promise<void>
}

/** Upper bound for the browser's own work on the first page. */
const MOMENT_MS = 1_000
/** A slow start, such as with an unresponsive backend, still gets its recording stored. */
const AT_LATEST_MS = 10_000

/** Creates the startup state, once per page load. */
export const createAppStartup = (): AppStartup => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    quiet: promise,
    usable: () => {
      if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: MOMENT_MS })
      // Safari does not report idle time.
      else setTimeout(resolve, MOMENT_MS)
    },
  }
}

/** Already resolved by default: for tests and components outside of the app. */
export const AppStartupContext = createContext<AppStartup>({
  quiet: Promise.resolve(),
  usable: () => undefined,
})

/** Startup state of the mounted app. */
export const useNewAppStartup = (): AppStartup => {
  const [opening] = useState(createAppStartup)
  useTimeout(opening.usable, AT_LATEST_MS)
  return opening
}

/** Reports on mount that the page is usable; for pages that may be shown first. */
export const useUsable = (): void => {
  const { usable } = use(AppStartupContext)
  useEffect(usable, [usable])
}

/** Whether deferred loading may start. */
export const useIsQuiet = ({ quiet }: AppStartup): boolean => {
  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => {
    let current = true
    void quiet.then(() => {
      if (current) setQuiet(true)
    })
    return () => {
      current = false
    }
  }, [quiet])
  return isQuiet
}
