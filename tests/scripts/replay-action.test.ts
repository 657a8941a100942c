// The GitHub Action for replays: its script, run as a runner does, with a stand-in for the program.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { OUTPUT_FLAGS } from '../../src/cli/file-report.ts'
import { replayCommand } from '../../src/cli/replay.ts'
import { root } from '../../scripts/tool.ts'
import { ran } from '../harness/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-action-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const action = readFileSync(join(root, 'actions/replay/action.yml'), 'utf8')

/** The lines below `run: |`, without their indentation. */
function scriptOf(text: string): string {
  const [, block = ''] = /^ {6}run: \|\n((?: {8}.*\n|\n)+)/m.exec(text) ?? []
  return block.replaceAll(/^ {8}/gm, '')
}

mkdirSync(at('node_modules/.bin'), { recursive: true })
mkdirSync(at('reports'))
const PROGRAM = at('node_modules/.bin/chartroom')
writeFileSync(PROGRAM, '#!/bin/sh\nfor one in "$@"; do echo "$one"; done\n')
chmodSync(PROGRAM, 0o755)
for (const name of ['a b.gz', 'c.gz']) writeFileSync(at(`reports/${name}`), '')

interface Done {
  readonly code: unknown
  readonly out: readonly string[]
  readonly outputs: string
}

const DEFAULTS = {
  FILES: 'reports/*.gz',
  MACHINES: '',
  WORKERS: '2',
  SHARD: '1/1',
  ARGUMENTS: '',
}

function run(inputs: Readonly<Record<string, string>>): Promise<Done> {
  writeFileSync(at('outputs'), '')
  const env = {
    PATH: process.env['PATH'],
    GITHUB_OUTPUT: at('outputs'),
    FOLDER: at('results'),
    ...DEFAULTS,
    ...inputs,
  }
  // As GitHub runs `shell: bash`.
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', scriptOf(action)]
  return new Promise(resolve => {
    execFile('bash', args, { cwd: folder, env }, (error, out) =>
      resolve({
        code: error?.code ?? 0,
        out: out.trimEnd().split('\n'),
        outputs: readFileSync(at('outputs'), 'utf8'),
      }),
    )
  })
}

const written = ['--annotations', 'github', '--results', at('results/results.json')]
const reports = ['--html', at('results/report.html'), '--junit', at('results/junit.xml')]

test('passes files, machines and shard, and no input becomes code', async () => {
  const machines = 'src/$(touch pwned).ts'
  const done = await run({
    MACHINES: machines,
    SHARD: '2/4',
    ARGUMENTS: '--what-if --json',
  })
  const files = ['replay', 'reports/a b.gz', 'reports/c.gz']
  const flags = ['--workers', '2', '--shard', '2/4', '--machines', machines, '--what-if', '--json']
  expect(done).toEqual({
    code: 0,
    out: [...files, ...flags, ...written, ...reports],
    outputs: `folder=${at('results')}\nname=2-of-4\n`,
  })
  expect(action).not.toMatch(/run:[^]*\$\{\{[^]*run:/)
  expect(scriptOf(action)).not.toContain('${{')
})

test('a project without the package is refused, and nothing is downloaded', async () => {
  renameSync(PROGRAM, `${PROGRAM}-away`)
  const { code, out } = await run({})
  renameSync(`${PROGRAM}-away`, PROGRAM)
  const problem = './node_modules/.bin/chartroom does not exist: add chartroom to the project’s dependencies'
  expect([code, out]).toEqual([2, [`::error title=chartroom replay::${problem}`]])
})

test('no file is an error that names the pattern', async () => {
  const { code, out } = await run({ FILES: 'absent/*.gz\nnone/*.gz' })
  expect([code, out]).toEqual([2, ['::error title=chartroom replay::No file matches: absent/*.gz none/*.gz']])
})

test('its flags exist', async () => {
  const flags = new Set(scriptOf(action).match(/--[a-z]+/g))
  const { out } = await ran(replayCommand, '--help')
  expect([...flags].filter(flag => !out.includes(`  ${flag} `))).toEqual([])
  expect(Object.keys(OUTPUT_FLAGS).filter(name => !flags.has(`--${name}`))).toEqual([])
})
