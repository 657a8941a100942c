// Says once that only the console shows the past, in hosts that do not say so themselves.
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { storedJson, storeJson } from '../stored-layout.ts'
import { eventName } from '../text.ts'
import { useConsole } from '../use-console.ts'
import styles from './app-goes-on.module.css'

const KNOWN = 'app-goes-on'

/** Shown over the console at past moments of a live recording, until the user has read it. */
export function AppGoesOn() {
  const { trace, size, selection, run } = useConsole()
  const [isKnown, setKnown] = useState(() => storedJson(KNOWN) === true)
  if (isKnown || !trace.live || selection.at < 0 || selection.at >= size - 1) return null
  const dismiss = () => {
    storeJson(KNOWN, true)
    setKnown(true)
  }
  return (
    <section aria-label="Past moment" className={styles.note}>
      <p>Only the console shows {eventName(selection.at)}. The app itself goes on.</p>
      <Button size="s" onPress={() => run('end')}>
        Back to now
      </Button>
      <Button size="s" variant="quiet" onPress={dismiss}>
        Got it
      </Button>
    </section>
  )
}
