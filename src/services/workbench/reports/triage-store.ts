// Changes of groups: shown at once, saved if the group is still as the user saw it, and taken back with a reason
// if not.
import { safeParse } from 'valibot'
import { Listeners } from '../../../trace/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { callRest } from '../rest/index.ts'
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
function faultOf(change: GroupChange): string | undefined {
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

/** The changes of one client's user; they continue while other pages are shown. */
export class TriageStore {
  readonly #client: ChartroomClient
  readonly #listeners = new Listeners()
  #savings: ReadonlyMap<string, Saving> = new Map()
  #drafts: ReadonlyMap<string, string> = new Map()

  constructor(client: ChartroomClient) {
    this.#client = client
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
    const fault = faultOf(change)
    if (fault !== undefined) {
      this.#set(fingerprint, { phase: 'failed', change, message: fault })
      return false
    }
    this.#set(fingerprint, { phase: 'saving', change })
    const saving = await this.#send(group, change)
    this.#set(fingerprint, saving)
    if (saving.phase === 'saved' && 'notes' in change && this.#drafts.get(fingerprint) === change.notes)
      this.edit(saving.group, saving.group.notes)
    return saving.phase === 'saved' || (saving.phase === 'failed' && saving.message === CONFLICT)
  }

  /** Forgets the failure of a group. */
  readonly dismiss = (fingerprint: string): void => this.#set(fingerprint, undefined)

  /** Call it when the groups were read again: what was saved is in them. */
  readonly settle = (): void => {
    const left = [...this.#savings].filter(([, { phase }]) => phase !== 'saved')
    if (left.length === this.#savings.size) return
    this.#savings = new Map(left)
    this.#listeners.notify()
  }

  async #send(group: ReportGroup, change: GroupChange): Promise<Saving> {
    const those = [['fingerprint', `eq.${group.fingerprint}`]] as const
    const path = `/${GROUPS_TABLE}`
    if ('notes' in change) {
      // Not a condition of the update: 20,000 characters are too long for a URL.
      const query = [...those, ['select', 'notes']] as const
      const now = await callRest(this.#client, { method: 'GET', path, query, headers: {} })
      if (!now.ok) return { phase: 'failed', change, message: now.failure.message }
      if (now.rows[0]?.['notes'] !== group.notes) return { phase: 'failed', change, message: CONFLICT }
    }
    const answer = await callRest(this.#client, {
      method: 'PATCH',
      path,
      query: 'notes' in change ? those : [...those, ['status', `eq.${group.status}`]],
      headers: {},
      prefer: 'return=representation',
      body: 'fixed_in' in change ? { ...change, fixed_in: change.fixed_in.trim() } : change,
    })
    if (!answer.ok) return { phase: 'failed', change, message: answer.failure.message }
    const read = safeParse(groupSchema, answer.rows[0])
    return read.success
      ? { phase: 'saved', group: read.output }
      : { phase: 'failed', change, message: CONFLICT }
  }

  #set(fingerprint: string, saving: Saving | undefined): void {
    const savings = new Map(this.#savings)
    if (saving === undefined) savings.delete(fingerprint)
    else savings.set(fingerprint, saving)
    this.#savings = savings
    this.#listeners.notify()
  }
}

/** The group as the user last wanted it: with a change that is being saved, without one that failed. */
export function shownGroup<Group extends ReportGroup>(group: Group, saving: Saving | undefined): Group {
  if (saving?.phase === 'saving') return { ...group, ...saving.change }
  return saving?.phase === 'saved' ? { ...group, ...saving.group } : group
}
