// The console's state, created once at its root: trace, place with its URL, and the commands on them.
import { useCallback, useDeferredValue, useMemo, useReducer, useRef, useState, useEffect } from 'react'
import type { Cut, MachineChart, Timeline } from '../../trace/index.ts'
import type { ConsoleRecording } from './console-recording.ts'
import { useTimeout } from '../widgets/time.ts'
import { useRegistry } from '../widgets/palette/use-commands.ts'
import {
  missingOf,
  NOWHERE,
  type ConsoleLocation,
  isSameParams,
  readPlace,
  writePlace,
  type PlaceParams,
} from './model/location.ts'
import { select, move, START, type Place, type PlaceAction } from './model/place.ts'
import { usePlaceCommands, type Command } from './place-commands.ts'
import { Bookmarks } from './bookmarks/bookmark-store.ts'
import { CHART_FONT } from './chart/chart-graph.ts'
import { createLayoutService } from './chart/use-chart-layout.ts'
import { TraceChecks } from './checks/trace-checks.ts'
import type { DrivenBy } from './drive/driven.ts'
import type { BesideEvent } from './state/beside-event.ts'
import { FoldRows } from './log/fold-rows.ts'
import { isLogFolded, storeLogFolded } from './stored-layout.ts'
import { type ConsoleValue, type Folding, useSelected } from './use-console.ts'
import { ConsoleMachine } from './model/console-machine.ts'
import type { FileTrace } from './model/file-trace.ts'
import { useRecording } from './use-recording.ts'
import { type Followed, useTrace } from './use-trace.ts'

export interface ConsoleOptions {
  readonly recording: ConsoleRecording
  /** Charts by machine id, for traces without charts. */
  readonly machines?: Readonly<Record<string, MachineChart>> | undefined
  /** Where the place is stored. */
  readonly location?: ConsoleLocation | undefined
  /** Control of the system, if available; it knows the machines. */
  readonly control?: Pick<DrivenBy, 'systems'> | undefined
  /** Host content next to the selected event. */
  readonly beside?: BesideEvent | undefined
}

/** The part of the context that is known before the controls. */
type ModelValue = Omit<ConsoleValue, 'driver' | 'network'>

const NOTHING_BESIDE: BesideEvent = () => null

/** Returns the shared state of the console's views, and what only its frame needs. */
export function useConsoleModel(options: ConsoleOptions) {
  const { recording, machines, location = NOWHERE, beside = NOTHING_BESIDE } = options
  const placed = usePlace(location)
  const { place, go } = placed
  const [fitAsked, fit] = useReducer((count: number) => count + 1, 0)
  const [help, setHelp] = useState(false)
  const [palette, setPalette] = useState(false)
  const [layouts, setLayouts] = useState(false)
  const filterRef = useRef<HTMLInputElement>(null)
  const live = useRecording(recording)
  const [machine] = useState(() => new ConsoleMachine(go))
  useEffect(() => machine.begin(), [machine])
  const file = useSelected(machine, machine.file)
  const [isFolded, setFolded] = useState(isLogFolded)
  const followed = useTrace(
    file ?? live.trace,
    { query: useDeferredValue(place.query), isFolded },
    useCallback((cut: Cut) => go({ type: 'cut', cut }), [go]),
  )
  const { trace, filter, size } = followed
  const { timeline, details, header } = trace
  const selection = useMemo(() => select(place, timeline, size), [place, timeline, size])
  const folding = useFolding(followed, place, isFolded)
  const rows = folding.rows ?? filter
  const charts = useMemo(() => ({ ...machines, ...header.machines }), [machines, header])
  useWrittenPlace(location, placed, timeline)
  const isWhole = trace.share() >= 1 && size > 0
  const missing = isWhole ? missingOf(place, timeline) : []
  const [dismissed, dismiss] = useState('')

  const choose = useCallback(
    (seq: number, how: 'step' | 'jump') => {
      if (seq >= 0 && seq < timeline.size) go({ type: 'record', seq, actor: timeline.actor(seq), how })
    },
    [timeline, go],
  )
  const pick = useCallback((at: number) => choose(at, 'jump'), [choose])
  const step = (by: 1 | -1) => choose(rows.step(selection.at, by), 'step')
  const { seq, at, actor, following: isFollowing } = selection
  usePlaceCommands(
    {
      next: () => step(1),
      previous: () => step(-1),
      nextOfActor: () => choose(timeline.nextOf(actor, at), 'step'),
      previousOfActor: () => choose(seq < at ? seq : timeline.previous(seq), 'step'),
      cause: () => pick(timeline.by(seq)),
      effect: () => pick(timeline.effects(seq)[0] ?? -1),
      play: machine.playback.toggle,
      first: () => pick(filter.seqAt(0)),
      end: () => go({ type: 'end' }),
      fit,
      filter: () => filterRef.current?.focus(),
      allSteps: () => {
        storeLogFolded(!isFolded)
        setFolded(!isFolded)
      },
      help: () => setHelp(true),
      palette: () => setPalette(true),
      layouts: () => setLayouts(true),
    },
    {
      ...(seq < 0 || timeline.by(seq) < 0 ? { cause: 'it came from outside the system' } : {}),
      ...(seq < 0 || timeline.effects(seq).length === 0 ? { effect: 'it has no effects' } : {}),
      ...(place.layout.center === 'chart' ? {} : { fit: 'the chart is not shown' }),
    },
  )
  const registry = useRegistry()
  /** Runs a command; the same function in every render. */
  const run = useCallback((command: Command) => void registry.run(command), [registry])
  const checks = useTraceChecks(followed, file, options)
  const bookmarks = useMemo(() => new Bookmarks(recording, file, timeline), [recording, file, timeline])
  const chartLayouts = useChartLayouts()
  useEffect(() => {
    const { range } = place
    machine.show({ recording, bookmarks, timeline, size, isLive: trace.live, range, at, isFollowing })
  })
  const shown = useMemo(
    () => ({ machine, trace, header, timeline, details, charts, checks, bookmarks, chartLayouts, beside }),
    [machine, trace, header, timeline, details, charts, checks, bookmarks, chartLayouts, beside],
  )
  const value = useMemo<ModelValue>(
    () => ({ ...shown, size, place, selection, filter, folding, go, pick, run }),
    [shown, size, place, selection, filter, folding, go, pick, run],
  )
  return {
    value,
    live,
    machine,
    file,
    followed,
    selection,
    charts,
    place,
    go,
    query: place.query,
    setQuery: useCallback((query: string) => go({ type: 'query', query }), [go]),
    hints: [...placed.hints, ...(missing.join() === dismissed ? [] : missing)],
    dismissHints() {
      placed.dismissHints()
      dismiss(missing.join())
    },
    filterRef,
    editQuery: useCallback((from: number, to: number) => {
      filterRef.current?.focus()
      filterRef.current?.setSelectionRange(from, to)
    }, []),
    fitAsked,
    help,
    pick,
    pickActor: useCallback((chosen: number) => go({ type: 'actor', actor: chosen }), [go]),
    closeHelp: useCallback(() => setHelp(false), []),
    layouts,
    openLayouts: useCallback(() => setLayouts(true), []),
    closeLayouts: useCallback(() => setLayouts(false), []),
    palette,
    closePalette: useCallback(() => setPalette(false), []),
    run,
  }
}

export type ConsoleModel = ReturnType<typeof useConsoleModel>

/** Returns the rows of the folded log; a filter and groups show all of their steps. */
function useFolding({ folds, filter }: Followed, { layout }: Place, isFolded: boolean): Folding {
  const foldRows = useMemo(() => folds && new FoldRows(folds), [folds])
  const rows = filter.filtering || layout.grouped ? undefined : foldRows
  return useMemo(() => ({ isFolded, rows }), [isFolded, rows])
}

/** Each trace has its own checks; those of the previous one end. */
function useTraceChecks(
  { trace }: Followed,
  opened: FileTrace | undefined,
  { recording, control }: ConsoleOptions,
): TraceChecks {
  const checks = useMemo(
    () =>
      new TraceChecks({
        trace,
        opened,
        download: () => recording.download(),
        systems: () => control?.systems ?? {},
      }),
    [trace, opened, recording, control],
  )
  useEffect(() => checks.begin(), [checks])
  return checks
}

/** Creates one layout service per console and disposes its worker on unmount. */
function useChartLayouts() {
  const service = useMemo(() => createLayoutService(CHART_FONT), [])
  useEffect(() => () => service.dispose(), [service])
  return service
}

/** Browsers limit URL changes per second, and users do not read faster ones. */
const WRITE_MS = 250

interface Moved {
  readonly place: Place
  /** Whether the last change deserves a history entry. */
  readonly isJump: boolean
}

function moved({ place }: Moved, action: PlaceAction): Moved {
  const isJump = action.type === 'actor' || action.type === 'end' || isFarStep(action)
  return { place: move(place, action), isJump }
}

const isFarStep = (action: PlaceAction): boolean => action.type === 'record' && action.how !== 'step'

/** Returns the place, functions to change it, and problems with the URL. `resets` counts the traces shown. */
function usePlace(location: ConsoleLocation) {
  const [first] = useState(() => readPlace(location.read()))
  const [{ place, isJump }, go] = useReducer(moved, { place: first.place, isJump: false })
  const [hints, setHints] = useState(first.hints)
  useEffect(
    () =>
      location.subscribe(() => {
        const read = readPlace(location.read())
        setHints(read.hints)
        go({ type: 'go', place: read.place })
      }),
    [location],
  )
  return { place, isJump, go, hints, dismissHints: () => setHints([]) }
}

/** Writes the place to the URL after it has not changed for a moment. */
function useWrittenPlace(
  location: ConsoleLocation,
  { place, isJump }: { readonly place: Place; readonly isJump: boolean },
  timeline: Timeline,
): void {
  const written = useRef<PlaceParams>(undefined)
  const write = () => {
    const params = writePlace(place, timeline)
    const before = (written.current ??= location.read())
    if (isSameParams(before, params)) return
    written.current = params
    location.write(params, isJump && place !== START ? 'push' : 'replace')
  }
  useTimeout(
    write,
    WRITE_MS,
    useMemo(() => ({ location, place, isJump, timeline }), [location, place, isJump, timeline]),
  )
  useEffect(() => location.subscribe(() => (written.current = location.read())), [location])
}
