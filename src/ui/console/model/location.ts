// The place in the URL: short names and plain values; invalid values are ignored with a hint.
import { FRAME_PARAMS, readFrame, writeFrame } from './frame-layout.ts'
import { joinPins, splitPins, COMPARISONS, START, type Marks, type Place } from './place.ts'
import type { Timeline } from '../../../trace/index.ts'

/** Names and values as in a URL. */
export type PlaceParams = Readonly<Partial<Record<ParamName, string>>>
export const PARAMS = [
  'at',
  'actor',
  't',
  'q',
  'view',
  'tab',
  'group',
  'a',
  'b',
  'diff',
  'pin',
  'chart',
  ...FRAME_PARAMS,
] as const
export type ParamName = (typeof PARAMS)[number]

/** Where the host stores the place: its router, or a window's hash. */
export interface ConsoleLocation {
  read(): PlaceParams
  /** `push` adds a history entry, `replace` changes the present one. */
  write(params: PlaceParams, how: 'push' | 'replace'): void
  /**
   * Calls back when the place changes elsewhere, as by browser navigation; returns the unsubscribe function.
   */
  subscribe(listener: () => void): () => void
  /** Returns a URL that shows these parameters; undefined if there are no shareable URLs. */
  readonly link?: (params: PlaceParams) => string
}

/** A location that stores nothing, for hosts without one. */
export const NOWHERE: ConsoleLocation = {
  read: () => ({}),
  write: () => undefined,
  subscribe: () => () => undefined,
}

/** A location that lasts as long as the page, for hosts that move the console between two places. */
export function memoryLocation(): ConsoleLocation {
  let params: PlaceParams = {}
  return {
    read: () => params,
    write: next => {
      params = next
    },
    subscribe: () => () => undefined,
  }
}

/** Returns the place in a URL, and a sentence about each invalid value. */
export function readPlace(params: PlaceParams): { readonly place: Place; readonly hints: readonly string[] } {
  const hints: string[] = []
  const { at, actor, t, q = '', view, tab, group } = params
  const seq = at === undefined ? undefined : wholeNumber(at)
  if (at !== undefined && seq === undefined) hints.push(`“${at}” is not an event number.`)
  const range = t === undefined ? undefined : rangeOf(t)
  if (t !== undefined && !range) hints.push(`“${t}” is not a time range.`)
  const place: Place = {
    ...(seq !== undefined && { seq }),
    ...(actor !== undefined && { actor }),
    ...(range && { range }),
    query: q,
    layout: {
      center: view ?? START.layout.center,
      inspector: tab ?? START.layout.inspector,
      grouped: group === 'cause',
      diff: COMPARISONS.find(name => name === params.diff) ?? START.layout.diff,
      frame: readFrame(params),
      chart: params.chart ?? START.layout.chart,
    },
    marks: readMarks(params, hints),
    pins: params.pin === undefined ? START.pins : splitPins(params.pin),
  }
  return { place, hints }
}

/** Returns the parameters of a place; defaults are left out. */
export function writePlace(place: Place, timeline: Timeline): PlaceParams {
  const { seq, actor, range, query, layout, marks, pins } = place
  const path = typeof actor === 'number' ? timeline.actors[actor]?.path : actor
  return {
    ...(seq !== undefined && { at: String(seq) }),
    ...(path !== undefined && { actor: path }),
    ...(range && { t: range.map(ms => Number(ms.toFixed(3))).join('-') }),
    ...(query !== '' && { q: query }),
    ...(layout.center !== START.layout.center && { view: layout.center }),
    ...(layout.inspector !== START.layout.inspector && { tab: layout.inspector }),
    ...(layout.grouped && { group: 'cause' }),
    ...(marks.a !== undefined && { a: String(marks.a) }),
    ...(marks.b !== undefined && { b: String(marks.b) }),
    ...(layout.diff !== START.layout.diff && { diff: layout.diff }),
    ...writeFrame(layout.frame),
    ...(pins.length > 0 && { pin: joinPins(pins) }),
    ...(layout.chart !== START.layout.chart && { chart: layout.chart }),
  }
}

/** Returns what the place refers to and the fully loaded trace does not have. */
export function missingOf(place: Place, timeline: Timeline): readonly string[] {
  const hints: string[] = []
  if (place.seq !== undefined && place.seq >= timeline.size)
    hints.push(`There is no event ${place.seq} in this recording. Showing the end.`)
  if (typeof place.actor === 'string' && !timeline.actors.some(({ path }) => path === place.actor))
    hints.push(`There is no actor ${place.actor} in this recording.`)
  for (const [mark, seq] of Object.entries(place.marks))
    if (seq >= timeline.size)
      hints.push(`There is no event ${seq} in this recording for mark ${mark.toUpperCase()}.`)
  return hints
}

function readMarks({ a, b }: PlaceParams, hints: string[]): Marks {
  const [first, second] = [a, b].map(text => (text === undefined ? undefined : wholeNumber(text)))
  if (a !== undefined && first === undefined) hints.push(`“${a}” is not an event number for mark A.`)
  if (b !== undefined && second === undefined) hints.push(`“${b}” is not an event number for mark B.`)
  return { ...(first !== undefined && { a: first }), ...(second !== undefined && { b: second }) }
}

export const isSameParams = (a: PlaceParams, b: PlaceParams): boolean =>
  PARAMS.every(name => a[name] === b[name])

function wholeNumber(text: string): number | undefined {
  const number = Number(text)
  return /^\d{1,15}$/.test(text) && Number.isSafeInteger(number) ? number : undefined
}

function rangeOf(text: string): Place['range'] {
  const [, from, to] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text) ?? []
  const range = [Number(from), Number(to)] as const
  return from !== undefined && range[0] < range[1] ? range : undefined
}

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
