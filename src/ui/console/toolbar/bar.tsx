// The console's toolbar, and the commands on the selection.
import { useMemo, memo, useState } from 'react'
import type { useDownload } from '../file/use-download.ts'
import type { Driving } from '../drive/use-driving.tsx'
import type { FrameProps } from '../frame.tsx'
import type { SavedViews } from '../layout/use-saved-views.ts'
import type { ConsoleModel } from '../use-console-model.ts'
import { useCommands } from '../commands/use-commands.ts'
import { BookmarksButton } from '../bookmarks/bookmarks-button.tsx'
import { EarlierRecordings } from '../file/earlier-recordings.tsx'
import { FileOrigin } from '../file/file-origin.tsx'
import { ChecksMark } from '../checks/checks-mark.tsx'
import { layoutCommands } from '../layout/layout-commands.ts'
import { LayoutMenu } from '../layout/layout-menu.tsx'
import { eventCommands } from '../log/event-commands.ts'
import { countText, QueryField } from '../query/query-field.tsx'
import { Toolbar } from './toolbar.tsx'
import { actorCommands } from '../tree/actor-commands.ts'
import { History, Circle, Square } from 'lucide-react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { Kbd } from '../../widgets/kbd.tsx'
import { Dot } from '../../widgets/pill.tsx'
import type { Selection } from '../model/selection.ts'
import type { Command } from '../place-commands.ts'
import { count, eventName, elapsedTime, plural } from '../text.ts'
import styles from './toolbar.module.css'
import { batchOf } from '../../../trace/index.ts'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { cx } from '../../widgets/cx.ts'
import { useElapsed, type RecordingState } from '../use-recording.ts'

interface PlaceMarkerProps {
  readonly selection: Selection
  readonly live: boolean
  readonly size: number
  readonly onCommand: (command: Command) => void
}

/** Shows `Live`, the end of a file, or `event 1,204 (not live)`. */
function PlaceMarker({ selection, live, size, onCommand }: PlaceMarkerProps) {
  if (live && selection.following) {
    return (
      <span className={styles.live}>
        <Dot tone="ok" /> Live
      </span>
    )
  }
  const event = eventName(selection.at)
  const where = live || size === 0 ? event : `${event} of ${count(size - 1)}`
  return (
    <>
      <span className={selection.following ? styles.inFile : styles.past}>
        <History size={13} aria-hidden />
        {selection.following ? where : `${where} ${live ? '(not live)' : '(not at end)'}`}
      </span>
      {selection.following ? null : <ToEnd live={live} onCommand={onCommand} />}
    </>
  )
}

/** The same in every step, so that stepping does not rerender it. */
const ToEnd = memo(function ToEnd({ live, onCommand }: Pick<PlaceMarkerProps, 'live' | 'onCommand'>) {
  return (
    <Button size="s" onPress={() => onCommand('end')}>
      {live ? 'Live' : 'End'} <Kbd>L</Kbd>
    </Button>
  )
})

/** Subscribes to changes itself: a constant element, so that a step does not rerender it. */
const BOOKMARKS = <BookmarksButton />

export interface BarProps extends FrameProps {
  readonly model: ConsoleModel
  readonly driving: Driving
  readonly saved: SavedViews
  readonly download: ReturnType<typeof useDownload>
}

/** Registers commands for the selected event, its actor and the layout. */
export function Bar({ model, driving, saved, download, ...props }: BarProps) {
  const { now, onClose, hostButtons, store } = props
  const { live, file, followed, selection, place, go } = model
  const { open, mayLeave } = file
  const close = useMemo(() => onClose && (() => mayLeave(onClose)), [onClose, mayLeave])
  const earlier = useMemo(
    () => (store ? <EarlierRecordings load={store} onOpen={open} /> : null),
    [store, open],
  )
  const { timeline, details } = followed.trace
  useCommands(eventCommands(selection.seq, { timeline, details, place, go }))
  const { at, actor } = selection
  useCommands(actorCommands(actor, { timeline, details, at, query: place.query, go, pick: model.pick }))
  useCommands(layoutCommands(place.layout, layout => go({ type: 'layout', layout })))
  return (
    <Toolbar
      origin={
        file.opened ? (
          <FileOrigin name={file.opened.name} isRecording={live.isRecording} onClose={file.close} />
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
          {BOOKMARKS}
          <ChecksMark />
        </>
      }
      filter={
        <QueryField
          inputRef={model.filterRef}
          query={model.query}
          onQuery={model.setQuery}
          timeline={timeline}
          announcement={countText(followed.filter, followed.size)}
        />
      }
      onCommand={model.run}
      onDownload={file.opened ? undefined : download.save}
      onOpen={open}
      earlier={earlier}
      drive={driving.buttons}
      layout={<LayoutMenu saved={saved} hasDrive={driving.canDrive} onManage={model.openLayouts} />}
      hostButtons={hostButtons}
      onClose={close}
    />
  )
}

interface RecordingControlsProps {
  readonly recording: RecordingState
  readonly now: () => number
  /** Returns whether the recording was saved since it last grew. */
  readonly isSaved: () => boolean
  readonly onDownload: () => void
}

/** A new recording drops the previous one, so the user confirms if that was not saved. */
const RecordingControls = memo(function RecordingControls(props: RecordingControlsProps) {
  const { recording, now, isSaved, onDownload } = props
  const [asking, setAsking] = useState(false)
  const elapsed = useElapsed(recording.trace, now, recording.isRecording)
  // Counted without preparing the records, which may take long.
  const { size } = batchOf(recording.trace, 0)
  const begin = () => {
    setAsking(false)
    recording.start()
  }
  const startOver = () => (isSaved() || size === 0 ? begin() : setAsking(true))
  useCommands([
    recording.isRecording
      ? { id: 'recording.stop', title: 'Stop recording', section: 'Recording', run: recording.stop }
      : {
          id: 'recording.anew',
          title: 'New recording',
          section: 'Recording',
          words: 'start',
          run: startOver,
        },
  ])
  return (
    <>
      <span className={cx(styles.recording, recording.isRecording && styles.on)} role="status">
        <span aria-hidden className={styles.dot} />
        <span className={styles.word}>{recording.isRecording ? 'Recording' : 'Stopped'}</span>
      </span>
      <span className={styles.elapsed}>{elapsedTime(elapsed)}</span>
      {recording.isRecording ? (
        <IconButton size="s" label="Stop recording" onPress={recording.stop}>
          <Square size={13} aria-hidden />
        </IconButton>
      ) : (
        <IconButton size="s" label="New recording" onPress={startOver}>
          <Circle size={14} aria-hidden />
        </IconButton>
      )}
      <Dialog
        title="Start a new recording?"
        role="alertdialog"
        isOpen={asking}
        onClose={() => setAsking(false)}
      >
        <p>The recording so far ({plural(size, 'event')}) has not been downloaded and will be lost.</p>
        <DialogActions>
          <Button variant="quiet" onPress={() => setAsking(false)}>
            Cancel
          </Button>
          <Button onPress={onDownload}>Download first</Button>
          <Button variant="primary" onPress={begin}>
            New recording
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
})
