// The Functions section: write a call, send it, and read its response and the history.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FlaskConical, Undo2 } from 'lucide-react'
import { useEffect, useMemo } from 'react'
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
  type FunctionCallStore,
} from '../../../services/workbench/functions/index.ts'
import styles from './functions.module.css'
import { HistoryList } from './history-list.tsx'
import { RequestForm } from './request-form.tsx'
import { useFunctionCalls } from './use-function-calls.ts'

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
