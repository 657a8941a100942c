// The comparison of two recordings: the first difference with its reason, what else differs, and both runs.
import { GitCompare } from 'lucide-react'
import { useRef } from 'react'
import { describeChange, short } from '../../../trace/index.ts'
import { Button } from '../../widgets/button.tsx'
import { count, plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import type { Cell } from './align.ts'
import { Changes } from './changes.tsx'
import styles from './checks.module.css'
import type { Compared, FirstDifference } from './jobs.ts'
import { RunsView } from './runs-view.tsx'
import { JobStatus, type TraceJob } from './use-job.tsx'

/** Opens a trace file and compares it with the shown recording. */
export function CompareButton({ job }: { readonly job: TraceJob<'compare'> }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        size="s"
        icon={<GitCompare size={12} aria-hidden />}
        isPending={job.state.phase === 'going'}
        onPress={() => input.current?.click()}
      >
        Compare with a file…
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Recording to compare with"
        onChange={({ target }) => {
          const other = target.files?.[0]
          target.value = ''
          if (other) job.start(file => ({ file, other }))
        }}
      />
    </>
  )
}

/** Result, progress or error of a comparison. */
export function Comparison({ job }: { readonly job: TraceJob<'compare'> }) {
  const { state, cancel } = job
  const answer = state.phase === 'done' ? state.last.answer : undefined
  return (
    <div className={styles.pane}>
      <header className={styles.head}>
        {answer ? <Outcome answer={answer} /> : <span />}
        <span className={styles.tools}>
          <CompareButton job={job} />
          <Button size="s" variant="quiet" onPress={cancel}>
            Close comparison
          </Button>
        </span>
      </header>
      <JobStatus
        doing="Comparing"
        job={job}
        failed="The recordings were not compared: "
        done={answer && comparedText(answer)}
      />
      {answer ? <Answer answer={answer} /> : null}
    </div>
  )
}

const comparedText = ({ first }: Compared): string =>
  !first ? 'Same events and values' : first.isOnlyValues ? 'Same events' : 'Different'

function Outcome({ answer }: { readonly answer: Compared }) {
  const { name, diff, first } = answer
  return (
    <span className={styles.verdict}>
      <strong data-bad={(first && !first.isOnlyValues) || undefined} data-good={!first || undefined}>
        {comparedText(answer)}
      </strong>
      <span className={styles.faint}>
        A: this recording, {plural(diff.steps.a, 'event')} · B: {name}, {plural(diff.steps.b, 'event')} ·
        times are not compared
      </span>
    </span>
  )
}

function Answer({ answer: { diff, runs, first } }: { readonly answer: Compared }) {
  const { header, machines, actors } = diff
  const notes = [
    ...header.map(({ path, a, b }) => `header ${path}: ${short(a)} → ${short(b)}`),
    ...machines.flatMap(({ id, onlyIn, changes }) => [
      ...(onlyIn ? [`machine ${id}: only in ${onlyIn.toUpperCase()}`] : []),
      ...changes.map(change => `machine ${describeChange(change)}`),
    ]),
    ...listed('actors only in A', actors.onlyA),
    ...listed('actors only in B', actors.onlyB),
  ]
  return (
    <div className={styles.answer}>
      {first ? <First first={first} /> : null}
      {notes.length === 0 ? null : (
        <details className={styles.folded}>
          <summary>{plural(notes.length, 'other difference')}</summary>
          {notes.map(note => (
            <p key={note} className={styles.note}>
              {note}
            </p>
          ))}
        </details>
      )}
      <RunsView runs={runs} sides={['A', 'B']} />
    </div>
  )
}

const MOST_LISTED = 8

function listed(title: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return []
  const more = paths.length - MOST_LISTED
  const shown = paths.slice(0, MOST_LISTED).join(', ')
  return [`${title}: ${shown}${more > 0 ? ` and ${count(more)} more` : ''}`]
}

function First({ first }: { readonly first: FirstDifference }) {
  const { pick } = useConsole()
  const { was, is, after, changes, reasons, causes } = first
  return (
    <section className={styles.parts} aria-label="First difference">
      <h2 className={styles.title}>
        First difference: {was?.actor ?? is?.actor}, after {plural(after, 'event')}
        {was ? (
          <Button size="s" onPress={() => pick(was.seq)}>
            Go to event
          </Button>
        ) : null}
      </h2>
      {reasons.map(reason => (
        <p key={reason} className={styles.likeliest}>
          {reason}
        </p>
      ))}
      <dl className={styles.states}>
        <Side name="A" step={was} causes={causes.a} />
        <Side name="B" step={is} causes={causes.b} />
      </dl>
      <Changes changes={changes} />
    </section>
  )
}

interface SideProps {
  readonly name: 'A' | 'B'
  readonly step: Cell | undefined
  readonly causes: readonly Cell[]
}

/** A step of one recording, below the steps that caused it. */
function Side({ name, step, causes }: SideProps) {
  return (
    <div data-side={name === 'A' ? 'recorded' : 'replayed'}>
      <dt>{name}</dt>
      <dd>
        {causes.slice(0, -1).map(({ seq, actor, event }) => (
          <span key={seq} className={styles.cause}>
            {actor} handled {event}
          </span>
        ))}
        {step ? (
          <>
            {step.event} → <strong>{step.state}</strong>
          </>
        ) : (
          'no further event'
        )}
      </dd>
    </div>
  )
}
