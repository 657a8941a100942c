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
import type { ChartroomClient } from '../../../services/client/index.ts'
import type { ConsoleLocation, ConsoleRecording, PlaceParams } from '../../console/index.ts'
import { useClient } from '../../react/index.ts'
import { workRecordings } from '../work-recordings.ts'

/** A recording that was downloaded. */
export interface OpenedReport {
  readonly file: File
  /** In the list of the console's recordings. */
  readonly recording: ConsoleRecording
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

/** Opens reports; `file` returns the recording of one that was opened. */
export function useOpenReport() {
  const client = useClient()
  const router = useRouter()
  const [pending, setPending] = useState<string>()
  const [failed, setFailed] = useState<{ readonly id: string; readonly message: string }>()
  const opened = openedOf(client)
  const open = useCallback(
    async (report: Report, step?: number) => {
      const own = client.recording
      if (!own) return
      const { id } = report
      const at: PlaceParams = step === undefined ? {} : { at: String(step) }
      const all = openedOf(client)
      const works = workRecordings(client)
      const before = all.get(id)
      // The oldest recordings are dropped from the console's list.
      if (before && works.state().list.some(({ recording }) => recording === before.recording))
        return works.show(before.recording, at)
      setPending(id)
      setFailed(undefined)
      try {
        const file =
          before?.file ??
          new File(
            [await downloadFile(client.with({}) as unknown as AnyDataClient, report, 'trace.gz')],
            traceName(report),
          )
        const recording = behindFile(own)
        all.set(id, { file, recording })
        works.add(`Report ${id.slice(0, 8)}`, {
          recording,
          opens: file,
          locate: place => reportLocation(router, id, place),
        })
        works.show(recording, at)
      } catch (error) {
        const message = error instanceof MissingFile ? error.message : (await explainCall(error)).message
        setFailed({ id, message })
      } finally {
        setPending(undefined)
      }
    },
    [client, router],
  )
  return { open, pending, failed, file: (id: string) => opened.get(id)?.file }
}
