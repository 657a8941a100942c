// The Data page of a backend that does not list its tables: what it says, and the ways to tables.
import { commandLine } from '../../../../trace/index.ts'
import { useClient } from '../../../react/index.ts'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import { OpenTable } from '../schema-picker.tsx'
import { useTables } from '../tables.tsx'
import { GiveSchema } from './give-schema.tsx'
import styles from './table-ways.module.css'

export function TableWays() {
  const { refusal } = useTables()
  return (
    <section className={styles.ways} aria-label="Ways to open tables">
      <header className={styles.intro}>
        <h2 className={styles.title}>This backend does not list its tables</h2>
        <p>
          Hosted projects show their tables to secret keys only, and a secret key must never be in a browser.
          Everything else works as usual: choose one of these ways.
        </p>
        {refusal === undefined ? null : (
          <p className={styles.said}>
            Its answer: <q>{refusal.message}</q>
          </p>
        )}
      </header>
      <div className={styles.cards}>
        <article className={styles.card}>
          <h3>Use a file of your project</h3>
          <p>
            All tables, columns, enums and functions, from the types that{' '}
            <code>supabase gen types typescript</code> writes. The file stays in this browser.
          </p>
          <GiveSchema />
        </article>
        <article className={styles.card}>
          <h3>Open a table by name</h3>
          <p>The backend is asked whether it exists. Names are remembered here.</p>
          <OpenTable />
        </article>
        <article className={styles.card}>
          <h3>Make a schema file</h3>
          <p>
            Like the types, with keys, defaults and comments. Run this in Chartroom’s repository: it asks for
            a secret key on your machine, and sends it to the backend only. Drop the file here, or serve it
            with the app as <code>schema.json</code>.
          </p>
          <SchemaCommand />
        </article>
      </div>
    </section>
  )
}

function SchemaCommand() {
  const { url } = useClient()
  const command = commandLine('schema', '--url', url, '--out', 'schema.json')
  return (
    <div className={styles.command}>
      <code>{command}</code>
      <CopyButton label="Copy command" text={command} />
    </div>
  )
}
