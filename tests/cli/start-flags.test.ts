// The flags of `npm start` and `chartroom start`, which project they mean, and where its data is.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readArguments } from '../../src/cli/command.ts'
import { projectDataDir } from '../../src/cli/start/project-data.ts'
import { findProjectFolder } from '../../src/cli/start/project-folder.ts'
import { readStartFlags, START_FLAGS } from '../../src/cli/start/start-flags.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'chartroom-start-flags-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const read = (...args: string[]) =>
  readStartFlags(readArguments(args, START_FLAGS).values, { XDG_DATA_HOME: '/data' })

describe('valid flags', () => {
  test.each([
    { args: [], options: { port: 4400, data: { dir: '.chartroom' } } },
    { args: ['--port', '0'], options: { port: 0, data: { dir: '.chartroom' } } },
    { args: ['--port=65535', '--memory'], options: { port: 65535, data: 'memory' } },
    { args: ['--data', '/tmp/harbour'], options: { port: 4400, data: { dir: '/tmp/harbour' } } },
    {
      args: ['--memory', '--token-seconds', '20'],
      options: { port: 4400, data: 'memory', accessTokenSeconds: 20 },
    },
    {
      args: ['--allow-origin', 'https://app.example', '--allow-origin=http://boat.test:80/'],
      options: {
        port: 4400,
        data: { dir: '.chartroom' },
        allowOrigins: ['https://app.example', 'http://boat.test'],
      },
    },
  ])('$args', ({ args, options }) => expect(read(...args).options).toEqual(options))

  test('--verbose, and a reset of the default folder that asks', () => {
    expect(read('--verbose', '--reset')).toMatchObject({
      isVerbose: true,
      reset: { dir: '.chartroom', asks: true },
    })
  })

  test('the database of another backend in the environment is not used', () => {
    const values = readArguments(['--memory'], START_FLAGS).values
    const { options } = readStartFlags(values, { CHARTROOM_DATABASE_URL: 'postgres://a@b/c' })
    expect(options).toEqual({ port: 4400, data: 'memory' })
  })
})

test.each([
  { args: ['--port', 'x'], problem: '--port must be a whole number from 0 to 65535, not "x".' },
  {
    args: ['--token-seconds', '0'],
    problem: '--token-seconds must be a whole number from 1 to 604800, not "0".',
  },
  { args: ['--memory', '--data', 'x'], problem: '--memory stores nothing on disk' },
  { args: ['--memory', '--reset'], problem: 'there is nothing to --reset' },
  { args: ['--allow-origin', '*'], problem: '"*" is not an origin.' },
  { args: ['--data', ''], problem: '--data must be the path of a folder.' },
  { args: ['--skip', '1'], problem: '--skip requires --project.' },
  { args: ['--prot', '1'], problem: 'Unknown flag "--prot". Did you mean "--port"?' },
])('$args is refused', ({ args, problem }) => expect(() => read(...args)).toThrow(problem))

describe('projects', () => {
  const shop = join(root, 'work', 'apps', 'shop')
  beforeAll(() => {
    mkdirSync(join(shop, 'supabase', 'migrations'), { recursive: true })
    writeFileSync(join(shop, 'supabase', 'config.toml'), '')
    mkdirSync(join(root, 'empty'))
    mkdirSync(join(root, 'work', 'node_modules', 'x', 'supabase', 'migrations'), { recursive: true })
    symlinkSync(shop, join(root, 'link'))
  })

  test('the folder that contains supabase, and supabase itself, are the project', () => {
    expect(findProjectFolder(shop)).toBe(shop)
    expect(findProjectFolder(join(shop, 'supabase'))).toBe(shop)
  })

  test.each([
    { path: 'work', problem: /contains no folder "supabase".*Did you mean \S*work\/apps\/shop\?/ },
    { path: 'work/apps/shop/supabase/migrations', problem: /Did you mean \S*work\/apps\/shop\?/ },
    { path: 'empty', problem: /empty contains no folder "supabase".*`supabase init` creates one/ },
    { path: 'nowhere', problem: /nowhere is not a folder/ },
  ])('$path says what was looked for', ({ path, problem }) =>
    expect(() => findProjectFolder(join(root, path))).toThrow(problem),
  )

  test('its data is in a folder of the user, one for each project, by whatever path it is named', () => {
    const { options } = read(
      '--project',
      shop,
      '--engine',
      'pglite',
      '--keys',
      'cli',
      '--skip',
      '1',
      '--skip',
      '2',
    )
    const dir = projectDataDir(shop, { XDG_DATA_HOME: '/data' }, 'linux')
    expect(options).toEqual({
      port: 4400,
      project: shop,
      followProject: true,
      data: { dir },
      engine: 'pglite',
      keys: 'cli',
      skipMigrations: ['1', '2'],
    })
    expect(dir).toMatch(/^\/data\/chartroom\/projects\/shop-[0-9a-f]{8}$/)
    expect(projectDataDir(join(root, 'link'), { XDG_DATA_HOME: '/data' }, 'linux')).toBe(dir)
    expect(projectDataDir(join(root, 'empty'), { XDG_DATA_HOME: '/data' }, 'linux')).not.toBe(dir)
    expect(projectDataDir(shop, { LOCALAPPDATA: '/local' }, 'win32')).toMatch(/^\/local\/chartroom/)
  })
})
