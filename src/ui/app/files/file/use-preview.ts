// Fetches a file for its preview, as an object URL or as text.
import { useEffect, useState } from 'react'
import { useClient } from '../../../react/index.ts'
import { type AnyDataClient, explainCall } from '../../../../services/workbench/rest/index.ts'
import { useRenewable } from '../../renewable.ts'
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

const LOADING = { phase: 'loading' } as const

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
  const [state, setState] = useState<{ key: string; preview: Preview; request?: string | undefined }>()
  const [signal, retry] = useRenewable()
  const { kind, mime } = look
  const key = `${bucket}/${path} ${version ?? ''} ${kind}`
  useEffect(() => {
    if (!isWanted || kind === 'none') return
    const left = new AbortController()
    const ends = AbortSignal.any([signal, left.signal])
    let shown: InertUrl | undefined
    let request: string | undefined
    const data = client.with({ signal: ends, onStart: id => (request = id) }) as unknown as AnyDataClient
    const set = (preview: Preview) => {
      if (!ends.aborted) setState({ key, preview, request })
    }
    const load = async (): Promise<Preview> => {
      const { data: blob, error } = await data.storage.from(bucket).download(addressed(path))
      if (error !== null) throw error
      const fetched = await previewOf(blob, { kind, mime })
      if ('phase' in fetched) return fetched
      if (ends.aborted) fetched.revoke()
      else shown = fetched
      return { phase: 'shown', url: fetched.url }
    }
    load().then(set, async (error: unknown) => {
      const { message } = await explainCall(error)
      set({ phase: 'failed', message })
    })
    return () => {
      left.abort()
      shown?.revoke()
    }
  }, [client, bucket, path, key, kind, mime, isWanted, signal])
  const shown = state?.key === key ? state : undefined
  return { preview: shown?.preview ?? LOADING, request: shown?.request, retry }
}
