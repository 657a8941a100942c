// The SQL page: runs scripts on the embedded backend as its owner, a role of the API, or any user.
import { Bookmark, FlaskConical, ListTree, Play, Square, Undo2 } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore, useState } from 'react'
import { useClient } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { ActionMenu, MenuButton } from '../../widgets/menu.tsx'
import { Select } from '../../widgets/select.tsx'
import { EmptyState, ErrorState } from '../../widgets/state.tsx'
import { TextField } from '../../widgets/field.tsx'
import {
  createSqlApi,
  isRunning,
  ROW_LIMITS,
  type SqlInfo,
  type SqlOptions,
  type SqlRun,
  type SqlState,
  SqlStore,
  TIME_LIMITS_MS,
} from '../../../services/workbench/sql/index.ts'
import type { SqlMode } from '../../../machines/workbench/sql-run.ts'
import { explainFailure } from '../../../services/workbench/rest/index.ts'
import { keepByClient } from '../../../services/workbench/storage/index.ts'
import { formatCount, wallTime } from '../../../services/workbench/text/index.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { useCtrlEnter } from '../commands/use-ctrl-enter.ts'
import { useTables } from '../data/tables.tsx'
import { useTitle } from '../hooks.ts'
import { useTimeZone } from '../time-zone.ts'
import { lazyPart } from '../lazy-part.tsx'
import { Notice, PageHead } from '../shell/page.tsx'
import { usePageRequest } from '../use-page-request.ts'
import { workRecordings } from '../work-recordings.ts'
import { useWorkspace } from '../workspace.tsx'
import { EXAMPLES } from './examples.ts'
import { HistoryList } from './history-list.tsx'
import { Outcome } from './outcome.tsx'
import { type Marked, SqlEditor, type SqlEditorHandle } from './sql-editor.tsx'
import styles from './sql.module.css'

const SavedDialog = lazyPart('saved queries', async () => (await import('./saved-dialog.tsx')).SavedDialog, {
  whileLoading: null,
  giveUp: ({ onClose }) => onClose(),
})

/** Scripts continue while other pages are shown. */
const stores = keepByClient<SqlStore>()
const api = createSqlApi()

function useSqlStore(): readonly [SqlStore, SqlState] {
  const client = useClient()
  const { reload } = useTables()
  const store = stores.of(
    client,
    'sql',
    () =>
      new SqlStore({
        api,
        url: client.url,
        now: () => client.now(),
        wall: () => wallTime(client.now()).toISOString(),
        onRun: (name, job) => workRecordings(client).add(name, job),
      }),
  )
  useEffect(() => store.callOnChange(reload), [store, reload])
  return [store, useSyncExternalStore(store.subscribe, store.state)]
}

/** `/sql`; only the embedded backend runs SQL. */
export function SqlPage() {
  useTitle('SQL')
  useTimeZone()
  const { active } = useWorkspace()
  if (active?.embedded === true) return <Scripts />
  return (
    <EmptyState icon={<Square size={22} aria-hidden />} title="This backend runs no SQL for pages" isPage>
      Only a backend of Chartroom on this machine does: <code>npm start</code> or <code>chartroom start</code>
      .
    </EmptyState>
  )
}

function Scripts() {
  const [store, state] = useSqlStore()
  const [search, setSearch] = useState('')
  const [isSavedOpen, setSavedOpen] = useState(false)
  const editor = useRef<SqlEditorHandle>(null)
  const {
    data: info,
    failure,
    reload,
  } = usePageRequest(['sql', search], (_data, signal) => api.info(search, signal))
  const as = nameOf(state.options.as, info)
  const run = useCallback(
    (mode: SqlMode) => {
      const part = editor.current?.part()
      if (part) store.run(mode, part, as)
    },
    [store, as],
  )
  useCtrlEnter(() => run('run'), 'page')
  useSqlCommands(run, store)
  const mark = useMemo(() => errorPlace(state.run), [state.run])
  const names = useCompletionNames()
  if (failure && info === undefined)
    return (
      <ErrorState title="SQL is not available" isPage action={<Button onPress={reload}>Try again</Button>}>
        {explainFailure(failure).message}
      </ErrorState>
    )
  return (
    <>
      <PageHead title="SQL" note={<EngineNote info={info} />}>
        <MenuButton text="Examples" icon={<FlaskConical size={13} aria-hidden />}>
          <ActionMenu
            label="Examples"
            actions={EXAMPLES.map(({ id, title, sql }) => ({ id, title, run: () => store.load(sql) }))}
          />
        </MenuButton>
        <Button size="s" icon={<Bookmark size={13} aria-hidden />} onPress={() => setSavedOpen(true)}>
          Saved queries
        </Button>
      </PageHead>
      <div className={styles.page}>
        <div className={styles.work}>
          <Toolbar store={store} state={state} info={info} search={search} onSearch={setSearch} onRun={run} />
          {state.before === undefined ? null : (
            <Notice>
              Your script was replaced.{' '}
              <Button size="s" icon={<Undo2 size={13} aria-hidden />} onPress={store.restore}>
                Restore script
              </Button>
            </Notice>
          )}
          {state.isDraftKept ? null : (
            <Notice>
              This browser’s storage is full: the script is kept in this tab only. Clear the history, or save
              it elsewhere.
            </Notice>
          )}
          <div className={styles.editor}>
            <SqlEditor text={state.draft} onChange={store.edit} names={names} mark={mark} handle={editor} />
          </div>
          <Outcome store={store} run={state.run} onShow={place => editor.current?.show(place)} />
        </div>
        <HistoryList store={store} history={state.history} />
      </div>
      {isSavedOpen ? <SavedDialog store={store} onClose={() => setSavedOpen(false)} /> : null}
    </>
  )
}

function EngineNote({ info }: { readonly info: SqlInfo | undefined }) {
  if (info?.engine !== 'pglite') return null
  return <>One statement at a time: all other requests wait while one runs.</>
}

interface ToolbarProps {
  readonly store: SqlStore
  readonly state: SqlState
  readonly info: SqlInfo | undefined
  readonly search: string
  readonly onSearch: (text: string) => void
  readonly onRun: (mode: SqlMode) => void
}

const ROLES = [
  { id: 'owner', label: 'Owner (postgres)' },
  { id: 'anon', label: 'anon' },
  { id: 'service_role', label: 'service_role' },
] as const

function nameOf(as: string, info: SqlInfo | undefined): string {
  const role = ROLES.find(({ id }) => id === as)
  return role?.label ?? info?.accounts.find(({ id }) => id === as)?.email ?? as
}

const rowLimits = ROW_LIMITS.map(limit => ({ id: String(limit), label: `${formatCount(limit)} rows` }))
const timeLimits = TIME_LIMITS_MS.map(limit => ({
  id: String(limit),
  label: limit < 60_000 ? `${limit / 1_000} s` : `${limit / 60_000} min`,
}))

function Toolbar({ store, state: { options, run }, info, search, onSearch, onRun }: ToolbarProps) {
  const pending = isRunning(run)
  return (
    <div className={styles.toolbar} role="group" aria-label="Run the script">
      {pending ? (
        <Button
          variant="danger"
          icon={<Square size={13} aria-hidden />}
          isDisabled={run?.state.phase !== 'running'}
          onPress={store.cancel}
        >
          Cancel
        </Button>
      ) : (
        <Button variant="primary" icon={<Play size={13} aria-hidden />} onPress={() => onRun('run')}>
          Run
        </Button>
      )}
      <Button isDisabled={pending} onPress={() => onRun('rollBack')}>
        Run and roll back
      </Button>
      <MenuButton text="Explain" size="m" icon={<ListTree size={13} aria-hidden />} isDisabled={pending}>
        <ActionMenu
          label="Explain"
          actions={[
            { id: 'explain', title: 'Plan only', text: 'estimates', run: () => onRun('explain') },
            {
              id: 'analyze',
              title: 'Run, measure and roll back',
              text: 'EXPLAIN ANALYZE',
              run: () => onRun('explainAnalyze'),
            },
          ]}
        />
      </MenuButton>
      <span className={styles.choices}>
        <Choices store={store} options={options} info={info} search={search} onSearch={onSearch} />
      </span>
    </div>
  )
}

interface ChoicesProps extends Pick<ToolbarProps, 'store' | 'info' | 'search' | 'onSearch'> {
  readonly options: SqlOptions
}

function Choices({ store, options, info, search, onSearch }: ChoicesProps) {
  const accounts = info?.accounts ?? []
  const isListed = ROLES.some(({ id }) => id === options.as) || accounts.some(({ id }) => id === options.as)
  return (
    <>
      {info?.hasMoreAccounts === true || search !== '' ? (
        <TextField
          label="Find account"
          hideLabel
          placeholder="Find account"
          value={search}
          onChange={onSearch}
          autoComplete="off"
        />
      ) : null}
      <span className={styles.as}>
        <Select
          label="Run as"
          hideLabel
          options={[
            ...ROLES,
            ...(isListed ? [] : [{ id: options.as, label: options.as }]),
            ...accounts.map(({ id, email, role }) => ({
              id,
              label: `${email ?? id}${role === 'authenticated' || role === null ? '' : ` (${role})`}`,
            })),
          ]}
          value={options.as}
          onChange={as => store.choose({ as })}
        />
      </span>
      <Select
        label="Row limit"
        hideLabel
        options={rowLimits}
        value={String(options.maxRows)}
        onChange={id => store.choose({ maxRows: ROW_LIMITS.find(limit => String(limit) === id) ?? 1_000 })}
      />
      <Select
        label="Time limit"
        hideLabel
        options={timeLimits}
        value={String(options.limitMs)}
        onChange={id =>
          store.choose({ limitMs: TIME_LIMITS_MS.find(limit => String(limit) === id) ?? 30_000 })
        }
      />
    </>
  )
}

/** Where the error of the last script is in the draft, if it is still there. */
function errorPlace(run: SqlRun | undefined): Marked | undefined {
  const failed = run?.report?.statements.find(({ error }) => error)
  if (!run || failed?.error?.position === undefined) return undefined
  const from = failed.error.position
  const [word = ''] = /^(?:"[^"]*"|[\w$.]+|\S)/.exec(run.sql.slice(from)) ?? []
  return { from: run.offset + from, to: run.offset + from + Math.max(1, word.length) }
}

/** Tables and columns, by schema. */
function useCompletionNames() {
  const { schemas } = useTables()
  return useMemo(
    () =>
      Object.fromEntries(
        [...schemas].map(([schema, tables]) => [
          schema,
          Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map(column => column.name)])),
        ]),
      ),
    [schemas],
  )
}

function useSqlCommands(run: (mode: SqlMode) => void, store: SqlStore): void {
  useAppCommands(
    useMemo<readonly AppCommand[]>(
      () => [
        {
          id: 'sql.run',
          title: 'Run script or selection',
          section: 'Data',
          keys: ['Mod+Enter'],
          run: () => run('run'),
        },
        { id: 'sql.rollBack', title: 'Run and roll back', section: 'Data', run: () => run('rollBack') },
        { id: 'sql.explain', title: 'Explain', section: 'Data', words: 'plan', run: () => run('explain') },
        {
          id: 'sql.analyze',
          title: 'Explain analyze',
          section: 'Data',
          words: 'plan measure time',
          run: () => run('explainAnalyze'),
        },
        {
          id: 'sql.cancel',
          title: 'Cancel the script',
          section: 'Data',
          words: 'stop abort',
          run: store.cancel,
        },
      ],
      [run, store],
    ),
  )
}
