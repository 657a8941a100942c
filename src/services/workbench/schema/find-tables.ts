// Finds tables of a backend that lists none, by asking for usual names.
import { fromCallback, type EventObject } from 'xstate'
import { type TableAnswer, tableSearchMachine } from '../../../machines/workbench/table-search.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { type Job, runJob } from '../jobs/run-job.ts'
import { probeTable } from '../rest/probe-table.ts'

export type TableSearch = Job<typeof tableSearchMachine>

/** One for each common subject: a backend suggests the nearest of its names for a name that it does not have. */
const USUAL_NAMES: readonly string[] = [
  'users',
  'profiles',
  'accounts',
  'organizations',
  'teams',
  'members',
  'roles',
  'posts',
  'comments',
  'messages',
  'conversations',
  'chats',
  'notifications',
  'todos',
  'tasks',
  'projects',
  'events',
  'bookings',
  'products',
  'orders',
  'order_items',
  'customers',
  'subscriptions',
  'payments',
  'invoices',
  'categories',
  'tags',
  'documents',
  'files',
  'images',
  'settings',
  'locations',
  'contacts',
  'companies',
  'reviews',
  'likes',
  'votes',
  'courses',
  'audit_log',
  'api_keys',
  'uploads',
  'items',
  'notes',
  'plans',
  'transactions',
  'articles',
  'pages',
  'groups',
  'logs',
  'favorites',
]

/**
 * Starts to ask for tables, one request at a time.
 * @param knownNames names of tables that exist; names like theirs are asked for first
 */
export function startTableSearch(
  client: Pick<ChartroomClient, 'fetch'>,
  schema: string,
  knownNames: readonly string[] = [],
): TableSearch {
  const askForTable = fromCallback<EventObject, { readonly name: string }, TableAnswer>(
    ({ input: { name }, sendBack }) => {
      const leaving = new AbortController()
      const ask = async (): Promise<TableAnswer> => {
        const probe = await probeTable(client, { schema, table: name }, leaving.signal)
        if (probe.isFound) return { type: 'table.answered', tables: [name] }
        if (!probe.isMissing) return { type: 'table.unanswered', message: probe.message }
        return { type: 'table.answered', tables: probe.near === undefined ? [] : [probe.near] }
      }
      // It rejects only when it is aborted.
      ask().then(sendBack, () => {})
      return () => leaving.abort()
    },
  )
  const names = [...knownNames, ...USUAL_NAMES]
  return runJob('tableSearch', tableSearchMachine.provide({ actors: { askForTable } }), { names })
}
