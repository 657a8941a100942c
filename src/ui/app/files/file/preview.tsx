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
} from '../../../../services/workbench/files/index.ts'
import styles from './pane.module.css'
import { usePreview, type Preview } from './use-preview.ts'
import { formatSize } from '../../../../machines/index.ts'

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
