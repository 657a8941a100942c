// The session of the visible table: kept with the client, with notices for what happens in it.
import { useMemo } from 'react'
import { toast } from 'sonner'
import type { ChartroomClient } from '../../../../services/client/index.ts'
import { useClient, useStatus } from '../../../react/index.ts'
import { keepByClient, userIn } from '../../../../services/workbench/storage/index.ts'
import {
  createDraftStorage,
  draftsName,
  type TableName,
  TableSession,
  type TableSessionPorts,
  UNDO_MS,
} from '../../../../services/workbench/table/index.ts'
import { plural } from '../../../../services/workbench/text/index.ts'
import { createLeaveGuard } from '../../leave-guard.ts'
import { notify } from '../../shell/notify.ts'
import { workRecordings } from '../../work-recordings.ts'

export const deletionTitle = (rows: number, table: string): string =>
  `Deleting ${plural(rows, 'row')} of ${table}`

/** Undefined on an insecure page. */
const locksOf = ({ locks }: { readonly locks?: LockManager }): LockManager | undefined => locks

function portsOf(client: ChartroomClient, table: string, drafts: string): TableSessionPorts {
  const guardDrafts = createLeaveGuard()
  const idOf = (id: number) => `delete.${table}.${id}`
  /** A separate notice id: a notice that is closing cannot be updated. */
  const refusalOf = (id: number) => `${idOf(id)}.refused`
  return {
    drafts: createDraftStorage(drafts, locksOf(navigator)),
    onKept: isKept => guardDrafts(!isKept),
    onPending: createLeaveGuard(),
    onBegun: (name, job) => workRecordings(client).add(name, job),
    onOrdered: (id, rows, undo) =>
      void notify({
        id: idOf(id),
        title: deletionTitle(rows, table),
        within: UNDO_MS,
        action: { label: 'Undo', run: undo },
      }),
    onClosed: id => {
      toast.dismiss(idOf(id))
      toast.dismiss(refusalOf(id))
    },
    onUnseen: ({ id, rows }, { message }, retry) =>
      void notify({
        tone: 'fail',
        id: refusalOf(id),
        title: `${plural(rows.size, 'row')} of ${table} ${rows.size === 1 ? 'was' : 'were'} not deleted`,
        detail: message,
        action: { label: 'Retry delete', run: retry },
      }),
  }
}

const sessions = keepByClient<TableSession>()

const sessionOf = (client: ChartroomClient, user: string, of: TableName): TableSession => {
  const name = draftsName(client.url, user, of.schema, of.table)
  return sessions.of(client, name, () => new TableSession(client, user, of, portsOf(client, of.table, name)))
}

/** Kept per account and table until the page reloads. */
export const useTableSession = ({ schema, table }: TableName): TableSession => {
  const client = useClient()
  const user = useStatus(userIn)
  return useMemo(() => sessionOf(client, user, { schema, table }), [client, user, schema, table])
}
