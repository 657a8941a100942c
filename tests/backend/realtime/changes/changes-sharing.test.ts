// The number of queries: one per set of claims and one per filter, for any number of subscribers.
import { expect, test } from 'vitest'
import { prepareDelivery, type Listener } from '../../../../backend/realtime/changes/delivery.ts'
import { parseFilter } from '../../../../backend/realtime/changes/filters.ts'
import type { RowChange } from '../../../../backend/realtime/changes/announcements.ts'
import type { Column, TableShape } from '../../../../backend/realtime/changes/table-shape.ts'
import type { Database, Queries } from '../../../../backend/database/index.ts'
import type { Claims } from '../../../../backend/keys/index.ts'

const id: Column = {
  name: 'id',
  type: 'int4',
  sqlType: 'integer',
  isKey: true,
  isIdentity: true,
  readers: ['authenticated'],
}
const shape: TableShape = { name: '"public"."t"', columns: [id], hasPolicies: true }
const changes = Array.from({ length: 100 }, (_, index): RowChange => {
  const commitTimestamp = '2026-01-01T00:00:00.000Z'
  return { schema: 'public', table: 't', type: 'INSERT', commitTimestamp, record: { id: index } }
})

/** Shows and passes every row, and counts the queries. */
function countingDatabase() {
  const asked = { owner: 0, as: 0 }
  const tx: Queries = {
    query: <Row>() =>
      Promise.resolve(changes.map((_, index) => ({ index, passed: Array(100).fill(true) }) as Row)),
    script: () => Promise.resolve(),
    asRole: (_role, work) => work(),
  }
  const database: Pick<Database, 'owner' | 'as'> = {
    owner: work => {
      asked.owner += 1
      return work(tx)
    },
    as: (_claims, work) => {
      asked.as += 1
      return work(tx)
    },
  }
  return { asked, database }
}

function listener(claims: Claims, filter: string, received: unknown[]): Listener {
  const conditions = parseFilter(filter)
  const wanted = { id: 1, event: '*', schema: 'public', table: 't', select: undefined }
  const subscriptions = [{ ...wanted, conditions, filter: JSON.stringify(conditions) }]
  return { topic: 'x', claims, subscriptions, push: (_event, payload) => received.push(payload) }
}

async function deliver(listeners: readonly Listener[]) {
  const { asked, database } = countingDatabase()
  const shapes = new Map([[shape.name, shape]])
  const delivery = await prepareDelivery({ database, changes, shapes }, listeners)
  for (const change of changes) delivery.push(change)
  return asked
}

const user = (sub: string, iat: number): Claims => ({ role: 'authenticated', sub, iat, exp: iat + 3_600 })

test('a thousand subscribers with the same claims share one query, whenever their tokens were issued', async () => {
  const received: unknown[] = []
  const listeners = Array.from({ length: 1_000 }, (_, at) => listener(user('a', at), '', received))
  expect(await deliver(listeners)).toEqual({ owner: 0, as: 1 })
  expect(received).toHaveLength(100_000)
})

test('different claims are checked separately, and a filter once for all of them', async () => {
  const received: unknown[] = []
  const listeners = ['a', 'b', 'c', 'b'].map(sub => listener(user(sub, 1), 'id=gt.5', received))
  expect(await deliver(listeners)).toEqual({ owner: 1, as: 3 })
  expect(received).toHaveLength(400)
})

test('a hundred filters are one query', async () => {
  const listeners = Array.from({ length: 100 }, (_, at) => listener(user('a', 1), `id=gt.${at}`, []))
  expect(await deliver(listeners)).toEqual({ owner: 1, as: 1 })
})
