// The Functions section: write a call, send it, and read its response and the history.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FileText, FlaskConical, Undo2, Play, Trash2, X } from 'lucide-react'
import { useEffect, useMemo, useSyncExternalStore, useState } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { ActionMenu, MenuButton } from '../../widgets/menu.tsx'
import { useAppCommands } from '../commands/use-app-commands.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { useTitle } from '../hooks.ts'
import { useTimeZone } from '../time-zone.ts'
import { CopyAsMenu } from '../requests/copy-as-menu.tsx'
import { Notice, PageHead } from '../shell/page.tsx'
import { useWorkspace } from '../workspace.tsx'
import { ResponsePanel } from './response.tsx'
import {
  canCopy,
  copySpec,
  EXAMPLES,
  type FunctionCallState,
  FunctionCallStore,
  findEntries,
  type HistoryEntry,
  type KeptResponse,
  type KeptResponses,
  matchIn,
} from '../../../services/workbench/functions/index.ts'
import styles from './functions.module.css'
import { KeptResponseDialog } from './kept-response-dialog.tsx'
import { RequestForm } from './request-form.tsx'
import type { ChartroomClient } from '../../../services/client/index.ts'
import { useClient, useStatus } from '../../react/index.ts'
import { ANONYMOUS } from '../../../services/workbench/accounts/index.ts'
import { useAccounts } from '../accounts/accounts-provider.tsx'
import { wallTime, formatMs, formatTime } from '../../../services/workbench/text/index.ts'
import { workRecordings } from '../work-recordings.ts'
import { TextField } from '../../widgets/field.tsx'
import { Chip } from '../../widgets/pill.tsx'

function Examples({ store }: { readonly store: FunctionCallStore }) {
  return (
    <MenuButton text="Examples" icon={<FlaskConical size={13} aria-hidden />}>
      <ActionMenu
        label="Examples"
        actions={EXAMPLES.map(({ id, title, draft }) => ({
          id,
          title,
          text: draft.name,
          run: () => store.load(draft),
        }))}
      />
    </MenuButton>
  )
}

/** Puts the URL's function name into the form, and a called function's name into the URL. */
function useNameInAddress(store: FunctionCallStore, { call }: FunctionCallState) {
  const navigate = useNavigate()
  const { name: asked = '' } = useSearch({ strict: false })
  useEffect(() => {
    const { draft } = store.state()
    if (asked !== '' && asked !== draft.name) store.load({ ...draft, name: asked })
  }, [store, asked])
  const sent = call.phase === 'none' ? undefined : call.draft.name
  useEffect(() => {
    if (sent !== undefined) void navigate({ to: '/functions', search: { name: sent }, replace: true })
  }, [sent, navigate])
}

function useFunctionCommands(store: FunctionCallStore) {
  useAppCommands(
    useMemo<readonly AppCommand[]>(
      () => [
        {
          id: 'functions.call',
          title: 'Call function',
          section: 'Functions',
          words: 'send run invoke again',
          keys: ['Mod+Enter'],
          run: () => void store.send(),
        },
        {
          id: 'functions.stop',
          title: 'Stop the current call',
          section: 'Functions',
          words: 'abort cancel stream',
          run: store.stop,
        },
        ...EXAMPLES.map(({ id, title, draft }) => ({
          id: `functions.example.${id}`,
          title: `Example: ${title}`,
          section: 'Functions' as const,
          words: draft.name,
          run: () => store.load(draft),
        })),
      ],
      [store],
    ),
  )
}

const callerWords = (as: string): string =>
  as === 'user' ? 'Called as you' : as === 'public' ? 'Called anonymously' : 'Called as another account'

/** Draft and response are kept while other pages are shown. */
export function FunctionsPage() {
  useTitle('Functions')
  useTimeZone()
  const [store, state] = useFunctionCalls()
  const { active } = useWorkspace()
  useNameInAddress(store, state)
  useFunctionCommands(store)
  return (
    <>
      <PageHead title="Functions" note={callerWords(state.draft.as)}>
        {active?.embedded === true ? <Examples store={store} /> : null}
        <CopyAsMenu spec={() => copySpec(state.draft, state.files)} isDisabled={!canCopy(state.draft)} />
      </PageHead>
      <div className={styles.columns}>
        <div className={styles.asking}>
          {state.before === undefined ? null : (
            <Notice>
              Your draft was replaced.{' '}
              <Button size="s" icon={<Undo2 size={13} aria-hidden />} onPress={store.restore}>
                Restore draft
              </Button>
            </Notice>
          )}
          <RequestForm store={store} state={state} />
          <HistoryList store={store} history={state.history} responses={state.responses} />
        </div>
        <ResponsePanel store={store} call={state.call} />
      </div>
    </>
  )
}

/** By client and user, so that users never see each other's drafts. Stores live as long as their client. */
const stores = new WeakMap<ChartroomClient, Map<string, FunctionCallStore>>()

function storeOf(client: ChartroomClient, user: string, isEmbedded: boolean): FunctionCallStore {
  const ofClient = stores.get(client) ?? new Map<string, FunctionCallStore>()
  stores.set(client, ofClient)
  const known = ofClient.get(user)
  if (known) return known
  const made = new FunctionCallStore({
    url: client.url,
    name: `${client.url}.${user}`,
    first: isEmbedded ? { name: 'tide' } : {},
    now: () => client.now(),
    onCalled: (name, job, by) => workRecordings(client).add(name, { ...job, by }),
    wall: () => wallTime(client.now()).toISOString(),
  })
  ofClient.set(user, made)
  return made
}

/** The store and its current state. */
function useFunctionCalls(): readonly [FunctionCallStore, FunctionCallState] {
  const client = useClient()
  const user = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : ''))
  const { active } = useWorkspace()
  const store = storeOf(client, user, active?.embedded === true)
  const accounts = useAccounts()
  useEffect(() => {
    store.callThrough(as => {
      if (as === 'user')
        return {
          client,
          fetch: (path, init, options) => client.fetch(path, init, { ...options, access: 'user' }),
        }
      if (as === 'public') return accounts.clientOf(ANONYMOUS)
      return accounts.list.some(({ id }) => id === as) ? accounts.clientOf(as) : undefined
    })
  }, [store, client, accounts])
  return [store, useSyncExternalStore(store.subscribe, store.state)]
}

interface HistoryListProps {
  readonly store: FunctionCallStore
  readonly history: readonly HistoryEntry[]
  readonly responses: KeptResponses
}

/** The call history: load a call into the form, show its response, or send it again. */
function HistoryList({ store, history, responses }: HistoryListProps) {
  const [words, setWords] = useState('')
  const [isSure, setSure] = useState(false)
  if (history.length === 0) return null
  const matchOf = (id: string) => {
    const response = responses.get(id)
    return response && matchIn(response, words)
  }
  const shown = findEntries(history, words, id => matchOf(id) !== undefined)
  return (
    <section className={styles.history} aria-label="History">
      <div className={styles.historyHead}>
        <h2 className={styles.historyTitle}>History ({history.length})</h2>
        <TextField
          label="Filter history"
          hideLabel
          value={words}
          onChange={setWords}
          placeholder="Filter calls and responses"
          autoComplete="off"
        />
        <Button
          size="s"
          variant={isSure ? 'danger' : 'quiet'}
          icon={<Trash2 size={13} aria-hidden />}
          onBlur={() => setSure(false)}
          onPress={() => {
            if (isSure) store.clearHistory()
            setSure(!isSure)
          }}
        >
          {isSure ? 'Confirm clear' : 'Clear'}
        </Button>
      </div>
      {shown.length === 0 ? <p className={styles.hint}>No calls match “{words}”.</p> : null}
      <ul className={styles.entries}>
        {shown.map(entry => (
          <Entry
            key={entry.id}
            store={store}
            entry={entry}
            response={responses.get(entry.id)}
            match={matchOf(entry.id)}
          />
        ))}
      </ul>
    </section>
  )
}

interface EntryProps {
  readonly store: FunctionCallStore
  readonly entry: HistoryEntry
  readonly response: KeptResponse | undefined
  /** The place in the response that the filter found. */
  readonly match: string | undefined
}

function Entry({ store, entry, response, match }: EntryProps) {
  const [isOpen, setOpen] = useState(false)
  const { draft, status, outcome } = entry
  const name = `${draft.method} ${draft.name}`
  const isGood = outcome === 'done' && status !== null && status < 400
  return (
    <li className={styles.entry}>
      <button
        type="button"
        className={styles.entryName}
        title="Load into form"
        onClick={() => store.load(draft)}
      >
        <span className={styles.entryMethod}>{draft.method}</span>
        <span className={styles.entryPath}>{draft.name}</span>
        <Chip tone={isGood ? 'ok' : outcome === 'canceled' ? 'stale' : 'fail'}>
          {outcome === 'canceled'
            ? 'canceled'
            : status === null
              ? 'no response'
              : outcome === 'failed'
                ? 'interrupted'
                : status}
        </Chip>
        <span className={styles.entryTime}>{formatMs(entry.duration)}</span>
        <time className={styles.entryTime} dateTime={entry.at}>
          {formatTime(entry.at)}
        </time>
      </button>
      {response === undefined ? null : (
        <IconButton label={`Show response of ${name}`} size="s" noTooltip onPress={() => setOpen(true)}>
          <FileText size={13} />
        </IconButton>
      )}
      <IconButton
        label={`Send ${name} again`}
        size="s"
        noTooltip
        onPress={() => {
          store.load(draft)
          store.send()
        }}
      >
        <Play size={13} />
      </IconButton>
      <IconButton label={`Remove ${name}`} size="s" noTooltip onPress={() => store.forget(entry.id)}>
        <X size={13} />
      </IconButton>
      {match === undefined ? null : <p className={styles.match}>{match}</p>}
      {isOpen && response !== undefined ? (
        <KeptResponseDialog name={name} at={entry.at} response={response} onClose={() => setOpen(false)} />
      ) : null}
    </li>
  )
}
