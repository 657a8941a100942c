// Deletions of one table by one user: sent when the while to take them back is over, whatever page is open then.
import { createRowDeletion, type RowDeletion } from '../../../../transfers.ts'
import type { RestAnswer } from '../rest.ts'
import type { DataFailure } from '../rest-failure.ts'
import type { Row } from '../schema.ts'
import { UNDO_MS, type Deletion, type DeletionState } from './deletions.ts'
import { ROWS_AT_ONCE } from './send.ts'
import { Listeners } from '../../listeners.ts'

/** How rows are deleted, as the page knows the table now. */
export interface DeletionsSender {
  readonly send: (rows: readonly Row[]) => Promise<RestAnswer>
  readonly onGone: (keys: ReadonlySet<string>) => void
  /** Some were deleted, or none of them. */
  readonly onEnd: () => void
}

export interface DeletionsDeskOptions {
  /** Whether it is the desk's user who is signed in: nothing is deleted in another's name. */
  readonly isTheirs: () => boolean
  /** Nobody sees the table that it failed in. */
  readonly onUnseen: (failed: Deletion, failure: DataFailure) => void
  /** One is under way: for a console. */
  readonly onBegun: (attached: RowDeletion['attached'], rows: number) => void
  /** Whether one is ordered that is not answered: it would be lost with the page. */
  readonly onPending: (isPending: boolean) => void
  /** It can't be taken back any more. */
  readonly onLate: (id: number) => void
}

const PARTLY = 'Some of the rows were not deleted: a row policy forbids it, or they are gone already.'
const NONE = 'Nothing was deleted: a row policy forbids it, or the row is gone already.'
const LEFT = 'You were signed out before it was sent.'

const refused = (message: string, request?: string): Refusal => ({
  failure: { message, retry: false },
  request,
})

interface Refusal {
  readonly failure: DataFailure
  /** The last that was sent, by its id. */
  readonly request?: string | undefined
}

/** One order: its rows, its machine, and why it was refused the last time. */
interface Job {
  readonly rows: ReadonlyMap<string, Row>
  readonly machine: RowDeletion
  readonly refusal: () => Refusal
}

export class DeletionsDesk {
  readonly #options: DeletionsDeskOptions
  readonly #listeners = new Listeners()
  readonly #jobs = new Map<number, Job>()
  #list: readonly Deletion[] = []
  #next = 1
  #sender: DeletionsSender | undefined

  constructor(options: DeletionsDeskOptions) {
    this.#options = options
  }

  readonly list = (): readonly Deletion[] => this.#list

  readonly subscribe = this.#listeners.subscribe

  /** The last one that was given sends, also when its page is not open any more. */
  readonly sendBy = (sender: DeletionsSender): void => {
    this.#sender = sender
  }

  /** @returns the order's number, by which it can be taken back. */
  readonly order = (rows: ReadonlyMap<string, Row>): number => {
    const id = this.#next++
    let refusal = refused(NONE)
    const machine = createRowDeletion({
      rows: rows.size,
      undo: UNDO_MS,
      send: async () => {
        const why = await this.#deleteAll(rows)
        refusal = why ?? refusal
        return why?.failure.message
      },
    })
    this.#jobs.set(id, { rows, machine, refusal: () => refusal })
    machine.subscribe(() => this.#moved(id))
    this.#options.onBegun(machine.attached, rows.size)
    this.#tell()
    return id
  }

  /** Takes it back, or gives it up. */
  readonly undo = (id: number): void => this.#jobs.get(id)?.machine.send({ type: 'deletion.drop' })

  /** At once, and once more where it was refused. */
  readonly send = (id: number): void => this.#jobs.get(id)?.machine.send({ type: 'deletion.send' })

  #moved(id: number) {
    const job = this.#jobs.get(id)
    const phase = job?.machine.state()
    if (job === undefined || phase === undefined) return
    const isOver = phase === 'done' || phase === 'dropped'
    if (isOver) this.#jobs.delete(id)
    this.#tell()
    if (phase === 'sending') this.#options.onLate(id)
    if (phase === 'done' || phase === 'refused') this.#sender?.onEnd()
    if (phase !== 'refused' || this.#listeners.areAny) return
    this.#options.onUnseen({ id, rows: job.rows, state: stateOf(job) }, job.refusal().failure)
  }

  async #deleteAll(rows: ReadonlyMap<string, Row>): Promise<Refusal | undefined> {
    const all = [...rows.values()]
    let gone = 0
    let request: string | undefined
    for (let at = 0; at < all.length; at += ROWS_AT_ONCE) {
      const sender = this.#sender
      if (sender === undefined || !this.#options.isTheirs()) return refused(LEFT)
      const answer = await sender.send(all.slice(at, at + ROWS_AT_ONCE))
      if (!answer.ok) return answer
      request = answer.request
      gone += answer.rows.length
    }
    if (gone < all.length) return refused(gone === 0 ? NONE : PARTLY, request)
    this.#sender?.onGone(new Set(rows.keys()))
    return undefined
  }

  #tell() {
    this.#list = [...this.#jobs].map(([id, job]) => ({ id, rows: job.rows, state: stateOf(job) }))
    this.#options.onPending(this.#list.some(({ state }) => state.at !== 'refused'))
    this.#listeners.tell()
  }
}

function stateOf({ machine, refusal }: Job): DeletionState {
  const phase = machine.state()
  if (phase === 'refused') return { at: 'refused', failure: refusal().failure, request: refusal().request }
  return { at: phase === 'undoable' ? 'undoable' : 'sending' }
}
