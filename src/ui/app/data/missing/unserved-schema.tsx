// The page for a schema that the backend does not expose: lists the exposed schemas.
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { Button } from '../../../widgets/button.tsx'
import { EmptyState } from '../../../widgets/state.tsx'
import { useTitle } from '../../hooks.ts'
import { PageHead } from '../../shell/page.tsx'
import { inSchema, useTables } from '../tables.tsx'
import styles from './missing.module.css'

/** The names come from the refusal. */
export function UnservedSchema() {
  const { schema, served, reload } = useTables()
  useTitle(schema)
  return (
    <>
      <PageHead title={schema} note="not exposed" />
      <EmptyState
        icon={<SearchX size={22} aria-hidden />}
        title={`The backend does not expose the schema ${schema}`}
        action={<Button onPress={reload}>Check again</Button>}
      >
        The backend's settings define which schemas are exposed. Tables in other schemas are not available.
        <nav aria-label="Exposed schemas" className={styles.names}>
          <span>Exposed schemas</span>
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
