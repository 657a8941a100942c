// The name of the opened file in the toolbar, and the way back to the recording that is being made.
import { FileClock, X } from 'lucide-react'
import { IconButton } from '../../widgets/button.tsx'
import { useCommands } from '../commands/use-commands.ts'
import styles from '../toolbar/toolbar.module.css'
import type { ConsoleModel } from '../use-console.ts'

export function FileOrigin({ model, name }: { readonly model: ConsoleModel; readonly name: string }) {
  const { close } = model.file
  useCommands([
    { id: 'recording.closeFile', title: 'Close the file', section: 'Recording', words: 'live', run: close },
  ])
  return (
    <>
      <span className={styles.file} title={name}>
        <FileClock size={14} aria-hidden className={styles.fileIcon} />
        <span>{name}</span>
      </span>
      {model.live.isRecording ? (
        <span className={styles.goesOn} title="The recording goes on">
          <span className={styles.dot} aria-hidden />
          <span>recording goes on</span>
        </span>
      ) : null}
      <IconButton size="s" label="Close the file" onPress={close}>
        <X size={14} aria-hidden />
      </IconButton>
    </>
  )
}
