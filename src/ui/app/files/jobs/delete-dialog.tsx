// Deletes files and folders; shows the number of files first.
import { useEffect, useRef } from 'react'
import { Button } from '../../../widgets/button.tsx'
import { Dialog } from '../../../widgets/dialog.tsx'
import { plural, formatSize } from '../../../../services/workbench/text/index.ts'
import { notify } from '../../shell/notify.ts'
import type { FileJobState } from '../../../../services/workbench/jobs/index.ts'
import { JobActions, JobProgress } from './job-view.tsx'
import { endWords, isBusy, isJobOver, nameOf, removing } from '../../../../services/workbench/files/index.ts'
import { useJob, type Target } from './use-job.ts'

export interface DeleteDialogProps {
  readonly bucket: string
  readonly targets: readonly Target[]
  /** Called when a file was deleted. */
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** Backends limit the names per call. */
const AT_ONCE = 200

function Question({ targets, job }: { readonly targets: readonly Target[]; readonly job: FileJobState }) {
  const [only] = targets
  const folders = targets.filter(target => target.isFolder).length
  const what =
    targets.length === 1 && only !== undefined ? (
      <code>{nameOf(only.path)}</code>
    ) : (
      <b>{plural(targets.length, 'entry', 'entries')}</b>
    )
  if (folders === 0) return <p>{what} will be deleted for everyone. This can’t be undone.</p>
  return (
    <p>
      {what}
      {job.phase === 'ready'
        ? ` (${plural(job.total, 'file')}, ${formatSize(job.bytes)})`
        : ' and all their files'}{' '}
      will be deleted for everyone. This can’t be undone.
    </p>
  )
}

const titleOf = (targets: readonly Target[]): string => {
  const [only] = targets
  if (targets.length !== 1 || only === undefined)
    return `Delete ${plural(targets.length, 'entry', 'entries')}?`
  return only.isFolder ? 'Delete this folder?' : 'Delete this file?'
}

/** Counts files in folders before confirmation; reports refusals per file. */
export function DeleteDialog({ bucket, targets, onChanged, onClose }: DeleteDialogProps) {
  const { state: job, begin, send } = useJob({ kind: 'delete', bucket, targets, size: AT_ONCE })
  const close = useRef({ onChanged, onClose })
  useEffect(() => {
    close.current = { onChanged, onClose }
  })
  useEffect(() => {
    if (!isJobOver(job)) return
    if (job.done > 0) close.current.onChanged()
    if (job.phase !== 'done') return
    const [only] = targets
    const one = targets.length === 1 && only && !only.isFolder ? `Deleted ${nameOf(only.path)}` : undefined
    notify({ tone: 'ok', title: one ?? endWords('Deleted', job) })
    close.current.onClose()
  }, [job, targets])
  const stop = () => send({ type: 'job.cancel' })
  return (
    <Dialog title={titleOf(targets)} role="alertdialog" isOpen onClose={isBusy(job) ? stop : onClose}>
      {isJobOver(job) ? <p>{endWords('Deleted', job)}.</p> : <Question targets={targets} job={job} />}
      <JobProgress job={job} verb="Deleting" send={send} />
      <JobActions job={job} send={send} onClose={onClose} keep="Cancel">
        <Button
          variant="danger"
          isPending={isBusy(job)}
          isDisabled={job.phase === 'counting' || job.phase === 'uncounted'}
          onPress={() => begin(removing)}
        >
          Delete
        </Button>
      </JobActions>
    </Dialog>
  )
}
