// The first difference of a replay: both states, the likely transition, the cause chain, and what follows.
import type { ReactNode } from 'react'
import { Button } from '../../widgets/button.tsx'
import { describeChange, describeTransition, short, stateLabel } from '../../../trace/index.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { count } from '../text.ts'
import { useConsole } from '../use-console.ts'
import type { Afterwards, Verified } from './jobs.ts'
import styles from './checks.module.css'

type Divergence = NonNullable<Verified['divergence']>

export function DivergenceView({ answer }: { readonly answer: Verified }) {
  const { pick } = useConsole()
  const { divergence, words = [], after } = answer
  if (!divergence) return null
  const { index, between, problem, chain, expected } = divergence
  return (
    <section className={styles.parts} aria-label="First difference">
      <h2 className={styles.title}>
        {between
          ? `First difference between stimulus ${between[0]} and ${between[1]}`
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
