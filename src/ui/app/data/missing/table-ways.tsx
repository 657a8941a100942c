// The Data page of a backend that does not list its tables: what it says, and the ways to tables.
import { commandLine } from '../../../../trace/index.ts'
import { useClient } from '../../../react/index.ts'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import { FindTables } from './lazy-find-tables.ts'
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
            It answered: <q>{refusal.message}</q>
          </p>
        )}
      </header>
      <div className={styles.cards}>
        <article className={styles.card}>
          <h3>Use a file from your project</h3>
          <p>
            All tables, columns, enums and functions, from the types that{' '}
            <code>supabase gen types typescript</code> writes. The file stays in this browser.
          </p>
          <GiveSchema />
        </article>
        <article className={styles.card}>
          <h3>Open a table by name</h3>
          <p>Checks with the backend that it exists. This browser stores the name.</p>
          <OpenTable />
        </article>
        <article className={styles.card}>
          <h3>Look for tables</h3>
          <p>
            Asks for usual names, one after another. For a name that it does not have, the backend suggests a
            similar one. At most 80 requests, each for no rows.
          </p>
          <FindTables />
        </article>
        <article className={styles.card}>
          <h3>Make a schema file</h3>
          <p>
            Has keys, defaults and comments in addition to the types. Run this in Chartroom’s repository. It
            asks for a secret key, which it sends to the backend only. Drop the file here, or serve it with
            the app as <code>schema.json</code>.
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
