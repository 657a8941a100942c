// Buttons of a file job's dialog: stop, retry, close, and start.
import type { ReactNode } from 'react'
import type { FileJob, FileJobState, JobEvent } from '../../../../services/workbench/jobs/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { DialogActions } from '../../../widgets/dialog.tsx'
import { isBusy, isJobOver } from '../../../../services/workbench/files/index.ts'

export interface JobActionsProps {
  readonly job: FileJobState
  readonly send: (event: JobEvent<FileJob>) => void
  readonly onClose: () => void
  /** Label of the button that closes without changes. */
  readonly keep: string
  /** The start button; hidden after the end and while a question is open. */
  readonly children: ReactNode
}

export function JobActions({ job, send, onClose, keep, children }: JobActionsProps) {
  const { phase, refused } = job
  return (
    <DialogActions>
      {isBusy(job) ? (
        <Button isDisabled={phase === 'canceling'} onPress={() => send({ type: 'job.cancel' })}>
          Stop
        </Button>
      ) : (
        <Button onPress={onClose}>{isJobOver(job) ? 'Close' : keep}</Button>
      )}
      {phase === 'uncounted' ? (
        <Button onPress={() => send({ type: 'job.recount' })}>Try again</Button>
      ) : null}
      {phase === 'ended' ? (
        <Button onPress={() => send({ type: 'job.retry' })}>
          {refused.length > 0 ? 'Try again' : 'Resume'}
        </Button>
      ) : null}
      {isJobOver(job) || phase === 'asking' ? null : children}
    </DialogActions>
  )
}
