// The diagram of a schema; its oracle for relations is pg_constraint.
import ELK from 'elkjs/lib/elk.bundled.js'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { loadSchema } from '../../../../src/services/workbench/schema/index.ts'
import {
  type Diagram,
  diagramFileName,
  diagramOf,
  neighborhood,
  spokenTable,
} from '../../../../src/ui/app/diagram/diagram.ts'
import {
  layoutDiagram,
  type Measure,
  type PlacedDiagram,
  shorten,
} from '../../../../src/ui/app/diagram/diagram-layout.ts'
import { diagramSvg, escapeXml } from '../../../../src/ui/app/diagram/diagram-svg.ts'
import { startWorld, type World } from '../../../backend/rest/world.ts'
import { startClient } from '../../../harness/client.ts'
import { json, URL_BASE } from '../../../harness/fake-backend.ts'

const LONG = 'é'.repeat(31)
const HOSTILE = ['<script>alert(1)</script>', `"a' & <b>`, '\u202eطلبات', '🚢 👩‍👩‍👧', LONG, '\u0001\u000b']
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const SQL = `
  create schema yard;
  create table yard.slips (id int primary key);
  create table customers (id int primary key, name text not null);
  create table orders (id int primary key, customer int not null references customers, payer int references customers);
  create table products (sku text, vendor int, name text, primary key (vendor, sku));
  create table order_items (
    "order" int references orders, line int, sku text, vendor int, slip int references yard.slips,
    primary key ("order", line), foreign key (vendor, sku) references products
  );
  create table invoices ("order" int primary key references orders);
  create table employees (id int primary key, boss int references employees);
  create table yard.repairs (id int primary key, item int references public.employees, slip int references yard.slips);
  create table wide (${Array.from({ length: 60 }, (_, at) => `c${at} int`).join(', ')}, last int references customers);
  create view totals as select count(*) as n from orders;
  ${HOSTILE.map(name => `create table ${quoted(name)} (id int primary key, ${quoted(name)} int references customers);`).join('\n')}
  grant usage on schema yard to anon, authenticated;
  grant all on all tables in schema yard to authenticated;
  alter role authenticator set pgrst.db_schemas = 'public, yard';
  notify pgrst, 'reload config';
  notify pgrst, 'reload schema';
`

/** Widths as of a monospaced font. */
const measure: Measure = text => text.length * 7

const elk = new ELK()
const place = (diagram: Diagram): Promise<PlacedDiagram> =>
  layoutDiagram(diagram, { measure, pane: { width: 16, height: 10 }, place: graph => elk.layout(graph) })

let world: World
let diagram: Diagram

const hidden = { message: 'Secret API key required' }

/** The schema as a file that the user gave. */
beforeAll(async () => {
  world = await startWorld(SQL)
  const file = await vi.waitFor(async () => {
    const text = await (await fetch(`${world.backend.url}/_chartroom/schema`)).text()
    if (!text.includes('repairs')) throw new Error('REST does not know the tables yet.')
    return text
  })
  const given = JSON.stringify({ text: file, name: 'schema.json' })
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => (name === `chartroom.ui.schema.${URL_BASE}` ? given : null),
  })
  const { client } = startClient({
    'GET /rest/v1/_': () => json(hidden, 401),
    'GET /rest/v1/': () => json(hidden, 401),
  })
  const { signal } = new AbortController()
  const loaded = await loadSchema(client, 'public', { file: undefined, signal })
  vi.unstubAllGlobals()
  if (!loaded.ok || loaded.value.phase !== 'known') throw new Error(JSON.stringify(loaded))
  const schemas = [...(loaded.value.schemas ?? [])].map(([name, { tables }]) => [name, tables] as const)
  diagram = diagramOf(new Map(schemas), 'public')
})

const nameOf = (id: string) => (JSON.parse(id) as string[]).join('.')
const tableNamed = (name: string) => {
  const table = diagram.tables.find(one => one.name === name)
  if (table === undefined) throw new Error(`There is no table ${name}.`)
  return table
}

test('keys are the foreign keys of pg_constraint, with their columns in order', async () => {
  const rows = await world.sql`
    select k.conname as name, format('%s.%s', n.nspname, c.relname) as from, format('%s.%s', m.nspname, f.relname) as to,
      (select json_agg(json_build_object('ours', a.attname, 'theirs', b.attname) order by at)
        from unnest(k.conkey, k.confkey) with ordinality u (x, y, at)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = x
        join pg_attribute b on b.attrelid = k.confrelid and b.attnum = y) as pairs,
      k.conkey @> p.conkey and k.conkey <@ p.conkey as unique
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_class f on f.oid = k.confrelid join pg_namespace m on m.oid = f.relnamespace
      left join pg_constraint p on p.conrelid = k.conrelid and p.contype = 'p'
    where k.contype = 'f' and n.nspname in ('public', 'yard') and m.nspname in ('public', 'yard')`
  expect(rows.length).toBeGreaterThan(15)
  const drawn = diagram.keys.map(({ name, from, to, pairs, isUnique }) => ({
    name,
    from: nameOf(from),
    to: nameOf(to),
    pairs,
    unique: isUnique,
  }))
  const byName = (a: { name?: unknown; from: string }, b: { name?: unknown; from: string }) =>
    `${a.from} ${String(a.name)}` < `${b.from} ${String(b.name)}` ? -1 : 1
  const expected = rows.map(row => ({
    name: String(row['name']),
    from: String(row['from']),
    to: String(row['to']),
    pairs: row['pairs'] as unknown,
    unique: row['unique'] === true,
  }))
  expect(drawn.toSorted(byName)).toEqual(expected.toSorted(byName))
})

test('columns, types and primary keys are those of the catalog', async () => {
  const rows = await world.sql`
    select c.relname as table, a.attname as name, exists (
      select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)) as key
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace in ('public'::regnamespace, 'yard'::regnamespace) and c.relkind in ('r', 'v')
      and a.attnum > 0 and not a.attisdropped`
  const drawn = diagram.tables.flatMap(table =>
    table.columns.map(({ name, isKey }) => JSON.stringify([table.name, name, isKey])),
  )
  const expected = rows.map(row => JSON.stringify([row['table'], row['name'], row['key']]))
  expect(drawn.toSorted()).toEqual(expected.toSorted())
  expect(tableNamed('customers').columns.map(({ format }) => format)).toEqual(['int4', 'text'])
})

test('a table is described with what it refers to and what refers to it', () => {
  expect(spokenTable(tableNamed('orders'), diagram)).toBe(
    'orders: 3 columns, refers to customers, referred to by invoices, order_items',
  )
  expect(spokenTable(tableNamed('employees'), diagram)).toBe(
    'employees: 2 columns, refers to itself, referred to by yard.repairs',
  )
  expect(spokenTable(tableNamed('totals'), diagram)).toBe('totals, view: 1 column')
  expect([...neighborhood(tableNamed('invoices'))].map(nameOf)).toEqual(['public.invoices', 'public.orders'])
})

test('a table that keys refer to and that is not listed is drawn without a link', () => {
  const info = {
    name: 'notes',
    isKnown: true,
    rights: { insert: true, update: true, delete: true },
    columns: [],
    keys: [{ name: 'author', schema: 'auth', table: 'users', pairs: [{ ours: 'author', theirs: 'id' }] }],
  } as const
  const { tables, keys } = diagramOf(new Map([['public', [info]]]), 'public')
  expect(keys).toHaveLength(1)
  expect(tables[1]).toMatchObject({
    schema: 'auth',
    name: 'users',
    isListed: false,
    columns: [{ name: 'id' }],
  })
})

describe('the layout', () => {
  test('tables do not overlap, and lines end at the rows of their columns', async () => {
    const placed = await place(diagram)
    const { tables, keys } = placed
    for (const [at, a] of tables.entries())
      for (const b of tables.slice(at + 1)) {
        const isApart =
          a.x + a.width < b.x || b.x + b.width < a.x || a.y + a.height < b.y || b.y + b.height < a.y
        expect(isApart, `${a.title} and ${b.title}`).toBe(true)
      }
    expect(keys).toHaveLength(diagram.keys.length)
    for (const { key, points, referring, referenced } of keys) {
      expect(points.at(0)).toEqual({ x: referenced.x, y: referenced.y })
      expect(points.at(-1)).toEqual({ x: referring.x, y: referring.y })
      const table = tables.find(one => one.table.id === key.from)
      const row = table?.rows.find(({ column }) => column.name === key.pairs[0]?.ours)
      expect(referring.y).toBe((table?.y ?? 0) + (row?.y ?? 0))
      expect(referring.rows).toHaveLength(key.pairs.length)
      for (const [at, point] of points.slice(1).entries()) {
        const before = points[at] ?? point
        expect(Math.min(Math.abs(point.x - before.x), Math.abs(point.y - before.y))).toBeLessThan(0.01)
      }
    }
  })

  test('a table of many columns shows the first ones, and those of keys', async () => {
    const wide = (await place(diagram)).tables.find(({ title }) => title === 'wide')
    expect(wide?.rows).toHaveLength(31)
    expect(wide?.rows.at(-1)?.column.name).toBe('last')
    expect(wide?.hiddenCount).toBe(30)
  })

  test.each([
    ['orders', 70, 'orders'],
    ['orders', 42, 'orders'],
    ['orders', 28, 'ord…'],
    ['👩‍👩‍👧👩‍👩‍👧', 65, '👩‍👩‍👧…'],
    ['ab', 3, '…'],
  ])('%s in %d pixels is %s', (text, room, expected) => {
    expect(shorten(text, room, part => part.length * 7)).toBe(expected)
  })
})

describe('the file', () => {
  test('names are text, and nothing in it runs or loads', async () => {
    const svg = diagramSvg(await place(diagram), `harbour: <public> & "yard"`)
    expect(svg).not.toMatch(/<script|<style|<image|<use|<a |href=|url\(| on[a-z]+=|<!|<\?/i)
    expect(svg).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(svg).toContain('&quot;a&#39; &amp; &lt;b&gt;')
    expect(svg.isWellFormed()).toBe(true)
    expect(svg.match(/<path [^>]*stroke-width="1.2"/g)).toHaveLength(diagram.keys.length)
  })

  test.each([
    ['a\u0000b\u0001', 'a\ufffdb\ufffd'],
    ['\ud83d', '\ufffd'],
    [`<&>"'`, '&lt;&amp;&gt;&quot;&#39;'],
    ['\u202e🚢', '\u202e🚢'],
  ])('%j is written as %j', (text, expected) => {
    expect(escapeXml(text)).toBe(expected)
  })

  test.each([
    ['harbour', ['public'], 'harbour-public.svg'],
    ['My project / 2026', ['public', 'yard'], 'My-project-2026-public-yard.svg'],
    ['../x', ['a', 'b', 'c', 'd'], '-x-4-schemas.svg'],
  ])('of %s with %j is %s', (project, schemas, expected) => {
    expect(diagramFileName(project, { schemas })).toBe(expected)
  })
})
