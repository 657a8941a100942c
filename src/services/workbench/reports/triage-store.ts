// Changes of groups, each a machine: shown at once, saved if the group is still as the user saw it, and taken back
// with a reason if not.
import { safeParse } from 'valibot'
import type { SnapshotFrom } from 'xstate'
import type { CompareEvent } from '../../../machines/workbench/group-change.ts'
import { Listeners } from '../../../trace/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { createGroupChange, type GroupChangeJob } from '../jobs/create-group-change.ts'
import { callRest, type DataFailure } from '../rest/index.ts'
import { groupSchema, type ReportGroup } from '../../reports/rows.ts'
import { GROUPS_TABLE } from '../../reports/tables.ts'

/** A new status or new notes of a group. */
export type GroupChange =
  | { readonly status: 'open' | 'ignored' }
  | { readonly status: 'fixed'; readonly fixed_in: string }
  | { readonly notes: string }

/** `saved` until the group is read again. */
export type Saving =
  | { readonly phase: 'saving'; readonly change: GroupChange }
  | { readonly phase: 'saved'; readonly group: ReportGroup }
  | { readonly phase: 'failed'; readonly change: GroupChange; readonly message: string }

/** Length limits of the table. */
export const MOST_NOTES = 20_000
const MOST_VERSION = 100

/** Why a change can't be saved; undefined if it can. */
function problemOf(change: GroupChange): string | undefined {
  if ('notes' in change)
    return change.notes.length > MOST_NOTES ? `Notes have at most ${MOST_NOTES} characters.` : undefined
  if (change.status !== 'fixed') return undefined
  if (change.fixed_in.trim() === '') return 'Enter the first version without the failure.'
  return change.fixed_in.length > MOST_VERSION
    ? `A version has at most ${MOST_VERSION} characters.`
    : undefined
}

const CONFLICT =
  'Another member changed this group in the meantime, or you are no longer a member. Nothing was saved; the group was read again.'

/** A change with its machine. */
interface PendingChange {
  readonly job: GroupChangeJob
  readonly change: GroupChange
  /** The group as the backend returned it; what was typed is not in the recording. */
  saved?: ReportGroup
}

/** The changes of one client's user; they continue while other pages are shown. */
export class TriageStore {
  readonly #client: ChartroomClient
  readonly #onBegun: (name: string, job: GroupChangeJob) => void
  readonly #listeners = new Listeners()
  readonly #pendingChanges = new Map<string, PendingChange>()
  #savings: ReadonlyMap<string, Saving> = new Map()
  #drafts: ReadonlyMap<string, string> = new Map()

  /** @param onBegun called with the recording of each change */
  constructor(
    client: ChartroomClient,
    onBegun: (name: string, job: GroupChangeJob) => void = () => undefined,
  ) {
    this.#client = client
    this.#onBegun = onBegun
  }

  readonly subscribe = this.#listeners.subscribe

  /** By fingerprint. */
  readonly savings = (): ReadonlyMap<string, Saving> => this.#savings

  /** Notes that were typed and not saved, by fingerprint. */
  readonly drafts = (): ReadonlyMap<string, string> => this.#drafts

  /** Keeps typed notes; those that equal the saved ones are dropped. */
  readonly edit = ({ fingerprint, notes }: ReportGroup, text: string): void => {
    const drafts = new Map(this.#drafts)
    if (text === notes) drafts.delete(fingerprint)
    else drafts.set(fingerprint, text)
    this.#drafts = drafts
    this.#listeners.notify()
  }

  /**
   * Saves a change of the group if nothing else changed since it was loaded. One change of a group is saved at a time.
   * @returns whether the group should be read again
   */
  readonly save = async (group: ReportGroup, change: GroupChange): Promise<boolean> => {
    const { fingerprint } = group
    if (this.#savings.get(fingerprint)?.phase === 'saving') return false
    const refused = ({ message }: DataFailure) => ({ type: 'change.refused', message }) as const
    const pendingChange: PendingChange = {
      change,
      job: createGroupChange({
        field: 'notes' in change ? 'notes' : change.status,
        problem: problemOf(change),
        compare: async signal => {
          const compared = await this.#compare(group, signal)
          return 'type' in compared ? compared : refused(compared.failure)
        },
        save: async signal => {
          const sent = await this.#send(group, change, signal)
          if ('failure' in sent) return refused(sent.failure)
          if (!sent.group) return { type: 'change.conflicted' }
          pendingChange.saved = sent.group
          return { type: 'change.saved' }
        },
      }),
    }
    this.#pendingChanges.get(fingerprint)?.job.actor.stop()
    this.#pendingChanges.set(fingerprint, pendingChange)
    this.#onBegun(`Change of ${group.title}`, pendingChange.job)
    const { actor } = pendingChange.job
    const value = await new Promise<Value>(resolve => {
      const check = () => {
        this.#update(fingerprint, pendingChange)
        const { value: state } = actor.getSnapshot()
        if (!isUnderWay(state)) resolve(state)
      }
      actor.subscribe(check)
      check()
    })
    if (pendingChange.saved && 'notes' in change && this.#drafts.get(fingerprint) === change.notes)
      this.edit(pendingChange.saved, pendingChange.saved.notes)
    return value === 'saved' || value === 'conflicted'
  }

  /** Forgets the failure of a group. */
  readonly dismiss = (fingerprint: string): void =>
    this.#pendingChanges.get(fingerprint)?.job.actor.send({ type: 'change.dismiss' })

  /** Call it when the groups were read again: what was saved is in them. */
  readonly settle = (): void => {
    for (const { job } of this.#pendingChanges.values()) job.actor.send({ type: 'groups.read' })
  }

  async #compare(
    { fingerprint, notes }: ReportGroup,
    signal: AbortSignal,
  ): Promise<CompareEvent | { readonly failure: DataFailure }> {
    const query = [...onlyFingerprint(fingerprint), ['select', 'notes']] as const
    const now = await callRest(this.#client, { method: 'GET', path: PATH, query, headers: {}, signal })
    if (!now.ok) return now
    return { type: now.rows[0]?.['notes'] === notes ? 'notes.unchanged' : 'change.conflicted' }
  }

  /** The saved group; undefined if it was no longer as the member saw it. */
  async #send(
    { fingerprint, status }: ReportGroup,
    change: GroupChange,
    signal: AbortSignal,
  ): Promise<{ readonly group: ReportGroup | undefined } | { readonly failure: DataFailure }> {
    const answer = await callRest(this.#client, {
      method: 'PATCH',
      path: PATH,
      query:
        'notes' in change
          ? onlyFingerprint(fingerprint)
          : [...onlyFingerprint(fingerprint), ['status', `eq.${status}`]],
      headers: {},
      prefer: 'return=representation',
      body: 'fixed_in' in change ? { ...change, fixed_in: change.fixed_in.trim() } : change,
      signal,
    })
    if (!answer.ok) return answer
    const read = safeParse(groupSchema, answer.rows[0])
    return { group: read.success ? read.output : undefined }
  }

  /** Publishes the state of a change; ignores one that a later change has replaced. */
  #update(fingerprint: string, pendingChange: PendingChange): void {
    if (this.#pendingChanges.get(fingerprint) !== pendingChange) return
    const saving = savingOf(pendingChange)
    const savings = new Map(this.#savings)
    if (saving) savings.set(fingerprint, saving)
    else {
      savings.delete(fingerprint)
      this.#pendingChanges.delete(fingerprint)
    }
    this.#savings = savings
    this.#listeners.notify()
  }
}

const PATH = `/${GROUPS_TABLE}`

const onlyFingerprint = (fingerprint: string) => [['fingerprint', `eq.${fingerprint}`]] as const

type Value = SnapshotFrom<GroupChangeJob['actor']>['value']

const isUnderWay = (value: Value): boolean =>
  value === 'validating' || value === 'comparing' || value === 'saving'

/** Undefined when the change is over. */
function savingOf({ job, change, saved }: PendingChange): Saving | undefined {
  const { value, context } = job.actor.getSnapshot()
  const failed = (message = '') => ({ phase: 'failed', change, message }) as const
  switch (value) {
    case 'saved':
      return saved && { phase: 'saved', group: saved }
    case 'invalid':
      return failed(context.problem)
    case 'conflicted':
      return failed(CONFLICT)
    case 'failed':
      return failed(context.failure?.message)
    case 'done':
      return undefined
    case 'validating':
    case 'comparing':
    case 'saving':
      return { phase: 'saving', change }
  }
}

/** The group as the user last wanted it: with a change that is being saved, without one that failed. */
export function shownGroup<Group extends ReportGroup>(group: Group, saving: Saving | undefined): Group {
  if (saving?.phase === 'saving') return { ...group, ...saving.change }
  return saving?.phase === 'saved' ? { ...group, ...saving.group } : group
}
