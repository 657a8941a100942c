// Migrations and seeds with their states.
import {
  migrationView,
  type ProjectMigration,
  type ProjectState,
} from '../../../services/workbench/project/index.ts'
import { plural, formatDateTime } from '../../../services/workbench/text/index.ts'
import { Chip } from '../../widgets/pill.tsx'
import account from '../account/account.module.css'
import { Card } from '../account/card.tsx'
import { fileName, MIGRATION_TEXTS, SEED_TEXTS } from './project-text.ts'
import styles from './project.module.css'

/** The newest first: it is the one that is being written. */
export function Migrations({ project }: { readonly project: ProjectState }) {
  const { migrations } = project
  const newestFirst = [...migrations].reverse()
  return (
    <Card title="Migrations">
      {migrations.length === 0 ? (
        <p className={account.text}>
          There is no file in <code>supabase/migrations</code>. Add one named like{' '}
          <code>20260101120000_name.sql</code>, and it is applied at once.
        </p>
      ) : (
        <table className={styles.files}>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              <th scope="col">Applied</th>
            </tr>
          </thead>
          <tbody>
            {newestFirst.map(migration => (
              <MigrationRow key={migration.version} migration={migration} project={project} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

function MigrationRow(props: { readonly migration: ProjectMigration; readonly project: ProjectState }) {
  const { version, title, file, appliedAt } = props.migration
  const { label, tone, note } = MIGRATION_TEXTS[migrationView(props.migration, props.project)]
  return (
    <tr>
      <td className={styles.version}>{version}</td>
      <th scope="row" title={file ?? undefined}>
        {title}
      </th>
      <td>
        <Chip tone={tone}>{label}</Chip>
        {note === undefined ? null : <span className={styles.stateNote}>{note}</span>}
      </td>
      <td className={styles.when}>{appliedAt === null ? '' : formatDateTime(appliedAt)}</td>
    </tr>
  )
}

export function Seeds({ project: { seeds } }: { readonly project: ProjectState }) {
  if (seeds.length === 0) return null
  return (
    <Card title="Seeds">
      <ul className={styles.list}>
        {seeds.map(({ file, state }) => {
          const { label, tone, note } = SEED_TEXTS[state]
          return (
            <li key={file}>
              <span title={file}>{fileName(file)}</span> <Chip tone={tone}>{label}</Chip>
              {note === undefined ? null : <span className={styles.stateNote}>{note}</span>}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/** One line for the head of the page. */
export const filesNote = ({ migrations, seeds }: ProjectState): string =>
  `${plural(migrations.length, 'migration')}, ${plural(seeds.length, 'seed')}`
