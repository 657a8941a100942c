// What waits while the system is held, in the order in which it will go in.
import { ChevronsRight, Play } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { JsonTree } from '../state/json-tree.tsx'
import { count, plural } from '../text.ts'
import styles from './drive.module.css'
import type { Drive } from './use-drive.ts'

/** More than anybody reads; the rest is counted. */
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
          Let one in
        </Button>
        <Button size="s" icon={<Play size={13} aria-hidden />} onPress={() => control.release()}>
          Let the system go
        </Button>
      </div>
      <p className={styles.faint}>
        {waiting.length === 0
          ? 'Nothing waits. What the app does, what effects answer and timers that come due will wait here.'
          : `${plural(waiting.length, 'event')} waiting, none is lost.`}
        {stale > 0
          ? ` ${count(stale)} came to nothing: who was to hear of them, or said them, had ended.`
          : ''}
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
      {next ? <JsonTree value={next.event} label="The next event" /> : null}
    </div>
  )
}
