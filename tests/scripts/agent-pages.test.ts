// What this repository and its packages tell coding agents: its commands, flags, entries and files exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { BACKEND_ENTRIES } from '../../scripts/package-backend.ts'
import { entriesOf, PACKAGE_NAMES } from '../../scripts/package-names.ts'
import { root, runTool } from '../../scripts/tool.ts'
import { FLAGS } from '../../src/cli/backend-flags.ts'
import { TRACE_COMMANDS } from '../../src/cli/program.ts'
import { ran } from '../harness/command.ts'

const FOLDER = join(root, 'scripts/package')
const pages = globSync('*/{AGENTS.md,skills/*/SKILL.md}', { cwd: FOLDER })
const read = (page: string) => readFileSync(join(FOLDER, page), 'utf8')

test('each package has a page for agents, and those for apps a skill', () => {
  expect(pages).toContain('create-chartroom/AGENTS.md')
  for (const name of ['chartroom', 'chartroom-devtools', 'chartroom-backend']) {
    expect(pages).toContain(join(name, 'AGENTS.md'))
    expect(pages.some(page => page.startsWith(join(name, 'skills/')))).toBe(true)
  }
})

test.each(pages.filter(page => page.endsWith('SKILL.md')))('%s has the name of its folder', page => {
  const [, name, description = ''] = /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(read(page)) ?? []
  expect(name).toBe(basename(dirname(page)))
  // Clients of skills load all descriptions, and cut longer ones.
  expect(description.length).toBeGreaterThan(40)
  expect(description.length).toBeLessThan(1024)
})

const ENTRIES = new Set([
  ...PACKAGE_NAMES.flatMap(name => Object.keys(entriesOf(name)).map(entry => join(name, entry))),
  ...Object.keys(BACKEND_ENTRIES).map(entry => join('@chartroom/backend', entry)),
  '@chartroom/devtools',
])

test.each(pages)('%s names packages and entries that exist', page => {
  const named = [...read(page).matchAll(/`((?:@chartroom\/\w+|chartroom)(?:\/[\w/]+)?)`/g)]
  const quoted = [...read(page).matchAll(/'((?:@chartroom\/\w+|chartroom)(?:\/[\w/]+)?)'/g)]
  const names = [...named, ...quoted]
    .map(([, name = '']) => name)
    .filter(name => name !== 'chartroom/internal')
  expect(names.filter(name => !ENTRIES.has(name))).toEqual([])
})

test.each(pages)('%s names commands and flags that exist', async page => {
  const text = read(page)
  const calls = text.matchAll(/(?:`|bin\/)chartroom(?! ?-backend)((?: [a-z]+){0,2})([^`\n]*)`/g)
  for (const [whole, words = '', rest = ''] of calls) {
    const [name = '', second = ''] = words.trim().split(' ')
    if (name === '') continue
    const entry = (TRACE_COMMANDS as Record<string, { load?: () => Promise<Parameters<typeof ran>[0]> }>)[
      name
    ]
    expect([whole, entry !== undefined]).toEqual([whole, true])
    const run = await entry?.load?.()
    if (!run) continue
    const { out } = await ran(run, ...(name === 'reports' ? [second] : []), '--help')
    expect(out).toContain('Usage: chartroom')
    const flags = [...rest.matchAll(/--[a-z-]+/g)].map(([flag]) => flag)
    expect([whole, flags.filter(flag => !out.includes(flag))]).toEqual([whole, []])
  }
  const ofBackend = [...text.matchAll(/chartroom-backend ([^`\n]*)`/g)].flatMap(([, flags = '']) => [
    ...flags.matchAll(/--([a-z-]+)/g),
  ])
  expect(ofBackend.map(([, flag = '']) => flag).filter(flag => !Object.hasOwn(FLAGS, flag))).toEqual([])
})

test.each(pages)('%s names guides and skills that its package has', page => {
  const [folder = ''] = page.split(/[\\/]/)
  const skills = [...read(page).matchAll(/`(skills\/[\w/-]+?)(?:\/SKILL\.md)?`/g)].map(
    ([, path = '']) => path,
  )
  expect(skills.filter(path => !existsSync(join(FOLDER, folder, path, 'SKILL.md')))).toEqual([])
  const guides = [...read(page).matchAll(/`([\w-]+\.md)`/g)].map(([, name = '']) => name)
  const isThere = (name: string) => existsSync(join(root, 'docs/guide', name))
  expect(guides.filter(name => name !== 'SKILL.md' && !isThere(name))).toEqual([])
})

const own = readFileSync(join(root, 'AGENTS.md'), 'utf8')
const spans = [...own.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)

test('the page of the repository has at most 600 words', () => {
  expect(own.split(/\s+/).length).toBeLessThanOrEqual(600)
})

test('the page of the repository names npm scripts that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const named = spans.flatMap(span => /^npm (?:run (?:-s )?)?([\w:-]+)/.exec(span)?.[1] ?? [])
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(name => !Object.hasOwn(scripts, name))).toEqual([])
})

test('the page of the repository names parts of the checks, and commands, that exist', async () => {
  const parts = spans.flatMap(span => /^npm run -s check -- (.*)$/.exec(span)?.[1]?.split(' ') ?? [])
  const { output } = await runTool('node', ['scripts/check.ts', 'unknown'])
  const [, known = ''] = /Checks: (.*)\./.exec(output) ?? []
  expect(parts.length).toBeGreaterThan(5)
  expect(parts.filter(part => !known.split(', ').includes(part))).toEqual([])
  const commands = spans.flatMap(span => /^npm run -s chartroom -- (\w+)/.exec(span)?.[1] ?? [])
  expect(commands.filter(name => !Object.hasOwn(TRACE_COMMANDS, name))).toEqual([])
})

test('the page of the repository names files and folders that exist', () => {
  const linked = [...own.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
  const words = spans.flatMap(span => span.split(' ')).filter(word => /^[\w.-]+(?:\/[\w.-]+)+$/.test(word))
  const files = spans.filter(span => /^[\w.-]+\.(?:ts|json|md)$/.test(span) && span !== 'index.ts')
  const paths = [...linked, ...words, ...files]
  expect(paths.length).toBeGreaterThan(15)
  expect(paths.filter(path => !existsSync(join(root, path)))).toEqual([])
})
