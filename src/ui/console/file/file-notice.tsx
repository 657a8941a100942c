// Notices about a file: it is loading, was rejected, or is damaged.
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Damage } from '../../../trace/index.ts'
import { Button } from '../../widgets/button.tsx'
import { Spinner } from '../../widgets/spinner.tsx'
import { useNoticed } from '../../widgets/state.tsx'
import styles from './file-notice.module.css'
import { count, plural } from '../text.ts'
import { useConsoleState } from '../use-console.ts'
import type { ConsoleModel } from '../use-console-model.ts'

const DAMAGE_SHOWN = 20

export interface FileNoticeProps {
  readonly model: Pick<ConsoleModel, 'machine' | 'file' | 'followed' | 'hints' | 'dismissHints'>
}

/** A rejected file changes nothing else. */
export function FileNotice({ model }: FileNoticeProps) {
  const { machine, file, followed, hints, dismissHints } = model
  const { opening, saving } = useConsoleState(state => state.value)
  const { refusal, failure } = useConsoleState(state => state.context)
  const name = machine.nameOfOpening()
  const { trace, size } = followed
  const [indexed, damage] = [trace.share(), trace.damage()]
  return (
    <>
      {opening === 'reading' ? (
        <Slow
          key={name}
          text={`Opening ${name}`}
          share={undefined}
          onCancel={() => machine.send({ type: 'file.canceled' })}
        />
      ) : null}
      {file && indexed < 1 ? (
        <Slow key="index" text={`Reading the events of ${file.name}`} share={indexed} />
      ) : null}
      {opening === 'refused' ? (
        <Failure onDismiss={() => machine.send({ type: 'refusal.dismissed' })}>
          <strong>{name}</strong> was not opened. {refusal}
        </Failure>
      ) : null}
      {hints.length === 0 ? null : (
        <div role="status" className={styles.slow}>
          {hints.join(' ')}
          <Button size="s" variant="quiet" onPress={dismissHints}>
            Dismiss
          </Button>
        </div>
      )}
      {saving === 'failed' ? (
        <Failure onDismiss={() => machine.send({ type: 'failure.dismissed' })}>
          The recording could not be saved: {failure}
        </Failure>
      ) : null}
      {damage.length > 0 ? (
        <DamageNotice
          key={file?.name ?? 'live'}
          what={file ? 'This file' : 'This recording'}
          damage={damage}
          kept={size}
        />
      ) : null}
    </>
  )
}

interface FailureProps {
  readonly onDismiss: () => void
  readonly children: ReactNode
}

function Failure({ onDismiss, children }: FailureProps) {
  return (
    <div role="alert" className={styles.refused}>
      <CircleAlert size={15} aria-hidden className={styles.icon} />
      <p>{children}</p>
      <Button size="s" variant="quiet" onPress={onDismiss}>
        Dismiss
      </Button>
    </div>
  )
}

interface SlowProps {
  readonly text: string
  /** Progress from 0 to 1, once known. */
  readonly share: number | undefined
  readonly onCancel?: () => void
}

/** Only shown for work long enough to notice. */
function Slow({ text, share, onCancel }: SlowProps) {
  if (!useNoticed()) return null
  return (
    <div role="status" className={styles.slow}>
      <Spinner />
      {text}
      {share === undefined ? null : (
        <>
          <progress className={styles.progress} aria-label={text} value={share} />
          {/* Screen reader users find the progress in the bar; it is not announced at each step. */}
          <span aria-hidden>{Math.floor(share * 100)} %</span>
        </>
      )}
      {onCancel ? (
        <Button size="s" variant="quiet" onPress={onCancel}>
          Cancel
        </Button>
      ) : null}
    </div>
  )
}

interface DamageNoticeProps {
  readonly what: string
  readonly damage: readonly Damage[]
  readonly kept: number
}

function DamageNotice({ what, damage, kept }: DamageNoticeProps) {
  const [hidden, setHidden] = useState(false)
  const [first] = damage
  if (hidden || !first) return null
  const left = damage.length - DAMAGE_SHOWN
  return (
    <div role="alert" className={styles.damage}>
      <TriangleAlert size={15} aria-hidden className={styles.icon} />
      <details className={styles.details}>
        <summary>
          {what} is damaged: {placeText(first)}
          {damage.length > 1 ? ` (and ${plural(damage.length - 1, 'more place')})` : ''}.{' '}
          {plural(kept, 'event')} kept.
        </summary>
        <ul className={styles.places}>
          {damage.slice(0, DAMAGE_SHOWN).map(one => (
            <li key={placeText(one)}>{placeText(one)}</li>
          ))}
          {left > 0 ? <li>and {plural(left, 'more place')}</li> : null}
        </ul>
      </details>
      <Button size="s" variant="quiet" onPress={() => setHidden(true)}>
        Dismiss
      </Button>
    </div>
  )
}

/** Messages about a line read `is …`; those about the file are complete sentences. */
function placeText({ atLine, message }: Damage): string {
  if (atLine === undefined) return message
  return message.startsWith('is ') ? `line ${count(atLine)} ${message}` : `line ${count(atLine)}: ${message}`
}
