// The line over the page while the console shows the past, with the way back to now.
import { History } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { formatCount, formatTime, wallTime } from '../../../services/workbench/text/index.ts'
import { Button } from '../../widgets/button.tsx'
import { PAGE_ID } from '../shell/skip-links.tsx'
import { onPagePress } from './page-press.ts'
import styles from './past.module.css'
import type { Past, PastState } from './past.ts'

export function PastLine({ past }: { readonly past: Past }) {
  const state = useSyncExternalStore(past.subscribe, past.state)
  const isShown = state?.isShown === true
  useEffect(() => (isShown ? onPagePress(past.leave) : undefined), [isShown, past])
  if (!state) return null
  const { moment, now } = state
  const back = () => {
    // The line with its button disappears.
    document.getElementById(PAGE_ID)?.focus({ preventScroll: true })
    moment.toNow()
  }
  return (
    <section aria-label="Past moment" className={styles.line} data-past-line>
      <History size={14} aria-hidden />
      {/* Outside of the live region: the console announces its steps itself. */}
      <strong>
        Event {formatCount(moment.step)}, {formatTime(wallTime(now))}
      </strong>
      <output>{textOf(state)}</output>
      <Button size="s" onPress={back}>
        Back to now
      </Button>
    </section>
  )
}

function textOf({ isShown, status }: PastState): string {
  if (isShown) return 'The bar shows the status of that moment; the page is live.'
  return status
    ? 'Only the console shows this moment; the app is live.'
    : 'Only the console shows this moment; the app is live. Its status of then is not in the recording.'
}
