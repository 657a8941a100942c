// This browser's saved layouts: save the current one, apply, rename, delete.
import { useCallback, useMemo, useReducer, useState } from 'react'
import {
  PARAMS,
  readPlace,
  writePlace,
  type ConsoleLocation,
  type PlaceParams,
  type ParamName,
} from '../model/location.ts'
import type { Place, PlaceAction } from '../model/place.ts'
import { allSizes, storeSizes, storedJson, storeJson } from '../stored-layout.ts'
import type { Timeline } from '../../../trace/index.ts'

export interface SavedViewsOptions {
  readonly place: Place
  readonly timeline: Timeline
  readonly location: ConsoleLocation
  readonly go: (action: PlaceAction) => void
}

export function useSavedViews({ place, timeline, location, go }: SavedViewsOptions) {
  const [list, setList] = useState(readViews)
  const [version, sizesCame] = useReducer((count: number) => count + 1, 0)
  const set = useCallback((views: readonly SavedView[]) => {
    setList(views)
    writeViews(views)
  }, [])
  const { link } = location
  return useMemo(() => {
    const now = writePlace(place, timeline)
    return {
      list,
      /** The saved layout that equals the current one. */
      current: list.find(view => isLike(view.params, now)),
      /** Increases when sizes are applied. */
      version,
      /** Saves the current layout, or the one from a link. */
      save: (name: string, isWithQuery: boolean, params?: PlaceParams) =>
        set(
          withView(list, {
            name,
            params: params ?? layoutParams(now, isWithQuery),
            sizes: params ? {} : allSizes(),
          }),
        ),
      apply: (view: SavedView) => {
        for (const [group, sizes] of Object.entries(view.sizes)) storeSizes(group, sizes)
        const read = readPlace(view.params).place
        go({ type: 'layout', layout: read.layout })
        if (view.params.q !== undefined) go({ type: 'query', query: read.query })
        sizesCame()
      },
      rename: (view: SavedView, name: string) =>
        set(list.map(one => (one === view ? { ...one, name } : one))),
      remove: (view: SavedView) => set(list.filter(one => one !== view)),
      /** Opens the layout in any console; undefined if the place has no URL. */
      linkTo: link && ((view: SavedView) => link(view.params)),
    }
  }, [place, timeline, list, version, set, go, link])
}

export type SavedViews = ReturnType<typeof useSavedViews>

/** Compares the query only if it belongs to the saved layout. */
function isLike(saved: PlaceParams, now: PlaceParams): boolean {
  const present = layoutParams(now, saved.q !== undefined)
  return PARAMS.every(name => saved[name] === present[name])
}

type Sizes = Readonly<Record<string, number>>

export interface SavedView {
  readonly name: string
  /** Parameters of the layout, and of the query if it is included. */
  readonly params: PlaceParams
  /** Sizes of each panel group; empty for a layout from a link. */
  readonly sizes: Readonly<Record<string, Sizes>>
}

const NAME = 'views'
export const MOST = 50

/** The layout part of a place, without the position in the recording. */
const LAYOUT_PARAMS: readonly ParamName[] = PARAMS.filter(
  name => !['at', 'actor', 't', 'q', 'a', 'b', 'pin'].includes(name),
)

/** Returns the parameters that a saved layout stores. */
export function layoutParams(params: PlaceParams, isWithQuery: boolean): PlaceParams {
  const names: readonly ParamName[] = isWithQuery ? [...LAYOUT_PARAMS, 'q'] : LAYOUT_PARAMS
  return Object.fromEntries(names.flatMap(name => (params[name] === undefined ? [] : [[name, params[name]]])))
}

/** Reads the saved layouts; invalid entries are ignored. */
export function readViews(): readonly SavedView[] {
  const known = storedJson(NAME)
  return Array.isArray(known) ? known.flatMap(value => viewOf(value) ?? []) : []
}

export const writeViews = (views: readonly SavedView[]): void => storeJson(NAME, views.slice(0, MOST))

/** Whether there is room to save a layout with this name. */
export const hasRoomFor = (views: readonly SavedView[], name: string): boolean =>
  views.length < MOST || views.some(view => view.name === name)

/** Returns the list with this layout, which replaces one of the same name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const at = views.findIndex(({ name }) => name === view.name)
  return at < 0 ? [...views, view] : views.with(at, view)
}

/** Returns the layout in a console link; undefined if there is none. */
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
