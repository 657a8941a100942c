// The name of the opened file in the toolbar, and the way back to the recording that is being made.
import { FileClock, X } from 'lucide-react'
import { memo } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import { useCommands } from '../commands/use-commands.ts'
import styles from '../toolbar/toolbar.module.css'

export interface FileOriginProps {
  readonly name: string
  /** Whether the recording behind it goes on. */
  readonly isRecording: boolean
  readonly onClose: () => void
}

/** The same in every step, so that stepping does not render it. */
export const FileOrigin = memo(function FileOrigin({ name, isRecording, onClose }: FileOriginProps) {
  useCommands([
    { id: 'recording.closeFile', title: 'Close the file', section: 'Recording', words: 'live', run: onClose },
  ])
  return (
    <>
      <span className={styles.file} title={name}>
        <FileClock size={14} aria-hidden className={styles.fileIcon} />
        <span>{name}</span>
      </span>
      {isRecording ? (
        <span className={styles.goesOn} title="The recording goes on">
          <span className={styles.dot} aria-hidden />
          <span>recording goes on</span>
        </span>
      ) : null}
      <IconButton size="s" label="Close the file" onPress={onClose}>
        <X size={14} aria-hidden />
      </IconButton>
    </>
  )
})
