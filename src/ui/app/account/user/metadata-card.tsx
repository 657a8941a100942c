// The metadata of an account: what people may change about themselves as JSON, and what servers keep beside it.
import { Button } from '../../../widgets/button.tsx'
import { TextArea } from '../../../widgets/field.tsx'
import { callAuth } from '../../auth/call.ts'
import { Notice } from '../../shell/page.tsx'
import { notify } from '../../shell/notify.ts'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { metadataChange, metadataText, nullsIn, parseMetadata, type Metadata } from './metadata.ts'
import { TaskRefusal } from '../task/task-refusal.tsx'
import { useDraft } from '../../use-draft.ts'
import { useTask } from '../task/use-task.ts'
import { useUser, type User } from './use-user.ts'

const list = (names: readonly string[]) => names.map(name => `“${name}”`).join(', ')

/** What saving would do, in words. */
const changeWords = (present: Metadata, wanted: Metadata): string => {
  const { set, removed } = metadataChange(present, wanted)
  const nulls = nullsIn(wanted).filter(name => !removed.includes(name))
  return [
    set.length > 0 ? `Sets ${list(set)}.` : '',
    removed.length > 0 ? `Removes ${list(removed)}.` : '',
    nulls.length > 0 ? `${list(nulls)}: null means that there is none.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

function Editor({ user }: { readonly user: User }) {
  const { reload } = useUser()
  const { state, isRunning, run, forget } = useTask<'save'>()
  const [draft, setDraft] = useDraft(`metadata.${user.id}`)
  const [base, setBase] = useDraft(`metadata-base.${user.id}`)
  const present = user.user_metadata
  const text = draft ?? metadataText(present)
  const parsed = parseMetadata(text)
  // Against what it was when the draft was begun: what came meanwhile stays.
  const before = base === null ? present : (JSON.parse(base) as Metadata)
  const words = parsed.ok ? changeWords(before, parsed.value) : ''
  const isStale = draft !== null && base !== null && base !== metadataText(present)
  const drop = () => {
    setDraft(null)
    setBase(null)
    forget()
  }
  const save = async () => {
    if (!parsed.ok) return
    const { data } = metadataChange(before, parsed.value)
    const answer = await run('save', client => callAuth(client, auth => auth.updateUser({ data })))
    if (answer === undefined) return
    drop()
    reload()
    notify({ tone: 'ok', title: 'Your metadata is saved' })
  }
  return (
    <>
      <TextArea
        label="Your metadata"
        mono
        rows={Math.min(16, Math.max(5, text.split('\n').length + 1))}
        spellCheck="false"
        value={text}
        onChange={next => {
          if (base === null) setBase(metadataText(present))
          setDraft(next)
          forget()
        }}
        error={parsed.ok ? undefined : parsed.problem}
        hint={words === '' ? 'JSON. Policies should not trust it: you can change it yourself.' : words}
      />
      {isStale ? (
        <Notice>
          It was changed elsewhere since you began. What you save is laid over what the server has now.
        </Notice>
      ) : null}
      <TaskRefusal state={state} />
      <div className={styles.actions}>
        <Button
          variant="primary"
          isPending={isRunning()}
          isDisabled={!parsed.ok || words === ''}
          onPress={() => void save()}
        >
          Save
        </Button>
        <Button variant="quiet" isDisabled={draft === null || isRunning()} onPress={drop}>
          Drop the changes
        </Button>
      </div>
    </>
  )
}

/** Waits for the user as the server tells it. */
export function MetadataCard() {
  const { user } = useUser()
  if (user === undefined) return null
  return (
    <Card title="Metadata">
      <Editor key={user.id} user={user} />
      <details className={styles.details}>
        <summary>What the backend keeps about you</summary>
        <pre className={styles.json}>{metadataText(user.app_metadata)}</pre>
        <p className={styles.faint}>Only servers change it, so policies may trust it.</p>
      </details>
    </Card>
  )
}
