// Results of jobs: a numbered list of steps in plain language, and generated text to copy or save.
import { Button as AriaButton } from 'react-aria-components'
import { count } from '../text.ts'
import styles from './checks.module.css'
import type { DescribedStep } from './described-steps.ts'
import type { ReactNode } from 'react'
import { Button } from '../../widgets/button.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'

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
              <AriaButton className={styles.link ?? ''} onPress={() => onPick(step)}>
                {words}
              </AriaButton>
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

interface CodeResultProps {
  readonly text: string
  readonly label: string
  /** File name; undefined if it can only be copied. */
  readonly name?: string
  readonly children?: ReactNode
}

export function CodeResult({ text, label, name, children }: CodeResultProps) {
  return (
    <div className={styles.code}>
      <span className={styles.tools}>
        {name === undefined ? null : (
          <Button size="s" onPress={() => saveAs(new Blob([text], { type: 'text/plain' }), name)}>
            {`Save ${name}`}
          </Button>
        )}
        {children}
        <span className={styles.gap} />
        <CopyButton text={text} label={`Copy ${label}`} />
      </span>
      <textarea
        className={styles.source}
        readOnly
        rows={Math.min(24, text.split('\n').length)}
        aria-label={label}
        value={text}
        spellCheck={false}
      />
    </div>
  )
}
