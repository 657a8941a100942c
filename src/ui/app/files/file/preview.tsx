// File preview that runs none of the file's content.
import { useState } from 'react'
import { Button } from '../../../widgets/button.tsx'
import { Spinner } from '../../../widgets/spinner.tsx'
import { DocumentFrame } from '../../document-frame.tsx'
import { RequestLink } from '../../requests/request-link.tsx'
import {
  type FileEntry,
  isShownAtOnce,
  type Look,
  lookOf,
  addressed,
  isPdf,
  readable,
} from '../../../../services/workbench/files/index.ts'
import styles from './pane.module.css'
import { useClient } from '../../../react/index.ts'
import { type AnyDataClient, explainFailure } from '../../../../services/workbench/rest/index.ts'
import { usePageRequest } from '../../use-page-request.ts'
import { inertUrl, type InertUrl, formatSize } from '../../../../services/workbench/text/index.ts'

export interface PreviewProps {
  readonly bucket: string
  readonly path: string
  readonly entry: FileEntry
}

/** Shown when the browser cannot decode the file, instead of an empty box. */
function Unshown({ what }: { readonly what: string }) {
  return (
    <p className={styles.faint}>
      This browser can’t show {what} of this kind. Download it to open it elsewhere.
    </p>
  )
}

function Media({ url, look, name }: { readonly url: string; readonly look: Look; readonly name: string }) {
  const [isBroken, setBroken] = useState(false)
  const onError = () => setBroken(true)
  if (isBroken) return <Unshown what={look.kind === 'image' ? 'an image' : look.kind} />
  switch (look.kind) {
    case 'image':
      return <img src={url} alt={name} className={styles.image} onError={onError} />
    case 'audio':
      return (
        <audio src={url} controls aria-label={name} className={styles.media} onError={onError}>
          <track kind="captions" />
        </audio>
      )
    case 'video':
      return (
        <video src={url} controls aria-label={name} className={styles.media} onError={onError}>
          <track kind="captions" />
        </video>
      )
    default:
      return navigator.pdfViewerEnabled ? (
        <DocumentFrame url={url} title={name} className={styles.pdf} />
      ) : (
        <Unshown what="a document" />
      )
  }
}

function Content(props: {
  readonly preview: Preview
  readonly look: Look
  readonly name: string
  readonly onRetry: () => void
}) {
  const { preview, look, name, onRetry } = props
  switch (preview.phase) {
    case 'loading':
      return (
        <p className={styles.faint}>
          <Spinner /> Loading file
        </p>
      )
    case 'failed':
      return (
        <div role="alert" className={styles.failed}>
          {preview.message}{' '}
          <Button size="s" onPress={onRetry}>
            Try again
          </Button>
        </div>
      )
    case 'misnamed':
      return (
        <p className={styles.faint}>
          This file has a PDF type but is not a PDF, so it is not previewed. Download it to open it elsewhere.
        </p>
      )
    case 'text':
      return (
        <>
          <textarea
            readOnly
            className={styles.text}
            aria-label={`Text of ${name}`}
            dir="auto"
            rows={Math.min(24, preview.text.split('\n', 24).length + 1)}
            value={preview.text}
          />
          {preview.isCut ? <p className={styles.faint}>Truncated; download the file for the rest.</p> : null}
        </>
      )
    case 'shown':
      return <Media key={preview.url} url={preview.url} look={look} name={name} />
  }
}

/** Small files load automatically, large ones on request; other kinds have no preview. */
export function FilePreview({ bucket, path, entry }: PreviewProps) {
  const look = lookOf(entry.name, entry.type)
  const [isAsked, setAsked] = useState(false)
  const isWanted = isAsked || isShownAtOnce(look.kind, entry.size)
  const { preview, request, retry } = usePreview(bucket, path, entry.changedAt, look, isWanted)
  if (look.kind === 'none') return <p className={styles.faint}>No preview for this file type.</p>
  if (!isWanted)
    return (
      <p className={styles.faint}>
        File size: {formatSize(entry.size ?? 0)}.{' '}
        <Button size="s" onPress={() => setAsked(true)}>
          Show anyway
        </Button>
      </p>
    )
  return (
    <>
      <Content preview={preview} look={look} name={entry.name} onRetry={retry} />
      <span className={styles.request}>
        <RequestLink of={request} label="Show request" />
      </span>
    </>
  )
}

type Preview =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly message: string }
  | { readonly phase: 'shown'; readonly url: string }
  /** The content does not match the type. */
  | { readonly phase: 'misnamed' }
  | { readonly phase: 'text'; readonly text: string; readonly isCut: boolean }

interface Shown {
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
function usePreview(
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
