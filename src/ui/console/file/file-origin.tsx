// The opened file's name in the toolbar, with a button back to the live recording.
import { FileClock, X } from 'lucide-react'
import { memo } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import { useCommands } from '../commands/use-commands.ts'
import styles from '../toolbar/toolbar.module.css'

export interface FileOriginProps {
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
      <IconButton size="s" label="Close file" onPress={onClose}>
        <X size={14} aria-hidden />
      </IconButton>
    </>
  )
})
