// The context of the console's views: timeline, details, the shared place, and commands.
import { createContext, useContext } from 'react'
import type { MachineChart, Timeline, TraceHeader } from '../../trace/index.ts'
import type { Command } from './place-commands.ts'
import type { Details } from './model/details.ts'
import type { Place, PlaceAction, Selection } from './model/place.ts'
import type { RowFilter } from './model/row-filter.ts'
import type { ShownTrace } from './model/shown-trace.ts'
import type { Playing } from './transport/use-playing.ts'

export interface ConsoleValue {
  readonly trace: ShownTrace
  readonly header: TraceHeader
  /** Read-only and append-only; `size` is how much of it this render covers. */
  readonly timeline: Timeline
  readonly size: number
  readonly details: Details
  readonly charts: Readonly<Record<string, MachineChart>>
  readonly place: Place
  /** The place resolved in this trace. While the end is followed, it changes several times a second. */
  readonly selection: Selection
  /** The views that match the query. */
  readonly filter: RowFilter
  readonly playing: Playing
  /** Changes the place; the same function in every render. */
  readonly go: (action: PlaceAction) => void
  /** Selects a view and its actor. */
  readonly pick: (seq: number) => void
  /** Opens the recording so far with derived steps; for live recordings without steps. */
  readonly derive: (() => void) | undefined
  /** Runs a command. */
  readonly run: (command: Command) => void
}

export const ConsoleContext = createContext<ConsoleValue | undefined>(undefined)

/** For views of the console; rerenders them when the place or the trace changes. */
export function useConsole(): ConsoleValue {
  const value = useContext(ConsoleContext)
  if (!value) throw new Error('useConsole must be used inside the console')
  return value
}
