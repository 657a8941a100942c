// Palette items besides commands, and the grammar that orders and filters all of them.
import { type MachineChart, shortPath, statesOf, type Timeline } from '../../../trace/index.ts'
import type { PaletteItem, Grammar } from '../../widgets/palette/palette-item.ts'
import { clockTime, count, plural } from '../text.ts'
import type { SavedView } from '../layout/use-saved-views.ts'
import { rank as rankBy, type Ranked } from '../../widgets/palette/rank.ts'

export type Kind =
  'command' | 'view' | 'bookmark' | 'query' | 'actor' | 'state' | 'way' | 'type' | 'recording' | 'event'

/** An item of the console's palette. */
export type ConsoleItem = PaletteItem<Kind>

/** Maximum actors to search: the latest ones, preceded by the first ones. */
const ACTORS = 20_000

/** The part of the place that an item changes. */
export interface PaletteHandlers {
  readonly pick: (seq: number) => void
  readonly pickActor: (actor: number) => void
  readonly setQuery: (query: string) => void
}

export function actorItems(
  timeline: Timeline,
  at: number,
  handlers: PaletteHandlers,
): readonly ConsoleItem[] {
  const { actors } = timeline
  const from = Math.max(0, actors.length - ACTORS)
  const shown = from === 0 ? actors : [...actors.slice(0, 50), ...actors.slice(Math.max(50, from))]
  return shown.map(entry => {
    const seq = timeline.lastOf(entry.index, at)
    const state = seq < 0 ? 'not started' : timeline.state(seq).label || timeline.status(seq)
    return {
      key: `actor:${entry.index}`,
      kind: 'actor',
      title: shortPath(entry),
      detail: state,
      words: entry.src,
      run: () => handlers.pickActor(entry.index),
    }
  })
}

/** Returns the states of the selected machine with their last entry. */
export function stateItems(
  timeline: Timeline,
  chosen: { readonly actor: number; readonly at: number; readonly chart: MachineChart | undefined },
  handlers: PaletteHandlers,
): readonly ConsoleItem[] {
  const { actor, at, chart } = chosen
  const entry = timeline.actors[actor]
  if (!entry || !chart) return []
  const visits = timeline.visits(actor, timeline.size)
  return [...statesOf(chart).keys()]
    .filter(path => path !== '')
    .map(path => {
      const times = visits.get(path) ?? 0
      return {
        key: `state:${path}`,
        kind: 'state',
        title: path,
        detail: times === 0 ? `state of ${shortPath(entry)}` : `entered ${plural(times, 'time')}`,
        words: shortPath(entry),
        ...(times === 0 && { disabled: 'never entered' }),
        run: () => {
          const seq = whenEntered(timeline, actor, path, at)
          if (seq >= 0) handlers.pick(seq)
        },
      }
    })
}

/** Returns items that run to a state of the selected machine, while it can be controlled. */
export function wayItems(
  chart: MachineChart | undefined,
  path: string | undefined,
  onGo: ((actor: string, state: string) => void) | undefined,
): readonly ConsoleItem[] {
  if (!chart || path === undefined || !onGo) return []
  return [...statesOf(chart).values()]
    .filter(state => state.path !== '' && state.type !== 'history')
    .map(state => ({
      key: `way:${state.path}`,
      kind: 'way',
      title: `Go to state ${state.path}`,
      detail: `path in ${shortPath({ path })}`,
      run: () => onGo(path, state.path),
    }))
}

/** Returns the last view before `at` that entered the state, else the next one after it; -1 for never. */
export function whenEntered(timeline: Timeline, actor: number, path: string, at: number): number {
  const moves = timeline.movesOf(actor)
  const isIn = (seq: number | undefined) => seq !== undefined && timeline.state(seq).paths.includes(path)
  const entered = moves.filter((seq, n) => isIn(seq) && !isIn(moves[n - 1]))
  return entered.findLast(seq => seq < at) ?? entered.find(seq => seq > at) ?? entered[0] ?? -1
}

export const bookmarkItems = (timeline: Timeline, handlers: PaletteHandlers): readonly ConsoleItem[] =>
  timeline.bookmarks.map(({ step, note }) => ({
    key: `bookmark:${step}`,
    kind: 'bookmark',
    title: note,
    detail: `bookmark at #${count(step)}`,
    words: timeline.type(step),
    run: () => handlers.pick(step),
  }))

export const queryItems = (queries: readonly string[], handlers: PaletteHandlers): readonly ConsoleItem[] =>
  queries.map(query => ({
    key: `query:${query}`,
    kind: 'query',
    title: query,
    detail: 'recent query',
    run: () => handlers.setQuery(query),
  }))

export const typeItems = (timeline: Timeline, handlers: PaletteHandlers): readonly ConsoleItem[] =>
  timeline.types.map(type => ({
    key: `type:${type}`,
    kind: 'type',
    title: type,
    detail: 'show these events in the log',
    run: () => handlers.setQuery(`type:${/\s/.test(type) ? `"${type}"` : type}`),
  }))

/** Finds `#812` or `812` as an event; otherwise reports how many events there are. */
export function eventItems(
  text: string,
  timeline: Timeline,
  handlers: PaletteHandlers,
): readonly ConsoleItem[] {
  const digits = /^#?\s*([\d,]+)$/.exec(text.trim())?.[1]?.replaceAll(',', '')
  if (digits === undefined || digits === '') return []
  const seq = Number(digits)
  const isThere = seq < timeline.size
  const entry = isThere ? timeline.actors[timeline.actor(seq)] : undefined
  return [
    {
      key: `event:${digits}`,
      kind: 'event',
      title: `#${count(seq)}`,
      detail: entry ? `${timeline.type(seq)} · ${shortPath(entry)} · ${clockTime(timeline.t(seq))}` : 'event',
      ...(!isThere && { disabled: `there are ${plural(timeline.size, 'event')}` }),
      run: () => handlers.pick(seq),
    },
  ]
}

export const viewItems = (
  views: readonly SavedView[],
  apply: (view: SavedView) => void,
): readonly ConsoleItem[] =>
  views.map(view => ({
    key: `view:${view.name}`,
    kind: 'view',
    title: view.name,
    detail: view.params.q === undefined ? 'saved layout' : `saved layout with ${view.params.q}`,
    words: 'layout view',
    run: () => apply(view),
  }))

/** Tie-breaking order: actions before places, and single items before collections. */
const KINDS: Readonly<Record<Kind, Grammar['kinds'][string]>> = {
  command: { word: '', weight: 1 },
  view: { word: 'layout', weight: 0.98 },
  bookmark: { word: 'bookmark', weight: 0.95 },
  query: { word: 'query', weight: 0.86, isValue: true },
  actor: { word: 'actor', weight: 0.94, isValue: true },
  state: { word: 'state', weight: 0.92, isValue: true },
  way: { word: 'drive', weight: 0.85 },
  type: { word: 'event type', weight: 0.88, isValue: true },
  recording: { word: 'recording', weight: 0.84 },
  event: { word: 'event', weight: 1, isValue: true, isAsked: true },
}

/** The grammar of the console's palette. */
export const GRAMMAR: Grammar = {
  kinds: KINDS,
  signs: {
    '>': { kinds: ['command'], name: 'commands' },
    '@': { kinds: ['actor'], name: 'actors' },
    ':': { kinds: ['state', 'way'], name: 'states' },
    '#': { kinds: ['event', 'bookmark'], name: 'event number' },
    '/': { kinds: ['query', 'type'], name: 'queries' },
  },
}

/** Returns the items for a text; without text, all by kind, recently used ones first. */
export const rank = (items: readonly ConsoleItem[], text: string, recent?: readonly string[]): Ranked =>
  rankBy(GRAMMAR, items, text, recent)
