// Deletions of one table by one user: sent when the undo period ends, whatever page is open then.
import { Listeners } from '../../../../trace/index.ts'
import type { NonReducibleUnknown } from 'xstate'
import { type DeleteEvent, rowDeletionMachine } from '../../../../machines/workbench/row-deletion.ts'
import { effect } from '../../../runtime/index.ts'
import { type Job, runJob } from '../../jobs/run-job.ts'
import type { RestResponse } from '../../rest/rest.ts'
import type { DataFailure } from '../../rest/explain-failure.ts'
import type { Row } from '../schema.ts'
import { plural } from '../../text/index.ts'
import { ROWS_AT_ONCE } from './row-conditions.ts'

export type DeletionState =
  /** Nothing was sent yet. */
  | { readonly at: 'undoable' }
  | { readonly at: 'sending' }
  /** With the id of the request, if one was sent. */
  | { readonly at: 'refused'; readonly failure: DataFailure; readonly request?: string | undefined }

export interface Deletion {
  readonly id: number
  /** Rows by key. */
  readonly rows: ReadonlyMap<string, Row>
  readonly state: DeletionState
}

/** Undo period in ms. */
export const UNDO_MS = 6_000

/** Keys of rows that are being deleted. */
export const leavingKeys = (list: readonly Deletion[]): ReadonlySet<string> =>
  new Set(list.flatMap(({ rows, state }) => (state.at === 'refused' ? [] : [...rows.keys()])))

/** The deleted rows. */
export type DeletionAnswer = RestResponse & {
  /** Rows that were kept because they changed, in their current versions. */
  readonly changed?: readonly Row[]
  /** Rows that were deleted before, or are hidden now. */
  readonly missing?: readonly Row[]
  /** Rows that were deleted before a failure. */
  readonly deleted?: readonly Row[]
}

/** Deletes rows, based on the table as currently known. */
export interface DeletionSender {
  /** @param onlyUnchanged whether rows with other values than given are kept */
  readonly send: (rows: readonly Row[], onlyUnchanged: boolean) => Promise<DeletionAnswer>
  readonly keyOf: (row: Row) => string | undefined
}

/** Listener of a table's deletions. */
export interface DeletionListener {
  readonly onGone: (keys: ReadonlySet<string>) => void
  /** Called when a deletion ended, whether rows were deleted or not. */
  readonly onEnd: () => void
}

export interface DeletionStoreOptions {
  /** Whether the store's user is signed in: nothing is deleted as another user. */
  readonly isTheirs: () => boolean
  /** Called when a deletion failed while its table is not visible. */
  readonly onUnseen: (failed: Deletion, failure: DataFailure) => void
  /** Called when a deletion starts, to add it to the console. */
  readonly onBegun: (job: RowDeletion, rows: number) => void
  /** Reports whether a deletion is pending: it would be lost with the page. */
  readonly onPending: (isPending: boolean) => void
  /** Called when a deletion can no longer be undone. */
  readonly onLate: (id: number) => void
}

const PARTLY = 'Some rows were not deleted: they still exist, so a row policy or a trigger keeps them.'
const NONE = 'Nothing was deleted: the row still exists, so a row policy or a trigger keeps it.'
const changedText = (rows: number) =>
  `${plural(rows, 'row')} changed after the import and ${rows === 1 ? 'was' : 'were'} kept. Retry to delete ${rows === 1 ? 'it' : 'them'} as well.`
const LEFT = 'You were signed out before the request was sent.'

const refused = (message: string, request?: string): Refusal => ({
  failure: { message, retry: false },
  request,
})

interface Refusal {
  readonly failure: DataFailure
  /** Id of the last request sent. */
  readonly request?: string | undefined
}

export type RowDeletion = Job<typeof rowDeletionMachine>

/** A deletion: the rows that remain to be deleted, its job, and its last failure. */
interface Ordered {
  rows: ReadonlyMap<string, Row>
  readonly job: RowDeletion
  readonly refusal: () => Refusal
}

export class DeletionStore {
  readonly #options: DeletionStoreOptions
  readonly #listeners = new Listeners()
  readonly #jobs = new Map<number, Ordered>()
  #list: readonly Deletion[] = []
  #next = 1
  #sender: DeletionSender | undefined
  readonly #ends = new Set<DeletionListener>()

  constructor(options: DeletionStoreOptions) {
    this.#options = options
  }

  readonly list = (): readonly Deletion[] => this.#list

  readonly subscribe = this.#listeners.subscribe

  /** Sets the sender. The last one stays in use after its page closed. */
  readonly sendBy = (sender: DeletionSender): void => {
    this.#sender = sender
  }

  /** Subscribes to the end of deletions. @returns an unsubscribe function */
  readonly watch = (listener: DeletionListener): (() => void) => {
    this.#ends.add(listener)
    return () => void this.#ends.delete(listener)
  }

  /**
   * @param onlyUnchanged whether rows with other values than given are kept, and the deletion then refused
   * @returns the deletion's number, used to undo it.
   */
  readonly order = (rows: ReadonlyMap<string, Row>, onlyUnchanged = false): number => {
    const id = this.#next++
    let refusal = refused(NONE)
    const deleteRows = effect<NonReducibleUnknown, DeleteEvent>(async () => {
      const why = await this.#deleteAll(ordered, onlyUnchanged)
      refusal = why ?? refusal
      return why ? { type: 'rows.refused', message: why.failure.message } : { type: 'rows.deleted' }
    })
    const machine = rowDeletionMachine.provide({ actors: { deleteRows } })
    const job = runJob('rowDeletion', machine, { rows: rows.size, undo: UNDO_MS })
    const ordered: Ordered = { rows, job, refusal: () => refusal }
    this.#jobs.set(id, ordered)
    job.actor.subscribe(() => this.#moveOn(id))
    this.#options.onBegun(job, rows.size)
    this.#notify()
    return id
  }

  /** Undoes it, or gives up a refused one. */
  readonly undo = (id: number): void => this.#jobs.get(id)?.job.actor.send({ type: 'deletion.cancel' })

  /** Sends immediately, or retries a refused deletion. */
  readonly send = (id: number): void => this.#jobs.get(id)?.job.actor.send({ type: 'deletion.send' })

  #moveOn(id: number) {
    const ordered = this.#jobs.get(id)
    if (ordered === undefined) return
    const phase = ordered.job.actor.getSnapshot().value
    const isOver = phase === 'done' || phase === 'canceled'
    if (isOver) this.#jobs.delete(id)
    this.#notify()
    if (phase === 'sending') this.#options.onLate(id)
    if (phase === 'done' || phase === 'refused') for (const { onEnd } of this.#ends) onEnd()
    if (phase !== 'refused' || this.#listeners.size > 0) return
    this.#options.onUnseen({ id, rows: ordered.rows, state: stateOf(ordered) }, ordered.refusal().failure)
  }

  /** Rows that are deleted before a failure are not sent again by a retry. */
  async #deleteAll(ordered: Ordered, onlyUnchanged: boolean): Promise<Refusal | undefined> {
    const all = [...ordered.rows.values()]
    const left = new Map(ordered.rows)
    const goneKeys = new Set<string>()
    const changed = new Set<string>()
    const end = (refusal: Refusal | undefined) => {
      ordered.rows = left
      if (goneKeys.size > 0) for (const { onGone } of this.#ends) onGone(goneKeys)
      return refusal
    }
    let request: string | undefined
    for (let at = 0; at < all.length; at += ROWS_AT_ONCE) {
      const sender = this.#sender
      if (sender === undefined || !this.#options.isTheirs()) return end(refused(LEFT))
      const answer = await sender.send(all.slice(at, at + ROWS_AT_ONCE), onlyUnchanged)
      const deleted = answer.ok ? answer.rows : (answer.deleted ?? [])
      for (const row of [...deleted, ...(answer.missing ?? [])]) {
        const key = sender.keyOf(row) ?? ''
        if (left.delete(key)) goneKeys.add(key)
      }
      if (!answer.ok) return end(answer)
      request = answer.request
      for (const row of answer.changed ?? []) {
        const key = sender.keyOf(row) ?? ''
        // The failure reports the change, so a retry deletes this version.
        if (left.has(key)) left.set(key, row)
        changed.add(key)
      }
    }
    if (left.size === 0) return end(undefined)
    const forbiddenTexts =
      left.size > changed.size ? [goneKeys.size === 0 && changed.size === 0 ? NONE : PARTLY] : []
    const keptTexts = changed.size === 0 ? [] : [changedText(changed.size)]
    return end(refused([...keptTexts, ...forbiddenTexts].join(' '), request))
  }

  #notify() {
    this.#list = [...this.#jobs].map(([id, one]) => ({ id, rows: one.rows, state: stateOf(one) }))
    this.#options.onPending(this.#list.some(({ state }) => state.at !== 'refused'))
    this.#listeners.notify()
  }
}

function stateOf({ job, refusal }: Ordered): DeletionState {
  const phase = job.actor.getSnapshot().value
  if (phase === 'refused') return { at: 'refused', failure: refusal().failure, request: refusal().request }
  return { at: phase === 'undoable' ? 'undoable' : 'sending' }
}
