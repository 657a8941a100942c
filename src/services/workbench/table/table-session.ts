// One user's work on a table: the rows of its open page and, whatever page is open, edits, deletions and undo.
import type { ChartroomClient } from '../../client/index.ts'
import type { AnyJob } from '../jobs/run-job.ts'
import type { DataFailure } from '../rest/explain-failure.ts'
import { userOf } from '../storage/by-client.ts'
import { plural } from '../text/index.ts'
import { DeletionStore, type Deletion } from './edits/deletion-store.ts'
import type { DraftStorage } from './edits/drafts.ts'
import { EditStore } from './edits/edit-store.ts'
import { TableHistory } from './edits/history.ts'
import { createDeletionSender, createEditSender } from './edits/send.ts'
import type { TableName } from './of-table.ts'
import { RowsStore } from './rows-store.ts'
import type { Row, TableInfo } from './schema.ts'

/** Where the session keeps and shows what happens, also while its table is not visible. */
export interface TableSessionPorts {
  readonly drafts: DraftStorage
  /** Whether all drafts are stored; others are lost with the page. */
  readonly onKept: (isKept: boolean) => void
  /** Whether a deletion is pending, which would be lost with the page. */
  readonly onPending: (isPending: boolean) => void
  /** A job of the session started. */
  readonly onBegun: (name: string, job: AnyJob) => void
  /** Rows will be deleted, unless the user undoes it. */
  readonly onOrdered: (id: number, rows: number, undo: () => void) => void
  /** A deletion can no longer be undone, or was undone. */
  readonly onClosed: (id: number) => void
  /** A deletion failed while its table is not visible. */
  readonly onUnseen: (failed: Deletion, failure: DataFailure, retry: () => void) => void
}

export class TableSession {
  readonly rows: RowsStore
  readonly edits: EditStore
  readonly deletions: DeletionStore
  readonly history: TableHistory
  readonly #client: ChartroomClient
  readonly #of: TableName
  readonly #ports: TableSessionPorts

  /** @param user id of the user; nothing is sent as another one */
  constructor(client: ChartroomClient, user: string, of: TableName, ports: TableSessionPorts) {
    this.#client = client
    this.#of = of
    this.#ports = ports
    const isTheirs = () => userOf(client) === user
    this.rows = new RowsStore(client)
    this.deletions = new DeletionStore({
      isTheirs,
      onPending: ports.onPending,
      onBegun: (job, rows) => ports.onBegun(`Deletion of ${plural(rows, 'row')} of ${of.table}`, job),
      onLate: ports.onClosed,
      onUnseen: (failed, failure) => ports.onUnseen(failed, failure, () => this.deletions.send(failed.id)),
    })
    this.edits = new EditStore({
      ...of,
      storage: ports.drafts,
      onKept: ports.onKept,
      onBegun: job => ports.onBegun(`Edits of ${of.table}`, job),
      isTheirs,
      isOnline: () => client.status().network === 'online',
      onChange: listener => void client.onStatus(listener),
      onWritten: written => {
        this.rows.replaced(written.key, written.row)
        this.history.saved(written)
      },
      onOverwrite: overwritten => this.history.overwrote(overwritten),
    })
    this.history = new TableHistory({
      write: this.edits.make,
      order: this.order,
      takeBack: id => {
        const isUndoable = this.deletions
          .list()
          .some(deletion => deletion.id === id && deletion.state.at === 'undoable')
        if (isUndoable) this.undo(id)
        return isUndoable
      },
    })
    this.deletions.watch({ onGone: this.rows.gone, onEnd: this.rows.reload })
  }

  /** Sets the table as known now; edits are checked and sent by it, also after its page closed. */
  know(info: TableInfo): void {
    this.rows.know(info)
    const query = { ...this.#of, columns: [], filters: [], sorts: [] }
    const writing = { client: this.#client, query, info }
    this.edits.sendBy(createEditSender(writing))
    this.deletions.sendBy(createDeletionSender(writing))
  }

  /** Deletes rows after the undo period. @returns the deletion's number */
  readonly order = (rows: ReadonlyMap<string, Row>): number => {
    const id = this.deletions.order(rows)
    this.#ports.onOrdered(id, rows.size, () => this.undo(id))
    return id
  }

  /** Undoes a deletion, or gives up a refused one. */
  readonly undo = (id: number): void => {
    this.#ports.onClosed(id)
    this.deletions.undo(id)
    this.history.forget(id)
  }
}
