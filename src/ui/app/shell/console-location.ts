// The console's location in the app's URL, next to the page's own params.
import type { RegisteredRouter } from '@tanstack/react-router'
import type { ConsoleLocation, PlaceParams } from '../../console/index.ts'
import { CONSOLE_SEARCH } from '../console-search.ts'
import { isJump } from '../requests/console-jump.ts'

/** Reads and writes the router's search params; other params are kept. */
export function consoleLocation(router: RegisteredRouter): ConsoleLocation {
  const read = (): PlaceParams => {
    const search: Readonly<Record<string, unknown>> = router.latestLocation.search
    const entries = Object.entries(CONSOLE_SEARCH).flatMap(([name, key]) => {
      const value = search[key]
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
    })
    return Object.fromEntries(entries) as PlaceParams
  }
  const write: ConsoleLocation['write'] = (params, how) => {
    const own = Object.entries(CONSOLE_SEARCH).map(([name, key]) => [
      key,
      plain(params[name as keyof PlaceParams]),
    ])
    void router.navigate({
      to: '.',
      search: (search: object) => ({ ...search, ...Object.fromEntries(own) }) as never,
      replace: how === 'replace',
      resetScroll: false,
    })
  }
  // Ignores the console's own writes.
  const subscribe = (listener: () => void) =>
    router.history.subscribe(({ action: { type }, location }) => {
      const isBack = type === 'BACK' || type === 'FORWARD' || type === 'GO'
      if (isBack || isJump(location.state)) listener()
    })
  // Taken from the current page without that page's own params, which have another meaning.
  const link = (params: PlaceParams) => {
    const url = new URL(router.latestLocation.pathname, window.location.href)
    for (const [name, key] of Object.entries(CONSOLE_SEARCH)) {
      const value = params[name as keyof PlaceParams]
      if (value !== undefined) url.searchParams.set(key, value)
    }
    return url.href
  }
  return { read, write, subscribe, link }
}

/** The router quotes strings that look like numbers. */
const plain = (value: string | undefined) =>
  value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : value
