// The response of a function: a table for rows, JSON, and errors.
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import { Chip } from '../../../widgets/pill.tsx'
import { saveAs } from '../../../widgets/save-as.ts'
import { EmptyState } from '../../../widgets/state.tsx'
import { type Row, valueText } from '../../../../services/workbench/table/index.ts'
import { own } from '../../../../services/workbench/storage/index.ts'
import { CopyAsMenu } from '../../requests/copy-as-menu.tsx'
import { RequestLink } from '../../requests/request-link.tsx'
import { Notice } from '../../shell/page.tsx'
import { SCROLLED } from '../scrolled.ts'
import table from '../rows-table.module.css'
import styles from './rpc.module.css'
import { rowsIn, type RpcResponse } from '../../../../services/workbench/functions/index.ts'
import { formatCount, plural } from '../../../../services/workbench/text/index.ts'

/** Larger responses would slow the page; the download contains everything. */
const [MOST_ROWS, MOST_TEXT] = [500, 200_000]

function ResultTable({ rows }: { readonly rows: readonly Row[] }) {
  const names = [...new Set(rows.slice(0, MOST_ROWS).flatMap(row => Object.keys(row)))]
  return (
    <div {...SCROLLED} className={styles.scroll} role="group" aria-label="Rows of the response">
      <table className={table.table}>
        <thead>
          <tr>
            {names.map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row, at) => (
            // Rows have no keys.
            <tr key={at}>
              {names.map(name => {
                const value = own(row, name)
                const isNothing = value === null || value === undefined
                return (
                  <td key={name} className={cx(isNothing && table.null)}>
                    {isNothing ? 'null' : valueText(value).slice(0, 200)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS ? (
        <p className={styles.faint}>
          and {formatCount(rows.length - MOST_ROWS)} more; download the response for all of them
        </p>
      ) : null}
    </div>
  )
}

const prettyOf = ({ value, text }: RpcResponse): string => {
  const pretty = value === undefined ? text : (JSON.stringify(value, null, 2) ?? text)
  return pretty.length > MOST_TEXT ? `${pretty.slice(0, MOST_TEXT)}\n…` : pretty
}

function AnswerHead({ answer }: { readonly answer: RpcResponse }) {
  const { status, ms, requestId, spec } = answer
  return (
    <header className={styles.answerHead}>
      <output className={styles.facts}>
        <Chip tone={answer.failure ? 'fail' : 'ok'}>{status === 0 ? 'no response' : status}</Chip>
        <span>{formatCount(Math.round(ms))} ms</span>
        <RequestLink of={requestId}>Show request</RequestLink>
      </output>
      <span className={styles.tools}>
        <CopyAsMenu spec={() => spec} />
        {answer.text === '' ? null : (
          <Button
            size="s"
            icon={<Download size={13} aria-hidden />}
            onPress={() => saveAs(new Blob([answer.text], { type: 'application/json' }), 'answer.json')}
          >
            Download
          </Button>
        )}
      </span>
    </header>
  )
}

export interface RpcResponseViewProps {
  readonly answer: RpcResponse | undefined
  readonly isPending: boolean
}

/** The last response stays until the next one arrives. */
export function RpcResponseView({ answer, isPending }: RpcResponseViewProps) {
  const [isRaw, setRaw] = useState(false)
  if (answer === undefined)
    return (
      <section className={styles.answer} aria-label="Response">
        <EmptyState title={isPending ? 'Waiting for the response…' : 'No response yet'}>
          {isPending ? null : 'Rows, values and errors appear here.'}
        </EmptyState>
      </section>
    )
  const rows = answer.failure ? undefined : rowsIn(answer.value)
  return (
    <section className={styles.answer} aria-label="Response" aria-busy={isPending} data-stale={isPending}>
      <AnswerHead answer={answer} />
      {answer.failure === undefined ? null : (
        <Notice tone="fail">
          <span className={styles.failure}>
            {answer.failure.message}
            {answer.failure.details.map(line => (
              <code key={line}>{line}</code>
            ))}
          </span>
        </Notice>
      )}
      {rows === undefined ? null : (
        <p className={styles.facts}>
          {plural(rows.length, 'row')}
          <Button size="s" variant="quiet" onPress={() => setRaw(!isRaw)}>
            {isRaw ? 'Show as a table' : 'Show as JSON'}
          </Button>
        </p>
      )}
      {rows && !isRaw ? <ResultTable rows={rows} /> : null}
      {answer.failure || (rows && !isRaw) ? null : (
        <pre {...SCROLLED} className={styles.json} aria-label="Response as JSON">
          {answer.text === '' ? '(no content)' : prettyOf(answer)}
        </pre>
      )}
    </section>
  )
}
