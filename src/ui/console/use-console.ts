// The context of the console's views: timeline, details, the shared place, and commands.
import { createContext, use, useSyncExternalStore } from 'react'
import type { NetworkContents } from '../../services/control/index.ts'
import type { MachineChart, Timeline, TraceHeader } from '../../trace/index.ts'
import type { Bookmarks, BookmarksState } from './bookmarks/bookmark-store.ts'
import type { ChartDriver } from './chart/chart-driver.ts'
import type { LayoutService } from './chart/use-chart-layout.ts'
import type { ChecksState, TraceChecks } from './checks/trace-checks.ts'
import type { FoldRows } from './log/fold-rows.ts'
import type { ConsoleState, ConsoleMachine } from './model/console-machine.ts'
import type { Command } from './place-commands.ts'
import type { Details } from './model/details.ts'
import type { Place, PlaceAction, Selection } from './model/place.ts'
import type { RowFilter } from './model/row-filter.ts'
import type { ShownTrace } from './model/shown-trace.ts'
import type { BesideEvent } from './state/beside-event.ts'

/** Whether the log folds steps that only carry out an event. */
export interface Folding {
  readonly isFolded: boolean
  /** Undefined while each step, or each group, has its row. */
  readonly rows: FoldRows | undefined
}

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
  readonly folding: Folding
  /** Changes the place; the same function in every render. */
  readonly go: (action: PlaceAction) => void
  /** Selects a view and its actor. */
  readonly pick: (seq: number) => void
  /** Opens files, plays and saves. `useConsoleState` reads its state. */
  readonly machine: ConsoleMachine
  /** Runs a command. */
  readonly run: (command: Command) => void
  /** Checks of this trace. `useChecks` reads their state. */
  readonly checks: TraceChecks
  /** Notes on this trace. `useBookmarks` reads their state. */
  readonly bookmarks: Bookmarks
  readonly chartLayouts: LayoutService
  readonly driver: ChartDriver
  /** Headers, bodies and messages; undefined for files, and for systems of other pages. */
  readonly network: NetworkContents | undefined
  readonly beside: BesideEvent
}

/** A value, not a store: `useDeferredValue` gives parts of the console an older one. */
export const ConsoleContext = createContext<ConsoleValue | undefined>(undefined)

/** For views of the console; rerenders them when the place or the trace changes. */
export function useConsole(): ConsoleValue {
  const value = use(ConsoleContext)
  if (!value) throw new Error('useConsole must be used inside the console')
  return value
}

interface Store<State> {
  readonly subscribe: (listener: () => void) => () => void
  readonly state: () => State
}

/** Rerenders only when the selected value changes: `select` returns the same one while its meaning is the same. */
export const useSelected = <State, T>({ subscribe, state }: Store<State>, select: (state: State) => T): T =>
  useSyncExternalStore(subscribe, () => select(state()))

/** Selects from the state of the console's machine. */
export const useConsoleState = <T>(select: (state: ConsoleState) => T): T =>
  useSelected(useConsole().machine, select)

/** Selects from the state of the checks. */
export const useChecks = <T>(select: (checks: ChecksState) => T): T =>
  useSelected(useConsole().checks, select)

/** Selects from the state of the bookmarks. */
export const useBookmarks = <T>(select: (bookmarks: BookmarksState) => T): T =>
  useSelected(useConsole().bookmarks, select)
