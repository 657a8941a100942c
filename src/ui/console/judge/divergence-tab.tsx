// The Divergence tab: the shown trace is replayed with the machines that are here, and both runs stand side by side.
import { CircleCheck, CircleHelp, Play, Split } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { count, plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { JobFailure, JobLine } from './job-line.tsx'
import { useJudge } from './judge-context.ts'
import type { Verified } from './jobs.ts'
import styles from './judge.module.css'
import { RunsView } from './runs-view.tsx'
import { useJob } from './use-job.ts'
import { WhereItParts } from './where-it-parts.tsx'

export function DivergenceTab() {
  const { size } = useConsole()
  const { state, start, cancel } = useJob('verify')
  const begin = () => start(file => ({ file }))
  const answer = state.phase === 'done' ? state.answer : undefined
  const isIdle = state.phase === 'none' || state.phase === 'cancelled'
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
          title="Does it come out the same?"
          action={
            <Button size="s" variant="primary" onPress={begin} isDisabled={size === 0}>
              Verify by replay
            </Button>
          }
        >
          Everything that entered this run is repeated with the machines that are here, and every step is
          compared with the recorded one. Nothing of it reaches the world. When a machine was changed, you see
          where and why the run goes another way.
        </EmptyState>
      ) : null}
      {answer ? <Answer answer={answer} /> : null}
    </div>
  )
}

const WORDS: Readonly<Record<Verified['outcome'], string>> = {
  exact: 'Exact',
  diverged: 'It goes another way',
  unverified: 'Not verified',
  unusable: 'It can’t be replayed',
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
        {count(stimuli)} repeated from outside · {what} compared and the same
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
          A replay cannot show that this run is exact: {reason}.
        </EmptyState>
      ) : null}
      {[...differing, ...notes].map(note => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
      {divergence ? <WhereItParts answer={answer} /> : null}
      {runs ? <RunsView runs={runs} /> : null}
      {outcome === 'exact' ? (
        <EmptyState icon={<CircleCheck size={20} aria-hidden />} title="Every step came as it was recorded">
          {machines.length === 0
            ? 'The machines here are those that were recorded.'
            : 'The machines were changed, but this run does not show it.'}
        </EmptyState>
      ) : null}
    </div>
  )
}

const DIFFERENCES = {
  changed: 'is not the machine that was recorded',
  missing: 'was recorded and is not here',
  added: 'is here and was not recorded',
} as const

/** Machines of other apps are code that only their author has. */
function Unusable({ reason }: { readonly reason: string }) {
  const { fileName } = useJudge()
  const { header } = useConsole()
  const command = `npx chartroom replay ${fileName} --machines machines.ts`
  const isUnknown = reason.startsWith('unknown system')
  return (
    <div className={styles.unusable}>
      {isUnknown ? (
        <>
          <p>
            To replay a run its machines are needed, as code. Those of <q>{header.system}</q> are not known to
            this page. Save the trace, and replay it beside a module that exports them:
          </p>
          <p className={styles.command}>
            <code>{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </p>
          <p className={styles.faint}>
            An app that attaches itself to the console with Chartroom’s recorder brings its machines along,
            and is verified here.
          </p>
        </>
      ) : (
        <p role="alert">{reason}</p>
      )}
    </div>
  )
}
