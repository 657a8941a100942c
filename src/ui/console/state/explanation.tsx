// Why a step happened, or what it led to, in one sentence, and the steps from the reason to that.
import { Lightbulb } from 'lucide-react'
import type { ReactNode } from 'react'
import { isExplained } from '../../../trace/index.ts'
import { useConsole } from '../use-console.ts'
import { causeChain } from './cause-chain.ts'
import styles from './cause.module.css'
import { useExplanation } from './use-explanation.ts'

export interface ExplanationProps {
  readonly seq: number
  /** Renders a step as a line that selects it. */
  readonly line: (seq: number, depth: number) => ReactNode
}

/** Renders nothing while it is not known. */
export function Explanation({ seq, line }: ExplanationProps) {
  const { timeline } = useConsole()
  const answer = useExplanation(seq)
  if (!answer) return null
  if (!isExplained(answer)) return <p className={styles.unknown}>{answer.unknown}</p>
  const { sentence, next, because } = answer
  // The chain of senders is below it.
  const chain = new Set(causeChain(timeline, seq).seqs)
  const isInChain = because.every(({ step }) => chain.has(step))
  return (
    <>
      <div className={styles.answer}>
        <Lightbulb size={14} aria-hidden />
        <p>
          <strong>{sentence}</strong> {next}
        </p>
      </div>
      {isInChain ? null : (
        <ol className={styles.chain} aria-label="From the reason to the effect">
          {because.map(({ step }, depth) => line(step, depth))}
        </ol>
      )}
    </>
  )
}
