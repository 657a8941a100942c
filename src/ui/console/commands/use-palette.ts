// What the palette of this console holds, gathered when it is opened.
import { useEffect, useMemo, useState } from 'react'
import type { StoredRecording } from '../../../store.ts'
import type { LoadStore } from '../file/earlier-recordings.tsx'
import { commandItems, type PaletteItem } from '../../widgets/palette/palette-item.ts'
import type { Ranked } from '../../widgets/palette/rank.ts'
import { pastQueries } from '../query/query-history.ts'
import { storedTexts, storeTexts } from '../stored-layout.ts'
import { useConsole } from '../use-console.ts'
import {
  actorItems,
  bookmarkItems,
  eventItems,
  queryItems,
  stateItems,
  typeItems,
  wayItems,
  type PaletteDoes,
  type ConsoleItem,
} from './palette-items.ts'
import { rank } from './rank.ts'
import { recordingItems } from './recording-items.ts'
import { useOffered } from './use-commands.ts'

const RECENT = 'palette'
const KEPT = 6

export interface PaletteOptions {
  readonly store: LoadStore | undefined
  readonly onOpen: (file: File) => void
  /** Shows the way to a state of an actor; absent where nothing is driven. */
  readonly onGo: ((actor: string, state: string) => void) | undefined
  /** Saved layouts. */
  readonly views: readonly ConsoleItem[]
}

/** The lines for a text. */
export function usePalette(text: string, { store, onOpen, onGo, views }: PaletteOptions): Ranked {
  const { timeline, size, selection, charts, pick, go } = useConsole()
  const commands = useOffered()
  const kept = useKept(store)
  const [recent] = useState(() => storedTexts(RECENT))
  const { at, actor } = selection
  const entry = timeline.actors[actor]
  const chart = entry && charts[entry.src]
  const does = useMemo<PaletteDoes>(
    () => ({
      pick,
      pickActor: chosen => go({ type: 'actor', actor: chosen }),
      setQuery: query => go({ type: 'query', query }),
    }),
    [pick, go],
  )
  // As it is when it is opened: lines that move away under the hand can't be hit.
  const [shown] = useState({ timeline, size, at })
  const fixed = useMemo(
    () => [
      ...views,
      ...bookmarkItems(shown.timeline, does),
      ...queryItems(pastQueries(), does),
      ...actorItems(shown.timeline, shown.at, does),
      ...stateItems(shown.timeline, { actor, at: shown.at, chart }, does),
      ...wayItems(chart, entry?.path, onGo),
      ...typeItems(shown.timeline, does),
    ],
    [views, shown, does, actor, chart, entry, onGo],
  )
  const items = useMemo(
    () => [...commandItems(commands), ...fixed, ...(store ? recordingItems(kept, { store, onOpen }) : [])],
    [commands, fixed, kept, store, onOpen],
  )
  return useMemo(
    () => rank([...items, ...eventItems(text, shown.timeline, does)], text, recent),
    [items, text, shown, does, recent],
  )
}

/** Remembers what was used. */
export function keepUsed({ key, kind }: PaletteItem): void {
  if (kind === 'event' || kind === 'actor' || kind === 'state' || kind === 'way') return
  const others = storedTexts(RECENT).filter(known => known !== key)
  storeTexts(RECENT, [key, ...others].slice(0, KEPT))
}

function useKept(store: LoadStore | undefined): readonly StoredRecording[] {
  const [kept, setKept] = useState<readonly StoredRecording[]>([])
  useEffect(() => {
    let isOver = false
    void store?.()
      .then(shelf => shelf.list())
      .then(
        list => !isOver && setKept(list),
        // The list of earlier recordings says why; here they are merely not found.
        () => undefined,
      )
    return () => {
      isOver = true
    }
  }, [store])
  return kept
}
