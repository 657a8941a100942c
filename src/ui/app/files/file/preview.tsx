// A file looked at without anything in it being run.
import { useState } from 'react'
import { Button } from '../../../widgets/button.tsx'
import { Spinner } from '../../../widgets/spinner.tsx'
import { DocumentFrame } from '../../document-frame.tsx'
import { formatSize } from '../../format.ts'
import { RequestLink } from '../../requests/request-link.tsx'
import { isShownAtOnce, lookOf, type Look } from './kinds.ts'
import type { FileEntry } from '../listing.ts'
import styles from './pane.module.css'
import { usePreview, type Preview } from './use-preview.ts'

export interface PreviewProps {
  readonly bucket: string
  readonly path: string
  readonly entry: FileEntry
}

/** What a browser can't decode is told, and not left as an empty box. */
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
  if (isBroken) return <Unshown what={look.kind === 'image' ? 'a picture' : look.kind} />
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
          <Spinner /> Loading the file
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
          It is called a PDF and is none, so it is not opened here. Download it to look at it elsewhere.
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
          {preview.isCut ? <p className={styles.faint}>Its beginning; download it for the rest.</p> : null}
        </>
      )
    case 'shown':
      return <Media key={preview.url} url={preview.url} look={look} name={name} />
  }
}

/** Small files at once, large ones when they are asked for; of other kinds it is said that there is no preview. */
export function FilePreview({ bucket, path, entry }: PreviewProps) {
  const look = lookOf(entry.name, entry.type)
  const [isAsked, setAsked] = useState(false)
  const isWanted = isAsked || isShownAtOnce(look.kind, entry.size)
  const { preview, request, retry } = usePreview(bucket, path, entry.changedAt, look, isWanted)
  if (look.kind === 'none') return <p className={styles.faint}>There is no preview for files of this kind.</p>
  if (!isWanted)
    return (
      <p className={styles.faint}>
        It has {formatSize(entry.size ?? 0)}.{' '}
        <Button size="s" onPress={() => setAsked(true)}>
          Show it all the same
        </Button>
      </p>
    )
  return (
    <>
      <Content preview={preview} look={look} name={entry.name} onRetry={retry} />
      <span className={styles.request}>
        <RequestLink of={request} label="By which request was it fetched?" />
      </span>
    </>
  )
}
