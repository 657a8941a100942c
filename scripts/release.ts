// `npm run release`: everything before publishing, up to a dry run of `npm publish`. It never publishes.
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { BACKEND_ENTRIES, buildBackendPackage } from './package-backend.ts'
import { buildPackage, ENTRIES } from './package-build.ts'
import { runScript } from './run-script.ts'
import { root, runTool } from './tool.ts'

const USAGE = `Usage: npm run -s release

Checks that everything is committed, that the version is new and has its entry in CHANGELOG.md, builds the package
into dist-package and the backend's into dist-package-backend, checks both with publint and
are-the-types-wrong, packs them, and runs npm publish --dry-run.
Publishing is left to you; the last lines say how.

Exit code: 0 ready, 1 not ready, 2 wrong usage.`

const PACKAGES = [
  { out: join(root, 'dist-package'), build: buildPackage, entries: Object.keys(ENTRIES) },
  {
    out: join(root, 'dist-package-backend'),
    build: buildBackendPackage,
    entries: Object.keys(BACKEND_ENTRIES),
  },
] as const

await runScript(USAGE, () => ({ help: process.argv.slice(2).some(flag => flag === '--help') }), main)

async function main(): Promise<number> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  for (const [name, step] of steps(version)) {
    const problem = await step()
    console.log(`${name}: ${problem ?? 'ok'}`)
    if (problem !== undefined) return 1
  }
  console.log(
    `\nReady. To publish: npm publish in dist-package, npm publish --access public in dist-package-backend, git tag v${version}.`,
  )
  return 0
}

type Step = () => Promise<string | undefined>

function steps(version: string): readonly (readonly [name: string, step: Step])[] {
  return [
    [
      'working tree',
      async () => (await git('status', '--porcelain')) && 'there are changes that are not committed',
    ],
    ['version', () => versionProblem(version)],
    ['changelog', () => changelogProblem(version)],
    ...PACKAGES.flatMap(({ out, build, entries }): [string, Step][] => [
      [`build ${basename(out)}`, () => build(out).then(() => undefined)],
      ['publint and are-the-types-wrong', () => lintProblem(out, entries)],
      ['npm pack', () => npm(out, 'pack', '--silent', '--dry-run')],
      // Only the dry run: publishing needs a person.
      ['npm publish --dry-run', () => npm(out, 'publish', '--dry-run', '--access', 'public')],
    ]),
  ]
}

async function versionProblem(version: string): Promise<string | undefined> {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return `"${version}" is not a version`
  return (await git('tag', '--list', `v${version}`)) && `the tag v${version} exists; set a new version`
}

/** A release is described: its heading has at least one item. */
async function changelogProblem(version: string): Promise<string | undefined> {
  const text = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  const [, part = ''] = text.split(`\n## ${version}\n`)
  const [items = ''] = part.split('\n## ')
  return items.includes('\n- ') ? undefined : `CHANGELOG.md has no entry "## ${version}" with items`
}

async function lintProblem(out: string, entries: readonly string[]): Promise<string | undefined> {
  const { code, output } = await runTool('node', ['scripts/evidence.ts', 'lint-package', out, ...entries])
  return code === 0 ? undefined : output.trim()
}

/** @returns the output, undefined if there is none */
async function git(...args: readonly string[]): Promise<string | undefined> {
  const { code, output } = await runTool('git', args)
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${output}`)
  return output.trim() === '' ? undefined : output.trim()
}

async function npm(out: string, ...args: readonly string[]): Promise<string | undefined> {
  const { code, output } = await runTool('npm', args, { cwd: out })
  return code === 0 ? undefined : output.trim()
}
