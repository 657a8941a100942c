// The opening of the app: until its first page can be used, nothing is fetched that can wait.
import { createContext, use, useEffect, useState } from 'react'

export interface Opening {
  /** Told by the first page when it can be used. */
  readonly usable: () => void
  /** The first page can be used, and has had its moment alone. */
  readonly quiet: Promise<void>
}

/** What the browser does for the first page itself is over by then, at the latest. */
const MOMENT_MS = 1_000
/** An app that opens so slowly (a host that does not answer) still keeps its recording. */
const AT_LATEST_MS = 10_000

/** One for each load of the page. */
export const createOpening = (): Opening => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    quiet: promise,
    usable: () => {
      if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: MOMENT_MS })
      else setTimeout(resolve, MOMENT_MS)
    },
  }
}

/** Over from the start, where nobody opens anything: in tests, and in parts that stand alone. */
export const OpeningContext = createContext<Opening>({
  quiet: Promise.resolve(),
  usable: () => undefined,
})

/** The opening of the app that mounts. */
export const useNewOpening = (): Opening => {
  const [opening] = useState(createOpening)
  useEffect(() => {
    const timer = setTimeout(opening.usable, AT_LATEST_MS)
    return () => clearTimeout(timer)
  }, [opening])
  return opening
}

/** For a page that can be the first: it can be used once it is there. */
export const useUsable = (): void => {
  const { usable } = use(OpeningContext)
  useEffect(usable, [usable])
}

/** Whether what can wait may be fetched. */
export const useIsQuiet = ({ quiet }: Opening): boolean => {
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
