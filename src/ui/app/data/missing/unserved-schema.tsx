// What stands in the place of the tables of a schema that the backend does not serve: the ones that it does.
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { Button } from '../../../widgets/button.tsx'
import { EmptyState } from '../../../widgets/state.tsx'
import { useTitle } from '../../hooks.ts'
import { PageHead } from '../../shell/page.tsx'
import { inSchema, useTables } from '../tables.tsx'
import styles from './missing.module.css'

/** The names are those of the refusal. */
export function UnservedSchema() {
  const { schema, served, reload } = useTables()
  useTitle(schema)
  return (
    <>
      <PageHead title={schema} note="not served" />
      <EmptyState
        icon={<SearchX size={22} aria-hidden />}
        title={`The backend does not serve the schema ${schema}`}
        action={<Button onPress={reload}>Look again</Button>}
      >
        Which schemas are served is a setting of the backend. Tables of others are not to be had by anybody.
        <nav aria-label="Schemas that are served" className={styles.names}>
          <span>Served are</span>
          <ul>
            {served.map(name => (
              <li key={name}>
                <Link to="/data" search={inSchema(name)} className={styles.name}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </EmptyState>
    </>
  )
}
