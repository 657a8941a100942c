// The console's palette: finds commands and places by typing.
import { memo, useState, useMemo } from 'react'
import { PaletteBox, type PaletteBoxProps } from '../../widgets/palette/palette-box.tsx'
import { PaletteDialog, useTake } from '../../widgets/palette/palette-dialog.tsx'
import {
  GRAMMAR,
  rank,
  actorItems,
  bookmarkItems,
  eventItems,
  queryItems,
  stateItems,
  typeItems,
  wayItems,
  type PaletteHandlers,
  type ConsoleItem,
} from './palette-items.ts'
import type { StoredRecording } from '../../../services/recording/index.ts'
import { type LoadStore, openStored } from '../file/earlier-recordings.tsx'
import { commandItems, type PaletteItem } from '../../widgets/palette/palette-item.ts'
import type { Ranked } from '../../widgets/palette/rank.ts'
import { pastQueries } from '../query/query-field.tsx'
import { storedTexts, storeTexts } from '../stored-layout.ts'
import { useConsole } from '../use-console.ts'
import { useOffered } from '../../widgets/palette/use-commands.ts'
import { usePromise } from '../../widgets/use-promise.ts'
import { elapsedTime, plural } from '../text.ts'
import { formatDateTime } from '../../../services/workbench/text/index.ts'

export interface PaletteProps extends PaletteOptions {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** While closed, a step does not rerender it. */
export const Palette = memo(function Palette({ isOpen, onClose, ...options }: PaletteProps) {
  const take = useTake({ isOpen, onClose }, keepUsed)
  return (
    <PaletteDialog isOpen={isOpen} onClose={onClose}>
      <Box {...options} onTake={take} />
    </PaletteDialog>
  )
})

function Box({ onTake, ...options }: PaletteOptions & Pick<PaletteBoxProps, 'onTake'>) {
  const [text, setText] = useState('')
  const ranked = usePalette(text, options)
  return (
    <PaletteBox
      grammar={GRAMMAR}
      text={text}
      onText={setText}
      ranked={ranked}
      onTake={onTake}
      placeholder="A command, an actor, a state, #812 …"
      none="Start with a letter below to narrow the search. To search events, use the log’s query."
    />
  )
}

/** Recordings stored in this browser, as palette items. */
const recordingItems = (
  kept: readonly StoredRecording[],
  handlers: { readonly store: LoadStore; readonly onOpen: (file: File) => void },
): readonly ConsoleItem[] =>
  kept.map(recording => ({
    key: `recording:${recording.id}`,
    kind: 'recording',
    title: `Open recording of ${formatDateTime(recording.startedAt)}`,
    detail: `${elapsedTime(recording.duration)} · ${plural(recording.steps, 'event')}`,
    words: recording.system,
    run: () => void openStored(handlers.store, recording).then(file => file && handlers.onOpen(file)),
  }))

const RECENT = 'palette'
const KEPT = 6

interface PaletteOptions {
  readonly store: LoadStore | undefined
  readonly onOpen: (file: File) => void
  /** Shows the path to a state of an actor; undefined if nothing can be controlled. */
  readonly onGo: ((actor: string, state: string) => void) | undefined
  /** Saved layouts. */
  readonly views: readonly ConsoleItem[]
}

/** Returns the items for a text. */
function usePalette(text: string, { store, onOpen, onGo, views }: PaletteOptions): Ranked {
  const { timeline, size, selection, charts, pick, go } = useConsole()
  const commands = useOffered()
  // The list of earlier recordings shows why it could not be read; here they are only missing.
  const listing = useMemo(() => store?.().then(opened => opened.list()), [store])
  const kept = usePromise(listing)
  const [recent] = useState(() => storedTexts(RECENT))
  const { at, actor } = selection
  const entry = timeline.actors[actor]
  const chart = entry && charts[entry.src]
  const handlers = useMemo<PaletteHandlers>(
    () => ({
      pick,
      pickActor: chosen => go({ type: 'actor', actor: chosen }),
      setQuery: query => go({ type: 'query', query }),
    }),
    [pick, go],
  )
  // The state when the palette opened: items that move while the user aims cannot be clicked.
  const [shown] = useState({ timeline, size, at })
  const fixed = useMemo(
    () => [
      ...views,
      ...bookmarkItems(shown.timeline, handlers),
      ...queryItems(pastQueries(), handlers),
      ...actorItems(shown.timeline, shown.at, handlers),
      ...stateItems(shown.timeline, { actor, at: shown.at, chart }, handlers),
      ...wayItems(chart, entry?.path, onGo),
      ...typeItems(shown.timeline, handlers),
    ],
    [views, shown, handlers, actor, chart, entry, onGo],
  )
  const items = useMemo(
    () => [
      ...commandItems(commands),
      ...fixed,
      ...(store && kept ? recordingItems(kept, { store, onOpen }) : []),
    ],
    [commands, fixed, kept, store, onOpen],
  )
  return useMemo(
    () => rank([...items, ...eventItems(text, shown.timeline, handlers)], text, recent),
    [items, text, shown, handlers, recent],
  )
}

/** Stores recently used items. */
function keepUsed({ key, kind }: PaletteItem): void {
  if (kind === 'event' || kind === 'actor' || kind === 'state' || kind === 'way') return
  const others = storedTexts(RECENT).filter(known => known !== key)
  storeTexts(RECENT, [key, ...others].slice(0, KEPT))
}
