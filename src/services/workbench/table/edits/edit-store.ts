// Edits of one table by one user: input and the machines that write it, whatever page is open.
import { Listeners } from '../../../../trace/index.ts'
import {
  type EditRows,
  findMergeableEdit,
  rowEditMachine,
  rowEditsMachine,
  type WriteEvent,
} from '../../../../machines/workbench/row-edits.ts'
import { effect } from '../../../runtime/index.ts'
import { type Job, type JobEvent, runJob } from '../../jobs/run-job.ts'
import { type Cell, cellOf, withCells } from '../cells/cell-text.ts'
import type { TableName } from '../of-table.ts'
import type { DataFailure } from '../../rest/explain-failure.ts'
import type { Row } from '../schema.ts'
import { DraftAutosave, type DraftStorage, RESTORED, type Drafts } from './drafts.ts'

/** Input by column. */
export type Values = Readonly<Record<string, Cell>>

export type EditState =
  | { readonly at: 'queued' }
  | { readonly at: 'sending' }
  /** No response; retries automatically. */
  | { readonly at: 'backingOff'; readonly failure: DataFailure }
  /** It cannot be sent. */
  | { readonly at: 'refused'; readonly failure: DataFailure }
  /** Another user changed the same cells, or the row no longer exists. */
  | { readonly at: 'conflict'; readonly theirs: Row | undefined }

export interface Edit {
  readonly id: number
  /** Key of its row. */
  readonly key: string
  /** The row when the edit began. */
  readonly row: Row
  readonly values: Values
  readonly state: EditState
  /** Id of the last request that wrote it. */
  readonly request: string | undefined
}

/** The result of a write. */
export type EditDecision =
  /** The row as saved by the server; as sent if the user may add rows, but not read them. */
  | { readonly type: 'saved'; readonly row: Row; readonly isUnread?: true }
  | { readonly type: 'failed'; readonly failure: DataFailure }
  | { readonly type: 'conflict'; readonly theirs: Row | undefined }

/** Oldest first. */
export type Edits = readonly Edit[]

const NO_EDITS: Edits = []

/** A cell's edited value, for display. */
export interface EditedCell {
  readonly cell: Cell
  readonly edit: Edit
}

/** The edited cells of each row; a later edit covers an earlier one. */
export const editedCells = (edits: Edits): ReadonlyMap<string, ReadonlyMap<string, EditedCell>> => {
  const rows = new Map<string, Map<string, EditedCell>>()
  for (const edit of edits) {
    const cells = rows.get(edit.key) ?? new Map<string, EditedCell>()
    for (const [name, cell] of Object.entries(edit.values)) cells.set(name, { cell, edit })
    rows.set(edit.key, cells)
  }
  return rows
}

/** Input in the cells of a row. */
export interface TypedCell {
  /** Key of the row. */
  readonly key: string
  readonly row: Row
  readonly values: Values
  /** Why it cannot be sent. */
  readonly failure?: DataFailure | undefined
}

/** A form that shows the result of its write itself, and keeps its input until then. */
interface WrittenBy {
  /** Whether the row is new. */
  readonly isNew: boolean
  /** Only the first call counts. */
  readonly report: (answer: EditDecision) => void
}

/** The user's part of an edit, which machines never see. */
interface Contents extends TypedCell {
  readonly theirs?: Row | undefined
  /** Id of the last request that wrote it. */
  readonly request?: string | undefined
  readonly form?: WrittenBy
}

/** Sends edits, based on the table as currently known. */
export interface EditSender {
  readonly send: (
    edit: Pick<Edit, 'row' | 'values'>,
    onRequest: (request: string) => void,
  ) => Promise<EditDecision>
  /** Adds a row with these values. */
  readonly add: (values: Values, onRequest: (request: string) => void) => Promise<EditDecision>
  /** Returns why values cannot be sent. */
  readonly check: (values: Values) => DataFailure | undefined
  readonly keyOf: (row: Row) => string | undefined
}

/** What was written to a row. */
export interface WrittenCells {
  readonly key: string
  readonly columns: readonly string[]
  readonly row: Row
  /** The row's new key, if the key changed. */
  readonly keySince: string
}

/** A write over another user's value. */
export interface OverwrittenCells {
  readonly key: string
  readonly columns: readonly string[]
  readonly before: Row
  readonly theirs: Row
}

export interface EditStoreOptions extends TableName {
  readonly storage: DraftStorage
  /** Reports whether drafts could be stored; otherwise they are lost with the page. */
  readonly onKept: (isKept: boolean) => void
  /** Called when edits start, to add them to the console. */
  readonly onBegun: (job: RowEdits) => void
  /** Whether the store's user is signed in: nothing is sent as another user. */
  readonly isTheirs: () => boolean
  readonly isOnline: () => boolean
  /** Subscribes to changes of the conditions above. */
  readonly onChange: (listener: () => void) => void
  /** The row with this key that is on screen. */
  readonly loaded: (key: string) => Row | undefined
  /** Called with each row as saved by the server, before its machine knows and sends the next edit. */
  readonly onWritten: (written: WrittenCells) => void
  readonly onOverwrite: (overwritten: OverwrittenCells) => void
}

/** Whether a cell of the row already has the value. */
const holds = (row: Row, name: string, values: Values): boolean => cellOf(row, { name }) === values[name]

const LEFT = { message: 'You were signed out before the request was sent.', retry: false } as const

export type RowEdits = Job<typeof rowEditsMachine>

export class EditStore {
  readonly #options: EditStoreOptions
  readonly #autosave: DraftAutosave
  readonly #listeners = new Listeners()
  readonly #contents = new Map<number, Contents>()
  /** Maps rows as read to their version after this store's own writes. */
  readonly #since = new WeakMap<Row, Row>()
  #job: RowEdits | undefined
  #edits = NO_EDITS
  #isStale = false
  #next = 1
  #isAllowed = false
  #sender: EditSender | undefined

  constructor(options: EditStoreOptions) {
    this.#options = options
    this.#autosave = new DraftAutosave(options.storage, options.onKept)
    this.#take(options.storage.stored)
    options.storage.onLeft(drafts => this.#take(drafts))
    let wasOnline = options.isOnline()
    options.onChange(() => {
      this.#allow()
      const isOnline = options.isOnline()
      if (isOnline && !wasOnline) this.#send({ type: 'edits.retry' })
      wasOnline = isOnline
    })
  }

  readonly edits = (): Edits => {
    if (!this.#isStale) return this.#edits
    this.#isStale = false
    this.#edits = this.#read()
    return this.#edits
  }

  /** Undefined until the first edit. */
  readonly job = (): RowEdits | undefined => this.#job

  readonly subscribe = this.#listeners.subscribe

  /** Sets the sender. The last one stays in use after its page closed. */
  readonly sendBy = (sender: EditSender): void => {
    this.#sender = sender
    this.#allow()
  }

  /** A row including this store's writes since it was read. */
  readonly latest = (row: Row): Row => {
    const since = this.#since.get(row)
    return since === undefined ? row : this.latest(since)
  }

  /**
   * Merges into a queued edit of the same row, or an edit of the same cells, if there is one.
   * @returns whether something will be written or an unsent edit was withdrawn
   */
  readonly make = (typedCell: TypedCell): boolean => {
    const columns = Object.keys(typedCell.values)
    const edits = this.#rows()
    const target = findMergeableEdit(edits, typedCell.key, columns)
    const before = target && this.#contents.get(target.id)
    const failure = typedCell.failure ?? this.#sender?.check(typedCell.values)
    // A form's write is canceled with the form; do not merge into it.
    if (target === undefined || before === undefined || before.form) {
      const row = this.#baseOf(typedCell)
      const isAlone = Object.values(edits).every(({ key }) => key !== typedCell.key)
      if (isAlone && columns.every(name => holds(row, name, typedCell.values))) return false
      this.#add({ ...typedCell, row, ...(failure && { failure }) })
      return true
    }
    const all = { ...before.values, ...typedCell.values }
    // An unsent edit that is typed back needs no write; one that may have been sent needs an answer from the
    // server.
    const isUnwritten =
      target.phase === 'refused' ? before.failure !== RESTORED : target.phase === 'queued' && !before.request
    const values = isUnwritten
      ? Object.fromEntries(Object.entries(all).filter(([name]) => !holds(before.row, name, all)))
      : all
    if (Object.keys(values).length === 0) {
      this.cancel(target.id)
      return true
    }
    this.#contents.set(target.id, { ...before, values, failure })
    const event = { type: 'edit.changed', columns, ...(failure && { failure }) } as const
    this.#send({ type: 'edits.command', id: target.id, event })
    return true
  }

  /** Writes a form's row in turn; not retried automatically. */
  readonly write = (typedCell: TypedCell, isNew: boolean): Promise<EditDecision> =>
    new Promise(report => {
      this.#add({ ...typedCell, row: this.#baseOf(typedCell) }, { isNew, report })
      // A save should report its result soon: wake edits that wait for an unreachable backend.
      this.#send({ type: 'edits.retry' })
    })

  /** Retries the edit; overwrites other users' changes after a conflict. */
  readonly retry = (id: number): void => {
    const contents = this.#contents.get(id)
    if (contents?.theirs) {
      const { key, values, row: before, theirs } = contents
      this.#contents.set(id, { ...contents, row: theirs, theirs: undefined })
      this.#options.onOverwrite({ key, columns: Object.keys(values), before, theirs })
    }
    this.#send({ type: 'edits.command', id, event: { type: 'edit.retry' } })
  }

  readonly cancel = (id: number): void =>
    this.#send({ type: 'edits.command', id, event: { type: 'edit.cancel' } })

  /**
   * The row as the user saw it. If a reload brought another value under an unsaved cell, the input hid it, so
   * it must not be overwritten unseen.
   */
  #baseOf({ key, row: read, values }: TypedCell): Row {
    let row = this.latest(read)
    for (const { id, key: otherKey } of Object.values(this.#rows())) {
      const pending = otherKey === key ? this.#contents.get(id) : undefined
      if (!pending) continue
      const covered = Object.keys(pending.values).filter(
        name => Object.hasOwn(values, name) && cellOf(row, { name }) !== cellOf(pending.row, { name }),
      )
      if (covered.length > 0) row = withCells(row, covered, pending.row)
    }
    return row
  }

  /** Restores input from before the page closed; the user decides what to do with it. */
  #take({ edits }: Drafts) {
    for (const edit of edits) this.#add({ ...edit, failure: RESTORED })
  }

  #add(typedCell: TypedCell, form?: WrittenBy) {
    const { key, values, failure } = typedCell
    const id = this.#next++
    this.#contents.set(id, { ...typedCell, ...(form && { form }) })
    const columns = Object.keys(values)
    this.#pendingEdits().actor.send({ type: 'edits.add', id, key, columns, ...(failure && { failure }) })
  }

  #rows(): EditRows {
    return this.#job?.actor.getSnapshot().context.rows ?? {}
  }

  #send(event: JobEvent<RowEdits>) {
    this.#job?.actor.send(event)
  }

  #pendingEdits(): RowEdits {
    if (this.#job) return this.#job
    const { schema, table } = this.#options
    const rowEdit = rowEditMachine.provide({ actors: { writeEdit: effect(this.#write) } })
    const job = runJob('rowEdits', rowEditsMachine.provide({ actors: { rowEdit } }), { schema, table })
    this.#job = job
    job.actor.subscribe(() => {
      // Pasting a block changes a thousand edits at once: notify only once.
      if (!this.#isStale) queueMicrotask(() => this.#notify())
      this.#isStale = true
    })
    this.#options.onBegun(job)
    this.#allow()
    return job
  }

  #allow() {
    const isAllowed = this.#sender !== undefined && this.#options.isTheirs()
    if (!this.#job || isAllowed === this.#isAllowed) return
    this.#isAllowed = isAllowed
    this.#send({ type: isAllowed ? 'edits.start' : 'edits.pause' })
  }

  readonly #write = async (
    { id }: { readonly id: number },
    _: AbortSignal,
    report: (event: WriteEvent) => void,
  ): Promise<WriteEvent> => {
    const contents = this.#contents.get(id)
    if (!contents || !this.#sender) throw new Error(`Edit ${id} has nothing to write`)
    let request: string | undefined
    const { send, add } = this.#sender
    const receive = (event: string) => {
      request = event
      report({ type: 'write.requested', request: event })
    }
    const answer = await (contents.form?.isNew ? add(contents.values, receive) : send(contents, receive))
    contents.form?.report(answer)
    if (contents.form?.isNew && answer.type === 'saved') return { type: 'write.saved' }
    switch (answer.type) {
      case 'saved':
        this.#written(contents, answer.row)
        return { type: 'write.saved' }
      case 'failed':
        this.#contents.set(id, { ...contents, request, failure: answer.failure })
        return { type: 'write.failed', ...answer.failure }
      case 'conflict':
        this.#contents.set(id, { ...contents, request, theirs: answer.theirs })
        return { type: 'write.conflicted' }
    }
  }

  /**
   * Later edits of the same row build on what this one wrote; other users may have changed its other cells.
   */
  #written({ key, row: before, values }: Contents, row: Row) {
    const columns = Object.keys(values)
    /** Sets the written cells as the next version of the row, whichever version an edit starts from. */
    const advance = (read: Row): Row => {
      const latest = this.latest(read)
      const since = withCells(latest, columns, row)
      this.#since.set(latest, since)
      return since
    }
    advance(before)
    const loaded = this.#options.loaded(key)
    if (loaded) advance(loaded)
    for (const { id, phase } of Object.values(this.#rows())) {
      const contents = this.#contents.get(id)
      if (phase === 'queued' && contents?.key === key)
        this.#contents.set(id, { ...contents, row: advance(contents.row) })
    }
    this.#options.onWritten({ key, columns, row, keySince: this.#sender?.keyOf(row) ?? key })
  }

  #read(): Edits {
    const rows = this.#rows()
    for (const id of this.#contents.keys()) if (rows[id] === undefined) this.#contents.delete(id)
    return Object.values(rows).flatMap(({ id, key, phase }) => {
      const contents = this.#contents.get(id)
      if (!contents) return []
      const { row, values, request, form } = contents
      if (form) return []
      return [{ id, key, row, values, request, state: stateOf(phase, contents) }]
    })
  }

  /** A form keeps the input it could not write. */
  #giveBack() {
    for (const { id, phase } of Object.values(this.#rows())) {
      const contents = this.#contents.get(id)
      const isLeft = phase === 'queued' && !this.#isAllowed
      if (!contents?.form || phase === 'sending' || (phase === 'queued' && !isLeft)) continue
      contents.form.report({ type: 'failed', failure: isLeft ? LEFT : failureIn(contents) })
      this.cancel(id)
    }
  }

  #notify() {
    this.#giveBack()
    this.#autosave.save(this.edits())
    this.#listeners.notify()
  }
}

const UNKNOWN: DataFailure = { message: 'The change could not be saved.', retry: false }

/** Why it cannot be sent. */
const failureIn = ({ failure = UNKNOWN }: Contents): DataFailure => failure

/** Combines the machine's state with what only the store knows. */
function stateOf(at: EditState['at'], contents: Contents): EditState {
  if (at === 'backingOff' || at === 'refused') return { at, failure: failureIn(contents) }
  return at === 'conflict' ? { at, theirs: contents.theirs } : { at }
}
