// The sheet of the console's keys.
import { Dialog } from '../widgets/dialog.tsx'
import { Kbd } from '../widgets/kbd.tsx'
import styles from './key-sheet.module.css'
import { DRIVE_KEYS } from './drive/drive-keys.ts'
import { KEYS } from './keys.ts'

export interface KeySheetProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Every key that does something, and nothing else. */
export function KeySheet({ isOpen, onClose }: KeySheetProps) {
  return (
    <Dialog title="Keys of the console" isOpen={isOpen} onClose={onClose}>
      <dl className={styles.sheet}>
        {KEYS.map(({ command, keys, text }) => (
          <div key={command} className={styles.line}>
            <dt>
              <Kbd>{keys[0]?.replace('+', ' ')}</Kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
        {DRIVE_KEYS.map(({ command, key, text }) => (
          <div key={command} className={styles.line}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div className={styles.line}>
          <dt>
            <Kbd>↑</Kbd> <Kbd>↓</Kbd>
          </dt>
          <dd>In the log, the event before and after; in the chart, all four move it</dd>
        </div>
        <div className={styles.line}>
          <dt>
            <Kbd>←</Kbd> <Kbd>→</Kbd>
          </dt>
          <dd>Close and open a group of the log, and a line of the actor tree</dd>
        </div>
        <div className={styles.line}>
          <dt>
            <Kbd>+</Kbd> <Kbd>−</Kbd>
          </dt>
          <dd>Zoom the focused chart; so does the wheel with Ctrl</dd>
        </div>
      </dl>
      <p className={styles.note}>They work while the focus is in the console and not in a text field.</p>
    </Dialog>
  )
}
