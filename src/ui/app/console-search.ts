// Search params that store the console's location, on every page.

/** Console location params by name; the prefix separates them from the params of pages. */
export const CONSOLE_SEARCH = {
  at: 'c.at',
  actor: 'c.actor',
  t: 'c.t',
  q: 'c.q',
  view: 'c.view',
  tab: 'c.tab',
  group: 'c.group',
  a: 'c.a',
  b: 'c.b',
  diff: 'c.diff',
  pin: 'c.pin',
  chart: 'c.chart',
  panes: 'c.panes',
  big: 'c.big',
  log: 'c.log',
  look: 'c.look',
} as const

/** Params that name records, which another recording has not. */
const OF_RECORDS = [CONSOLE_SEARCH.at, CONSOLE_SEARCH.t, CONSOLE_SEARCH.a, CONSOLE_SEARCH.b]

/** Drops the moment and the marks from the page's URL before the recording of another client is shown. */
export function forgetMoment(view: Window): void {
  const url = new URL(view.location.href)
  if (!OF_RECORDS.some(name => url.searchParams.has(name))) return
  for (const name of OF_RECORDS) url.searchParams.delete(name)
  view.history.replaceState(view.history.state, '', url)
}

type Key = (typeof CONSOLE_SEARCH)[keyof typeof CONSOLE_SEARCH]

export type ConsoleSearch = { readonly [K in Key]?: string | number }

export const CONSOLE_KEYS = Object.values(CONSOLE_SEARCH)

/** Returns the params that are set; the console interprets them. */
export function consoleSearch(search: Readonly<Record<string, unknown>>): ConsoleSearch {
  return Object.fromEntries(
    CONSOLE_KEYS.flatMap(key => {
      const value = search[key]
      return typeof value === 'string' || typeof value === 'number' ? [[key, value]] : []
    }),
  )
}
