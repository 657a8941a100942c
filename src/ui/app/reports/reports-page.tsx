// The Reports section: failures that users reported, grouped, filtered by the URL, and the shown group.
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { Inbox, RefreshCw, Users } from 'lucide-react'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { ListBox, ListBoxItem } from 'react-aria-components'
import {
  CAUSES,
  CHART_DAYS,
  INIT_COMMANDS,
  type GroupFilter,
  headline,
  type ListedGroup,
  memberSql,
  readFilter,
  readGroups,
  shownGroup,
  STATUSES,
} from '../../../services/workbench/reports/index.ts'
import { explainFailure } from '../../../services/workbench/rest/index.ts'
import { formatRange, plural, wallTime } from '../../../services/workbench/text/index.ts'
import { useClient, useStatus } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Segments } from '../../widgets/segments.tsx'
import { Select } from '../../widgets/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import { useTimeout } from '../../widgets/time.ts'
import { useTitle } from '../hooks.ts'
import { useTimeZone } from '../time-zone.ts'
import { Notice, PageHead } from '../shell/page.tsx'
import { usePageRequest } from '../use-page-request.ts'
import { useReportsAccess } from './access.tsx'
import { focusFirstAction, focusGroups, isLost } from './focus.ts'
import { CAUSE_NAMES, StatusChips } from './group-texts.tsx'
import { GroupView } from './group-view.tsx'
import styles from './reports.module.css'
import { triageOf } from './triage.ts'

/** The page for members; others learn how to become one. */
export function ReportsPage() {
  useTitle('Reports')
  useTimeZone()
  const { access, failure, reload } = useReportsAccess()
  switch (access) {
    case 'member':
      return <Triage onChanged={reload} />
    case 'notMember':
      return <NotMember onRetry={reload} />
    case 'noTables':
      return <NoTables onRetry={reload} />
    case undefined:
      return failure ? (
        <ErrorState
          title="Could not load the reports"
          isPage
          action={<Button onPress={reload}>Try again</Button>}
        >
          {explainFailure(failure).message}
        </ErrorState>
      ) : (
        <Skeleton label="Loading the reports" />
      )
  }
}

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className={styles.code}>
      <pre>{text}</pre>
      <CopyButton text={text} label={label} />
    </span>
  )
}

function NotMember({ onRetry }: { readonly onRetry: () => void }) {
  const email = useStatus(({ session }) =>
    session.phase === 'authenticated' ? (session.user.email ?? 'you@example.com') : '',
  )
  return (
    <EmptyState
      icon={<Users size={22} aria-hidden />}
      title="Only members can read reports"
      isPage
      action={<Button onPress={onRetry}>Check again</Button>}
    >
      This account is not a member. The owner of the project can add it in SQL:
      <Code text={memberSql(email)} label="Copy SQL" />
    </EmptyState>
  )
}

function NoTables({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <EmptyState
      icon={<Inbox size={22} aria-hidden />}
      title="This project has no tables for reports"
      isPage
      action={<Button onPress={onRetry}>Check again</Button>}
    >
      Reports of your app’s users are kept in your own project. These commands add the tables:
      <Code text={INIT_COMMANDS} label="Copy commands" />
    </EmptyState>
  )
}

const STATUS_NAMES = { open: 'Open', fixed: 'Fixed', ignored: 'Ignored', all: 'All' } as const
const SINCE = [
  { id: 'any', label: 'Seen at any time' },
  { id: '24h', label: 'Last 24 hours' },
  { id: '7d', label: 'Last 7 days' },
  { id: '30d', label: 'Last 30 days' },
  { id: '90d', label: 'Last 90 days' },
] as const
const SEARCH_MS = 300

function Triage({ onChanged }: { readonly onChanged: () => void }) {
  const search = useSearch({ strict: false })
  const filter = readFilter(search)
  const client = useClient()
  const triage = triageOf(client)
  const { data, failure, phase, reload } = usePageRequest(['report groups', filter], database =>
    readGroups(database, filter, wallTime(client.now())),
  )
  useEffect(() => triage.settle(), [triage, data])
  const isOpen = search.group !== undefined || search.report !== undefined
  const list = useRef<HTMLDivElement>(null)
  const group = useRef<HTMLElement>(null)
  // A group that was chosen in the list takes the focus when it is shown.
  const isChosen = useRef(false)
  const choose = () => {
    isChosen.current = true
    if (group.current) show()
  }
  const show = () => {
    if (!isChosen.current) return
    isChosen.current = false
    focusFirstAction(group.current)
  }
  const changed = () => {
    reload()
    onChanged()
  }
  const hasGroups = data !== undefined && data.groups.length > 0
  // After a group was closed, whose button had the focus.
  useEffect(() => {
    if (!isOpen && hasGroups && isLost()) focusGroups(list.current)
  }, [isOpen, hasGroups])
  return (
    <>
      <PageHead title="Reports" note="Failures that users of your app met">
        <Button
          size="s"
          variant="quiet"
          icon={<RefreshCw size={13} aria-hidden />}
          isPending={phase === 'pending' && data !== undefined}
          onPress={reload}
        >
          Refresh
        </Button>
      </PageHead>
      <Filters filter={filter} />
      <div className={styles.columns} data-open={isOpen || undefined}>
        <div className={styles.list}>
          {failure === undefined || data === undefined ? null : (
            <Notice tone="fail">Could not refresh: {explainFailure(failure).message}</Notice>
          )}
          {data !== undefined ? (
            <Groups {...data} filter={filter} shown={search.group} list={list} onChoose={choose} />
          ) : failure === undefined ? (
            <Skeleton label="Loading the groups" />
          ) : (
            <ErrorState
              title="Could not load the groups"
              action={<Button onPress={reload}>Try again</Button>}
            >
              {explainFailure(failure).message}
            </ErrorState>
          )}
        </div>
        {isOpen ? (
          <GroupView key={search.group ?? search.report} ref={group} onShown={show} onChanged={changed} />
        ) : (
          <div className={styles.nothing}>Select a group to see its reports.</div>
        )}
      </div>
    </>
  )
}

/** Returns a function that changes parameters of the URL, and shows the first page. */
function useFilterBy() {
  const navigate = useNavigate()
  return useCallback(
    (changes: Readonly<Record<string, string | number | undefined>>) =>
      void navigate({
        to: '/reports',
        search: (all: object) => ({ ...all, page: undefined, ...changes }) as never,
        replace: true,
      }),
    [navigate],
  )
}

function Filters({ filter }: { readonly filter: GroupFilter }) {
  const filterBy = useFilterBy()
  const [text, setText] = useState(filter.search)
  const isTyped = text.trim() !== filter.search
  useTimeout(() => filterBy({ q: text.trim() || undefined }), isTyped ? SEARCH_MS : undefined, text)
  return (
    <search className={styles.filters} aria-label="Filter groups">
      <Segments
        label="Status"
        options={[...STATUSES, 'all' as const].map(id => ({ id, label: STATUS_NAMES[id] }))}
        value={filter.status ?? 'all'}
        onChange={status => filterBy({ status: status === 'open' ? undefined : status })}
      />
      <Select
        label="Cause"
        hideLabel
        options={[{ id: 'any', label: 'Any cause' }, ...CAUSES.map(id => ({ id, label: CAUSE_NAMES[id] }))]}
        value={filter.cause ?? 'any'}
        onChange={cause => filterBy({ cause: cause === 'any' ? undefined : cause })}
      />
      <Select
        label="Last seen"
        hideLabel
        options={SINCE}
        value={filter.since ?? 'any'}
        onChange={since => filterBy({ since: since === 'any' ? undefined : since })}
      />
      <TextField label="Search words" hideLabel placeholder="Search words" value={text} onChange={setText} />
    </search>
  )
}

interface GroupsProps {
  readonly groups: readonly ListedGroup[]
  readonly hasMore: boolean
  readonly filter: GroupFilter
  readonly shown: string | undefined
  readonly list: RefObject<HTMLDivElement | null>
  /** Also called for the group that is shown already. */
  readonly onChoose: () => void
}

/** For those who came by key or palette. */
const FROM_THE_FIRST = { autoFocus: 'first' } as const

const isFiltered = ({ cause, since, search, status }: GroupFilter) =>
  cause !== undefined || since !== undefined || search !== '' || status !== 'open'

function Groups({ groups, hasMore, filter, shown, list, onChoose }: GroupsProps) {
  const navigate = useNavigate()
  const triage = triageOf(useClient())
  const savings = useSyncExternalStore(triage.subscribe, triage.savings)
  const { page } = filter
  const toReports = useLocation({ select: ({ state }) => state.toReports })
  if (groups.length === 0)
    return (
      <EmptyState
        icon={<Inbox size={22} aria-hidden />}
        title={isFiltered(filter) || page > 1 ? 'No group matches' : 'No open reports'}
        action={
          <Link to="/reports" search={{ status: 'all' }}>
            Show all groups
          </Link>
        }
      >
        {isFiltered(filter)
          ? 'Change the filter above to see other groups.'
          : 'New reports of your users appear here, grouped by failure.'}
      </EmptyState>
    )
  return (
    <>
      <ListBox
        key={toReports}
        ref={list}
        {...(toReports === undefined ? {} : FROM_THE_FIRST)}
        aria-label="Groups"
        className={styles.groups ?? ''}
        selectionMode="single"
        selectedKeys={shown === undefined ? [] : [shown]}
        onSelectionChange={keys => {
          const [group] = keys
          if (group === undefined || group === shown) return onChoose()
          onChoose()
          void navigate({
            to: '/reports',
            search: (all: object) =>
              ({ ...all, group: String(group), report: undefined, step: undefined }) as never,
          })
        }}
      >
        {groups.map(group => (
          <ListBoxItem
            key={group.fingerprint}
            id={group.fingerprint}
            textValue={headline(group).title}
            className={styles.group ?? ''}
          >
            <GroupLine group={shownGroup(group, savings.get(group.fingerprint))} />
          </ListBoxItem>
        ))}
      </ListBox>
      {page > 1 || hasMore ? (
        <nav className={styles.pages} aria-label="Pages of groups">
          <PageLink to={page - 1} isOff={page === 1}>
            Newer
          </PageLink>
          <span>Page {page}</span>
          <PageLink to={page + 1} isOff={!hasMore}>
            Older
          </PageLink>
        </nav>
      ) : null}
    </>
  )
}

function PageLink(props: { readonly to: number; readonly isOff: boolean; readonly children: ReactNode }) {
  const filterBy = useFilterBy()
  return (
    <Button size="s" isDisabled={props.isOff} onPress={() => filterBy({ page: props.to })}>
      {props.children}
    </Button>
  )
}

function GroupLine({ group }: { readonly group: ListedGroup }) {
  const { title, because } = headline(group)
  const { cause, last_seen: last, first_seen: first, last_version: version, reports, users, perDay } = group
  return (
    <>
      <span className={styles.title}>{title}</span>
      <Bars perDay={perDay} />
      {because === undefined ? null : <span className={styles.because}>{because}</span>}
      <span className={styles.facts}>
        <StatusChips group={group} />
        <span>{CAUSE_NAMES[cause]}</span>
        <span>{plural(reports, 'report')}</span>
        <span>{plural(users, 'identified user')}</span>
        <span>last in {version || 'an unknown version'}</span>
        <span>{formatRange(first, last)}</span>
      </span>
    </>
  )
}

/** Reports per day; the sum is in its name. */
function Bars({ perDay }: { readonly perDay: readonly number[] }) {
  const most = Math.max(1, ...perDay)
  const sum = perDay.reduce((all, one) => all + one, 0)
  return (
    <svg
      role="img"
      aria-label={`${plural(sum, 'report')} in ${CHART_DAYS} days`}
      className={styles.bars}
      viewBox={`0 0 ${CHART_DAYS * 5} 20`}
    >
      {perDay.map((count, day) => {
        const height = count === 0 ? 1 : Math.max(3, (20 * count) / most)
        return (
          // The days keep their places.
          <rect
            key={day}
            x={day * 5}
            y={20 - height}
            width={4}
            height={height}
            data-none={count === 0 || undefined}
          />
        )
      })}
    </svg>
  )
}
