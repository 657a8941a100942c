// `npm run mutants`: plants changes in the sources, one at a time, and counts how many of them the tests notice.
import { appendFileSync, existsSync } from 'node:fs'
import { glob, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { MagicString } from 'magic-string'
import { runScript } from '../run-script.ts'
import { root, runTool } from '../tool.ts'
import { draw, mutantsOf, type Mutant } from './draw.ts'
import { probe, watchProbes } from './probes.ts'

const USAGE = `Usage: npm run -s mutants -- [--count N] [--seed N] [--at COMMIT] [--as-in COMMIT] [--again FILE]
                              [--report FILE] [TESTS...]

Changes one operator, guard, delay, string or line at a time in machines, services, ui and backend, and runs the
tests that execute it: first those whose paths resemble its path. The sources and tests are those of a commit, in a
folder of their own. Takes one run of all tests with probes, and then about a minute for each change.

  --count N      how many changes (default: 100)
  --seed N       which ones (default: 1)
  --at COMMIT    of these sources and tests (default: HEAD)
  --as-in COMMIT only in files that are the same in that commit, so that its tests can try the rest (--again)
  --again FILE   instead of drawing: the changes of that report that were not noticed, or not tried yet, with the
                 tests that the report names, and those that --at has and this commit has not; without probes
  --seconds N    starts no more test files for a change after that time (default: 240)
  TESTS          only with these test files or folders
  --report FILE  writes the changes as JSON, each with the test file that noticed it

Exit code: 0 done, 1 the tests fail without a change, 2 wrong usage.`

const AREAS = [
  'src/machines/**/*.ts',
  'src/{services,trace}/**/*.ts',
  'src/ui/**/*.{ts,tsx}',
  'backend/**/*.ts',
]
/** After that time, a run hangs, in milliseconds. */
const PATIENCE = 30 * 60_000
/** Test files of a run; the first run has fewer. */
const FILES = 20
const FIRST = 8

interface Judged extends Mutant {
  /** Paths of the test files that execute it. */
  readonly tests: readonly string[]
  /** Path of the test file, or what else noticed it; null: nothing did. Absent until it is tried. */
  readonly noticedBy?: string | null
}

interface Flags {
  readonly help: boolean
  readonly count: number
  readonly seed: number
  readonly seconds: number
  readonly at: string
  readonly 'as-in'?: string
  readonly again?: string
  readonly report?: string
  readonly tests: readonly string[]
}

await runScript(USAGE, read, main)

function read(): Flags | string {
  const { values, positionals } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      count: { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '240' },
      at: { type: 'string', default: 'HEAD' },
      'as-in': { type: 'string' },
      again: { type: 'string' },
      report: { type: 'string' },
    },
    allowPositionals: true,
  })
  const [count, seed, seconds] = [Number(values.count), Number(values.seed), Number(values.seconds)]
  if (!Number.isSafeInteger(count) || count < 1) return `--count takes a whole number, not ${values.count}.`
  if (!Number.isSafeInteger(seed)) return `--seed takes a whole number, not ${values.seed}.`
  if (!(seconds > 0)) return `--seconds takes a number above 0, not ${values.seconds}.`
  return { ...values, count, seed, seconds, tests: positionals } as Flags
}

async function main({
  count,
  seed,
  seconds,
  at,
  'as-in': asIn,
  again,
  report,
  tests,
}: Flags): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-mutants-'))
  const tree = join(folder, 'tree')
  const added = await runTool('git', ['worktree', 'add', '--detach', tree, at])
  if (added.code !== 0) throw new Error(added.output)
  try {
    await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
    const mutants = again === undefined ? await drawn(tree, count, seed, asIn) : await unnoticed(again)
    const hits =
      again === undefined
        ? await testsByMutant(tree, mutants, tests, join(folder, 'hits'))
        : await testsOfReport(tree, mutants as Judged[])
    if (hits === undefined) return 1
    const all: Judged[] = mutants.map((mutant, n) => ({ ...mutant, tests: hits.get(n) ?? [] }))
    for (const [n, mutant] of all.entries()) {
      if (report !== undefined) await writeFile(report, `${JSON.stringify(all, null, 2)}\n`)
      const one = { ...mutant, noticedBy: await judge(tree, mutant, seconds) }
      all[n] = one
      console.log(`${n + 1}. ${nameOf(one)}: ${one.noticedBy ?? 'not noticed'}`)
    }
    if (report !== undefined) await writeFile(report, `${JSON.stringify(all, null, 2)}\n`)
    const noticed = all.filter(({ noticedBy }) => typeof noticedBy === 'string').length
    console.log(`${noticed} of ${all.length} changes were noticed.`)
    return 0
  } finally {
    await runTool('git', ['worktree', 'remove', '--force', tree])
    await rm(folder, { recursive: true, force: true })
  }
}

async function drawn(tree: string, count: number, seed: number, asIn = 'HEAD'): Promise<Mutant[]> {
  const different = await runTool('git', ['diff', '--name-only', asIn], { cwd: tree })
  if (different.code !== 0) throw new Error(different.output)
  const leftOut = new Set(different.output.split('\n'))
  const groups = await Promise.all(
    AREAS.map(async area => {
      const files = (await Array.fromAsync(glob(area, { cwd: tree }))).sort()
      const found = files
        .filter(file => !file.endsWith('.d.ts') && !leftOut.has(file))
        .map(async file => mutantsOf(file, await readFile(join(tree, file), 'utf8')))
      return (await Promise.all(found)).flat()
    }),
  )
  return draw(groups, count, seed)
}

async function unnoticed(report: string): Promise<Mutant[]> {
  const all = JSON.parse(await readFile(report, 'utf8')) as Judged[]
  return all.filter(({ noticedBy }) => typeof noticedBy !== 'string')
}

/** The tests that a report names, by the paths that they have in the tree, and the tests that only the tree has. */
async function testsOfReport(tree: string, mutants: readonly Judged[]): Promise<Map<number, string[]>> {
  const head = await runGit(root, 'rev-parse', 'HEAD')
  const listed = await runGit(tree, 'diff', '-M50', '--name-status', 'HEAD', head.trim(), '--', 'tests')
  const changes = listed.split('\n').map(line => line.split('\t'))
  const earlier = new Map(
    changes.flatMap(([kind, from, to]) => (kind?.startsWith('R') && from && to ? [[to, from]] : [])),
  )
  const removed = changes.flatMap(([kind, path]) => (kind === 'D' && path ? [path] : []))
  const pathIn = (test: string) => earlier.get(test) ?? test
  return new Map(mutants.map(({ tests }, n) => [n, [...new Set([...tests.map(pathIn), ...removed])]]))
}

async function runGit(cwd: string, ...args: readonly string[]): Promise<string> {
  const { code, output } = await runTool('git', args, { cwd })
  if (code !== 0) throw new Error(output)
  return output
}

/** Runs all tests once with a probe at the place of each mutant. Undefined if the tests fail to run. */
async function testsByMutant(
  tree: string,
  mutants: readonly Mutant[],
  tests: readonly string[],
  log: string,
): Promise<Map<number, string[]> | undefined> {
  const sources = new Map<string, MagicString>()
  for (const [n, mutant] of mutants.entries()) {
    const source =
      sources.get(mutant.file) ?? new MagicString(await readFile(join(tree, mutant.file), 'utf8'))
    sources.set(mutant.file, source)
    if (source.original.slice(mutant.start, mutant.end) !== mutant.before)
      throw new Error(`${mutant.file} is another file in this commit: it does not have ${mutant.before}.`)
    probe(source, mutant, n)
  }
  for (const [file, source] of sources) await writeFile(join(tree, file), source.toString())
  await watchProbes(tree)
  appendFileSync(log, '')
  console.log(`Running the tests with probes in ${sources.size} files.`)
  const { output } = await runTests(tree, tests, { CHARTROOM_HITS: log })
  await runTool('git', ['checkout', '--force', '.'], { cwd: tree })
  if (!/^[1-9]\d* passed/m.test(output)) {
    console.error(output.slice(-4_000))
    return undefined
  }
  const hits = new Map<number, Set<string>>()
  for (const line of (await readFile(log, 'utf8')).split('\n').filter(Boolean)) {
    const [n, path = ''] = line.split(' ')
    const of = hits.get(Number(n)) ?? new Set()
    hits.set(Number(n), of.add(relative(tree, path)))
  }
  return new Map([...hits].map(([n, files]) => [n, [...files]]))
}

async function judge(tree: string, mutant: Judged, seconds: number): Promise<string | null> {
  const until = Date.now() + seconds * 1_000
  const path = join(tree, mutant.file)
  const source = await readFile(path, 'utf8')
  const changed = source.slice(0, mutant.start) + mutant.after + source.slice(mutant.end)
  await writeFile(path, changed)
  try {
    const ordered = mutant.tests
      .filter(test => /\.test\.tsx?$/.test(test) && existsSync(join(tree, test)))
      .toSorted((a, b) => likeness(b, mutant.file) - likeness(a, mutant.file) || a.localeCompare(b, 'en'))
    for (let at = 0; at < ordered.length && Date.now() < until; at += at === 0 ? FIRST : FILES) {
      const files = ordered.slice(at, at === 0 ? FIRST : at + FILES)
      const { code } = await runTests(tree, ['--bail=1', ...files], {})
      if (code === 0) continue
      const failed = (await failedFile(tree)) ?? 'the run, which broke off'
      await writeFile(path, source)
      if ((await runTests(tree, ['--bail=1', ...files], {})).code === 0) return failed
      console.log(`Without the change, too: ${(await failedFile(tree)) ?? 'the run breaks off'}`)
      await writeFile(path, changed)
    }
    return null
  } finally {
    await writeFile(path, source)
  }
}

function runTests(
  tree: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string }> {
  const command = ['--import', './scripts/node-version.js', 'scripts/test.ts', ...args]
  return runTool('node', command, { cwd: tree, env, signal: AbortSignal.timeout(PATIENCE) })
}

/** How many words the paths have in common. */
function likeness(test: string, file: string): number {
  const words = new Set(test.split(/\W+/))
  return file.split(/\W+/).filter(word => words.has(word)).length
}

/** The file that failed in the last run; undefined if it broke off. */
async function failedFile(tree: string): Promise<string | undefined> {
  const text = await readFile(join(tree, 'test-results/tests.json'), 'utf8').catch(() => '{}')
  const { testResults = [] } = JSON.parse(text) as {
    readonly testResults?: readonly {
      readonly name: string
      readonly status: string
      readonly assertionResults: readonly { readonly status: string }[]
    }[]
  }
  // A file that was not run any more counts as failed, too.
  const hasFailed = testResults.find(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'failed'),
  )
  const failed = hasFailed ?? testResults.find(({ status }) => status === 'failed')
  return failed && relative(tree, failed.name)
}

function nameOf({ file, kind, before, after }: Mutant): string {
  const [old, changed] = [before, after].map(text => text.replaceAll(/\s+/g, ' ').slice(0, 70))
  return `${file}, ${kind}: ${old} → ${changed}`
}
