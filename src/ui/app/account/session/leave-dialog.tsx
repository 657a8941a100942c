// Confirms a sign-out of other sessions: lists what ends and what stays.
import { Button } from '../../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import styles from '../account.module.css'

interface Words {
  readonly title: string
  readonly ends: readonly string[]
  readonly stays: string
  readonly keep: string
  readonly leave: string
}

const ELSEWHERE = [
  'every other browser and device where you are signed in',
  'apps and scripts that use your session',
]

const WORDS: Readonly<Record<'others' | 'global', Words>> = {
  global: {
    title: 'Sign out everywhere?',
    ends: ['this browser, in all its tabs', ...ELSEWHERE],
    stays: 'Other accounts in this browser stay signed in.',
    keep: 'Stay signed in',
    leave: 'Sign out everywhere',
  },
  others: {
    title: 'Sign out other sessions?',
    ends: ELSEWHERE,
    stays: 'This browser stays signed in, in all its tabs.',
    keep: 'Cancel',
    leave: 'Sign out other sessions',
  },
}

export interface LeaveDialogProps {
  readonly scope: 'others' | 'global'
  /** Display name of the user whose sessions end. */
  readonly who: string
  readonly onLeave: () => void
  readonly onClose: () => void
}

/** No backend lists the user's own sessions, so this names kinds of sessions. */
export function LeaveDialog({ scope, who, onLeave, onClose }: LeaveDialogProps) {
  const { title, ends, stays, keep, leave } = WORDS[scope]
  return (
    <Dialog title={title} isOpen onClose={onClose} role="alertdialog">
      <div className={styles.text}>
        Sessions of <strong>{who}</strong> end in
        <ul className={styles.ends}>
          {ends.map(one => (
            <li key={one}>{one}</li>
          ))}
        </ul>
        Each has to sign in again. {stays}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{keep}</Button>
        <Button
          variant="danger"
          onPress={() => {
            onClose()
            onLeave()
          }}
        >
          {leave}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
