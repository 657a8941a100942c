// A numbered list of steps in plain language.
import { Button } from 'react-aria-components'
import { count } from '../text.ts'
import styles from './checks.module.css'
import type { DescribedStep } from './described-steps.ts'

export interface StepListProps {
  readonly steps: readonly DescribedStep[]
  /** Number of further steps that are not listed. */
  readonly more: number
  /** Selects the event of a step. */
  readonly onPick?: (seq: number) => void
}

export function StepList({ steps, more, onPick }: StepListProps) {
  return (
    <>
      <ol className={styles.steps} aria-label="Steps">
        {steps.map(({ seq, step, words, states }) => (
          <li key={seq}>
            {onPick && step !== undefined ? (
              <Button className={styles.link ?? ''} onPress={() => onPick(step)}>
                {words}
              </Button>
            ) : (
              words
            )}
            {states.map(state => (
              <span key={state} className={styles.reached}>
                → {state}
              </span>
            ))}
          </li>
        ))}
      </ol>
      {more > 0 ? <p className={styles.faint}>and {count(more)} more</p> : null}
    </>
  )
}
