// Fetches a file for its preview, as an object URL or as text.
import { useState } from 'react'
import { useClient } from '../../../react/index.ts'
import { type AnyDataClient, explainFailure } from '../../../../services/workbench/rest/index.ts'
import { usePageRequest } from '../../use-page-request.ts'
import { inertUrl, type InertUrl } from '../../../../services/workbench/text/index.ts'
import { addressed, isPdf, type Look, readable } from '../../../../services/workbench/files/index.ts'

export type Preview =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly message: string }
  | { readonly phase: 'shown'; readonly url: string }
  /** The content does not match the type. */
  | { readonly phase: 'misnamed' }
  | { readonly phase: 'text'; readonly text: string; readonly isCut: boolean }

export interface Shown {
  readonly preview: Preview
  /** The request that fetched it. */
  readonly request: string | undefined
  readonly retry: () => void
}

type Fetched = Extract<Preview, { phase: 'text' | 'misnamed' }> | InertUrl

/** Uses our own type: a page stored by another user would otherwise run on this site. */
async function previewOf(blob: Blob, { kind, mime }: Look): Promise<Fetched> {
  if (kind === 'text' || kind === 'json') return { phase: 'text', ...readable(await blob.text(), kind) }
  if (kind === 'pdf' && !(await isPdf(blob))) return { phase: 'misnamed' }
  return inertUrl(blob, mime)
}

/** Fetches `path` of `bucket` when `isWanted`; `version` changes with the file. */
export function usePreview(
  bucket: string,
  path: string,
  version: string | undefined,
  look: Look,
  isWanted: boolean,
): Shown {
  const client = useClient()
  const [request, setRequest] = useState<string>()
  const { kind } = look
  const isSent = isWanted && kind !== 'none'
  const {
    data,
    failure,
    reload: retry,
  } = usePageRequest(
    isSent ? ['preview', bucket, path, version, kind] : undefined,
    async (_data, signal): Promise<Preview> => {
      const { storage } = client.with({ signal, onStart: setRequest }) as unknown as AnyDataClient
      const { data: blob, error } = await storage.from(bucket).download(addressed(path))
      if (error !== null) throw error
      const fetched = await previewOf(blob, look)
      if ('phase' in fetched) return fetched
      if (signal.aborted) fetched.revoke()
      signal.addEventListener('abort', () => fetched.revoke())
      return { phase: 'shown', url: fetched.url }
    },
  )
  const pending: Preview = failure
    ? { phase: 'failed', message: explainFailure(failure).message }
    : { phase: 'loading' }
  return { preview: data ?? pending, request, retry }
}
