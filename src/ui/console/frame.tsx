// The console's frame for one system: toolbar, notices, panes and overlays.
import { useEffect, useMemo, useState, memo } from 'react'
import type { MachineChart, TraceSource } from '../../trace/index.ts'
import type { ConsoleRecording } from './console-recording.ts'
import { Bar, type BarProps, type HostProps } from './toolbar/bar.tsx'
import { Stately } from './attach/stately.tsx'
import { useFileDrop } from './file/use-file-drop.ts'
import type { ChartDriver } from './chart/chart-driver.ts'
import { takeKey, usePageKey } from '../widgets/palette/command-keys.ts'
import { useRegistry } from '../widgets/palette/use-commands.ts'
import { Palette } from './commands/palette.tsx'
import styles from './console.module.css'
import type { Begun } from './drive/begin-sandbox.ts'
import type { DrivenBy } from './drive/driven.ts'
import { useDriving } from './drive/use-driving.tsx'
import { FileNotice } from './file/file-notice.tsx'
import { LayoutDialog } from './layout/layout-dialog.tsx'
import { Caption } from './layout/caption.tsx'
import { useFocusHome } from '../widgets/use-focus-home.ts'
import { useSavedViews } from './layout/use-saved-views.ts'
import { viewItems } from './commands/palette-items.ts'
import { Legend, LEGEND_LINES } from './log/legend.tsx'
import { MinimapStrip } from './minimap/minimap.tsx'
import { NewsLine } from './news/news-line.tsx'
import { useMoment } from './moment.ts'
import { AppGoesOn } from './news/app-goes-on.tsx'
import { type ConsoleLocation, NOWHERE } from './model/location.ts'
import { Panes } from './panes.tsx'
import { QueryChips } from './query/query-chips.tsx'
import { ConsoleContext } from './use-console.ts'
import { type ConsoleModel, useConsoleModel } from './use-console-model.ts'
import { usePaneSize } from '../widgets/drawing/use-pane-size.ts'
import { Bookmarking } from './bookmarks/bookmarking.tsx'
import type { BesideEvent } from './state/beside-event.ts'
import { KeySheet as Sheet } from '../widgets/palette/key-sheet.tsx'
import { SECTIONS } from './commands/use-commands.ts'

/** While closed, a step does not rerender it. */
const KeySheet = memo(Sheet)

/** Below this height there is no room for the overview. */
const FLAT = 260
/** Below this height it is thin. */
const LOW = 520

/** Properties of the console for its host. */
export interface ConsoleProps extends HostProps {
  readonly recording: ConsoleRecording
  /** Whether the console takes the focus on mount, so that its keys work immediately. */
  readonly takesFocus?: boolean
  /** Whether Ctrl+K opens its palette from anywhere on the page. */
  readonly ownsPalette?: boolean
  /** Charts by machine id, for traces without charts. */
  readonly machines?: Readonly<Record<string, MachineChart>>
  /** Control of the live system, if available. */
  readonly control?: DrivenBy
  /** A file to open instead of the recording; opened again when it changes. */
  readonly opens?: File
  /** Whether the file is opened at the place in `location`, for a page whose URL names both. */
  readonly opensAtPlace?: boolean
  /** Host content next to the selected event, such as a link to another recording. Must stay the same function. */
  readonly beside?: BesideEvent
  /** Where the place is stored, such as the URL; defaults to nowhere. Must stay the same object. */
  readonly location?: ConsoleLocation
}

export interface FrameProps extends ConsoleProps {
  /** In a sandbox, the recording it branched from. */
  readonly origin?: TraceSource
  readonly onBranch: (begun: Begun) => void
}

export function Frame(props: FrameProps) {
  const { recording, takesFocus, ownsPalette = false, machines, control, beside, origin, onBranch } = props
  // A place in a sandbox cannot be returned to.
  const location = (origin ? undefined : props.location) ?? NOWHERE
  const [frame, { height }] = usePaneSize()
  useFocusHome(frame)
  const registry = useRegistry()
  useEffect(() => {
    if (takesFocus) frame.current?.focus()
  }, [takesFocus, frame])
  const model = useConsoleModel({ recording, machines, location, control, beside })
  const { place, go, machine, followed, selection } = model
  // A sandbox and a file are not the past of the app.
  useMoment(model, origin ? undefined : props.onMoment)
  const driving = useDriving({ handle: control, model, recording, origin, onBranch })
  const saved = useSavedViews({ place, go, location, timeline: followed.trace.timeline })
  const drop = useFileDrop(machine.open)
  const { opens, opensAtPlace = false } = props
  useEffect(() => opens && machine.openOnce(opens, opensAtPlace), [opens, opensAtPlace, machine])
  usePageKey(ownsPalette, 'Mod+K', registry)
  const { chart: driver, network } = driving
  const value = useMemo(() => ({ ...model.value, driver, network }), [model.value, driver, network])
  return (
    <ConsoleContext value={value}>
      <section
        className={styles.console}
        ref={frame}
        aria-label="Console"
        tabIndex={-1}
        data-past={!selection.following || undefined}
        data-look={place.layout.frame.look}
        data-dropping={drop.over || undefined}
        onKeyDownCapture={event => takeKey(event, registry)}
        {...drop.handlers}
      >
        <Bar {...props} model={model} driving={driving} saved={saved} />
        <Said model={model} />
        <Stately recording={recording} />
        {height > 0 && height < FLAT ? null : <MinimapStrip isLow={height < LOW} />}
        <Panes model={model} drive={driving.panel} version={saved.version} />
        {place.layout.frame.look === 'present' ? <Caption /> : null}
        <Above model={model} saved={saved} store={props.store} onGo={driver.onGo} />
        <Bookmarking />
        {props.onMoment || origin ? null : <AppGoesOn />}
        {drop.over ? <p className={styles.drop}>Drop a trace file to open it</p> : null}
      </section>
    </ConsoleContext>
  )
}

/** Query terms, file notices, and how to read the console. */
function Said({ model }: { readonly model: ConsoleModel }) {
  const { followed } = model
  return (
    <>
      <QueryChips query={followed.filter.query} onQuery={model.setQuery} onEdit={model.editQuery} />
      <NewsLine />
      <FileNotice model={model} />
      {model.place.layout.frame.look === 'present' ? null : <Legend />}
    </>
  )
}

interface AboveProps extends Pick<BarProps, 'model' | 'saved'> {
  readonly store: HostProps['store'] | undefined
  readonly onGo: ChartDriver['onGo']
}

/** Overlays above the panes. */
function Above({ model, saved, store, onGo }: AboveProps) {
  // Each step creates a new `saved`; closed overlays keep the old one and do not rerender.
  const [kept, setKept] = useState(saved)
  if (kept !== saved && (model.palette || model.layouts)) setKept(saved)
  const { list, apply } = kept
  const views = useMemo(() => viewItems(list, apply), [list, apply])
  return (
    <>
      <KeySheet
        title="Console shortcuts"
        sections={SECTIONS}
        note="Shortcuts work while the focus is in the console and not in a text field."
        intro={LEGEND_LINES}
        isOpen={model.help}
        onClose={model.closeHelp}
      />
      <Palette
        isOpen={model.palette}
        onClose={model.closePalette}
        store={store}
        onGo={onGo}
        onOpen={model.machine.open}
        views={views}
      />
      <LayoutDialog saved={kept} query={model.query} isOpen={model.layouts} onClose={model.closeLayouts} />
    </>
  )
}
