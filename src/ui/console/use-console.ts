// What every view of the console works with: the timeline, its details, the one place, and the commands.
import { createContext, useContext } from 'react'
import type { MachineChart, TraceHeader } from '../../trace/format.ts'
import type { Timeline } from '../../trace/timeline/timeline.ts'
import type { Command } from './place-commands.ts'
import type { Details } from './model/details.ts'
import type { Place, PlaceAction } from './model/place.ts'
import type { RowFilter } from './model/row-filter.ts'
import type { Selection } from './model/selection.ts'
import type { ShownTrace } from './model/shown-trace.ts'
import type { Playing } from './transport/use-playing.ts'

export type { ConsoleModel } from './use-console-model.ts'

export interface ConsoleValue {
  readonly trace: ShownTrace
  readonly header: TraceHeader
  /** Read-only and append-only; `size` says how much of it this rendering is about. */
  readonly timeline: Timeline
  readonly size: number
  readonly details: Details
  readonly charts: Readonly<Record<string, MachineChart>>
  readonly place: Place
  /** What the place means in this trace. While the end is followed it is renewed some times a second. */
  readonly selection: Selection
  /** Which views match the query. */
  readonly filter: RowFilter
  readonly playing: Playing
  /** Changes the place; the same function in every render. */
  readonly go: (action: PlaceAction) => void
  /** Selects a view and its actor. */
  readonly pick: (seq: number) => void
  /** Opens what was recorded so far with its steps derived; where a live recording keeps none. */
  readonly derive: (() => void) | undefined
  /** Carries out a command. */
  readonly run: (command: Command) => void
}

export const ConsoleContext = createContext<ConsoleValue | undefined>(undefined)

/** For views of the console; renews them when the place or the trace does. */
export function useConsole(): ConsoleValue {
  const value = useContext(ConsoleContext)
  if (!value) throw new Error('useConsole is for views inside the console')
  return value
}
