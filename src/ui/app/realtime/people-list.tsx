// Presence in the topic: its users with their states, and the user's own state.
import { Eye, EyeOff } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { TextArea } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { Dot } from '../../widgets/pill.tsx'
import {
  peopleOf,
  type Person,
  type TopicState,
  type TopicStore,
  withoutMark,
} from '../../../services/workbench/realtime/index.ts'
import styles from './realtime.module.css'

export interface PeopleListProps {
  readonly store: TopicStore
  readonly state: TopicState
}

/** The user is marked; several tabs of one user share a line. */
export function PeopleList({ store, state }: PeopleListProps) {
  const { presence, status, settings } = state
  const people = peopleOf(presence)
  const isJoined = status.phase === 'joined'
  const ownKey = settings.key.trim() || store.user.key
  return (
    <aside className={styles.people} aria-label="Presence">
      <h2 className={styles.sideTitle}>
        {isJoined ? 'Here now' : 'Last seen here'}
        {people.length > 0 ? ` · ${people.length}` : ''}
      </h2>
      {settings.presence ? null : <p className={styles.faint}>Presence is off for this topic.</p>}
      {people.length > 0 ? (
        <ul>
          {people.map(person => (
            <PersonLine key={person.key} person={person} isOwn={person.key === ownKey} isJoined={isJoined} />
          ))}
        </ul>
      ) : settings.presence ? (
        <p className={styles.faint}>{isJoined ? 'No users yet.' : 'Available after the topic is joined.'}</p>
      ) : null}
      {settings.presence ? <OwnState store={store} state={state} /> : null}
    </aside>
  )
}

interface PersonLineProps {
  readonly person: Person
  readonly isOwn: boolean
  readonly isJoined: boolean
}

function PersonLine({ person, isOwn, isJoined }: PersonLineProps) {
  return (
    <li>
      <details className={styles.person}>
        <summary>
          <Dot tone={isJoined ? 'ok' : 'stale'} />
          <span className={styles.personName}>{person.name}</span>
          {isOwn ? <span className={styles.faint}>you</span> : null}
          {person.places > 1 ? <span className={styles.faint}>{person.places} tabs</span> : null}
        </summary>
        <code className={styles.key}>{person.key}</code>
        {person.metas.map((meta, n) => (
          <pre
            key={typeof meta['presence_ref'] === 'string' ? meta['presence_ref'] : n}
            className={styles.meta}
          >
            {JSON.stringify(withoutMark(meta), null, 1)}
          </pre>
        ))}
      </details>
    </li>
  )
}

function OwnState({ store, state }: PeopleListProps) {
  const { draft, ownProblem, isShown } = state
  return (
    <details className={styles.own}>
      <summary className={styles.sideTitle}>Your presence state{isShown ? '' : ': not shared'}</summary>
      <Form aria-label="Your presence state" onSubmit={() => void store.show()}>
        <TextArea
          label="Your state as JSON"
          hideLabel
          mono
          rows={4}
          value={draft.own}
          onChange={own => store.edit({ own })}
          error={ownProblem}
          spellCheck="false"
        />
        <div className={styles.ownActions}>
          <Button size="s" type="submit" icon={<Eye size={13} aria-hidden />}>
            {isShown ? 'Update state' : 'Share state'}
          </Button>
          {isShown ? (
            <Button
              size="s"
              variant="quiet"
              icon={<EyeOff size={13} aria-hidden />}
              onPress={() => void store.hide()}
            >
              Hide
            </Button>
          ) : null}
        </div>
      </Form>
    </details>
  )
}
