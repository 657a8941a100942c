// A refused file: PostgreSQL's own words, and the lines around the refused one.
import { CircleAlert } from 'lucide-react'
import type { ProjectFailure } from '../../../services/workbench/project/index.ts'
import { cx } from '../../widgets/cx.ts'
import account from '../account/account.module.css'
import styles from './project.module.css'

export function ProjectFailureView({ failure }: { readonly failure: ProjectFailure }) {
  const { file, line, message, statement, excerpt } = failure
  return (
    <section className={styles.failure} role="alert" aria-label="Refused file">
      <h2 className={styles.failureTitle}>
        <CircleAlert size={15} aria-hidden />
        <span>
          {file === null ? 'The project could not be read' : file}
          {line === null ? '' : `:${line}`}
        </span>
      </h2>
      <p className={styles.words}>{message}</p>
      {excerpt.length > 0 ? <Excerpt failure={failure} /> : <Statement text={statement} />}
      <p className={account.text}>
        The backend goes on without it. Save a corrected file, and it is tried again at once.
      </p>
    </section>
  )
}

function Excerpt({ failure: { file, line, excerpt } }: { readonly failure: ProjectFailure }) {
  return (
    <div className={styles.code} role="group" aria-label={`Lines of ${file ?? 'the file'}`}>
      <ol className={styles.lines}>
        {excerpt.map(({ line: number, text }) => (
          <li
            key={number}
            className={cx(styles.line)}
            {...(number === line && { 'data-on': '', 'aria-current': 'true' as const })}
          >
            <span className={styles.number}>{number}</span>
            <code>{text === '' ? ' ' : text}</code>
          </li>
        ))}
      </ol>
    </div>
  )
}

function Statement({ text }: { readonly text: string | null }) {
  if (text === null) return null
  return (
    <div className={styles.code} role="group" aria-label="Statement">
      <pre>{text}</pre>
    </div>
  )
}
