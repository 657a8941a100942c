// This browser's saved layouts: save the current one, apply, rename, delete.
import { useCallback, useMemo, useReducer, useState } from 'react'
import { PARAMS, readPlace, writePlace, type ConsoleLocation, type PlaceParams } from '../model/location.ts'
import type { Place, PlaceAction } from '../model/place.ts'
import { allSizes, storeSizes } from '../stored-layout.ts'
import type { Timeline } from '../../../trace/index.ts'
import { layoutParams, readViews, withView, writeViews, type SavedView } from './saved-views.ts'

export interface SavedViews {
  readonly list: readonly SavedView[]
  /** The saved layout that equals the current one. */
  readonly current: SavedView | undefined
  /** Increases when sizes are applied. */
  readonly version: number
  /** Saves the current layout, or the one from a link. */
  readonly save: (name: string, isWithQuery: boolean, params?: PlaceParams) => void
  readonly apply: (view: SavedView) => void
  readonly rename: (view: SavedView, name: string) => void
  readonly remove: (view: SavedView) => void
  /** Opens the layout in any console; undefined if the place has no URL. */
  readonly linkTo: ((view: SavedView) => string) | undefined
}

export interface SavedViewsOptions {
  readonly place: Place
  readonly timeline: Timeline
  readonly location: ConsoleLocation
  readonly go: (action: PlaceAction) => void
}

export function useSavedViews({ place, timeline, location, go }: SavedViewsOptions): SavedViews {
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
      current: list.find(view => isLike(view.params, now)),
      version,
      save: (name, isWithQuery, params) =>
        set(
          withView(list, {
            name,
            params: params ?? layoutParams(now, isWithQuery),
            sizes: params ? {} : allSizes(),
          }),
        ),
      apply: view => {
        for (const [group, sizes] of Object.entries(view.sizes)) storeSizes(group, sizes)
        const read = readPlace(view.params).place
        go({ type: 'layout', layout: read.layout })
        if (view.params.q !== undefined) go({ type: 'query', query: read.query })
        sizesCame()
      },
      rename: (view, name) => set(list.map(one => (one === view ? { ...one, name } : one))),
      remove: view => set(list.filter(one => one !== view)),
      linkTo: link && (view => link(view.params)),
    }
  }, [place, timeline, list, version, set, go, link])
}

/** Compares the query only if it belongs to the saved layout. */
function isLike(saved: PlaceParams, now: PlaceParams): boolean {
  const present = layoutParams(now, saved.q !== undefined)
  return PARAMS.every(name => saved[name] === present[name])
}
