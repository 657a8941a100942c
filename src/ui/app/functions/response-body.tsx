// Renders a response body by type: text, JSON, image, audio, or bytes. Nothing in it is ever executed.
import { useMemo, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Spinner } from '../../widgets/spinner.tsx'
import { usePromise } from '../../widgets/use-promise.ts'
import {
  formatCount,
  hexLines,
  indented,
  inertUrl,
  formatSize,
} from '../../../services/workbench/text/index.ts'
import {
  type Body,
  type FunctionCallStore,
  type Head,
  isTextual,
} from '../../../services/workbench/functions/index.ts'
import styles from './functions.module.css'

export interface ResponseBodyProps {
  readonly store: FunctionCallStore
  readonly head: Head
  readonly body: Body
  readonly isRunning: boolean
}

/** Longer text is truncated until the user asks for it: a megabyte of text renders slowly. */
const SHOWN_TEXT = 150_000
/** Longer JSON is not formatted. */
const MOST_INDENTED = 1_000_000

export function ResponseBody(props: ResponseBodyProps) {
  const { head, body, isRunning } = props
  if (body.size === 0)
    return <p className={styles.hint}>{isRunning ? 'Nothing received yet.' : '(empty body)'}</p>
  if (isTextual(head.kind)) return <TextBody {...props} />
  if (isRunning)
    return (
      <p className={styles.hint}>
        <Spinner size={11} /> {formatSize(body.size)} received.
      </p>
    )
  return <BinaryBody {...props} />
}

function TextBody({ head, body, isRunning }: ResponseBodyProps) {
  const [isWhole, setWhole] = useState(false)
  const [isRaw, setRaw] = useState(false)
  const pretty = useMemo(
    () =>
      head.kind === 'json' && !isRunning && body.text.length < MOST_INDENTED
        ? indented(body.text)
        : undefined,
    [head.kind, isRunning, body.text],
  )
  const text = isRaw ? body.text : (pretty ?? body.text)
  const rest = isWhole ? 0 : Math.max(0, text.length - SHOWN_TEXT)
  return (
    <div className={styles.textBody}>
      {pretty === undefined ? null : (
        <div className={styles.bodyLine}>
          <Button size="s" variant="quiet" onPress={() => setRaw(raw => !raw)}>
            {isRaw ? 'Pretty' : 'Raw'}
          </Button>
        </div>
      )}
      <pre className={styles.body} aria-label="Response body">
        {rest === 0 ? text : text.slice(0, SHOWN_TEXT)}
      </pre>
      {rest === 0 ? null : (
        <Button size="s" onPress={() => setWhole(true)}>
          Show {formatCount(rest)} more characters
        </Button>
      )}
      {body.unkept === 0 ? null : (
        <p className={styles.hint}>{formatSize(body.unkept)} beyond the limit were counted but not stored.</p>
      )}
    </div>
  )
}

/** Gives an element an object URL while it is mounted. */
const withBytes = (blob: Blob) => (element: HTMLImageElement | HTMLMediaElement | null) => {
  if (!element) return
  const made = inertUrl(blob, blob.type)
  void made.then(({ url }) => {
    element.src = url
  })
  return () => void made.then(({ revoke }) => revoke())
}

function BinaryBody({ store, head, body }: ResponseBodyProps) {
  const [blob] = useState(store.answer)
  return (
    <div className={styles.binary}>
      {blob ? <Preview head={head} blob={blob} /> : null}
      <p className={styles.hint}>
        {head.type || 'No content type'} · {formatSize(body.size)}. Use the Save button above to download it.
      </p>
      {blob && head.kind === 'binary' ? <Hex blob={blob} /> : null}
    </div>
  )
}

/** SVG renders as an image, where its scripts do not run. */
function Preview({ head, blob }: { readonly head: Head; readonly blob: Blob }) {
  const [source] = useState(() => withBytes(blob))
  const name = 'Function response'
  switch (head.kind) {
    case 'image':
      return <img ref={source} className={styles.picture} alt={name} />
    case 'audio':
      return (
        <audio ref={source} className={styles.sound} controls aria-label={name}>
          <track kind="captions" />
        </audio>
      )
    case 'video':
      return (
        <video ref={source} className={styles.picture} controls aria-label={name}>
          <track kind="captions" />
        </video>
      )
    default:
      return null
  }
}

const SHOWN_BYTES = 1_024

function Hex({ blob }: { readonly blob: Blob }) {
  const reading = useMemo(() => blob.slice(0, SHOWN_BYTES).arrayBuffer(), [blob])
  const bytes = usePromise(reading)
  if (!bytes) return null
  return (
    <pre className={styles.body} aria-label="First bytes of the response">
      {hexLines(new Uint8Array(bytes)).join('\n')}
      {blob.size > SHOWN_BYTES ? `\n… ${formatSize(blob.size - SHOWN_BYTES)} more` : ''}
    </pre>
  )
}
