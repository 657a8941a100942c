// Recording status and duration, with buttons to stop and to start a new recording.
import { Circle, Square } from 'lucide-react'
import { memo, useState } from 'react'
import { batchOf } from '../../../trace/index.ts'
import { Button, IconButton } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { cx } from '../../widgets/cx.ts'
import { useCommands } from '../commands/use-commands.ts'
import { elapsedTime, plural } from '../text.ts'
import { useElapsed, type RecordingState } from '../use-recording.ts'
import styles from './toolbar.module.css'

export interface RecordingControlsProps {
  readonly recording: RecordingState
  readonly now: () => number
  /** Returns whether the recording was saved since it last grew. */
  readonly isSaved: () => boolean
  readonly onDownload: () => void
}

/** A new recording drops the previous one, so the user confirms if that was not saved. */
export const RecordingControls = memo(function RecordingControls(props: RecordingControlsProps) {
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
