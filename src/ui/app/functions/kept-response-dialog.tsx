// The response of an earlier call, as kept in memory.
import { Copy } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { copyText } from '../shell/copy-text.ts'
import type { KeptResponse } from '../../../services/workbench/functions/index.ts'
import { indented, formatTime, formatSize } from '../../../services/workbench/text/index.ts'
import styles from './functions.module.css'

interface KeptResponseDialogProps {
  /** Method and name of the function. */
  readonly name: string
  /** ISO time of the call. */
  readonly at: string
  readonly response: KeptResponse
  readonly onClose: () => void
}

export function KeptResponseDialog({ name, at, response, onClose }: KeptResponseDialogProps) {
  const { status, statusText, headers, kind, type, text, size } = response
  const shown = text === undefined || kind !== 'json' ? text : (indented(text) ?? text)
  const facts = [`${status} ${statusText}`.trim(), type, formatSize(size), formatTime(at)]
  return (
    <Dialog title={`Response of ${name}`} isOpen onClose={onClose} huge>
      <p className={styles.hint}>
        {facts.filter(Boolean).join(' · ')}. Kept in memory until the page reloads, without secrets.
      </p>
      {shown === undefined ? (
        <p className={styles.hint}>The body is not kept: it is binary or longer than a million characters.</p>
      ) : shown === '' ? (
        <p className={styles.hint}>(empty body)</p>
      ) : (
        <textarea
          readOnly
          className={styles.body}
          aria-label="Response body"
          dir="auto"
          rows={Math.min(18, shown.split('\n', 18).length + 1)}
          value={shown}
        />
      )}
      {headers.length === 0 ? null : (
        <dl className={styles.headers} aria-label="Response headers">
          {headers.map(([header, value]) => (
            <div key={header}>
              <dt>{header}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <DialogActions>
        {shown === undefined || shown === '' ? null : (
          <Button
            icon={<Copy size={13} aria-hidden />}
            onPress={() => void copyText(shown, 'Copied the response body')}
          >
            Copy body
          </Button>
        )}
        <Button variant="primary" onPress={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
