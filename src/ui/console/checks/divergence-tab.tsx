// The Replay tab: replays the shown trace with the current machines and shows both runs side by side.
import { CircleCheck, CircleHelp, Play, Split } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { plural, count } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { useJob, JobStatus } from './use-job.tsx'
import type { Verified, Afterwards } from './jobs.ts'
import styles from './checks.module.css'
import { Comparison, CompareButton } from './comparison.tsx'
import { RunsView } from './runs-view.tsx'
import type { ReactNode } from 'react'
import { commandLine, describeChange, describeTransition, short, stateLabel } from '../../../trace/index.ts'

export function DivergenceTab() {
  const { size } = useConsole()
  const { state, start, cancel } = useJob('verify')
  const begin = () => start(file => ({ file }))
  const answer = state.phase === 'done' ? state.last.answer : undefined
  const isIdle = state.phase === 'none' || state.phase === 'canceled'
  const compare = useJob('compare')
  if (compare.state.phase !== 'none' && compare.state.phase !== 'canceled')
    return <Comparison job={compare} />
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
              isPending={state.phase === 'going'}
            >
              Verify again
            </Button>
          )}
          <CompareButton job={compare} />
        </span>
      </header>
      <JobStatus
        doing="Replaying"
        job={{ state, cancel }}
        done={answer && `${WORDS[answer.outcome]}: ${verifiedText(answer)}`}
      />
      {isIdle ? (
        <EmptyState
          icon={<Split size={20} aria-hidden />}
          title="Verify this run"
          action={
            <>
              <Button size="s" variant="primary" onPress={begin} isDisabled={size === 0}>
                Verify by replay
              </Button>
              <CompareButton job={compare} />
            </>
          }
        >
          Replays all inputs with the current machines and compares every step with the recording. No side
          effects are executed. If a machine has changed, you see where and why the run diverges. Or compare
          it with another recording, for example of a run that worked.
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

function verifiedText({ stimuli, compared, keyframes }: Verified): string {
  const what = keyframes === undefined ? plural(compared, 'step') : plural(keyframes, 'keyframe')
  return `${plural(stimuli, 'input')} · ${what} identical`
}

function Outcome({ answer }: { readonly answer: Verified }) {
  const { outcome } = answer
  const isBad = outcome === 'diverged' || outcome === 'unusable'
  return (
    <span className={styles.verdict}>
      <strong data-bad={isBad || undefined} data-good={outcome === 'exact' || undefined}>
        {WORDS[outcome]}
      </strong>
      <span className={styles.faint}>{verifiedText(answer)}</span>
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
  const { header, checks } = useConsole()
  const command = commandLine('replay', `./${checks.fileName}`, '--machines', 'machines.ts')
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

type Divergence = NonNullable<Verified['divergence']>

function DivergenceView({ answer }: { readonly answer: Verified }) {
  const { pick } = useConsole()
  const { divergence, words = [], after } = answer
  if (!divergence) return null
  const { index, between, problem, chain, expected } = divergence
  return (
    <section className={styles.parts} aria-label="First difference">
      <h2 className={styles.title}>
        {between
          ? `First difference between inputs ${between[0]} and ${between[1]}`
          : `First difference at event ${count(index)}`}
        <CopyButton text={words.join('\n')} label="Copy as text" />
        {expected && !between ? (
          <Button size="s" onPress={() => pick(index)}>
            Go to event
          </Button>
        ) : null}
      </h2>
      {problem === undefined ? null : <p className={styles.failure}>{problem}</p>}
      <States divergence={divergence} />
      <Differences divergence={divergence} />
      <CauseView divergence={divergence} />
      {chain.length === 0 ? null : (
        <Folded title="Cause chain">
          <ol className={styles.chain}>
            {chain.map((link, at) => (
              <li key={`${at} ${link}`}>{link}</li>
            ))}
          </ol>
        </Folded>
      )}
      {after ? <After after={after} /> : null}
    </section>
  )
}

function Titled({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <h3 className={styles.label}>{title}</h3>
      {children}
    </>
  )
}

function Folded({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details className={styles.folded}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}

function States({ divergence: { expected, got } }: { readonly divergence: Divergence }) {
  if (!expected && !got) return null
  return (
    <dl className={styles.states}>
      {(
        [
          ['recorded', expected],
          ['replayed', got],
        ] as const
      ).map(([side, step]) => (
        <div key={side} data-side={side}>
          <dt>{side}</dt>
          <dd>
            {step ? (
              <>
                {step.actor} handled {step.event} → <strong>{stateLabel(step.state) || step.status}</strong>
              </>
            ) : (
              'nothing'
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Differences({ divergence: { differences } }: { readonly divergence: Divergence }) {
  if (differences.length === 0) return null
  return (
    <Titled title="Differences">
      <table className={styles.differences}>
        <thead>
          <tr>
            <th scope="col">path</th>
            <th scope="col">recorded</th>
            <th scope="col">replayed</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ path, expected, got }) => (
            <tr key={path}>
              <th scope="row">{path}</th>
              <td data-side="recorded">{short(expected)}</td>
              <td data-side="replayed">{short(got)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Titled>
  )
}

function CauseView({ divergence: { cause } }: { readonly divergence: Divergence }) {
  if (!cause || cause.was.length + cause.is.length + cause.changes.length === 0) return null
  const { actor, was, is, changes, likeliest } = cause
  const others = changes.filter(change => change !== likeliest).map(describeChange)
  const taken = (all: typeof was) => (all.length === 0 ? 'none' : all.map(describeTransition).join(', then '))
  return (
    <Titled title={`Transition of ${actor}`}>
      {was.length + is.length === 0 ? null : (
        <dl className={styles.states}>
          <div data-side="recorded">
            <dt>recorded</dt>
            <dd>{taken(was)}</dd>
          </div>
          <div data-side="replayed">
            <dt>replayed</dt>
            <dd>{taken(is)}</dd>
          </div>
        </dl>
      )}
      {likeliest ? (
        <p className={styles.likeliest}>
          <strong>Most likely:</strong> {describeChange(likeliest)}
        </p>
      ) : null}
      {others.map(text => (
        <p key={text} className={styles.note}>
          {likeliest ? 'also ' : ''}changed: {text}
        </p>
      ))}
    </Titled>
  )
}

function After({ after: { placed, unplaced, more, final } }: { readonly after: Afterwards }) {
  return (
    <Folded title="What follows">
      <p className={styles.note}>
        {count(placed)} recorded inputs matched
        {unplaced.length + more === 0 ? '' : `, ${count(unplaced.length + more)} did not`}.
        {final.length === 0 ? ' All actors ended as recorded.' : ''}
      </p>
      {unplaced.length === 0 ? null : (
        <ul className={styles.list} aria-label="Unmatched">
          {unplaced.map(({ seq, words }) => (
            <li key={seq} className={styles.note}>
              <span className={styles.seq}>#{seq}</span> {words}
            </li>
          ))}
        </ul>
      )}
      {more > 0 ? <p className={styles.faint}>and {count(more)} more</p> : null}
      {final.length === 0 ? null : (
        <ul className={styles.list} aria-label="Different final states">
          {final.map(({ actor, was, is }) => (
            <li key={actor} className={styles.note}>
              {actor} ended as {was} in the recording and as {is} in the replay
            </li>
          ))}
        </ul>
      )}
    </Folded>
  )
}
