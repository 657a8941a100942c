// The start of the toolbar: the live recording with its time, or the opened file.
import { Circle, FileClock, Square, X } from 'lucide-react'
import { memo, useState } from 'react'
import { batchOf } from '../../../trace/index.ts'
import { Button, ToolButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { useCommands } from '../commands/use-commands.ts'
import { elapsedTime, plural } from '../text.ts'
import { useElapsed, type RecordingState } from '../use-recording.ts'
import styles from './toolbar.module.css'

interface RecordingControlsProps {
  readonly recording: RecordingState
  /** Returns whether the recording was saved since it last grew. */
  readonly isSaved: () => boolean
  readonly onDownload: () => void
}

/** A new recording drops the previous one, so the user confirms if that was not saved. */
export const RecordingControls = memo(function RecordingControls(props: RecordingControlsProps) {
  const { recording, isSaved, onDownload } = props
  const [asking, setAsking] = useState(false)
  const elapsed = useElapsed(recording)
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
        <ToolButton icon={Square} label="Stop recording" onPress={recording.stop} />
      ) : (
        <ToolButton icon={Circle} iconSize={14} label="New recording" onPress={startOver} />
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

interface FileOriginProps {
  readonly name: string
  /** Whether the live recording continues. */
  readonly isRecording: boolean
  readonly onClose: () => void
}

/** The same in every step, so that stepping does not rerender it. */
export const FileOrigin = memo(function FileOrigin({ name, isRecording, onClose }: FileOriginProps) {
  useCommands([
    { id: 'recording.closeFile', title: 'Close file', section: 'Recording', words: 'live', run: onClose },
  ])
  return (
    <>
      <span className={styles.file} title={name}>
        <FileClock size={14} aria-hidden className={styles.fileIcon} />
        <span>{name}</span>
      </span>
      {isRecording ? (
        <span className={styles.goesOn} title="Still recording">
          <span className={styles.dot} aria-hidden />
          <span>still recording</span>
        </span>
      ) : null}
      <ToolButton icon={X} iconSize={14} label="Close file" onPress={onClose} />
    </>
  )
})
