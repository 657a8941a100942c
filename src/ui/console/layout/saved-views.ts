// Layouts that were saved under a name: kept in the browser as the params of a URL, with the sizes of the panes.
import { PARAMS, type ParamName, type PlaceParams } from '../model/location.ts'
import { storedJson, storeJson } from '../stored-layout.ts'

type Sizes = Readonly<Record<string, number>>

export interface SavedView {
  readonly name: string
  /** Of the layout, and of the query when it belongs to it. */
  readonly params: PlaceParams
  /** Of each group of panels; empty for one that came as a link. */
  readonly sizes: Readonly<Record<string, Sizes>>
}

const NAME = 'views'
export const MOST = 50

/** What of a place is layout: not where one stands in the recording. */
const LAYOUT_PARAMS: readonly ParamName[] = PARAMS.filter(
  name => !['at', 'actor', 't', 'q', 'a', 'b', 'pin'].includes(name),
)

/** The part of the params that a saved view keeps. */
export function layoutParams(params: PlaceParams, isWithQuery: boolean): PlaceParams {
  const names: readonly ParamName[] = isWithQuery ? [...LAYOUT_PARAMS, 'q'] : LAYOUT_PARAMS
  return Object.fromEntries(names.flatMap(name => (params[name] === undefined ? [] : [[name, params[name]]])))
}

/** The saved ones; what is not as it was written is passed over. */
export function readViews(): readonly SavedView[] {
  const known = storedJson(NAME)
  return Array.isArray(known) ? known.flatMap(value => viewOf(value) ?? []) : []
}

export const writeViews = (views: readonly SavedView[]): void => storeJson(NAME, views.slice(0, MOST))

/** Whether one of this name is kept when it is saved. */
export const hasRoomFor = (views: readonly SavedView[], name: string): boolean =>
  views.length < MOST || views.some(view => view.name === name)

/** The list with this one, in the place of one of the same name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const at = views.findIndex(({ name }) => name === view.name)
  return at < 0 ? [...views, view] : views.with(at, view)
}

/** The layout that a link of a console asks for; nothing when it asks for none. */
export function paramsOfLink(link: string): PlaceParams | undefined {
  const search = new URLSearchParams(link.slice(link.indexOf('?') + 1).replace(/#[^]*/, ''))
  const params = Object.fromEntries(
    PARAMS.flatMap(name => {
      const value = search.get(`c.${name}`) ?? search.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  const layout = layoutParams(params, true)
  return Object.keys(layout).length === 0 ? undefined : layout
}

function viewOf(value: unknown): SavedView | undefined {
  if (!isFields(value) || typeof value['name'] !== 'string' || value['name'] === '') return undefined
  const given: unknown = value['params']
  if (!isFields(given)) return undefined
  const params = Object.fromEntries(Object.entries(given).filter(([, text]) => typeof text === 'string'))
  const sizes = isFields(value['sizes']) ? Object.entries(value['sizes']).filter(isSizes) : []
  return { name: value['name'], params: layoutParams(params, true), sizes: Object.fromEntries(sizes) }
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSizes = (entry: readonly [string, unknown]): entry is [string, Sizes] =>
  isFields(entry[1]) && Object.values(entry[1]).every(size => Number.isFinite(size))
