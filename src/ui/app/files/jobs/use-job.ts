// The file job of an open dialog: its machine ends with the dialog.
import { useSelector } from '@xstate/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import {
  createFileJob,
  type FileJob,
  type FileJobState,
  fileJobState,
  type JobEvent,
} from '../../../../services/workbench/jobs/index.ts'
import { useClient } from '../../../react/index.ts'
import { useStarted } from '../../hooks.ts'
import { useData } from '../../database.ts'
import type { AnyDataClient } from '../../../../services/workbench/rest/index.ts'
import { plural } from '../../../../services/workbench/text/index.ts'
import { workRecordings } from '../../work-recordings.ts'
import { type Batch, filesWithin, isBusy, type Within } from '../../../../services/workbench/files/index.ts'

/** A file or folder to process. */
export interface Target {
  readonly path: string
  readonly isFolder: boolean
  readonly size?: number | undefined
}

export interface Work {
  readonly kind: FileJobState['kind']
  readonly bucket: string
  /** Stable while the job is open. */
  readonly targets: readonly Target[]
  /** Files per batch. */
  readonly size: number
}

const NAMES = { delete: 'Deletion', move: 'Move', copy: 'Copy' } as const

const stateOf = ({ actor }: FileJob): FileJobState => fileJobState(actor.getSnapshot())

/** Pending calls finish; nothing else starts. */
function leave(job: FileJob): void {
  const look = () => {
    if (!isBusy(stateOf(job))) job.actor.stop()
  }
  job.actor.subscribe(look)
  if (isBusy(stateOf(job))) job.actor.send({ type: 'job.cancel' })
  look()
}

/** Ends a delay caused by a lost connection. */
function useGoOnOnline(job: FileJob | undefined): void {
  useEffect(() => {
    const goOn = () => {
      if (job && stateOf(job).phase === 'backingOff') job.actor.send({ type: 'job.resume' })
    }
    addEventListener('online', goOn)
    return () => removeEventListener('online', goOn)
  }, [job])
}

/** The state before there is a job. */
const counting = (kind: Work['kind'], bucket: string): FileJobState => ({
  phase: 'counting',
  kind,
  bucket,
  found: 0,
  total: 0,
  bytes: 0,
  conflicts: [],
  done: 0,
  skipped: 0,
  refused: [],
  failure: undefined,
})

/** Starts counting; `batch` returns the work, once it is started. */
function makeJob(data: AnyDataClient, work: Work, batch: () => Batch | undefined): FileJob {
  const { kind, bucket: bucketId, targets, size } = work
  const bucket = data.storage.from(bucketId)
  let files: readonly Within[] = []
  return createFileJob({
    kind,
    bucket: bucketId,
    size,
    count: async (found, signal) => {
      files = await filesWithin(bucket, targets, found, signal)
      return { total: files.length, bytes: files.reduce((sum, file) => sum + file.size, 0) }
    },
    processBatch: tasks =>
      batch()?.(bucket, files, tasks) ?? Promise.reject(new Error('No action was selected.')),
  })
}

/** Until there is a job, `state` is that of a counting one. */
export const useJob = ({ kind, bucket, targets, size }: Work) => {
  const data = useData()
  const client = useClient()
  const batch = useRef<Batch>(undefined)
  const start = useCallback(() => {
    const started = makeJob(data, { kind, bucket, targets, size }, () => batch.current)
    return { started, stop: () => leave(started) }
  }, [data, kind, bucket, targets, size])
  const job = useStarted(start)
  const [first] = useState(() => counting(kind, bucket))
  const state = useSelector(job?.actor, snapshot => (snapshot ? fileJobState(snapshot) : first))
  const begin = useCallback(
    (chosen: Batch) => {
      batch.current = chosen
      if (!job || stateOf(job).phase !== 'ready') return
      const what = `${NAMES[kind]} of ${plural(stateOf(job).total, 'file')} in ${bucket}`
      workRecordings(client).add(what, job)
      job.actor.send({ type: 'job.start' })
    },
    [job, client, kind, bucket],
  )
  useGoOnOnline(job)
  const send = useCallback((event: JobEvent<FileJob>) => job?.actor.send(event), [job])
  return { state, begin, send }
}
