// The Functions section: write a call, send it, and read its response and the history.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FlaskConical, Undo2 } from 'lucide-react'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { Button } from '../../widgets/button.tsx'
import { ActionMenu, MenuButton } from '../../widgets/menu.tsx'
import { useAppCommands } from '../commands/use-app-commands.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { useTitle } from '../hooks.ts'
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
} from '../../../services/workbench/functions/index.ts'
import styles from './functions.module.css'
import { HistoryList } from './history-list.tsx'
import { RequestForm } from './request-form.tsx'
import type { ChartroomClient } from '../../../services/client/index.ts'
import { useClient, useStatus } from '../../react/index.ts'
import { ANONYMOUS } from '../../../services/workbench/accounts/index.ts'
import { useAccounts } from '../accounts/use-accounts.ts'
import { wallTime } from '../../../services/workbench/text/index.ts'
import { workRecordings } from '../work-recordings.ts'

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
          <HistoryList store={store} history={state.history} />
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
