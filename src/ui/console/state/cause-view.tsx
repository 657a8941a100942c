// Why the selected step happened: a sentence, its causes from the external stimulus on, and its effects; each line
// selects its event.
import { CircleDot, CornerDownRight, TriangleAlert, Zap } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { type StimulusFacts, type Timeline, shortPath } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { familyColor } from '../actor-names.ts'
import { clockTime, count, plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { Explanation } from './explanation.tsx'
import { causeChain, describeEffect, describeOrigin, effectsOf } from './cause-chain.ts'
import styles from './cause.module.css'

const EFFECTS_SHOWN = 200

/** The chain from the external stimulus to the record, and its effects. */
export function CauseView({ seq }: { readonly seq: number }) {
  const { timeline } = useConsole()
  const chain = causeChain(timeline, seq)
  const { effects, isCut } = effectsOf(timeline, seq, EFFECTS_SHOWN)
  const step = (at: number, depth: number) => (
    <CauseStep key={at} seq={at} depth={depth} isChosen={at === seq} />
  )
  return (
    <div role="presentation" className={styles.pane} onKeyDown={moveFocus}>
      <Explanation seq={seq} line={step} />
      <h2 className={styles.label}>
        Caused by <span className={styles.faint}>{plural(chain.seqs.length, 'step')}</span>
      </h2>
      <p className={styles.origin}>
        <CircleDot size={12} aria-hidden />
        {chain.cut ? 'The chain goes further back' : originText(timeline, seq, chain.stimulus)}
      </p>
      <ol className={styles.chain} aria-label="Causes">
        {chain.seqs.map((at, depth) => step(at, depth))}
      </ol>
      <h2 className={styles.label}>
        Led to{' '}
        <span className={styles.faint}>
          {effects.length === 0
            ? ''
            : isCut
              ? `more than ${count(EFFECTS_SHOWN)} events`
              : plural(effects.length, 'event')}
        </span>
      </h2>
      {effects.length === 0 ? (
        <p className={styles.faint}>No further events.</p>
      ) : (
        <ol className={styles.chain} aria-label="Effects">
          {effects.map(effect => step(effect.seq, effect.depth - 1))}
        </ol>
      )}
      {isCut ? (
        <p className={styles.faint}>To list all of them, filter the log by caused-by:#{seq}.</p>
      ) : null}
    </div>
  )
}

/** Up and down move between lines, as in the log. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined) return
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('button[data-line]')]
  const at = lines.findIndex(line => line === document.activeElement)
  const next = lines[at < 0 ? 0 : Math.max(0, Math.min(lines.length - 1, at + by))]
  next?.focus()
  event.preventDefault()
  event.stopPropagation()
}

function originText(timeline: Timeline, seq: number, stimulus: StimulusFacts | undefined): string {
  if (!stimulus) return timeline.cause(seq) < 0 ? 'The system started' : 'Earlier events are not in the trace'
  const at = `at ${clockTime(stimulus.t)}`
  switch (stimulus.kind) {
    case 'external':
      return `Sent by the app ${at}`
    case 'timer':
      return `A timer fired ${at}`
    case 'stop':
      return `The system was stopped ${at}`
    case 'leaf':
      return `${describeOrigin(timeline, seq)} sent a result ${at}`
  }
}

/** Deeper lines are not indented further for lack of space. */
const DEEPEST_INDENT = 10

/** Selects a step, and removes a filter that would hide it. */
function usePickVisible(): (seq: number) => void {
  const { pick, go, filter } = useConsole()
  return seq => {
    const isHidden = filter.filtering && filter.seqAt(filter.rowOf(seq)) !== seq
    if (isHidden) go({ type: 'query', query: '' })
    pick(seq)
  }
}

interface StepProps {
  readonly seq: number
  readonly depth: number
  readonly isChosen: boolean
}

function CauseStep({ seq, depth, isChosen }: StepProps) {
  const { timeline } = useConsole()
  const pick = usePickVisible()
  const entry = timeline.actors[timeline.actor(seq)]
  const fault = timeline.injected(seq) ? timeline.faultOf(seq) : undefined
  const indent = Math.min(depth, DEEPEST_INDENT) * 10
  return (
    <li>
      <button
        type="button"
        data-line
        className={cx(styles.step, isChosen && styles.chosen)}
        aria-current={isChosen ? 'step' : undefined}
        style={{ paddingLeft: 6 + indent }}
        title={entry?.path}
        onClick={() => pick(seq)}
      >
        <CornerDownRight size={12} aria-hidden className={styles.corner} />
        <span className={styles.number}>#{count(seq)}</span>
        <span
          className={styles.actor}
          style={entry && !isChosen ? { color: familyColor(timeline.family(entry.index)) } : {}}
        >
          {entry ? shortPath(entry) : '?'}
        </span>
        <span className={cx(styles.type, timeline.failed(seq) && styles.failed)}>
          {timeline.failed(seq) ? <TriangleAlert size={11} role="img" aria-label="failed" /> : null}
          {timeline.type(seq)}
        </span>
        <span className={styles.time}>{clockTime(timeline.t(seq))}</span>
        <span className={styles.deed}>{describeEffect(timeline, seq)}</span>
        {fault === undefined ? null : (
          <span className={styles.fault}>
            <Zap size={10} aria-hidden />
            caused by fault {fault}
          </span>
        )}
      </button>
    </li>
  )
}
