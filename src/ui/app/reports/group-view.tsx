// A group: its status, notes and reports.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import {
  type GroupChange,
  headline,
  MOST_NOTES,
  readGroup,
  readReport,
  readReports,
  type ReportGroup,
  type Saving,
  shownGroup,
} from '../../../services/workbench/reports/index.ts'
import { explainFailure } from '../../../services/workbench/rest/index.ts'
import { plural, formatDateTime } from '../../../services/workbench/text/index.ts'
import { useClient } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import { TextArea } from '../../widgets/text-area.tsx'
import { Notice } from '../shell/page.tsx'
import { usePageRequest } from '../use-page-request.ts'
import { isLost } from './focus.ts'
import { CAUSE_NAMES, StatusChips } from './group-texts.tsx'
import { ReportList } from './report-list.tsx'
import styles from './reports.module.css'
import { triageOf } from './triage.ts'

const REPORTS = 100

interface GroupViewProps {
  readonly ref: RefObject<HTMLElement | null>
  /** Called when it is rendered with its reports. */
  readonly onShown: () => void
  readonly onChanged: () => void
}

/** The group of the URL: by its fingerprint, or by one of its reports. */
export function GroupView({ ref, onShown, onChanged }: GroupViewProps) {
  const { group: named, report: id } = useSearch({ strict: false })
  const [most, setMost] = useState(REPORTS)
  const { data, failure, reload } = usePageRequest(['report group', named, id, most], async database => {
    const linked = id === undefined ? undefined : await readReport(database, id)
    const fingerprint = named ?? linked?.fingerprint
    if (fingerprint === undefined) return { group: undefined }
    const [group, { reports, hasMore }] = await Promise.all([
      readGroup(database, fingerprint),
      readReports(database, fingerprint, most),
    ])
    const isListed = linked === undefined || reports.some(report => report.id === linked.id)
    return { group, reports: isListed ? reports : [linked, ...reports], hasMore }
  })
  const back = useBack()
  const isShown = data !== undefined
  const shown = useRef(onShown)
  useEffect(() => {
    if (isShown) shown.current()
  }, [isShown])
  if (data === undefined)
    return (
      <div className={styles.shown}>
        {failure ? (
          <ErrorState title="Could not load the group" action={<Button onPress={reload}>Try again</Button>}>
            {explainFailure(failure).message}
          </ErrorState>
        ) : (
          <Skeleton label="Loading the group" />
        )}
      </div>
    )
  const { group } = data
  if (group === undefined || data.reports === undefined)
    return (
      <div className={styles.shown}>
        <EmptyState
          title="This report does not exist"
          action={<Button onPress={back}>Show all groups</Button>}
        >
          It may be older than the retention, or the link is incomplete.
        </EmptyState>
      </div>
    )
  const changed = () => {
    reload()
    onChanged()
  }
  return (
    <section ref={ref} tabIndex={-1} className={styles.shown} aria-label="Group">
      <Head group={group} onBack={back} />
      <ReportList key={group.fingerprint} reports={data.reports} />
      {data.hasMore ? <Button onPress={() => setMost(most + REPORTS)}>Load more reports</Button> : null}
      <Changes group={group} onChanged={changed} />
    </section>
  )
}

function useBack(): () => void {
  const navigate = useNavigate()
  return () =>
    void navigate({
      to: '/reports',
      search: (all: object) => ({ ...all, group: undefined, report: undefined, step: undefined }) as never,
    })
}

function Head({ group, onBack }: { readonly group: ReportGroup; readonly onBack: () => void }) {
  const { shown } = useChanges(group)
  const { title, because } = headline(group)
  return (
    <>
      <div className={styles.headLine}>
        <Button size="s" variant="quiet" icon={<ArrowLeft size={13} aria-hidden />} onPress={onBack}>
          All groups
        </Button>
        <StatusChips group={shown} />
      </div>
      <h2 className={styles.name}>{title}</h2>
      {because === undefined ? null : <p>{because}</p>}
      <p className={styles.facts}>
        <span>{CAUSE_NAMES[group.cause]}</span>
        <span>{plural(group.reports, 'report')}</span>
        <span>{plural(group.users, 'identified user')}</span>
        <span>last in {group.last_version || 'an unknown version'}</span>
        <span>first seen {formatDateTime(group.first_seen)}</span>
        <span>last seen {formatDateTime(group.last_seen)}</span>
      </p>
    </>
  )
}

/** A group with its change that is being saved. */
function useChanges(group: ReportGroup) {
  const triage = triageOf(useClient())
  const saving = useSyncExternalStore(triage.subscribe, triage.savings).get(group.fingerprint)
  return { triage, saving, shown: shownGroup(group, saving) }
}

interface ChangesProps {
  readonly group: ReportGroup
  readonly onChanged: () => void
}

/** The status and the notes. */
function Changes({ group, onChanged }: ChangesProps) {
  const { triage, saving, shown } = useChanges(group)
  // A change is checked against what was read last.
  const base = saving?.phase === 'saved' ? saving.group : group
  const save = async (change: GroupChange) => {
    if (await triage.save(base, change)) onChanged()
  }
  return (
    <>
      <StatusForm group={shown} saving={saving} onSave={change => void save(change)} />
      <Notes group={shown} saving={saving} onSave={change => void save(change)} />
      {saving?.phase === 'failed' ? (
        <Notice tone="fail">
          Not saved. {saving.message}{' '}
          <Button size="s" onPress={() => triage.dismiss(group.fingerprint)}>
            Dismiss
          </Button>
        </Notice>
      ) : null}
    </>
  )
}

interface ChangeProps {
  readonly group: ReportGroup
  readonly saving: Saving | undefined
  readonly onSave: (change: GroupChange) => void
}

function StatusForm({ group, saving, onSave }: ChangeProps) {
  const [version, setVersion] = useState('')
  const isSaving = saving?.phase === 'saving'
  const form = useRef<HTMLFormElement>(null)
  const before = useRef(group.status)
  useEffect(() => {
    // The button of the status that was set is gone.
    if (before.current !== group.status && isLost()) form.current?.focus()
    before.current = group.status
  }, [group.status])
  return (
    <form
      ref={form}
      tabIndex={-1}
      className={styles.statusForm}
      aria-label="Status"
      onSubmit={event => {
        event.preventDefault()
        onSave({ status: 'fixed', fixed_in: version })
      }}
    >
      {group.status === 'fixed' ? null : (
        <>
          <TextField label="Fixed in version" placeholder="1.5.0" value={version} onChange={setVersion} />
          <Button type="submit" variant="primary" isDisabled={isSaving}>
            Set fixed
          </Button>
        </>
      )}
      {group.status === 'ignored' ? null : (
        <Button isDisabled={isSaving} onPress={() => onSave({ status: 'ignored' })}>
          Ignore
        </Button>
      )}
      {group.status === 'open' ? null : (
        <Button isDisabled={isSaving} onPress={() => onSave({ status: 'open' })}>
          Reopen
        </Button>
      )}
    </form>
  )
}

function Notes({ group, saving, onSave }: ChangeProps) {
  const triage = triageOf(useClient())
  const draft = useSyncExternalStore(triage.subscribe, triage.drafts).get(group.fingerprint)
  const text = draft ?? group.notes
  const isSaving = saving?.phase === 'saving'
  return (
    <form
      className={styles.notes}
      aria-label="Notes"
      onSubmit={event => {
        event.preventDefault()
        onSave({ notes: text })
      }}
    >
      <TextArea
        label="Notes"
        rows={2}
        maxLength={MOST_NOTES}
        value={text}
        onChange={next => triage.edit(group, next)}
      />
      {draft === undefined ? null : (
        <Button type="submit" size="s" isDisabled={isSaving}>
          Save notes
        </Button>
      )}
    </form>
  )
}
