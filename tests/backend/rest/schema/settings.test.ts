// Settings of REST and of roles, which the database keeps for the role `authenticator` and for those that it may have.
import { expect, test } from 'vitest'
import { startReader } from './reader.ts'

/** The owner needs no permission before PostgreSQL 15. */
const { query, readAfter } = await startReader(
  '',
  `do $$ begin
    if current_setting('server_version_num')::int >= 150000 then
      execute 'grant set on parameter "app.settings.key", "my.own", log_min_messages, log_statement to postgres with grant option';
    end if;
  end $$`,
)
const [system] = await query<{ database: string; version: number }>(
  `select quote_ident(current_database()) as database, current_setting('server_version_num')::int as version`,
)
const { database = '', version = 0 } = system ?? {}

const set = (name: string, value: string) => `alter role authenticator set "${name}" = '${value}';`
const setHere = (name: string, value: string) =>
  `alter role authenticator in database ${database} set "${name}" = '${value}';`
const settingsAfter = async (script: string, limits = {}) => (await readAfter(script, limits)).settings

test('a database without settings has those of the project, or the defaults', async () => {
  const defaults = {
    schemas: ['public', 'graphql_public'],
    extraSearchPath: ['public', 'extensions'],
    maxRows: undefined,
    aggregates: false,
    plan: false,
    preRequest: undefined,
    rootFunction: undefined,
    openApi: 'follow-privileges',
    txEnd: 'commit-allow-override',
    appSettings: {},
  }
  expect(await settingsAfter('')).toEqual(defaults)
  const limits = { schemas: ['graphql_public', 'public'], maxRows: 1000 }
  expect(await settingsAfter('', limits)).toEqual({ ...defaults, ...limits })
})

test('settings of the database come before those of the project', async () => {
  const script = [
    set('pgrst.db_schemas', 'public , "Odd", with space'),
    set('pgrst.db_extra_search_path', 'extensions,util'),
    set('pgrst.db_max_rows', '7'),
    set('pgrst.db_aggregates_enabled', 'true'),
    set('pgrst.db_plan_enabled', 'TRUE'),
    set('pgrst.db_pre_request', 'util.check'),
    set('pgrst.db_root_spec', 'util.root'),
    set('pgrst.openapi_mode', 'ignore-privileges'),
    set('pgrst.db_tx_end', 'rollback-allow-override'),
    set('app.settings.key', 'a=b, c'),
    set('statement_timeout', '3s'),
  ].join('\n')
  expect(await settingsAfter(script, { schemas: ['x'], maxRows: 3 })).toEqual({
    schemas: ['public', '"Odd"', 'with space'],
    extraSearchPath: ['extensions', 'util'],
    maxRows: 7,
    aggregates: true,
    plan: true,
    preRequest: { schema: 'util', name: 'check' },
    rootFunction: 'root',
    openApi: 'ignore-privileges',
    txEnd: 'rollback-allow-override',
    appSettings: { 'app.settings.key': 'a=b, c' },
  })
})

test('settings of this database come before those of all', async () => {
  const script = [
    setHere('pgrst.db_max_rows', '2'),
    set('pgrst.db_max_rows', '1'),
    setHere('pgrst.db_schemas', 'storage'),
    set('pgrst.db_schemas', 'public'),
    set('pgrst.db_plan_enabled', 'true'),
    'alter role authenticator in database template1 set pgrst.db_max_rows to 3;',
    `alter database ${database} set pgrst.db_max_rows to 4;`,
    'alter role anon set pgrst.db_max_rows to 5;',
  ].join('\n')
  expect(await settingsAfter(script)).toMatchObject({ maxRows: 2, schemas: ['storage'], plan: true })
})

test.each([
  ['true', true],
  ['"True"', true],
  ['1', true],
  ['2', true],
  ['0', false],
  ['false', false],
  ['on', false],
  ['yes', false],
  ['t', false],
])('the flag %s is %s', async (text, expected) => {
  expect((await settingsAfter(set('pgrst.db_aggregates_enabled', text))).aggregates).toBe(expected)
})

test('values that are empty or wrong', async () => {
  const script = [
    set('pgrst.db_schemas', ''),
    set('pgrst.db_extra_search_path', ''),
    set('pgrst.db_max_rows', 'many'),
    set('pgrst.db_pre_request', ''),
    set('pgrst.db_root_spec', ''),
    set('pgrst.openapi_mode', 'other'),
    set('pgrst.db_tx_end', 'later'),
  ].join('\n')
  expect(await settingsAfter(script, { schemas: ['x'], maxRows: 3 })).toMatchObject({
    schemas: ['public'],
    extraSearchPath: [],
    maxRows: undefined,
    preRequest: undefined,
    rootFunction: undefined,
    openApi: 'follow-privileges',
    txEnd: 'commit-allow-override',
  })
})

test('a function without a schema is searched for', async () => {
  expect((await settingsAfter(set('pgrst.db_pre_request', 'check'))).preRequest).toEqual({
    schema: '',
    name: 'check',
  })
})

test('settings of roles, above those of authenticator', async () => {
  const cache = await readAfter(`
    alter role authenticator reset all;
    ${set('statement_timeout', '10s')}
    ${set('lock_timeout', '8s')}
    ${setHere('lock_timeout', '9s')}
    alter role anon reset all;
    alter role anon set statement_timeout to '1s';
    alter role authenticated reset all;
    alter role authenticated set default_transaction_isolation to 'repeatable read';
    create role "Web ""user" nologin;
    grant "Web ""user" to authenticator;
    alter role "Web ""user" set datestyle to 'German';
    alter role "Web ""user" set my.own to 'x';
    create role stranger nologin;
    alter role stranger set statement_timeout to '7s';
  `)
  const own = { statement_timeout: '10s', lock_timeout: '9s' }
  expect(cache.roleSettings('anon')).toEqual({ ...own, statement_timeout: '1s' })
  expect(cache.roleSettings('authenticated')).toEqual({
    ...own,
    default_transaction_isolation: 'repeatable read',
  })
  // A setting that PostgreSQL does not know is left out.
  expect(cache.roleSettings('Web "user')).toEqual({ ...own, DateStyle: 'German' })
  expect(cache.roleSettings('authenticator')).toEqual(own)
  expect(cache.roleSettings('service_role')).toEqual(own)
  expect(cache.roleSettings('stranger')).toEqual(own)
  expect(cache.roleSettings('__proto__')).toEqual(own)
})

test.runIf(version >= 150_000)('settings of a superuser apply where authenticator may set them', async () => {
  const cache = await readAfter(`
    alter role anon set log_min_messages to 'error';
    alter role anon set log_statement to 'all';
    grant set on parameter log_min_messages to authenticator;
  `)
  expect(cache.roleSettings('anon')).toMatchObject({ log_min_messages: 'error' })
  expect(cache.roleSettings('anon')).not.toHaveProperty('log_statement')
})
