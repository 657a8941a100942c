// One log entry in full: time, direction, payload and result.
import { Copy, Download, RotateCcw, X } from 'lucide-react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { formatMs, hexLines, wallTime } from '../../../services/workbench/text/index.ts'
import { copyText } from '../shell/copy-text.ts'
import { Notice } from '../shell/page.tsx'
import { bytesOf, type Entry } from '../../../services/workbench/realtime/index.ts'
import styles from './realtime.module.css'

const SHOWN_BYTES = 2_048
const SHOWN_TEXT = 100_000

const shownOf = (payload: unknown): string => {
  const bytes = bytesOf(payload)
  if (bytes) return hexLines(bytes.subarray(0, SHOWN_BYTES)).join('\n')
  if (payload === undefined) return '(nothing)'
  return typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2)
}

export interface MessageDetailProps {
  readonly entry: Entry
  /** Set for the user's own messages while they can be sent. */
  readonly onAgain: (() => void) | undefined
  readonly onClose: () => void
}

export function MessageDetail({ entry, onAgain, onClose }: MessageDetailProps) {
  const bytes = bytesOf(entry.payload)
  const text = shownOf(entry.payload)
  const rest = bytes && bytes.length > SHOWN_BYTES ? `\n… ${bytes.length - SHOWN_BYTES} bytes more` : ''
  return (
    <section className={styles.detail} aria-label="Message">
      <header className={styles.detailHead}>
        <strong className={styles.detailTitle}>{entry.event}</strong>
        <time className={styles.faint} dateTime={wallTime(entry.at).toISOString()}>
          {wallTime(entry.at).toISOString()}
        </time>
        {entry.latency === undefined ? null : (
          <span className={styles.faint}>
            {entry.kind === 'change'
              ? `${formatMs(entry.latency)} after the write, measured with two clocks`
              : `acknowledged by the server after ${formatMs(entry.latency)}`}
          </span>
        )}
        <span className={styles.detailActions}>
          {onAgain ? (
            <Button size="s" icon={<RotateCcw size={12} aria-hidden />} onPress={onAgain}>
              Send again
            </Button>
          ) : null}
          {bytes ? (
            <Button
              size="s"
              icon={<Download size={13} aria-hidden />}
              onPress={() => saveAs(new Blob([bytes]), `${entry.event.replaceAll(/[^\w-]+/g, '-')}.bin`)}
            >
              Save
            </Button>
          ) : null}
          <IconButton label="Copy payload" size="s" onPress={() => void copyText(text, 'Copied')}>
            <Copy size={13} />
          </IconButton>
          <IconButton label="Close message" size="s" onPress={onClose}>
            <X size={14} />
          </IconButton>
        </span>
      </header>
      {entry.problem === undefined ? null : <Notice tone="fail">{entry.problem}</Notice>}
      <textarea
        readOnly
        rows={Math.min(10, text.split('\n', 11).length + 1)}
        className={styles.payload}
        aria-label="Payload"
        value={text.slice(0, SHOWN_TEXT) + rest}
      />
    </section>
  )
}
