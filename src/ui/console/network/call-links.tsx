// Who asked for the selected call, and what its response led to; each line shows its step or call.
import { ArrowUpRight, CornerDownRight } from 'lucide-react'
import { useMemo } from 'react'
import { shortPath, type Timeline, type Wire } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { describeEffect } from '../state/cause-chain.ts'
import { count } from '../text.ts'
import { askedBy, callName, ledTo } from './call-causes.ts'
import styles from './request-details.module.css'

interface CallLinksProps {
  readonly timeline: Timeline
  /** Increases with the timeline. */
  readonly version: number
  readonly wire: Wire
  /** Shows a step, with the details of the call. */
  readonly onStep: (seq: number) => void
  /** Shows another call. */
  readonly onCall: (wire: Wire) => void
}

const MOST_STEPS = 40

export function CallLinks({ timeline, version, wire, onStep, onCall }: CallLinksProps) {
  const asked = useMemo(() => (version >= 0 ? askedBy(timeline, wire) : undefined), [timeline, version, wire])
  const steps = useMemo(
    () => (version >= 0 ? ledTo(timeline, wire, MOST_STEPS) : []),
    [timeline, version, wire],
  )
  return (
    <div className={styles.links}>
      <section aria-label="Asked by">
        <h3 className={styles.subtitle}>Asked by</h3>
        {asked ? (
          <>
            <StepLink timeline={timeline} seq={asked.seq} text={asked.reason} onStep={onStep} />
            {asked.call ? <CallLink wire={asked.call} onCall={onCall} /> : null}
          </>
        ) : null}
      </section>
      <section aria-label="Led to">
        <h3 className={styles.subtitle}>Led to</h3>
        {steps.length === 0 ? <p className={styles.note}>Nothing yet.</p> : null}
        {steps.map(seq => (
          <StepLink
            key={seq}
            timeline={timeline}
            seq={seq}
            text={describeEffect(timeline, seq)}
            onStep={onStep}
          />
        ))}
        {steps.length === MOST_STEPS ? <p className={styles.note}>Further steps are in the log.</p> : null}
      </section>
    </div>
  )
}

interface StepLinkProps {
  readonly timeline: Timeline
  readonly seq: number
  readonly text: string
  readonly onStep: (seq: number) => void
}

function StepLink({ timeline, seq, text, onStep }: StepLinkProps) {
  const actor = timeline.actors[timeline.actor(seq)]
  return (
    <button type="button" data-link className={styles.link} onClick={() => onStep(seq)} title={actor?.path}>
      <CornerDownRight size={12} aria-hidden className={styles.linkIcon} />
      <span className={styles.linkText}>{text}</span>
      <span className={cx(styles.linkStep, timeline.failed(seq) && styles.failed)}>
        #{count(seq)} {actor ? shortPath(actor) : ''} {timeline.type(seq)}
      </span>
    </button>
  )
}

function CallLink({ wire, onCall }: { readonly wire: Wire; readonly onCall: (wire: Wire) => void }) {
  const status = wire.attempts.findLast(attempt => attempt.status !== undefined)?.status
  return (
    <button type="button" data-link className={styles.link} onClick={() => onCall(wire)}>
      <ArrowUpRight size={12} aria-hidden className={styles.linkIcon} />
      <span className={styles.linkText}>the response to {callName(wire)}</span>
      <span className={styles.linkStep}>{status ?? ''}</span>
    </button>
  )
}
