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
