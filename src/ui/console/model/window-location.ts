// The place in the address of the console's own window.
import { PARAMS, type ConsoleLocation, type PlaceParams } from './location.ts'

/** Stores the place in the search part of the address, as `?at=812&q=failed`; other parameters are kept. */
export function windowLocation(view: Window): ConsoleLocation {
  const read = (): PlaceParams => {
    const search = new URLSearchParams(view.location.search)
    return Object.fromEntries(
      PARAMS.flatMap(name => {
        const value = search.get(name)
        return value === null ? [] : [[name, value]]
      }),
    )
  }
  const addressOf = (params: PlaceParams): string => {
    const search = new URLSearchParams(view.location.search)
    for (const name of PARAMS) search.delete(name)
    for (const [name, value] of Object.entries(params)) search.set(name, value)
    const { pathname, hash } = view.location
    return `${pathname}${search.size > 0 ? `?${search.toString()}` : ''}${hash}`
  }
  return {
    read,
    link: params => new URL(addressOf(params), view.location.href).href,
    write: (params, how) => {
      const url = addressOf(params)
      if (how === 'push') view.history.pushState(null, '', url)
      else view.history.replaceState(null, '', url)
    },
    subscribe: listener => {
      view.addEventListener('popstate', listener)
      return () => view.removeEventListener('popstate', listener)
    },
  }
}
