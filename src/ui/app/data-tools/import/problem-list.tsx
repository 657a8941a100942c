// Problems by line, and the affected rows as a file to fix.
import { Download } from 'lucide-react'
import { Button } from '../../../widgets/button.tsx'
import { saveAs } from '../../../widgets/save-as.ts'
import { SCROLLED } from '../scrolled.ts'
import styles from '../tools.module.css'
import {
  type FailedRow,
  failedRowsFile,
  type Problem,
  type Source,
} from '../../../../services/workbench/table/index.ts'
import { formatCount, plural } from '../../../../services/workbench/text/index.ts'

const SHOWN = 200

export interface ProblemListProps {
  readonly title: string
  readonly problems: readonly Problem[]
  readonly source: Source
  readonly failed: readonly FailedRow[]
  /** Name of the downloaded file, without extension. */
  readonly fileName: string
}

/** Each problem with its line, column and original value. */
export function ProblemList({ title, problems, source, failed, fileName }: ProblemListProps) {
  if (problems.length === 0) return null
  const unit = source.kind === 'csv' ? 'Line' : 'Entry'
  return (
    <section className={styles.problems} aria-label={title}>
      <header className={styles.problemHead}>
        <strong>{title}</strong>
        <Button
          size="s"
          icon={<Download size={13} aria-hidden />}
          onPress={() => saveAs(failedRowsFile(source, failed), `${fileName}.${source.kind}`)}
        >
          Download {failed.length === 1 ? 'this row' : `these ${plural(failed.length, 'row')}`}
        </Button>
      </header>
      <ul {...SCROLLED} className={styles.problemList} aria-label={`${title}, by line`}>
        {problems.slice(0, SHOWN).map(({ line, column, message, value }, at) => (
          // A row may have the same problem twice.
          <li key={`${line} ${at}`}>
            <span className={styles.line}>
              {unit} {formatCount(line)}
            </span>
            {column === undefined ? null : <code>{column}</code>}
            <span>{message}</span>
            {value === undefined || value === '' ? null : <q className={styles.faint}>{value}</q>}
          </li>
        ))}
        {problems.length > SHOWN ? (
          <li className={styles.faint}>
            and {formatCount(problems.length - SHOWN)} more; the file contains all of them.
          </li>
        ) : null}
      </ul>
    </section>
  )
}

/** The rows with problems found before sending, each with all its problems. */
export function failedOf(
  bad: readonly FailedRow['source'][],
  problems: readonly Problem[],
): readonly FailedRow[] {
  const byLine = Map.groupBy(problems, ({ line }) => line)
  return bad.map(source => ({
    source,
    message: (byLine.get(source.line) ?? [])
      .map(({ column, message }) => (column === undefined ? message : `${column}: ${message}`))
      .join(' '),
  }))
}
