// The frame of all pages: sections, page, and notices after sign-in.
import { Outlet, Link, useLocation, useRouter } from '@tanstack/react-router'
import { useSessionAnnouncements } from '../auth/use-session-announcements.ts'
import { TablesProvider, inSchema, useTables, type Tables } from '../data/tables.tsx'
import { Tour } from '../tour/tour.tsx'
import { PAGE_ID } from './skip-links.tsx'
import styles from './shell.module.css'
import { ROWS_TOPIC } from '../data/rows-topic.ts'
import { CircleUser, Folder, Inbox, Radio, SquareFunction, Table2, Unplug } from 'lucide-react'
import { use, useEffect, useRef, type ReactNode, useMemo } from 'react'
import { useStatus } from '../../react/index.ts'
import { cx } from '../../widgets/cx.ts'
import { SignedInHereContext } from '../connected-context.ts'
import { useUsable } from '../app-startup.ts'
import { useTimeZoneCommands } from '../time-zone.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { lazyPart } from '../lazy-part.tsx'
import { ReportsAccessProvider, useReportsAccess } from '../reports/access.tsx'
import { toList } from '../reports/focus.ts'
import { ReportProblem } from '../reports/report-problem.tsx'
import { useProjectPath, useWorkspace } from '../workspace.tsx'

/** Rendered while a user is signed in. */
export function Work() {
  useSessionAnnouncements()
  const page = useRef<HTMLDivElement>(null)
  const takesFocus = use(SignedInHereContext)
  useEffect(() => {
    // The form that had the focus is gone.
    if (takesFocus && document.activeElement === document.body) page.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <TablesProvider>
      <ReportsAccessProvider>
        <div className={styles.work}>
          <Nav />
          <Tour />
          <div ref={page} id={PAGE_ID} tabIndex={-1} className={styles.page}>
            <Outlet />
          </div>
        </div>
      </ReportsAccessProvider>
    </TablesProvider>
  )
}

interface SectionProps {
  readonly to:
    | '/data'
    | '/sql'
    | '/files'
    | '/functions'
    | '/realtime'
    | '/reports'
    | '/project'
    | '/account'
    | '/connections'
  readonly title: string
  readonly icon: ReactNode
  readonly count?: number
  /** A state that needs attention. */
  readonly mark?: string
  /** Hidden in narrow windows, where another section links to it. */
  readonly wideOnly?: boolean
  /** A page of the section is open that has another path. */
  readonly isOn?: boolean
}

export function Section({ to, title, icon, count, mark, wideOnly = false, isOn = false }: SectionProps) {
  return (
    <Link
      to={to}
      className={cx(styles.section, wideOnly && styles.wideOnly)}
      activeProps={{ 'data-on': '' }}
      {...(isOn && { 'data-on': '' })}
    >
      <span className={styles.sectionIcon}>{icon}</span>
      <span className={styles.sectionTitle}>{title}</span>
      {count === undefined || count === 0 ? null : <span className={styles.count}>{count}</span>}
      {mark === undefined ? null : <span className={styles.attention}>{mark}</span>}
    </Link>
  )
}

const TableList = lazyPart(
  'the list of tables',
  async () => (await import('../data/list/table-list.tsx')).TableList,
  { whileLoading: null },
)

function TableLinks() {
  const { schema } = useTables()
  const path = useLocation({ select: location => location.pathname })
  if (!/^\/(?:data|rpc|access|diagram)/.test(path)) return null
  return (
    <>
      <TableList />
      <div className={styles.tables}>
        <Link to="/rpc" className={styles.table} activeProps={{ 'data-on': '' }}>
          Database functions
        </Link>
        <Link to="/access" className={styles.table} activeProps={{ 'data-on': '' }}>
          Access review
        </Link>
        <Link
          to="/diagram"
          search={inSchema(schema)}
          activeOptions={{ includeSearch: false }}
          className={styles.table}
          activeProps={{ 'data-on': '' }}
        >
          Diagram
        </Link>
      </div>
    </>
  )
}

const icon = { size: 16, 'aria-hidden': true } as const

const ProjectNav = lazyPart(
  'the project',
  async () => (await import('../project/project-nav.tsx')).ProjectNav,
  { whileLoading: null, giveUp: () => undefined },
)

const SqlNav = lazyPart('SQL', async () => (await import('../sql/sql-nav.tsx')).SqlNav, {
  whileLoading: null,
  giveUp: () => undefined,
})

/** The navigation of the signed-in app. */
function Nav() {
  const project = useProjectPath()
  const hasSql = useWorkspace().active?.embedded === true
  const { tables, schema } = useTables()
  useTableCommands({ tables, schema })
  const reports = useReportsAccess()
  const isMember = reports.access === 'member'
  useToolCommands(schema)
  useTimeZoneCommands()
  useUsable()
  const isInTools = useLocation({ select: ({ pathname }) => /^\/(?:rpc|access|diagram)/.test(pathname) })
  // Topics that the user joined, not those that the grid listens to.
  const joined = useStatus(
    ({ channels }) =>
      Object.entries(channels).filter(
        ([topic, { phase }]) => phase === 'joined' && !topic.startsWith(ROWS_TOPIC),
      ).length,
  )
  return (
    <nav aria-label="Sections" className={styles.nav}>
      <p className={styles.group}>Work</p>
      <Section to="/data" title="Data" icon={<Table2 {...icon} />} count={tables.length} isOn={isInTools} />
      <TableLinks />
      {hasSql ? <SqlNav /> : null}
      <Section to="/files" title="Files" icon={<Folder {...icon} />} />
      <Section to="/functions" title="Functions" icon={<SquareFunction {...icon} />} />
      <Section to="/realtime" title="Realtime" icon={<Radio {...icon} />} count={joined} />
      {project === undefined ? null : <ProjectNav path={project} />}
      {isMember ? (
        <Section to="/reports" title="Reports" icon={<Inbox {...icon} />} count={reports.open} />
      ) : null}
      <ReportProblem hasStore={reports.access === 'member' || reports.access === 'notMember'} />
      <p className={styles.group}>You</p>
      <Section to="/account" title="Account" icon={<CircleUser {...icon} />} />
      <Section to="/connections" title="Connections" icon={<Unplug {...icon} />} wideOnly />
    </nav>
  )
}

/** Opens the pages of the Data section, and the reports; without a store, that page says how to get one. */
function useToolCommands(schema: string): void {
  const router = useRouter()
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'go.access',
        title: 'Access review',
        section: 'Go to',
        keys: ['G V'],
        words: 'policies rls rights security matrix',
        rank: 7,
        run: () => void router.navigate({ to: '/access' }),
      },
      {
        id: 'go.reports',
        title: 'Reports',
        section: 'Go to',
        keys: ['G E'],
        words: 'triage bugs failures users problems',
        rank: 7,
        run: () => void router.navigate({ to: '/reports', state: toList }),
      },
      {
        id: 'go.diagram',
        title: 'Diagram',
        section: 'Go to',
        keys: ['G K'],
        words: 'tables foreign keys schema relations erd',
        rank: 7,
        run: () => void router.navigate({ to: '/diagram', search: inSchema(schema) }),
      },
    ],
    [router, schema],
  )
  useAppCommands(commands)
}

/** Tables by name, in the schema of the URL. */
function useTableCommands({ tables, schema }: Pick<Tables, 'tables' | 'schema'>): void {
  const router = useRouter()
  const commands = useMemo<readonly AppCommand[]>(
    () =>
      tables.map((table, at) => ({
        id: `table.${table}`,
        title: table,
        section: 'Go to',
        words: 'table data rows',
        rank: 100 + at,
        run: () => void router.navigate({ to: '/data/$table', params: { table }, search: inSchema(schema) }),
      })),
    [router, tables, schema],
  )
  useAppCommands(commands)
}
