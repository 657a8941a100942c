// Generated tables of every kind, on a real database with plain SQL as the oracle: every cell is shown, saved
// unchanged, edited, pasted, exported, copied, imported and deleted by the workbench as SQL does it for the same role.
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ChartroomClient, createChartroomClient } from '../../src/public/index.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import {
  createRowExport,
  rowExportState,
  createRowImport,
  rowImportState,
} from '../../src/services/workbench/jobs/index.ts'
import { loadSchema } from '../../src/services/workbench/schema/index.ts'
import {
  cellOf,
  AS_GIVEN,
  layColumns,
  rowsText,
  planPaste,
  createExportWriter,
  scopeQuery,
  IMPORT_START,
  importReducer,
  pastedFile,
  readFile,
  readRows,
  loadedRows,
  createRowReader,
  type Column,
  fixedReason,
  insertColumns,
  readOnlyReason,
  type Row,
  type TableInfo,
  selectCell,
  type TableQuery,
  readTsv,
  writeTsv,
} from '../../src/services/workbench/table/index.ts'
import { createEditSender, deleteRows, sendEdit } from '../../src/services/workbench/table/edits/send.ts'
import { RowsStore } from '../../src/services/workbench/table/rows-store.ts'
import { startTestBackend } from '../harness/backend.ts'
import {
  type GeneratedColumn,
  type GeneratedTable,
  generateTable,
  ident,
  isFiltered,
  leftOut,
  literal,
  SHARED_TYPES,
} from '../harness/generated-tables.ts'
import { volume } from '../harness/volume.ts'

// The same each day: a few shapes of names are known to fail in the REST engine.
const SEEDS = Array.from({ length: volume(4, 60) }, (_, at) => 1 + at)

const POLL = { interval: 1, timeout: 20_000 }

const backend = await startTestBackend({ databaseAccess: {} })
const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
afterAll(() => sql.end({ timeout: 1 }))

const tables = new Map<number, GeneratedTable>()
const infos = new Map<string, TableInfo>()

beforeAll(async () => {
  await sql.unsafe(SHARED_TYPES)
  const optional = new Set<string>()
  for (const [name, use] of [
    ['citext', 'create extension if not exists citext'],
    ['xml', `select '<a/>'::xml`],
  ] as const)
    await sql.unsafe(use).then(
      () => optional.add(name),
      () => undefined,
    )
  for (const seed of SEEDS) {
    const table = generateTable(seed, optional)
    await sql.unsafe(table.sql).catch((error: unknown) => {
      throw new Error(`Seed ${seed}: ${String(error)}\n${table.sql}`)
    })
    tables.set(seed, table)
  }
  await signIn()
  const loaded = await loadSchema(client, 'public', {
    file: `${backend.url}/_chartroom/schema`,
    signal: new AbortController().signal,
  })
  if (!loaded.ok || loaded.value.phase !== 'known') throw new Error('The schema was not loaded.')
  for (const info of loaded.value.tables) infos.set(info.name, info)
})

/** Of the role that the schema was described for. */
const client: ChartroomClient = createChartroomClient({
  url: backend.url,
  key: backend.publishableKey,
  auth: { storage: memoryStorage() },
})
afterAll(() => client.dispose())

async function signIn(): Promise<void> {
  const [account] = backend.accounts
  if (account === undefined) throw new Error('There is no account.')
  const { error } = await client.supabase.auth.signInWithPassword(account)
  if (error !== null) throw error
}

type Snapshot = readonly string[]
type Outcome = { readonly count: number } | { readonly refusal: string }

/** What SQL says of one table. */
class Oracle {
  readonly table: GeneratedTable
  readonly target: string
  constructor(table: GeneratedTable) {
    this.table = table
    this.target = ident(table.name)
  }

  /** All rows with all cells as text, in any order. */
  async rows(from = this.table.base, only: readonly string[] = this.names()): Promise<Snapshot> {
    const list = only.map(name => `${ident(name)}::text`).join(', ')
    const rows = await sql.unsafe<{ row: string }[]>(
      `select json_build_array(${list})::text as row from ${ident(from)} order by 1`,
    )
    return rows.map(({ row }) => row)
  }

  names(): readonly string[] {
    return this.table.columns.map(({ name }) => name)
  }

  typeOf(name: string): string {
    return this.table.columns.find(column => column.name === name)?.type ?? 'text'
  }

  value(name: string, text: string | null): string {
    return text === null ? 'null' : `${literal(text)}::text::${this.typeOf(name)}`
  }

  /** Finds the row that the workbench shows. */
  is(row: Row, info: TableInfo): string {
    const keys = info.columns.filter(({ isKey }) => isKey)
    return keys
      .map(({ name }) => `${ident(name)}::text = (${this.value(name, cellOf(row, { name }))})::text`)
      .join(' and ')
  }

  /** The rows after a statement by the same role, which is rolled back. */
  async after(statement: string): Promise<{ readonly outcome: Outcome; readonly rows: Snapshot }> {
    await sql.unsafe('begin; set local role authenticated')
    try {
      const result = await sql.unsafe(statement)
      await sql.unsafe('reset role')
      return { outcome: { count: result.count }, rows: await this.rows() }
    } catch (error) {
      await sql.unsafe('rollback; begin')
      return { outcome: { refusal: String(error) }, rows: await this.rows() }
    } finally {
      await sql.unsafe('rollback')
    }
  }
}

interface Opened {
  readonly table: GeneratedTable
  readonly info: TableInfo
  readonly oracle: Oracle
  readonly client: ChartroomClient
  readonly query: TableQuery
}

function open(seed: number): Opened {
  const table = tables.get(seed)
  if (table === undefined) throw new Error(`No table of seed ${seed}.`)
  const info = infos.get(table.name)
  if (info === undefined) throw new Error(`${table.name} is not listed.`)
  const query = { schema: 'public', table: table.name, columns: [], filters: [], sorts: [] }
  return { table, info, oracle: new Oracle(table), client, query }
}

/** The rows as the grid shows them. */
async function shown({ client, info, query }: Opened): Promise<{ rows: readonly Row[]; info: TableInfo }> {
  const store = new RowsStore(client, () => undefined)
  store.know(info)
  store.open(query)
  store.showRange(0, 100)
  await vi.waitFor(() => {
    const { pages, isLoading } = store.state()
    if (pages.phase === 'failed') return
    expect([pages.phase, isLoading]).toEqual(['ready', false])
  }, POLL)
  const { pages } = store.state()
  store.close()
  if (pages.phase === 'failed') throw new Error(`Not shown: ${JSON.stringify(pages.failure)}`)
  const isKeyShared = pages.isKeyShared
  return {
    rows: [...pages.rows.values()].flat(),
    info: isKeyShared ? { ...info, isKeyShared: true } : info,
  }
}

/** The texts as PostgreSQL reads and writes them. */
async function asText(oracle: Oracle, rows: readonly Row[], names: readonly string[]): Promise<Snapshot> {
  const texts: string[] = []
  for (const row of rows) {
    const cells = names.map(name => `(${oracle.value(name, cellOf(row, { name }))})::text`)
    const [answer] = await sql.unsafe<{ row: string }[]>(
      `select json_build_array(${cells.join(', ')})::text as row`,
    )
    texts.push(answer?.row ?? '')
  }
  return texts.toSorted()
}

const sorted = (rows: Snapshot): Snapshot => rows.toSorted()

async function checkShown(opened: Opened): Promise<readonly Row[]> {
  const { oracle, info } = opened
  const { rows } = await shown(opened)
  const names = info.columns.map(({ name }) => name)
  expect(await asText(oracle, rows, names)).toEqual(sorted(await oracle.rows(opened.table.name, names)))
  return rows
}

/** The cells of a column as another row may have them: values of its type, null if it may be. */
const others = ({ values, isNullable }: GeneratedColumn, cell: string | null): readonly (string | null)[] =>
  [...values, ...(isNullable ? [null] : [])].filter(value => value !== cell)

async function checkEdit(
  opened: Opened,
  row: Row,
  values: Readonly<Record<string, string | null>>,
): Promise<void> {
  const { oracle, info } = opened
  const sets = Object.entries(values).map(([name, cell]) => `${ident(name)} = ${oracle.value(name, cell)}`)
  const before = await oracle.rows()
  const { outcome, rows } = await oracle.after(
    `update ${oracle.target} set ${sets.join(', ')} where ${oracle.is(row, info)}`,
  )
  const decision = await sendEdit(opened, { row, values })
  const now = await oracle.rows()
  const isSame = Object.entries(values).every(([name, cell]) => cell === cellOf(row, { name }))
  const words = JSON.stringify({ values, decision, outcome })
  // What the row has already is saved, whether the role may write it or not.
  if ('count' in outcome && outcome.count === 1) expect([decision.type, words]).toEqual(['saved', words])
  else if (!isSame) expect([decision.type === 'saved', words]).toEqual([false, words])
  expect([now, words]).toEqual(['count' in outcome ? rows : before, words])
}

const writable = ({ info }: Opened): readonly Column[] =>
  info.columns.filter(column => fixedReason(column) === undefined && isFiltered(column.name))

const generated = ({ table }: Opened, name: string): GeneratedColumn => {
  const column = table.columns.find(each => each.name === name)
  if (column === undefined) throw new Error(`No column ${name}.`)
  return column
}

/** The text as PostgreSQL writes it: the REST engine does not return rows of which the new value fails its own filter. */
async function asWritten(oracle: Oracle, name: string, text: string | null | undefined) {
  if (text === null || text === undefined) return text
  const [row] = await sql.unsafe<{ text: string }[]>(`select (${oracle.value(name, text)})::text as text`)
  return row?.text
}

async function checkEdits(opened: Opened): Promise<void> {
  const { info } = opened
  if (readOnlyReason(info) !== undefined || !info.rights.update) return
  let { rows } = await shown(opened)
  for (const row of rows.slice(0, 2))
    await checkEdit(
      opened,
      row,
      Object.fromEntries(writable(opened).map(column => [column.name, cellOf(row, column)])),
    )
  for (const [at, { name, isKey }] of writable(opened).entries()) {
    if (isKey) continue
    rows = (await shown(opened)).rows
    const row = rows[at % rows.length]
    if (row === undefined) return
    const choices = others(generated(opened, name), cellOf(row, { name }))
    const cell = await asWritten(opened.oracle, name, choices[at % choices.length])
    if (cell !== undefined) await checkEdit(opened, row, { [name]: cell })
  }
}

/** Copies the last row over the first one. */
async function checkPaste(opened: Opened): Promise<void> {
  const { info, oracle } = opened
  if (readOnlyReason(info) !== undefined || !info.rights.update) return
  const { rows } = await shown(opened)
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined || first === last) return
  const columns = layColumns(info.columns, AS_GIVEN)
    .map(({ column }) => column)
    .filter(({ name }) => isFiltered(name))
  const cells = readTsv(writeTsv([columns.map(column => cellOf(last, column))]))
  const loaded = loadedRows(info, { rows: new Map([[0, rows]]), stale: new Set() })
  const view = { count: rows.length, columns: columns.map(({ name }) => name), rows: loaded }
  const plan = planPaste(
    {
      view,
      selection: selectCell(view, { row: 0, column: 0 }),
      columns,
      leaving: new Set(),
      shownCell: (each, column) => cellOf(each.row, column),
    },
    cells,
  )
  const sets = columns
    .filter(column => fixedReason(column) === undefined && !column.isKey && isFiltered(column.name))
    .map(({ name }) => `${ident(name)} = ${oracle.value(name, cellOf(last, { name }))}`)
  if (sets.length === 0) return
  const before = await oracle.rows()
  const expected = await oracle.after(
    `update ${oracle.target} set ${sets.join(', ')} where ${oracle.is(first, info)}`,
  )
  const decisions = []
  for (const { row, after } of plan.changes) decisions.push(await sendEdit(opened, { row, values: after }))
  const isExpected = 'count' in expected.outcome && expected.outcome.count === 1
  expect([await oracle.rows(), decisions, expected.outcome]).toEqual([
    isExpected ? expected.rows : before,
    decisions,
    expected.outcome,
  ])
}

async function exported(opened: Opened): Promise<readonly Row[]> {
  const { client, info, query } = opened
  const rows: Row[] = []
  const reader = createRowReader({ query: scopeQuery(query, info, 'all'), info, size: 2 })
  const job = createRowExport({
    fetch: client.fetch,
    reader,
    take: page => void rows.push(...page),
    expected: undefined,
  })
  await vi.waitFor(
    () => expect(['done', 'failed']).toContain(rowExportState(job.actor.getSnapshot()).phase),
    POLL,
  )
  const state = rowExportState(job.actor.getSnapshot())
  expect([state.phase, state.failure]).toEqual(['done', state.failure])
  return rows
}

const CLONE = 'clone'

/** Runs with an empty table of the same columns, without constraints, and compares its rows. */
async function inClone(
  opened: Opened,
  fill: () => Promise<unknown>,
  names: readonly string[],
): Promise<void> {
  const { oracle, table } = opened
  const list = names.map(name => `${ident(name)} ${oracle.typeOf(name)}`).join(', ')
  await sql.unsafe(`drop table if exists ${CLONE}; create table ${CLONE} (${list})`)
  await fill()
  expect(await oracle.rows(CLONE, names)).toEqual(await oracle.rows(table.name, names))
}

/** Reads CSV, without the product's reader: an empty field is null, a pair of quotes is empty text. */
function recordsIn(text: string): readonly (readonly (string | null)[])[] {
  const rows: (string | null)[][] = [[]]
  for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? (bare === '' ? null : bare))
    if (end === '') break
    if (end !== ',') rows.push([])
  }
  return rows.filter(row => row.length > 1 || row[0] !== null)
}

/** @param isJson whether lists and objects are JSON, and not as PostgreSQL writes them */
async function fillCsv(
  { table }: Opened,
  text: string,
  names: readonly string[],
  isJson: boolean,
): Promise<void> {
  const [head, ...rows] = recordsIn(text)
  expect(head).toEqual(names)
  const objects = names.map(
    name => isJson && table.columns.some(column => column.name === name && column.isObject),
  )
  for (const row of rows) {
    // The REST engine of the embedded backend returns some composite values as PostgreSQL writes them.
    const isText = (cell: string, at: number) => objects[at] !== true || cell.startsWith('(')
    const cells = row.map((cell, at) =>
      cell === null ? 'null' : isText(cell, at) ? JSON.stringify(cell) : cell,
    )
    const text = `[{${cells.map((cell, at) => `${JSON.stringify(names[at])}: ${cell}`).join(', ')}}]`
    if (isJson) await fillJson(text, names)
    else
      await sql.unsafe(
        `insert into ${CLONE} values (${row.map(cell => (cell === null ? 'null' : literal(cell))).join(', ')})`,
      )
  }
}

const fillJson = (text: string, names: readonly string[]) =>
  sql.unsafe(
    `insert into ${CLONE} select ${names.map(ident).join(', ')} from json_populate_recordset(null::${CLONE}, ${literal(text)}::json)`,
  )

async function checkExports(opened: Opened): Promise<void> {
  const { info } = opened
  const names = info.columns.map(({ name }) => name)
  const rows = await exported(opened)
  const fileOf = (format: 'csv' | 'json') => {
    const writer = createExportWriter(format, names, info.columns)
    writer.addRows(rows)
    return writer.file().text()
  }
  await inClone(opened, async () => fillCsv(opened, await fileOf('csv'), names, true), names)
  await inClone(opened, async () => fillJson(await fileOf('json'), names), names)
}

async function checkCopies(opened: Opened): Promise<void> {
  const { info } = opened
  const names = info.columns.map(({ name }) => name)
  const { rows } = await shown(opened)
  if (rows.length === 0) return
  const textOf = (format: 'insert' | 'json' | 'csv', columns: readonly Column[] = info.columns) =>
    rowsText(format, { schema: 'public', table: CLONE, columns, rows })
  await inClone(opened, () => fillCsv(opened, textOf('csv'), names, false), names)
  await inClone(opened, () => fillJson(textOf('json'), names), names)
  const all = info.columns.map(column => {
    const { generation: _, ...rest } = column
    return rest
  })
  await inClone(opened, () => sql.unsafe(textOf('insert', all)), names)
}

/** Imports rows that PostgreSQL wrote as CSV, and those that the workbench exports as JSON, after all were deleted. */
async function checkImports(opened: Opened): Promise<void> {
  const { info, oracle, table, client } = opened
  const into = insertColumns(info).filter(({ generation }) => generation === undefined)
  const names = into.map(({ name }) => name)
  const isFilled = table.columns.every(
    ({ name, isNullable, rest, made }) =>
      names.includes(name) || isNullable || made !== undefined || /default|identity/.test(rest),
  )
  if (!info.rights.insert || !isFilled || !names.every(isFiltered) || into.length === 0) return
  const cell = (name: string) => `coalesce('"' || replace(${ident(name)}::text, '"', '""') || '"', '')`
  const lines = await sql.unsafe<{ line: string }[]>(
    `select concat_ws(',', ${names.map(cell).join(', ')}) as line from ${ident(table.base)}`,
  )
  const head = names.map(name => `"${name}"`).join(',')
  const csv = [head, ...lines.map(({ line }) => line)].join('\n')
  const before = await oracle.rows(table.base, names)
  const all = await oracle.rows()
  await sql.unsafe(
    `drop table if exists saved; create table saved as select * from ${ident(table.base)}; delete from ${ident(table.base)}`,
  )
  const file = pastedFile(csv)
  const rows = await readFile(file, {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    delimiter: ',',
  })
  const chosen = importReducer(IMPORT_START, { type: 'file.chosen', file })
  const state = importReducer(chosen, { type: 'file.read', rows, info })
  if (state.step !== 'map') throw new Error(`The import is at ${state.step}: ${JSON.stringify(state)}`)
  const { source, columns, mapping } = state
  expect(mapping).toEqual(names)
  const { ready, problems } = readRows(source.rows, { kind: source.kind, columns, mapping, empty: 'null' })
  expect(problems).toEqual([])
  const job = createRowImport({
    fetch: client.fetch,
    schema: 'public',
    table: table.name,
    columns: names,
    rows: ready.map(({ values }) => JSON.stringify(values)),
    isWhole: true,
    onDuplicate: 'refuse',
    keys: [],
  })
  const phase = () => rowImportState(job.actor.getSnapshot())
  await vi.waitFor(() => expect(['done', 'refused', 'paused', 'unconfirmed']).toContain(phase().phase), POLL)
  expect([phase().phase, phase().failure]).toEqual(['done', phase().failure])
  expect(await oracle.rows(table.base, names)).toEqual(before)
  const given = table.columns.filter(({ made }) => made !== 'expression').map(({ name }) => ident(name))
  await sql.unsafe(`delete from ${ident(table.base)};
    insert into ${ident(table.base)} (${given.join(', ')}) overriding system value select ${given.join(', ')} from saved; drop table saved`)
  expect(await oracle.rows()).toEqual(all)
}

async function checkDeletions(opened: Opened): Promise<void> {
  const { info, oracle } = opened
  if (readOnlyReason(info) !== undefined || !info.rights.delete) return
  const { rows } = await shown(opened)
  const [first, ...rest] = rows
  for (const some of [first === undefined ? [] : [first], rest]) {
    if (some.length === 0) continue
    const found = some.map(row => `(${oracle.is(row, info)})`).join(' or ')
    const expected = await oracle.after(`delete from ${oracle.target} where ${found}`)
    const answer = await deleteRows(opened, some)
    expect([await oracle.rows(), answer.ok, expected.outcome]).toEqual([
      expected.rows,
      'count' in expected.outcome,
      expected.outcome,
    ])
  }
}

/** Adds a new row like one that was there, with only what the role may give. */
async function checkAddition(opened: Opened): Promise<void> {
  const { info, oracle, table } = opened
  const into = insertColumns(info).filter(({ generation }) => generation === undefined)
  const [row] = table.rows
  if (!info.rights.insert || row === undefined || into.length === 0) return
  if (!into.every(({ name }) => isFiltered(name))) return
  const values = Object.fromEntries(
    into.map(({ name }) => [name, row[table.columns.findIndex(column => column.name === name)] ?? null]),
  )
  const { outcome, rows } = await oracle.after(
    `insert into ${oracle.target} (${into.map(({ name }) => ident(name)).join(', ')}) values (${into.map(({ name }) => oracle.value(name, values[name] ?? null)).join(', ')})`,
  )
  const before = await oracle.rows()
  const decision = await createEditSender(opened).add(values, vi.fn())
  // Identities go on after a statement that was rolled back, too.
  const stable = table.columns.filter(({ made }) => made === undefined).map(({ name }) => name)
  const isExpected = 'count' in outcome
  const at = stable.map(name => oracle.names().indexOf(name))
  const only = (list: Snapshot) =>
    list.map(text => JSON.stringify(at.map(index => (JSON.parse(text) as unknown[])[index]))).toSorted()
  expect([decision.type === 'saved', only(await oracle.rows()), outcome, decision]).toEqual([
    isExpected,
    only(isExpected ? rows : before),
    outcome,
    decision,
  ])
}

test.each(SEEDS)('the table of seed %i is shown and written as by SQL', async seed => {
  const opened = open(seed)
  const { table } = opened
  const reads = [checkShown, checkExports, checkCopies]
  const writes = [
    checkEdits,
    checkPaste,
    checkShown,
    checkExports,
    checkCopies,
    checkImports,
    checkDeletions,
    checkAddition,
  ]
  // The REST engine of the embedded backend returns no rows that are written in views.
  const steps = table.kind === 'sums' ? [] : table.name === table.base ? writes : [...reads, checkImports]
  try {
    if (table.kind === 'sums') await shown(opened)
    else await checkShown(opened)
    for (const step of steps) await step(opened)
  } catch (error) {
    if (error instanceof Error)
      error.message = `Seed ${seed} (${table.kind}, key: ${table.key}), reproduced by CHARTROOM_SEED=${seed}: ${error.message}\n${table.sql}`
    throw error
  }
})

test('shapes that the REST engine does not read are left out, and counted', () => {
  const counts = Object.fromEntries(leftOut)
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(SEEDS.length)
})
