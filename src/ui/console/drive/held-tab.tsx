// The queue of a paused system, in processing order.
import { ChevronsRight, Play } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { JsonTree } from '../state/json-tree.tsx'
import { count, plural } from '../text.ts'
import styles from './drive.module.css'
import type { Drive } from './use-drive.ts'

/** Maximum rows; the rest is counted. */
const SHOWN = 100

const KINDS = { external: 'from the app', leaf: 'from an effect', timer: 'timer' }

export function HeldTab({ drive: { control, state } }: { readonly drive: Drive }) {
  const { hold, waiting, stale } = state
  const [next] = waiting
  return (
    <div className={styles.pane}>
      <p className={styles.outcome}>{hold?.text}</p>
      <div className={styles.controls}>
        <Button
          size="s"
          variant="primary"
          icon={<ChevronsRight size={14} aria-hidden />}
          isDisabled={!next}
          onPress={() => control.step()}
        >
          Step
        </Button>
        <Button size="s" icon={<Play size={13} aria-hidden />} onPress={() => control.release()}>
          Resume the system
        </Button>
      </div>
      <p className={styles.faint}>
        {waiting.length === 0
          ? 'No events waiting. App events, effect results and due timers will wait here.'
          : `${plural(waiting.length, 'event')} waiting; none are lost.`}
        {stale > 0 ? ` ${count(stale)} dropped: their sender or receiver had ended.` : ''}
      </p>
      {waiting.length === 0 ? null : (
        <ol className={styles.list} aria-label="Waiting">
          {waiting.slice(0, SHOWN).map(({ number, kind, to, from, event }) => (
            <li key={number} className={styles.row}>
              <div className={styles.what}>
                <code>{event.type}</code>
                <span className={styles.who}>
                  {KINDS[kind]}
                  {from === undefined || from === to ? '' : ` ${from}`} → {to}
                </span>
              </div>
            </li>
          ))}
        </ol>
      )}
      {waiting.length > SHOWN ? (
        <p className={styles.faint}>and {plural(waiting.length - SHOWN, 'more event')}</p>
      ) : null}
      {next ? <JsonTree value={next.event} label="Next event" /> : null}
    </div>
  )
}
