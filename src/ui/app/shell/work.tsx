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
import { useAppCommands } from '../commands/use-app-commands.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { ReportsAccessProvider, useReportsAccess } from '../reports/access.tsx'

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
  readonly to: '/data' | '/files' | '/functions' | '/realtime' | '/reports' | '/account' | '/connections'
  readonly title: string
  readonly icon: ReactNode
  readonly count?: number
  /** Hidden in narrow windows, where another section links to it. */
  readonly wideOnly?: boolean
  /** A page of the section is open that has another path. */
  readonly isOn?: boolean
}

function Section({ to, title, icon, count, wideOnly = false, isOn = false }: SectionProps) {
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
    </Link>
  )
}

function TableLinks() {
  const { tables, schema } = useTables()
  const path = useLocation({ select: location => location.pathname })
  const inData = /^\/(?:data|rpc|access)/.test(path)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[data-on]')?.scrollIntoView({ block: 'nearest' })
  }, [path, tables])
  if (!inData) return null
  return (
    <>
      <ul ref={list} className={styles.tables} aria-label="Tables" hidden={tables.length === 0}>
        {tables.map(table => (
          <li key={table}>
            <Link
              to="/data/$table"
              params={{ table }}
              search={inSchema(schema)}
              activeOptions={{ includeSearch: false }}
              className={styles.table}
              activeProps={{ 'data-on': '' }}
            >
              {table}
            </Link>
          </li>
        ))}
      </ul>
      <div className={styles.tables}>
        <Link to="/rpc" className={styles.table} activeProps={{ 'data-on': '' }}>
          Database functions
        </Link>
        <Link to="/access" className={styles.table} activeProps={{ 'data-on': '' }}>
          Access review
        </Link>
      </div>
    </>
  )
}

const icon = { size: 16, 'aria-hidden': true } as const

/** The navigation of the signed-in app. */
function Nav() {
  const { tables, schema } = useTables()
  useTableCommands({ tables, schema })
  const isMember = useReportsAccess().access === 'member'
  useReportsCommand(isMember)
  useAccessCommand()
  useUsable()
  const isInTools = useLocation({ select: ({ pathname }) => /^\/(?:rpc|access)/.test(pathname) })
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
      <Section to="/files" title="Files" icon={<Folder {...icon} />} />
      <Section to="/functions" title="Functions" icon={<SquareFunction {...icon} />} />
      <Section to="/realtime" title="Realtime" icon={<Radio {...icon} />} count={joined} />
      {isMember ? <Section to="/reports" title="Reports" icon={<Inbox {...icon} />} /> : null}
      <p className={styles.group}>You</p>
      <Section to="/account" title="Account" icon={<CircleUser {...icon} />} />
      <Section to="/connections" title="Connections" icon={<Unplug {...icon} />} wideOnly />
    </nav>
  )
}

/** Opens the access review. */
function useAccessCommand(): void {
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
    ],
    [router],
  )
  useAppCommands(commands)
}

/** Opens the reports, for members. */
function useReportsCommand(isMember: boolean): void {
  const router = useRouter()
  const commands = useMemo<readonly AppCommand[]>(
    () =>
      isMember
        ? [
            {
              id: 'go.reports',
              title: 'Reports',
              section: 'Go to',
              keys: ['G E'],
              words: 'triage bugs failures users problems',
              rank: 7,
              run: () => void router.navigate({ to: '/reports' }),
            },
          ]
        : [],
    [router, isMember],
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
