// An edit store over a table that responds on command.
import { vi } from 'vitest'
import type { Row } from '../../src/services/workbench/table/schema.ts'
import { type DraftStorage, NO_DRAFTS, type Drafts } from '../../src/services/workbench/table/edits/drafts.ts'
import {
  EditStore,
  type EditSender,
  type EditDecision,
  type Values,
} from '../../src/services/workbench/table/edits/edit-store.ts'
import type { TableHistory } from '../../src/services/workbench/table/table-session.ts'

export const SILENCE = { message: 'The backend does not answer.', retry: true }
export const REFUSED = { message: 'A row policy forbids it.', retry: false }
export const LEFT = { message: 'This was being typed.', retry: false }
export const WAS: Row = { id: '1', note: 'old', lit: null }

/** A draft storage for a single tab. */
export const inHand = (kept: Drafts, keep: (drafts: Drafts) => void): DraftStorage => ({
  stored: kept,
  save: drafts => {
    keep(drafts)
    return true
  },
  onLeft: () => undefined,
})

/** An edit store, and a table that responds on command. */
export function beginEdits(kept = NO_DRAFTS, storage?: DraftStorage) {
  const world = { isTheirs: true, isOnline: true, drafts: NO_DRAFTS as Drafts, isKept: true }
  const sent: { readonly row: Row; readonly values: Values; readonly answer: (is: EditDecision) => void }[] =
    []
  const saved: unknown[] = []
  const users: (() => void)[] = []
  /** The rows on screen, by key. */
  const loaded = new Map<string, Row>()
  let history: TableHistory | undefined
  const store = new EditStore({
    schema: 'public',
    table: 'buoys',
    storage: storage ?? inHand(kept, drafts => (world.drafts = drafts)),
    onBegun: () => undefined,
    onKept: isKept => (world.isKept = isKept),
    isTheirs: () => world.isTheirs,
    isOnline: () => world.isOnline,
    onChange: listener => users.push(listener),
    loaded: key => loaded.get(key),
    onWritten: written => {
      saved.push([written.key, written.row])
      history?.saved(written)
    },
    onOverwrite: overwritten => history?.overwrote(overwritten),
  })
  const sender: EditSender = {
    send: ({ row, values }, onRequest) =>
      new Promise(answer => {
        onRequest(`r${sent.length + 1}`)
        sent.push({ row, values, answer })
      }),
    add: (values, onRequest) =>
      new Promise(answer => {
        onRequest(`r${sent.length + 1}`)
        sent.push({ row: {}, values, answer })
      }),
    check: () => undefined,
    keyOf: row => String(row['id']),
  }
  store.sendBy(sender)
  const type = (values: Values, failure?: typeof LEFT) => store.make({ key: '1', row: WAS, values, failure })
  /** Answers the last request. */
  const answer = async (is: EditDecision) => {
    sent.at(-1)?.answer(is)
    await vi.advanceTimersByTimeAsync(0)
  }
  const phases = () => store.edits().map(({ id, values, state }) => [id, values, state.at])
  const notifyUsers = () => users.forEach(listener => listener())
  const listen = (to: TableHistory) => {
    history = to
  }
  return {
    store,
    listen,
    loaded,
    world,
    sent,
    saved,
    type,
    answer,
    phases,
    notifyUsers,
    values: () => sent.map(one => one.values),
  }
}
