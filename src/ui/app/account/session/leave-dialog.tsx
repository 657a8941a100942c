// Asking before sessions elsewhere end: which they are, and what stays.
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
  'every other browser and device in which you are signed in',
  'apps and scripts that work as you',
]

const WORDS: Readonly<Record<'others' | 'global', Words>> = {
  global: {
    title: 'Sign out everywhere?',
    ends: ['this browser, in all its tabs', ...ELSEWHERE],
    stays: 'Other accounts that are signed in here stay so.',
    keep: 'Stay signed in',
    leave: 'Sign out everywhere',
  },
  others: {
    title: 'End your other sessions?',
    ends: ELSEWHERE,
    stays: 'This browser stays signed in, in all its tabs.',
    keep: 'Let them be',
    leave: 'End the others',
  },
}

export interface LeaveDialogProps {
  readonly scope: 'others' | 'global'
  /** Whose sessions end. */
  readonly who: string
  readonly onLeave: () => void
  readonly onClose: () => void
}

/** No backend lists the sessions of an account to itself, so they are told by their kinds. */
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
