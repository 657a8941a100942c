// Nothing that ships or is documented names what others could register: hosts, repositories, and packages that a
// command downloads.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { downloads, strangeHosts, strangeOwners } from '../../scripts/outside-names.ts'
import { root } from '../../scripts/tool.ts'
import { TRACE_COMMANDS } from '../../src/cli/program.ts'
import { ran } from '../harness/command.ts'

const LOCKFILE = /(?:^|\/)package-lock\.json$/
const BINARY = /\.(?:png|gz|ico|jpg|webp|woff2?|tgz)$/
/** It contains what is looked for. */
const OWN = 'tests/scripts/outside-names.test.ts'

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  // npm checks a lockfile's addresses and checksums.
  .filter(file => file !== '' && file !== OWN && !LOCKFILE.test(file) && !BINARY.test(file))

const found = (search: (text: string) => readonly string[]) =>
  files.flatMap(file => search(textOf(file)).map(name => `${file}: ${name}`))

function textOf(file: string): string {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    // Deleted, but not committed.
    return ''
  }
}

test('every host is reserved, or that of a known third party', () => {
  expect(files.length).toBeGreaterThan(1000)
  const exceptions = new Set([
    // An address that is being typed.
    'tests/workbench/rest/data-missing.test.ts: a.exam',
    // A name for this machine, which is refused before it is looked up.
    'tests/backend/security/outgoing.test.ts: 127.0.0.1.nip.io',
  ])
  expect(found(strangeHosts).filter(name => !exceptions.has(name))).toEqual([])
})

test('every repository that is linked or used by a workflow has a known owner', () => {
  expect(found(strangeOwners)).toEqual([])
})

test('no command downloads a package of this name', () => {
  expect(found(downloads)).toEqual([])
})

test('manifests name no address of a repository, a homepage or an issue tracker', () => {
  const manifests = files.filter(file => /(?:^|\/)(?:package|manifest)\.json$/.test(file))
  expect(manifests.length).toBeGreaterThan(5)
  for (const file of manifests) {
    const manifest = JSON.parse(textOf(file)) as object
    const fields = ['repository', 'homepage', 'bugs', 'homepage_url', 'funding', 'update_url']
    expect([file, fields.filter(field => field in manifest)]).toEqual([file, []])
  }
})

test.each(
  Object.entries(TRACE_COMMANDS).flatMap(([name, entry]) => ('load' in entry ? [[name, entry.load]] : [])),
)('the help of %s names neither', async (_, load) => {
  const { out } = await ran(await (load as () => Promise<Parameters<typeof ran>[0]>)(), '--help')
  expect(out).not.toBe('')
  expect([...downloads(out), ...strangeHosts(out), ...strangeOwners(out)]).toEqual([])
})

describe('what is found', () => {
  test.each([
    'npx chartroom schema',
    'npx --yes chartroom@latest replay',
    'npx -y @chartroom/backend --project .',
    'npx --no-install chartroom',
    'pnpm dlx chartroom',
    'yarn dlx -q @chartroom/backend',
    'bunx chartroom-backend',
    'bun x chartroom',
    'npm exec -- chartroom replay',
    'npm create chartroom',
    'npm init @chartroom/app',
    'npm i chartroom',
    'npm install --save-dev @chartroom/backend',
    'npm install chartroom @supabase/supabase-js',
    'npm install @supabase/supabase-js chartroom',
    'pnpm add -D @chartroom/backend',
    'yarn add chartroom',
    'deno run npm:chartroom',
    'import("npm:@chartroom/backend")',
  ])('%s is found', command => {
    expect(downloads(`Run \`${command}\`.`)).toHaveLength(1)
  })

  test.each([
    './node_modules/.bin/chartroom schema',
    'npm run -s chartroom -- replay',
    'npx supabase db push',
    'npx vitest run',
    'npm install ../chartroom/dist-packages/chartroom.tgz @supabase/supabase-js',
    'npm install ./chartroom-backend.tgz',
    'npm install',
    'npm run build:package && ./node_modules/.bin/chartroom',
  ])('%s is not', command => {
    expect(downloads(command)).toEqual([])
  })

  test.each([
    ['https://github.com/chartroom-dev/chartroom', [], ['chartroom-dev']],
    ['git+https://github.com/ours/x.git', [], ['ours']],
    ['git@github.com:ours/x.git', [], ['ours']],
    ['https://github.com/orgs/ours/discussions/1', [], ['ours']],
    ['uses: ours/action@v1', [], ['ours']],
    ['uses: ./.github/actions/x', [], []],
    ['https://chartroom.dev/schema.json', ['chartroom.dev'], []],
    ['<script src="//cdn.chartroom.io/x.js">', ['cdn.chartroom.io'], []],
    ['wss://user:secret@live.chartroom.app/socket', ['live.chartroom.app'], []],
    ['mail security@chartroom.org', ['chartroom.org'], []],
    ['https://example.com.evil.dev/', ['example.com.evil.dev'], []],
    ['https://app.test https://a.example http://127.0.0.1:54321', [], []],
    ['https://ref.supabase.co https://supabase.com/docs', [], []],
  ])('%s', (text, hosts, owners) => {
    expect([...new Set(strangeHosts(text))]).toEqual(hosts)
    expect(strangeOwners(text)).toEqual(owners)
  })
})
