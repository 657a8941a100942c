// The place in the hash of a window, for a console that has a window of its own or a host without a router.
import { PARAMS, type ConsoleLocation, type PlaceParams } from './location.ts'

/** Keeps the place in `location.hash`, as `#at=812&q=failed`. */
export function hashLocation(view: Window): ConsoleLocation {
  const read = (): PlaceParams => {
    const hash = new URLSearchParams(view.location.hash.slice(1))
    return Object.fromEntries(
      PARAMS.flatMap(name => {
        const value = hash.get(name)
        return value === null ? [] : [[name, value]]
      }),
    )
  }
  return {
    read,
    write: (params, how) => {
      const hash = new URLSearchParams(Object.entries(params))
      const url = `${view.location.pathname}${view.location.search}${hash.size > 0 ? `#${hash.toString()}` : ''}`
      if (how === 'push') view.history.pushState(null, '', url)
      else view.history.replaceState(null, '', url)
    },
    subscribe: listener => {
      view.addEventListener('popstate', listener)
      view.addEventListener('hashchange', listener)
      return () => {
        view.removeEventListener('popstate', listener)
        view.removeEventListener('hashchange', listener)
      }
    },
  }
}
