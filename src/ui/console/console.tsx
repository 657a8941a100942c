// The console: toolbar, actors, chart, log and the selected record, all on one cursor.
import { FileClock, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { MachineChart, TraceSource } from '../../trace/format.ts'
import { IconButton } from '../widgets/button.tsx'
import type { ConsoleRecording } from './console-recording.ts'
import { BookmarksButton } from './bookmarks/bookmarks-button.tsx'
import { BookmarksProvider, type BookmarksProviderProps } from './bookmarks/bookmarks-provider.tsx'
import styles from './console.module.css'
import type { Begun } from './drive/begin-sandbox.ts'
import type { DrivenBy } from './drive/driven.ts'
import { Sandboxed } from './drive/sandboxed.tsx'
import { useDriving } from './drive/use-driving.tsx'
import { EarlierRecordings, type LoadStore } from './earlier-recordings.tsx'
import { QueryChips } from './query/query-chips.tsx'
import { QueryField } from './query/query-field.tsx'
import { JudgeProvider, type JudgeProviderProps } from './judge/judge-provider.tsx'
import { FileNotice } from './file-notice.tsx'
import { KeySheet } from './key-sheet.tsx'
import { takeKey } from './commands/command-keys.ts'
import { Palette } from './commands/palette.tsx'
import { CommandRegistry } from './commands/registry.ts'
import { CommandsContext, useRegistry } from './commands/use-commands.ts'
import { MinimapStrip } from './minimap/minimap-strip.tsx'
import { Panes } from './panes.tsx'
import { PlaceMarker } from './place-marker.tsx'
import { RecordingControls } from './recording-controls.tsx'
import { plural } from './text.ts'
import { Toolbar } from './toolbar.tsx'
import toolbarStyles from './toolbar.module.css'
import { ChartDriverContext } from './chart/chart-driver.ts'
import type { LayoutService } from './chart/layout-service.ts'
import { createLayoutService, LayoutContext } from './chart/use-chart-layout.ts'
import type { ConsoleLocation } from './model/location.ts'
import { ConsoleContext, type ConsoleModel } from './use-console.ts'
import { useConsoleModel } from './use-console-model.ts'
import { useDownload } from './use-download.ts'
import { useFileDrop } from './use-file-drop.ts'

export interface ConsoleProps {
  readonly recording: ConsoleRecording
  /** Milliseconds on the recorded client's monotonic clock. */
  readonly now: () => number
  /** Absent where the console is all that there is. */
  readonly onClose?: (() => void) | undefined
  /** What its host adds to the end of the toolbar. */
  readonly hostButtons?: ReactNode
  /** Whether the focus comes along, so that the keys work at once. */
  readonly takesFocus?: boolean
  /** Charts by machine id, for traces that bring none. */
  readonly machines?: Readonly<Record<string, MachineChart>>
  /** Where recordings are kept, if they are. */
  readonly store?: LoadStore
  /** Through which the live system is driven, if it can be. */
  readonly control?: DrivenBy
  /** Where the place is kept, as in the URL; nowhere unless told. Must stay the same object. */
  readonly location?: ConsoleLocation
}

/** Shows a live recording, or a trace file opened in it, in the height that it is given. */
export function Console(props: ConsoleProps) {
  const [registry] = useState(() => new CommandRegistry())
  return (
    <CommandsContext value={registry}>
      <Sandboxed>
        {(view, onBranch) => (
          <Frame key={view ? 'sandbox' : 'live'} {...props} {...view} onBranch={onBranch} />
        )}
      </Sandboxed>
    </CommandsContext>
  )
}

const NO_VIEWS: readonly never[] = []

interface FrameProps extends ConsoleProps {
  /** Of a sandbox, the recording that it came from. */
  readonly origin?: TraceSource
  readonly onBranch: (begun: Begun) => void
}

function Frame(props: FrameProps) {
  const { recording, now, onClose, hostButtons, takesFocus, machines, store, control } = props
  const { origin, onBranch } = props
  // The place in a sandbox is nobody's to come back to.
  const location = origin ? undefined : props.location
  const frame = useRef<HTMLElement>(null)
  const registry = useRegistry()
  useEffect(() => {
    if (takesFocus) frame.current?.focus()
  }, [takesFocus])
  const model = useConsoleModel({ recording, machines, location })
  const driving = useDriving({ handle: control, model, recording, origin, onBranch })
  const download = useDownload(recording)
  const layouts = useLayouts()
  const drop = useFileDrop(model.file.open)
  const { live, file, followed, selection } = model
  const past = !selection.following
  const earlier = useMemo(
    () => (store ? <EarlierRecordings load={store} onOpen={file.open} /> : null),
    [store, file.open],
  )
  return (
    <ConsoleContext value={model.value}>
      <Around
        layouts={layouts}
        recording={recording}
        file={file.opened}
        askFirst={file.askFirst}
        open={file.open}
        control={control}
      >
        <section
          className={styles.console}
          ref={frame}
          aria-label="Console"
          tabIndex={-1}
          data-past={past || undefined}
          data-dropping={drop.over || undefined}
          onKeyDownCapture={event => takeKey(event, registry)}
          {...drop.handlers}
        >
          <Toolbar
            origin={
              file.opened ? (
                <FileOrigin model={model} name={file.opened.name} />
              ) : (
                <RecordingControls
                  recording={live}
                  now={now}
                  isSaved={download.isSaved}
                  onDownload={download.save}
                />
              )
            }
            place={
              <>
                <PlaceMarker
                  selection={selection}
                  live={followed.trace.live}
                  size={followed.size}
                  onCommand={model.run}
                />
                <BookmarksButton />
              </>
            }
            filter={
              <QueryField
                inputRef={model.filterRef}
                query={model.query}
                onQuery={model.setQuery}
                filter={followed.filter}
                timeline={followed.trace.timeline}
                size={followed.size}
              />
            }
            onCommand={model.run}
            onDownload={file.opened ? undefined : download.save}
            onOpen={file.open}
            earlier={earlier}
            drive={driving.buttons}
            hostButtons={hostButtons}
            onClose={onClose && (() => file.mayLeave(onClose))}
          />
          <QueryChips query={followed.filter.query} onQuery={model.setQuery} onEdit={model.editQuery} />
          {driving.bar}
          <FileNotice
            file={file}
            damage={followed.trace.damage()}
            kept={followed.size}
            indexed={followed.trace.share()}
            hints={model.hints}
            onDismissHints={model.dismissHints}
            failure={download.failure}
            onCancel={file.cancel}
            onDismiss={file.dismiss}
          />
          <MinimapStrip />
          <ChartDriverContext value={driving.chart}>
            <Panes model={model} drive={driving.panel} />
          </ChartDriverContext>
          <KeySheet isOpen={model.help} onClose={model.closeHelp} />
          <Palette
            isOpen={model.palette}
            onClose={model.closePalette}
            store={store}
            onOpen={file.open}
            views={NO_VIEWS}
          />
          {drop.over ? <p className={styles.drop}>Drop a trace file to open it</p> : null}
        </section>
      </Around>
    </ConsoleContext>
  )
}

function FileOrigin({ model, name }: { readonly model: ConsoleModel; readonly name: string }) {
  return (
    <>
      <span className={toolbarStyles.file} title={name}>
        <FileClock size={14} aria-hidden className={toolbarStyles.fileIcon} />
        <span>{name}</span>
      </span>
      <span className={toolbarStyles.elapsed}>
        {plural(model.followed.size, 'event')}
        {model.live.isRecording ? ' · recording goes on' : ''}
      </span>
      <IconButton size="s" label="Close the file" onPress={model.file.close}>
        <X size={14} aria-hidden />
      </IconButton>
    </>
  )
}

interface AroundProps extends JudgeProviderProps, BookmarksProviderProps {
  readonly layouts: LayoutService
}

/** What views share beside the model. */
function Around({ layouts, children, askFirst, ...judged }: AroundProps) {
  return (
    <LayoutContext value={layouts}>
      <JudgeProvider {...judged}>
        <BookmarksProvider recording={judged.recording} file={judged.file} askFirst={askFirst}>
          {children}
        </BookmarksProvider>
      </JudgeProvider>
    </LayoutContext>
  )
}

/** One layout service per console; its worker ends with the console. */
function useLayouts() {
  const service = useMemo(() => createLayoutService('Inter, ui-sans-serif, system-ui, sans-serif'), [])
  useEffect(() => () => service.dispose(), [service])
  return service
}
