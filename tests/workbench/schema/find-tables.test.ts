// The search for tables: against answers with the suggestions of PostgREST, whose rule is written here again.
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { readTrace, systems, verify } from '../../../src/public/devtools/replay.ts'
import { MAX_NAMES, relatedNames } from '../../../src/machines/workbench/table-search.ts'
import { startTableSearch } from '../../../src/services/workbench/schema/index.ts'

/** Tables of a product with teams, chats and payments. */
const TABLES = [
  'profiles',
  'workspaces',
  'workspace_members',
  'chat_messages',
  'stripe_customers',
  'subscription_plans',
  'file_uploads',
  'tags',
]

/** PostgREST suggests with a fuzzy set: the cosine of the counts of three and two letters, from 0.33. */
function suggestionFor(name: string, tables: readonly string[]): string | undefined {
  const gramsOf = (text: string, size: number) => {
    const padded = `-${text.toLowerCase().replace(/[^\p{L}\p{N}_, ]/gu, '')}-`
    const counts = new Map<string, number>()
    for (let at = 0; at <= padded.length - size; at++) {
      const gram = padded.slice(at, at + size)
      counts.set(gram, (counts.get(gram) ?? 0) + 1)
    }
    return counts
  }
  const norm = (counts: Map<string, number>) =>
    Math.sqrt([...counts.values()].reduce((sum, count) => sum + count * count, 0))
  for (const size of [3, 2]) {
    const grams = gramsOf(name, size)
    const scored = tables.map(table => {
      const others = gramsOf(table, size)
      const dot = [...grams].reduce((sum, [gram, count]) => sum + count * (others.get(gram) ?? 0), 0)
      return { table, score: dot / (norm(grams) * norm(others)) }
    })
    const best = scored.toSorted((a, b) => b.score - a.score)[0]
    if (best !== undefined && best.score >= 0.33) return best.table
  }
  return undefined
}

/** Answers as PostgREST does; `requests` are the names that were asked for. */
function backendWith(tables: readonly string[], refused: readonly string[] = []) {
  const requests: string[] = []
  let failing = 0
  const fetch = async (path: RequestInfo | URL) => {
    if (typeof path !== 'string') throw new TypeError('A path is expected')
    const { pathname, searchParams } = new URL(path, 'http://127.0.0.1')
    const name = decodeURIComponent(pathname.replace('/rest/v1/', ''))
    requests.push(name)
    if (failing > 0) {
      failing -= 1
      return Response.json({ code: '22P02', message: 'upstream "Zqsecret" is down' }, { status: 400 })
    }
    expect(searchParams.get('limit')).toBe('0')
    if (refused.includes(name))
      return Response.json({ code: '42501', message: `permission denied for table ${name}` }, { status: 403 })
    if (tables.includes(name)) return Response.json([])
    const near = suggestionFor(name, tables)
    const body = {
      code: 'PGRST205',
      message: `Could not find the table 'public.${name}' in the schema cache`,
      details: null,
      hint: near === undefined ? null : `Perhaps you meant the table 'public.${near}'`,
    }
    return Response.json(body, { status: 404 })
  }
  return { fetch, requests, fail: (count: number) => (failing = count) }
}

const ended = (search: ReturnType<typeof startTableSearch>, state: string) =>
  vi.waitFor(() => expect(search.actor.getSnapshot().value).toBe(state), { timeout: 5_000 })

test('it finds tables by their own names and by suggestions, each name asked for once', async () => {
  const { fetch, requests } = backendWith(TABLES, ['tags'])
  const search = startTableSearch({ fetch }, 'public')
  await ended(search, 'complete')
  expect(search.actor.getSnapshot().context.tables.toSorted()).toEqual(TABLES.toSorted())
  expect(new Set(requests).size).toBe(requests.length)
  expect(requests.length).toBeLessThanOrEqual(MAX_NAMES)
})

test('it stops when the backend does not answer, continues there, and its recording has no text of the server', async () => {
  const { fetch, requests, fail } = backendWith(TABLES)
  fail(1)
  const search = startTableSearch({ fetch }, 'public', ['profiles'])
  await ended(search, 'stopped')
  expect(search.actor.getSnapshot().context.message).toContain('Zqsecret')
  expect(requests).toEqual(['profiles'])
  const canceling = search.actor.subscribe(({ context: { asked } }) => {
    if (asked !== 3) return
    canceling.unsubscribe()
    search.actor.send({ type: 'search.cancel' })
  })
  search.actor.send({ type: 'search.retry' })
  await ended(search, 'canceled')
  const { asked, tables } = search.actor.getSnapshot().context
  expect(requests.slice(0, 2)).toEqual(['profiles', 'profiles'])
  expect(tables[0]).toBe('profiles')
  search.actor.send({ type: 'search.retry' })
  await ended(search, 'complete')
  // The name that was canceled is asked for again.
  expect(requests.length - search.actor.getSnapshot().context.asked).toBeLessThanOrEqual(2)
  expect(search.actor.getSnapshot().context.asked).toBeGreaterThan(asked)

  const read = await readTrace(new Uint8Array(await (await search.recording.download()).arrayBuffer()))
  if (read.kind === 'unusable') throw new Error(read.message)
  expect(JSON.stringify(read.trace)).not.toContain('Zqsecret')
  expect(verify(read.trace, systems)).toMatchObject({ outcome: 'exact' })
})

test('related names are other names, without end only by the limit', () => {
  expect(relatedNames('order_items')).toEqual(['order', 'orders', 'item', 'items', 'order_item'])
  expect(relatedNames('userCategories')).toEqual([
    'user',
    'users',
    'category',
    'categories',
    'user_category',
    'user_categories',
  ])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), table => {
      expect(relatedNames(table)).not.toContain(table)
    }),
  )
})
