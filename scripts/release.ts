// `npm run release`: everything before publishing, up to a dry run of `npm publish`. It never publishes.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildAndPack } from './pack.ts'
import { BACKEND_ENTRIES } from './package-backend.ts'
import { entriesOf, folderOf, PACKAGE_NAMES } from './package-names.ts'
import { runScript } from './run-script.ts'
import { root, runTool } from './tool.ts'

const USAGE = `Usage: npm run -s release

Checks that everything is committed, that the version is new and has its entry in CHANGELOG.md, builds the
packages into dist-packages, checks them with publint and are-the-types-wrong, packs them, and runs
npm publish --dry-run.
Publishing is left to you; the last lines say how.

Exit code: 0 ready, 1 not ready, 2 wrong usage.`

const OUT = join(root, 'dist-packages')

/** The entries of each package, in the order in which they are published: devtools needs the first. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(PACKAGE_NAMES.map(name => [name, Object.keys(entriesOf(name))])),
  '@chartroom/backend': Object.keys(BACKEND_ENTRIES),
  'create-chartroom': [],
}

await runScript(USAGE, () => ({ help: process.argv.slice(2).some(flag => flag === '--help') }), main)

async function main(): Promise<number> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  for (const [name, step] of steps(version)) {
    const problem = await step()
    console.log(`${name}: ${problem ?? 'ok'}`)
    if (problem !== undefined) return 1
  }
  console.log(
    `\nReady. To publish: npm publish in each folder of dist-packages (${Object.keys(PACKAGES).map(folderOf).join(', ')}), in CI, which signs the provenance; then git tag v${version}.`,
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
    ['build and pack', () => buildAndPack(OUT).then(() => undefined)],
    ...Object.entries(PACKAGES).flatMap(([name, entries]): [string, Step][] => {
      const out = join(OUT, folderOf(name))
      return [
        [`${name}: publint and are-the-types-wrong`, () => lintProblem(out, entries)],
        // Only the dry run: publishing needs a person.
        [`${name}: npm publish --dry-run`, () => npm(out, 'publish', '--dry-run')],
      ]
    }),
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
