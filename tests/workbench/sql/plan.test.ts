// Plans: the text that is made of JSON is compared with PostgreSQL's own text of the same plan.
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { parsePlan, planSteps, planText } from '../../../src/services/workbench/sql/index.ts'
import { startTestBackend } from '../../harness/backend.ts'

const backend = await startTestBackend({ databaseAccess: {} })
const client = new pg.Client({ connectionString: backend.databaseUrl })
await client.connect()
afterAll(() => client.end())
await client.query(`create table public.items (id int primary key, "Kind" text, at timestamptz);
  insert into public.items select n, 'k' || n % 7, now() from generate_series(1, 5000) n;
  create index items_kind on public.items ("Kind"); analyze public.items`)

const QUERIES = [
  'select * from items where id = 7',
  'select * from items i where "Kind" = \'k3\' order by at desc limit 3',
  'select "Kind", count(*) from items group by 1 order by 2',
  'select a.id from items a join items b on b.id = a.id + 1 where a."Kind" like \'k%\'',
  'select a.id from items a left join items b using (id) where a.id < 10',
  'select * from items where exists (select from items o where o.id = items.id * 2)',
  'select * from items order by id desc limit 5',
  'select 1',
  'select * from generate_series(1, 10) as n where n > 2',
  'insert into items values (9999)',
  'update items set at = null where id = 1',
  'delete from items where id = 2',
  'select id from items union select id + 1 from items',
  'with t as materialized (select * from items where id < 100) select count(*) from t',
]

/** Lines that name steps, and their conditions. */
const linesOf = (text: string) => text.split('\n').filter(line => !/InitPlan|SubPlan|CTE t$|^\s*$/.test(line))

describe('text', () => {
  test.each(QUERIES)('%s', async query => {
    const json = await client.query(`explain (format json) ${query}`)
    const text = await client.query(`explain ${query}`)
    const plan = parsePlan(JSON.stringify(json.rows[0]['QUERY PLAN']))
    if (!plan) throw new Error('The plan could not be read.')
    const own = linesOf(planText(plan)).map(line => line.trim())
    const expected = linesOf(text.rows.map(row => row['QUERY PLAN']).join('\n')).map(line => line.trim())
    // PostgreSQL's text has separate lines for workers and subplans.
    expect(own.filter(line => !line.startsWith('Subplan Name'))).toEqual(expected)
  })
})

test('shares of a measured plan are those of its time', async () => {
  const { rows } = await client.query(
    'explain (analyze, format json) select count(*) from items a join items b using (id)',
  )
  const plan = parsePlan(JSON.stringify(rows[0]['QUERY PLAN']))
  if (!plan) throw new Error('The plan could not be read.')
  const steps = planSteps(plan.root)
  expect(plan.isAnalyzed).toBe(true)
  expect(steps[0]?.actual).toMatchObject({ rows: 1, loops: 1 })
  const sum = steps.reduce((total, { share }) => total + share, 0)
  expect(sum).toBeGreaterThan(0.9)
  expect(sum).toBeLessThan(1.1)
})

test('what is no plan is undefined', () => {
  for (const text of ['', 'null', '[]', '[{}]', '{"Plan":1}', '[{"Plan":[]}]'])
    expect(parsePlan(text)).toBeUndefined()
})
