// Who is in the topic now.
import { Dot } from '../../widgets/pill.tsx'
import type { Person } from './conversation.ts'
import styles from './realtime.module.css'

export interface PeopleListProps {
  readonly people: readonly Person[]
  readonly selfKey: string
  readonly isJoined: boolean
}

/** The user is marked; several tabs of one person are one line. */
export function PeopleList({ people, selfKey, isJoined }: PeopleListProps) {
  return (
    <aside className={styles.people} aria-label="Who is here">
      <h2 className={styles.peopleTitle}>
        {isJoined ? 'Here now' : 'Here last'}
        {people.length > 0 ? ` · ${people.length}` : ''}
      </h2>
      {people.length === 0 ? (
        <p className={styles.faint}>{isJoined ? 'Nobody yet.' : 'Known once the topic is joined.'}</p>
      ) : (
        <ul>
          {people.map(person => (
            <li key={person.key} className={styles.person}>
              <Dot tone={isJoined ? 'ok' : 'stale'} />
              <span className={styles.personName}>{person.name}</span>
              {person.key === selfKey ? <span className={styles.faint}>you</span> : null}
              {person.places > 1 ? <span className={styles.faint}>{person.places} tabs</span> : null}
            </li>
          ))}
        </ul>
      )}
    </aside>
  )
}
