// Deleting files and folders, with how many files that is.
import { useEffect, useRef } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { formatSize } from '../format.ts'
import { notify } from '../shell/notify.ts'
import { JobProgress } from './job-view.tsx'
import { countOf, endWords, type Job } from './job.ts'
import { nameOf } from './listing.ts'
import { removing, useJob, type Target } from './use-job.ts'

export interface DeleteDialogProps {
  readonly bucket: string
  readonly targets: readonly Target[]
  /** Something is gone. */
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** Hosts take no more names in one call. */
const AT_ONCE = 200

function Question({ targets, job }: { readonly targets: readonly Target[]; readonly job: Job }) {
  const [only] = targets
  const folders = targets.filter(target => target.isFolder).length
  const what =
    targets.length === 1 && only !== undefined ? (
      <code>{nameOf(only.path)}</code>
    ) : (
      <b>{countOf(targets.length, 'entry', 'entries')}</b>
    )
  if (folders === 0) return <p>{what} will be deleted for everyone. This can’t be undone.</p>
  return (
    <p>
      {what}
      {job.phase === 'ready'
        ? ` with ${countOf(job.files.length, 'file')} in all (${formatSize(job.files.reduce((sum, file) => sum + file.size, 0))})`
        : ' with all in it'}{' '}
      will be deleted for everyone. This can’t be undone.
    </p>
  )
}

const titleOf = (targets: readonly Target[]): string => {
  const [only] = targets
  if (targets.length !== 1 || only === undefined)
    return `Delete ${countOf(targets.length, 'entry', 'entries')}?`
  return only.isFolder ? 'Delete this folder?' : 'Delete this file?'
}

/** Counts what is in folders before it asks; what was refused is told file by file. */
export function DeleteDialog({ bucket, targets, onChanged, onClose }: DeleteDialogProps) {
  const { job, run, stop, recount } = useJob(bucket, targets)
  const close = useRef({ onChanged, onClose })
  useEffect(() => {
    close.current = { onChanged, onClose }
  })
  useEffect(() => {
    if (job.phase !== 'ended') return
    if (job.done > 0) close.current.onChanged()
    if (job.failures.length > 0) return
    const [only] = targets
    const one = targets.length === 1 && only && !only.isFolder ? `Deleted ${nameOf(only.path)}` : undefined
    notify({ tone: 'ok', title: one ?? endWords('Deleted', job) })
    close.current.onClose()
  }, [job, targets])
  const isBusy = job.phase === 'working' || job.phase === 'stopping'
  return (
    <Dialog title={titleOf(targets)} role="alertdialog" isOpen onClose={isBusy ? stop : onClose}>
      {job.phase === 'ended' ? <p>{endWords('Deleted', job)}.</p> : <Question targets={targets} job={job} />}
      <JobProgress job={job} verb="Deleting" />
      <DialogActions>
        {isBusy ? (
          <Button isDisabled={job.phase === 'stopping'} onPress={stop}>
            Stop
          </Button>
        ) : (
          <Button onPress={onClose}>{job.phase === 'ended' ? 'Close' : 'Keep it'}</Button>
        )}
        {job.phase === 'uncounted' ? <Button onPress={recount}>Try again</Button> : null}
        {job.phase === 'ended' ? null : (
          <Button
            variant="danger"
            isPending={isBusy}
            isDisabled={job.phase === 'counting' || job.phase === 'uncounted'}
            onPress={() => {
              if (job.phase === 'ready') void run(job.files, AT_ONCE, removing)
            }}
          >
            Delete
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
