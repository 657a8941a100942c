// Opens the recording of a report in the console, at a step that the URL names.
import { useCallback, useState } from 'react'
import { useRouter, type RegisteredRouter } from '@tanstack/react-router'
import {
  downloadFile,
  MissingFile,
  type Report,
  traceName,
} from '../../../services/workbench/reports/index.ts'
import { type AnyDataClient, explainCall } from '../../../services/workbench/rest/index.ts'
import { keepByClient } from '../../../services/workbench/storage/index.ts'
import { RunJob } from '../../console/checks/job-runner.ts'
import type { ChartroomClient } from '../../../services/client/index.ts'
import type { ConsoleLocation, ConsoleRecording, PlaceParams } from '../../console/index.ts'
import { useClient } from '../../react/index.ts'
import { workRecordings } from '../work-recordings.ts'

/** A recording that was downloaded. */
export interface OpenedReport {
  readonly file: File
  /** In the list of the console's recordings. */
  readonly recording: ConsoleRecording
  /** What the recording shows, found in a worker. */
  readonly examination: RunJob<'examine'>
}

const kept = keepByClient<Map<string, OpenedReport>>()

const openedOf = (client: ChartroomClient) => kept.of(client, 'reports', () => new Map())

/** The client's own recording as another object: the console shows it once the file is closed. */
function behindFile(own: ConsoleRecording): ConsoleRecording {
  return {
    get trace() {
      return own.trace
    },
    isRecording: () => own.isRecording(),
    elapsed: () => own.elapsed(),
    start: () => own.start(),
    stop: () => own.stop(),
    download: () => own.download(),
  }
}

/** URL of a moment of a report, which only members can open. */
export function reportUrl(router: RegisteredRouter, id: string, step: string | undefined): string {
  const { href } = router.buildLocation({
    to: '/reports',
    search: { report: id, ...(step !== undefined && { step: Number(step) }) } as never,
  })
  return new URL(href, window.location.href).href
}

/** Keeps the step in the page's URL while the page shows this report. */
function reportLocation(router: RegisteredRouter, id: string, first: PlaceParams): ConsoleLocation {
  let params = first
  return {
    read: () => params,
    write: next => {
      params = next
      const { pathname, search } = router.latestLocation
      if (!pathname.endsWith('/reports') || (search as { report?: string }).report !== id) return
      const step = next.at === undefined ? undefined : Number(next.at)
      void router.navigate({
        to: '.',
        search: (all: object) => ({ ...all, step }) as never,
        replace: true,
        resetScroll: false,
      })
    },
    subscribe: () => () => undefined,
    link: ({ at }) => reportUrl(router, id, at),
  }
}

/** Downloads, examines and opens reports; `of` returns one that was downloaded. */
export function useOpenReport() {
  const client = useClient()
  const router = useRouter()
  const [pending, setPending] = useState<string>()
  const [failed, setFailed] = useState<{ readonly id: string; readonly message: string }>()
  const opened = openedOf(client)
  const load = useCallback(
    async (report: Report): Promise<OpenedReport | undefined> => {
      const own = client.recording
      if (!own) return undefined
      const { id } = report
      const all = openedOf(client)
      const before = all.get(id)
      const works = workRecordings(client)
      // The oldest recordings are dropped from the console's list.
      const isListed = works.state().list.some(({ recording }) => recording === before?.recording)
      if (before && isListed) return before
      setPending(id)
      setFailed(undefined)
      try {
        const file = before?.file ?? (await download(client, report))
        const recording = behindFile(own)
        const loaded = { file, recording, examination: before?.examination ?? examine(report, file) }
        all.set(id, loaded)
        works.add(`Report ${id.slice(0, 8)}`, {
          recording,
          opens: file,
          locate: place => reportLocation(router, id, place),
        })
        return loaded
      } catch (error) {
        const message = error instanceof MissingFile ? error.message : (await explainCall(error)).message
        setFailed({ id, message })
        return undefined
      } finally {
        setPending(undefined)
      }
    },
    [client, router],
  )
  const open = useCallback(
    async (report: Report, at: PlaceParams = {}) => {
      const loaded = await load(report)
      if (loaded) workRecordings(client).show(loaded.recording, at)
    },
    [client, load],
  )
  return { load, open, pending, failed, of: (id: string) => opened.get(id) }
}

const download = async (client: ChartroomClient, report: Report): Promise<File> =>
  new File(
    [await downloadFile(client.with({}) as unknown as AnyDataClient, report, 'trace.gz')],
    traceName(report),
  )

function examine({ cause: kind, fingerprint }: Report, file: File): RunJob<'examine'> {
  const job = new RunJob('examine', {
    file: () => Promise.resolve(file),
    systems: () => ({}),
    size: () => 0,
  })
  job.start(blob => ({ file: blob, incident: { kind, fingerprint } }))
  return job
}
