// Headers, payload, response and messages of the selected call.
import type { ReactNode } from 'react'
import type { CapturedFrame, CapturedHeader, CapturedText } from '../../../services/control/index.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { clockTime, plural } from '../text.ts'
import type { Parameter } from './network-contents.ts'
import styles from './request-details.module.css'
import { formatSize } from '../../../services/workbench/text/index.ts'

interface TableProps {
  readonly title: string
  readonly rows: readonly { readonly name: string; readonly value: string }[]
}

/** Names and values. */
function Table({ title, rows }: TableProps) {
  return (
    <section aria-label={title}>
      <h3 className={styles.subtitle}>{title}</h3>
      <dl className={styles.table}>
        {rows.map(({ name, value }, index) => (
          // A name may occur several times.
          <div key={`${name} ${index}`} className={styles.pair}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function Parameters({ list }: { readonly list: readonly Parameter[] }) {
  return list.length === 0 ? null : <Table title="Query parameters" rows={list} />
}

export function Headers({
  title,
  list,
}: {
  readonly title: string
  readonly list: readonly CapturedHeader[]
}) {
  return list.length === 0 ? <Note>{title}: none.</Note> : <Table title={title} rows={list} />
}

export function Note({ children }: { readonly children: ReactNode }) {
  return <p className={styles.note}>{children}</p>
}

interface BodyProps {
  readonly title: string
  readonly body: CapturedText | undefined
}

/** JSON is indented. */
export function Body({ title, body }: BodyProps) {
  const { text, note, size, isCut = false } = body ?? {}
  if (text === undefined) {
    const kind = note === undefined ? 'none' : `${note}, not shown`
    return <Note>{`${title}: ${kind}${size === undefined ? '' : ` (${formatSize(size)})`}.`}</Note>
  }
  const shown = isCut ? text : indented(text)
  return (
    <section aria-label={title}>
      <div className={styles.head}>
        <h3 className={styles.subtitle}>{title}</h3>
        <CopyButton text={shown} label={`Copy: ${title}`} />
      </div>
      <pre className={styles.text}>{shown}</pre>
      {isCut ? <Note>Only the beginning is kept.</Note> : null}
    </section>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Further messages would make the list slow. */
const MOST_SHOWN = 200

/** Messages of a socket, the latest first. */
export function Messages({ frames }: { readonly frames: readonly CapturedFrame[] }) {
  if (frames.length === 0) return <Note>No messages while the console was open.</Note>
  const shown = frames.slice(-MOST_SHOWN).reverse()
  const hidden = frames.length - shown.length
  return (
    <>
      <ul className={styles.frames} aria-label="Messages">
        {shown.map((frame, index) => (
          <Message key={frames.length - index} frame={frame} />
        ))}
      </ul>
      {hidden > 0 ? <Note>{plural(hidden, 'earlier message')} not shown.</Note> : null}
    </>
  )
}

function Message({ frame }: { readonly frame: CapturedFrame }) {
  const { text, note = 'binary', size, isCut } = frame.read()
  const way = frame.way === 'in' ? 'received' : 'sent'
  return (
    <li className={styles.frame}>
      <span className={styles.time}>{clockTime(frame.t)}</span>
      <span className={styles.way} data-way={frame.way} aria-label={way} title={way}>
        {frame.way === 'in' ? '↓' : '↑'}
      </span>
      <code className={styles.message}>
        {text === undefined ? `${note}, ${size === undefined ? 'unknown size' : formatSize(size)}` : text}
        {isCut ? '…' : ''}
      </code>
    </li>
  )
}
