// The console's toolbar: recording, stepping, control, query, layouts and other commands.
import { useCallback, useMemo, memo, useRef, type ReactNode } from 'react'
import type { DrivenBy } from '../drive/driven.ts'
import type { Driving } from '../drive/use-driving.tsx'
import type { SavedViews } from '../layout/use-saved-views.ts'
import { useConsole } from '../use-console.ts'
import type { ConsoleModel } from '../use-console-model.ts'
import type { OnMoment } from '../console-recording.ts'
import { useCommands, type ConsoleCommand } from '../commands/use-commands.ts'
import { BookmarksButton } from '../bookmarks/bookmarks-panel.tsx'
import { EarlierRecordings, type LoadStore } from '../file/earlier-recordings.tsx'
import { ChecksMark } from '../checks/checks-mark.tsx'
import { LayoutMenu } from '../layout/layout-menu.tsx'
import { eventCommands } from '../log/event-commands.ts'
import { countText, QueryField } from '../query/query-field.tsx'
import { actorCommands } from '../tree/actor-commands.ts'
import {
  History,
  X,
  Maximize2,
  Minimize2,
  CircleHelp,
  Download,
  FolderOpen,
  Search,
  Ellipsis,
} from 'lucide-react'
import { Button, ToolButton } from '../../widgets/button.tsx'
import { Kbd } from '../../widgets/kbd.tsx'
import { Dot } from '../../widgets/pill.tsx'
import type { Command } from '../place-commands.ts'
import { count, eventName } from '../text.ts'
import styles from './toolbar.module.css'
import { cx } from '../../widgets/cx.ts'
import { useIsPaused } from './use-is-paused.ts'
import { Button as AriaButton } from 'react-aria-components'
import { isApplePlatform, keyLabel } from '../../widgets/palette/key-name.ts'
import { FileOrigin, RecordingControls } from './recorder.tsx'
import { Transport } from '../transport/transport.tsx'
import { ActionMenu, IconMenu } from '../../widgets/menu.tsx'
import { useOffered } from '../../widgets/palette/use-commands.ts'

/** Shows `Live`, `Latest event` while paused, the end of a file, or `event 1,204 (not live)`. */
function PlaceMarker({ control }: Pick<BarProps, 'control'>) {
  const { selection, trace, size, run } = useConsole()
  const { live } = trace
  const isPaused = useIsPaused(control)
  if (live && selection.following && isPaused) {
    return (
      <span className={styles.latest} title="The system is paused; this is its latest event.">
        <Dot tone="pending" /> Latest event
      </span>
    )
  }
  if (live && selection.following) {
    return (
      <span className={styles.live}>
        <Dot tone="ok" /> Live
      </span>
    )
  }
  const event = eventName(selection.at)
  const where = live || size === 0 ? event : `${event} of ${count(size - 1)}`
  const note = selection.following ? '' : live ? '(not live)' : '(not at end)'
  return (
    <>
      <span
        className={selection.following ? styles.inFile : styles.past}
        title={note === '' ? where : `${where} ${note}`}
      >
        <History size={13} aria-hidden />
        <span className={styles.where}>
          {where}
          {note === '' ? null : <span className={styles.note}> {note}</span>}
        </span>
      </span>
      {selection.following ? null : <ToEnd live={live} onCommand={run} />}
    </>
  )
}

interface ToEndProps {
  readonly live: boolean
  readonly onCommand: (command: Command) => void
}

/** The same in every step, so that stepping does not rerender it. */
const ToEnd = memo(function ToEnd({ live, onCommand }: ToEndProps) {
  return (
    <Button size="s" onPress={() => onCommand('end')}>
      {live ? 'Live' : 'End'} <Kbd>L</Kbd>
    </Button>
  )
})

/** Whether the console fills the page. */
export interface FullSize {
  readonly isOn: boolean
  readonly toggle: () => void
}

/** What the console's host gives to its toolbar. */
export interface HostProps {
  /** Undefined if the console is the whole page. */
  readonly onClose?: (() => void) | undefined
  /** Content that the host adds to the end of the toolbar. */
  readonly hostButtons?: ReactNode
  /** Content that the host adds to the start of the toolbar, such as a choice of recordings. */
  readonly hostChoice?: ReactNode
  /** Whether it fills the page, and how to change that; undefined if its size is fixed. */
  readonly full?: FullSize | undefined
  /** Loads the recording store, if there is one. */
  readonly store?: LoadStore
  /** Called when the console shows another past moment of the live recording, or none. */
  readonly onMoment?: OnMoment | undefined
}

export interface BarProps extends HostProps {
  readonly model: ConsoleModel
  readonly driving: Driving
  readonly saved: SavedViews
  /** Control of the live system, if available. */
  readonly control?: DrivenBy | undefined
}

/**
 * Registers commands for the selected event, its actor and the layout. One, two or three lines by the console's
 * width, never by its state.
 */
export function Bar({
  model,
  driving,
  saved,
  onClose,
  hostButtons,
  hostChoice,
  full,
  store,
  control,
}: BarProps) {
  const { live, machine, file, followed, selection, place, go, run } = model
  const close = useMemo(() => onClose && (() => machine.leave(onClose)), [onClose, machine])
  const compare = useCompare(go)
  const { timeline, details } = followed.trace
  useCommands(eventCommands(selection.seq, { timeline, details, place, go }))
  const { at, actor } = selection
  useCommands(actorCommands(actor, { timeline, details, at, query: place.query, go, pick: model.pick }))
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Console">
      <div className={styles.recorder}>
        {hostChoice}
        {file ? (
          <FileOrigin name={file.name} isRecording={live.isRecording} onClose={machine.close} />
        ) : (
          <RecordingControls recording={live} isSaved={machine.isSaved} onDownload={machine.save} />
        )}
      </div>
      <div className={styles.steps}>
        <Transport />
        <PlaceMarker control={control} />
        <BookmarksButton bookmarks={model.value.bookmarks} />
        <ChecksMark />
        {driving.buttons}
      </div>
      <div className={styles.line}>
        {driving.status}
        <QueryField
          inputRef={model.filterRef}
          query={model.query}
          onQuery={model.setQuery}
          timeline={timeline}
          announcement={countText(followed.filter, followed.size)}
        />
      </div>
      <div className={styles.end}>
        <PaletteButton onCommand={run} />
        <LayoutMenu saved={saved} hasDrive={driving.canDrive} onManage={model.openLayouts} />
        <EndButtons
          onCommand={run}
          onDownload={file ? undefined : machine.save}
          onOpen={machine.open}
          onCompare={compare}
          store={store}
          full={full}
          hostButtons={hostButtons}
          onClose={close}
        />
      </div>
    </div>
  )
}

/** Compares the shown recording with another one, in the Replay tab. */
function useCompare(go: ConsoleModel['go']) {
  const { runner } = useConsole().checks
  return useCallback(
    (other: File) => {
      runner.of('compare').start(file => ({ file, other }))
      go({ type: 'layout', layout: { center: 'divergence' } })
    },
    [runner, go],
  )
}

function PaletteButton({ onCommand }: Pick<ToEndProps, 'onCommand'>) {
  return (
    <AriaButton className={cx(styles.palette)} onPress={() => onCommand('palette')}>
      <Search size={13} aria-hidden />
      <span className={styles.paletteText}>Console commands…</span>
      <span className={styles.paletteKey}>
        <Kbd>{keyLabel('Mod+K', isApplePlatform())}</Kbd>
      </span>
    </AriaButton>
  )
}

interface EndButtonsProps extends Pick<ToEndProps, 'onCommand'> {
  /** Undefined while there is nothing to save. */
  readonly onDownload: (() => void) | undefined
  readonly onOpen: (file: File) => void
  readonly onCompare: (file: File) => void
  readonly store: LoadStore | undefined
  readonly full: FullSize | undefined
  readonly hostButtons: ReactNode
  readonly onClose: (() => void) | undefined
}

/** On narrow consoles, some buttons move to a menu. */
function EndButtons(props: EndButtonsProps) {
  const { onCommand, onDownload, onOpen, onCompare, store, full, hostButtons, onClose } = props
  return useMemo(
    () => (
      <>
        <span className={styles.roomy}>
          {onDownload ? (
            <ToolButton icon={Download} iconSize={15} label="Download recording" onPress={onDownload} />
          ) : null}
        </span>
        {store ? <EarlierRecordings load={store} onOpen={onOpen} onCompare={onCompare} /> : null}
        <span className={styles.roomy}>
          <OpenButton onOpen={onOpen} onDownload={onDownload} />
          <ToolButton
            icon={CircleHelp}
            iconSize={15}
            label="Keyboard shortcuts"
            shortcut="?"
            onPress={() => onCommand('help')}
          />
        </span>
        <span className={styles.tight}>
          <MoreMenu />
        </span>
        {full ? <FullButton full={full} /> : null}
        {hostButtons}
        {onClose ? <ToolButton icon={X} iconSize={15} label="Close console" onPress={onClose} /> : null}
      </>
    ),
    [onCommand, onDownload, onOpen, onCompare, store, full, hostButtons, onClose],
  )
}

function FullButton({ full: { isOn, toggle } }: { readonly full: FullSize }) {
  const title = isOn ? 'Restore the console' : 'Maximize the console'
  useCommands([
    {
      id: 'layout.full',
      title,
      section: 'Layout',
      keys: ['Shift+Z'],
      words: 'full screen large',
      run: toggle,
    },
  ])
  return (
    <ToolButton
      icon={isOn ? Minimize2 : Maximize2}
      iconSize={14}
      label={title}
      shortcut="Shift+Z"
      onPress={toggle}
    />
  )
}

function OpenButton({ onOpen, onDownload }: Pick<EndButtonsProps, 'onOpen' | 'onDownload'>) {
  const input = useRef<HTMLInputElement>(null)
  const commands = useMemo<readonly ConsoleCommand[]>(() => {
    const section = 'Recording'
    const save = {
      id: 'recording.save',
      title: 'Download recording',
      section,
      words: 'save file',
    } as const
    return [
      {
        id: 'recording.open',
        title: 'Open a trace file',
        section,
        words: 'load import',
        run: () => input.current?.click(),
      },
      onDownload
        ? { ...save, run: onDownload }
        : { ...save, disabled: 'a file is shown', run: () => undefined },
    ]
  }, [onDownload])
  useCommands(commands)
  return (
    <>
      <ToolButton
        icon={FolderOpen}
        iconSize={15}
        label="Open a trace file"
        onPress={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Trace file"
        onChange={event => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) onOpen(file)
        }}
      />
    </>
  )
}

const SHOWN: ReadonlySet<string> = new Set(['help', 'drive.hold', 'drive.step', 'drive.panel'])

/** On a narrow console, a menu of the commands that do not fit in the toolbar. */
function MoreMenu() {
  return (
    <IconMenu label="More" icon={<Ellipsis size={15} aria-hidden />}>
      <Items />
    </IconMenu>
  )
}

/** Mounted only while the menu is open: the list of commands changes often. */
function Items() {
  const commands = useOffered().filter(({ id, section }) => section === 'Recording' || SHOWN.has(id))
  return <ActionMenu label="More" actions={commands} />
}
