// A plan of EXPLAIN as a tree: rows estimated and actual, time, loops, conditions, and each step's share as a bar.
import { Copy } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Segments } from '../../widgets/segments.tsx'
import { type Plan, type PlanNode, planSteps, planText } from '../../../services/workbench/sql/index.ts'
import { formatCount, formatMs } from '../../../services/workbench/text/index.ts'
import { copyText } from '../shell/copy-text.ts'
import styles from './plan.module.css'

const FORMS = [
  { id: 'tree', label: 'Tree' },
  { id: 'text', label: 'Text' },
] as const

/** An estimate that is wrong by this factor misleads the planner. */
const MISLEADING = 10

export function PlanView({ plan }: { readonly plan: Plan }) {
  const [form, setForm] = useState<(typeof FORMS)[number]['id']>('tree')
  const text = planText(plan)
  return (
    <div className={styles.plan}>
      <div className={styles.head}>
        <Segments label="Form of the plan" options={FORMS} value={form} onChange={setForm} />
        <span className={styles.times}>{timesOf(plan)}</span>
        <Button
          size="s"
          icon={<Copy size={13} aria-hidden />}
          onPress={() => void copyText(text, 'Copied the plan')}
        >
          Copy plan
        </Button>
      </div>
      {form === 'tree' ? (
        <div className={styles.scroll}>
          <PlanTable plan={plan} />
        </div>
      ) : (
        <pre className={styles.text}>{text}</pre>
      )}
    </div>
  )
}

function timesOf({ planningTime, executionTime, isAnalyzed }: Plan): string {
  if (!isAnalyzed) return 'Estimated; the statement was not run.'
  const parts = [
    ...(planningTime === undefined ? [] : [`planning ${formatMs(planningTime)}`]),
    ...(executionTime === undefined ? [] : [`execution ${formatMs(executionTime)}`]),
  ]
  return `Run and rolled back: ${parts.join(', ')}`
}

function PlanTable({ plan }: { readonly plan: Plan }) {
  const { isAnalyzed } = plan
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">{isAnalyzed ? 'Time' : 'Cost'}</th>
          <th scope="col" className={styles.number}>
            Rows estimated
          </th>
          {isAnalyzed ? (
            <>
              <th scope="col" className={styles.number}>
                Rows
              </th>
              <th scope="col" className={styles.number}>
                Loops
              </th>
            </>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {planSteps(plan.root).map(step => (
          <Step key={step.id} step={step} isAnalyzed={isAnalyzed} />
        ))}
      </tbody>
    </table>
  )
}

const percent = (share: number) => `${Math.round(share * 100)} %`

function Step({ step, isAnalyzed }: { readonly step: PlanNode; readonly isAnalyzed: boolean }) {
  const { actual, cost, share, plannedRows, depth, title, details } = step
  const whole = isAnalyzed
    ? actual
      ? formatMs(actual.time * actual.loops)
      : 'never run'
    : cost.total.toFixed(2)
  return (
    <tr>
      <th scope="row" className={styles.step} style={{ '--depth': depth } as CSSProperties}>
        <span className={styles.title}>{title}</span>
        {details.map(({ name, text }) => (
          <span key={name} className={styles.detail}>
            {name}: <code>{text}</code>
          </span>
        ))}
      </th>
      <td className={styles.share} style={{ '--share': share } as CSSProperties}>
        {whole} <span className={styles.percent}>{percent(share)}</span>
      </td>
      <td className={styles.number}>{formatCount(plannedRows)}</td>
      {isAnalyzed ? (
        <>
          <td className={styles.number}>
            {actual ? <ActualRows rows={actual.rows} planned={plannedRows} /> : '–'}
          </td>
          <td className={styles.number}>{actual ? formatCount(actual.loops) : '–'}</td>
        </>
      ) : null}
    </tr>
  )
}

function ActualRows({ rows, planned }: { readonly rows: number; readonly planned: number }) {
  const factor = Math.max(rows, 1) / Math.max(planned, 1)
  const isMisleading = factor >= MISLEADING || factor <= 1 / MISLEADING
  const words =
    factor >= 1 ? `${Math.round(factor)} × the estimate` : `1/${Math.round(1 / factor)} of the estimate`
  return (
    <>
      {formatCount(rows)}
      {isMisleading ? <span className={styles.misleading}> {words}</span> : null}
    </>
  )
}
