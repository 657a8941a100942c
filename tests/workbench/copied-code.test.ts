// Commands and statements that pages offer to copy, with hostile texts: bash and PostgreSQL read what was meant.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../backend/database/index.ts'
import { bare } from '../../backend/project/index.ts'
import { generateSecrets } from '../../backend/shared/data-directory.ts'
import { createMemoryBlobs } from '../../backend/storage/index.ts'
import { memberSql } from '../../src/services/workbench/reports/index.ts'
import { copyAs } from '../../src/services/workbench/rest/index.ts'
import { rowsText, type Column } from '../../src/services/workbench/table/index.ts'
import { curlCommand, maskedHeader, shellWord } from '../../src/trace/index.ts'
import { column } from '../harness/column.ts'
import { hostileText, hostileValue } from '../harness/hostile-texts.ts'

/** The arguments that bash passes to `curl`, for each command. */
function argumentsInBash(commands: readonly string[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'chartroom-shell-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = [
    `curl() { printf '%s\\0' "$@" END; }`,
    'SUPABASE_URL=URL SUPABASE_KEY=KEY ACCESS_TOKEN=TOKEN HEADER_X_SECRET=SECRET',
    ...commands,
  ].join('\n')
  const output = execFileSync('bash', ['--norc', '-s'], { cwd: folder, input: script }).toString()
  // No command wrote or ran anything else.
  expect(readdirSync(folder)).toEqual([])
  return output
    .split('END\0')
    .slice(0, -1)
    .map(each => each.split('\0').slice(0, -1))
}

test('bash passes each text of a curl command to curl unchanged', () => {
  const calls = fc.sample(
    fc.record({
      method: hostileText,
      address: hostileText,
      name: hostileText,
      value: hostileText,
      body: hostileText,
    }),
    1_000,
  )
  const commands = calls.map(({ method, address, name, value, body }) =>
    curlCommand(
      {
        method,
        address,
        headers: [maskedHeader('apikey'), maskedHeader('x-secret'), { name, value, isMasked: false }],
      },
      { text: body },
    ),
  )
  expect(argumentsInBash(commands)).toEqual(
    calls.map(({ method, address, name, value, body }) => [
      '-X',
      method,
      `URL${address}`,
      '-H',
      'apikey: KEY',
      '-H',
      'x-secret: SECRET',
      '-H',
      `${name}: ${value}`,
      '--data-raw',
      body,
    ]),
  )
})

test('a header whose name is hostile has a variable in place of its value', () => {
  const names = fc.sample(hostileText, 300)
  const commands = names.map(name =>
    curlCommand({ method: 'GET', address: '/', headers: [maskedHeader(name)] }),
  )
  expect(
    argumentsInBash(commands).map(([, , header = '']) => header.slice(0, header.lastIndexOf(': '))),
  ).toEqual(names)
})

test('a copied call of a hostile path, query and body is one command', () => {
  const specs = fc.sample(fc.record({ query: fc.tuple(hostileText, hostileText), body: hostileValue }), 300)
  const commands = specs.map(({ query, body }) =>
    copyAs({ method: 'POST', path: '/rest/v1/a', query: [query], body }),
  )
  const read = argumentsInBash(commands.map(({ curl }) => curl))
  expect(read.map(each => each.at(-1))).toEqual(
    specs.map(({ body }) => (typeof body === 'string' ? body : JSON.stringify(body))),
  )
})

test('terminals find no control character in a word, and plain words need no quotes', () => {
  for (const text of fc.sample(hostileText, 1_000))
    expect(shellWord(text)).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}/u)
  expect(['a', 'a-b.gz', './x/y', 'https://a.test:5/x'].map(shellWord)).toEqual([
    'a',
    'a-b.gz',
    './x/y',
    'https://a.test:5/x',
  ])
})

/** A new database from the backend's snapshot, which saves initdb. */
async function openPostgres(): Promise<PGlite> {
  const prepared = bare(undefined, createMemoryBlobs())
  const database = await openDatabase({ engine: { kind: 'pglite' }, secrets: generateSecrets() }, prepared)
  onTestFinished(() => database.close())
  const driver = await database.exclusive?.(async engine => engine.driver)
  if (!driver) throw new Error('Only PGlite has a driver in this process.')
  return driver
}

test('PostgreSQL stores the values of copied INSERT statements unchanged, with either meaning of backslashes', async () => {
  const database = await openPostgres()
  await database.exec('create table canary (a int)')
  const cases = fc.sample(
    fc.record({
      table: hostileText,
      names: fc.uniqueArray(hostileText, { minLength: 2, maxLength: 3, selector: name => name.slice(0, 20) }),
      values: fc.tuple(hostileText, hostileText, hostileText),
    }),
    60,
  )
  // PGlite drops a byte order mark of texts that it returns.
  const hexOf = (name: string) => `encode(convert_to(${quoted(name)}, 'utf8'), 'hex')`
  const quoted = (name: string) => `"${name.split('"').join('""')}"`
  for (const [at, { table, names, values }] of cases.entries()) {
    // Longer names are cut by PostgreSQL.
    if ([table, ...names].some(name => Buffer.byteLength(name) > 63)) continue
    await database.exec(`set standard_conforming_strings = ${at % 2 === 0 ? 'on' : 'off'}`)
    await database.exec(
      `create table ${quoted(table)} (${names.map(name => `${quoted(name)} text`).join(', ')})`,
    )
    const columns: Column[] = names.map(name => column(name))
    const row = Object.fromEntries(names.map((name, index) => [name, values[index]]))
    await database.exec(rowsText('insert', { schema: 'public', table, columns, rows: [row] }))
    const stored = await database.query(`select ${names.map(hexOf).join(', ')} from ${quoted(table)}`, [], {
      rowMode: 'array',
    })
    expect(stored.rows).toEqual([names.map((_, index) => Buffer.from(values[index] ?? '').toString('hex'))])
    await database.exec(`drop table ${quoted(table)}`)
  }
  expect((await database.query('select * from canary')).rows).toEqual([])
})

test('the statement that adds a member finds the account with exactly this email address', async () => {
  const database = await openPostgres()
  await database.exec(
    'drop schema auth cascade; create schema auth; create table auth.users (id serial, email text); create table chartroom_report_members (id int)',
  )
  const emails = [...new Set(fc.sample(hostileText, 100))]
  for (const email of emails) await database.query('insert into auth.users (email) values ($1)', [email])
  for (const [at, email] of emails.entries()) {
    await database.exec(`set standard_conforming_strings = ${at % 2 === 0 ? 'on' : 'off'}`)
    await database.exec(memberSql(email))
  }
  const added = await database.query('select id from chartroom_report_members order by id', [], {
    rowMode: 'array',
  })
  expect(added.rows.flat()).toEqual(emails.map((_, at) => at + 1))
})
