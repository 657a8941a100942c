// Confirms that something is removed from an account, and sends the removal.
import type { ReactNode } from 'react'
import type { ChartroomClient } from '../../../../services/client/index.ts'
import type { Called } from '../../../../services/workbench/auth/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import { notify } from '../../shell/notify.ts'
import styles from '../account.module.css'
import { TaskRefusal, useTask } from './use-task.tsx'

export interface RemoveDialogProps {
  /** Display name of what is removed. */
  readonly name: string
  /** Says what the removal ends. */
  readonly children: ReactNode
  readonly isDisabled?: boolean
  readonly send: (client: ChartroomClient) => Promise<Called<unknown>>
  readonly onRemoved: () => void
  readonly onClose: () => void
}

export function RemoveDialog(props: RemoveDialogProps) {
  const { name, children, isDisabled = false, send, onRemoved, onClose } = props
  const { state, isRunning, run } = useTask<'remove'>()
  const remove = async () => {
    const answer = await run('remove', send)
    if (answer === undefined) return
    onClose()
    notify({ tone: 'ok', title: `${name} removed` })
    onRemoved()
  }
  return (
    <Dialog title={`Remove ${name}?`} isOpen onClose={onClose} role="alertdialog">
      <p className={styles.text}>{children}</p>
      <TaskRefusal state={state} />
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant="danger"
          isPending={isRunning()}
          isDisabled={isDisabled}
          onPress={() => void remove()}
        >
          Remove
        </Button>
      </DialogActions>
    </Dialog>
  )
}
