// The Replay tab: replays the shown trace with the current machines and shows both runs side by side.
import { CircleCheck, CircleHelp, Play, Split } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { JobFailure, JobLine } from './job-line.tsx'
import { useChecksContext } from './checks-context.ts'
import type { Verified } from './jobs.ts'
import styles from './checks.module.css'
import { RunsView } from './runs-view.tsx'
import { useJob } from './use-job.ts'
import { DivergenceView } from './divergence-view.tsx'

export function DivergenceTab() {
  const { size } = useConsole()
  const { state, start, cancel } = useJob('verify')
  const begin = () => start(file => ({ file }))
  const answer = state.phase === 'done' ? state.answer : undefined
  const isIdle = state.phase === 'none' || state.phase === 'canceled'
  return (
    <div className={styles.pane}>
      <header className={styles.head} hidden={isIdle}>
        {answer ? <Outcome answer={answer} /> : <span />}
        <span className={styles.tools}>
          {isIdle ? null : (
            <Button
              size="s"
              icon={<Play size={12} aria-hidden />}
              onPress={begin}
              isDisabled={state.phase === 'going'}
            >
              Verify again
            </Button>
          )}
        </span>
      </header>
      {state.phase === 'going' ? (
        <JobLine doing="Replaying" progress={state.progress} onCancel={cancel} />
      ) : null}
      {state.phase === 'failed' ? <JobFailure message={state.message} /> : null}
      {isIdle ? (
        <EmptyState
          icon={<Split size={20} aria-hidden />}
          title="Verify this run"
          action={
            <Button size="s" variant="primary" onPress={begin} isDisabled={size === 0}>
              Verify by replay
            </Button>
          }
        >
          Replays all inputs with the current machines and compares every step with the recording. No side
          effects are executed. If a machine has changed, you see where and why the run diverges.
        </EmptyState>
      ) : null}
      {answer ? <Answer answer={answer} /> : null}
    </div>
  )
}

const WORDS: Readonly<Record<Verified['outcome'], string>> = {
  exact: 'Identical',
  diverged: 'Diverged',
  unverified: 'Not verified',
  unusable: 'Cannot be replayed',
}

function Outcome({ answer }: { readonly answer: Verified }) {
  const { outcome, stimuli, compared, keyframes } = answer
  const isBad = outcome === 'diverged' || outcome === 'unusable'
  const what = keyframes === undefined ? plural(compared, 'step') : plural(keyframes, 'keyframe')
  return (
    <span role="status" className={styles.verdict}>
      <strong data-bad={isBad || undefined} data-good={outcome === 'exact' || undefined}>
        {WORDS[outcome]}
      </strong>
      <span className={styles.faint}>
        {plural(stimuli, 'input')} · {what} identical
      </span>
    </span>
  )
}

function Answer({ answer }: { readonly answer: Verified }) {
  const { outcome, reason, machines, notes, divergence, runs } = answer
  const differing = machines.map(({ id, difference }) => `${id} ${DIFFERENCES[difference]}`)
  return (
    <div className={styles.answer}>
      {outcome === 'unusable' ? <Unusable reason={reason ?? ''} /> : null}
      {outcome === 'unverified' ? (
        <EmptyState icon={<CircleHelp size={20} aria-hidden />} title="Nothing to compare">
          A replay cannot verify this run: {reason}.
        </EmptyState>
      ) : null}
      {[...differing, ...notes].map(note => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
      {divergence ? <DivergenceView answer={answer} /> : null}
      {runs ? <RunsView runs={runs} /> : null}
      {outcome === 'exact' ? (
        <EmptyState icon={<CircleCheck size={20} aria-hidden />} title="Every step is identical">
          {machines.length === 0
            ? 'The current machines match the recorded ones.'
            : 'The machines have changed, but this run is not affected.'}
        </EmptyState>
      ) : null}
    </div>
  )
}

const DIFFERENCES = {
  changed: 'differs from the recorded machine',
  missing: 'was recorded but is not available here',
  added: 'is available here but was not recorded',
} as const

/** Only the author of another app has the code of its machines. */
function Unusable({ reason }: { readonly reason: string }) {
  const { fileName } = useChecksContext()
  const { header } = useConsole()
  const command = `npx chartroom replay ${fileName} --machines machines.ts`
  const isUnknown = reason.startsWith('unknown system')
  return (
    <div className={styles.unusable}>
      {isUnknown ? (
        <>
          <p>
            A replay needs the code of the machines. This page does not have the machines of{' '}
            <q>{header.system}</q>. Save the trace and replay it with a module that exports them:
          </p>
          <p className={styles.command}>
            <code>{command}</code>
            <CopyButton text={command} label="Copy command" />
          </p>
          <p className={styles.faint}>
            Apps attached with Chartroom’s recorder provide their machines and can be verified here.
          </p>
        </>
      ) : (
        <p role="alert">{reason}</p>
      )}
    </div>
  )
}
