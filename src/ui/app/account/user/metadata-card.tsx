// The metadata of an account: user metadata editable as JSON, and read-only app metadata.
import { Button } from '../../../widgets/button.tsx'
import { TextArea } from '../../../widgets/text-area.tsx'
import { callAuth } from '../../../../services/workbench/auth/index.ts'
import { Notice } from '../../shell/page.tsx'
import { notify } from '../../shell/notify.ts'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import {
  type Metadata,
  metadataChange,
  metadataText,
  nullsIn,
  parseMetadata,
} from '../../../../services/workbench/accounts/index.ts'
import { TaskRefusal, useTask } from '../task/use-task.tsx'
import { useDraft } from '../../use-draft.ts'
import { useUser, type User } from './use-user.ts'

const list = (names: readonly string[]) => names.map(name => `“${name}”`).join(', ')

/** Describes what saving would change. */
const changeWords = (present: Metadata, wanted: Metadata): string => {
  const { set, removed } = metadataChange(present, wanted)
  const nulls = nullsIn(wanted).filter(name => !removed.includes(name))
  return [
    set.length > 0 ? `Sets ${list(set)}.` : '',
    removed.length > 0 ? `Removes ${list(removed)}.` : '',
    nulls.length > 0 ? `${list(nulls)}: null counts as not set.` : '',
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
  // Compared with the metadata at the start of the draft: later changes elsewhere are kept.
  const before = base === null ? present : (JSON.parse(base) as Metadata)
  const message = parsed.ok ? changeWords(before, parsed.value) : ''
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
    notify({ tone: 'ok', title: 'Metadata saved' })
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
        hint={message === '' ? 'JSON. Policies should not trust it, because you can change it.' : message}
      />
      {isStale ? (
        <Notice>
          This was changed elsewhere since you started. Saving merges your changes into the current version.
        </Notice>
      ) : null}
      <TaskRefusal state={state} />
      <div className={styles.actions}>
        <Button
          variant="primary"
          isPending={isRunning()}
          isDisabled={!parsed.ok || message === ''}
          onPress={() => void save()}
        >
          Save
        </Button>
        <Button variant="quiet" isDisabled={draft === null || isRunning()} onPress={drop}>
          Discard
        </Button>
      </div>
    </>
  )
}

/** Renders nothing until the user data is loaded. */
export function MetadataCard() {
  const { user } = useUser()
  if (user === undefined) return null
  return (
    <Card title="Metadata">
      <Editor key={user.id} user={user} />
      <details className={styles.details}>
        <summary>App metadata</summary>
        <pre className={styles.json}>{metadataText(user.app_metadata)}</pre>
        <p className={styles.faint}>Only servers can change it, so policies may trust it.</p>
      </details>
    </Card>
  )
}
