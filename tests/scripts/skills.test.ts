// The skills of the packages: their commands, run in order on examples.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import '@chartroom/devtools/vitest'
import { record } from '@chartroom/devtools/recording'
import { checkoutSpec } from '../../examples/xstate/checkout-spec.ts'
import { checkout } from '../../examples/xstate/checkout.ts'
import { root } from '../../scripts/tool.ts'
import { runCommand, TRACE_COMMANDS } from '../../src/cli/program.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { ran, type Ran } from '../harness/command.ts'
import { mendTour } from '../harness/tour-page.ts'

const TOUR = join(root, 'examples/tour')
const RECORDING = join(TOUR, 'signed-out.trace.gz')

let folder = ''
/** The tour's app with the fix of the guide. It is in the project, so that it finds its dependencies. */
let mended = ''
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartroom-skills-'))
  await mkdir(join(root, '.tour'), { recursive: true })
  mended = await mkdtemp(join(root, '.tour/skills-'))
  await cp(TOUR, mended, { recursive: true, filter: from => !from.endsWith('.test.ts') })
  await mendTour(mended)
})

afterAll(async () => {
  await rm(folder, { recursive: true })
  await rm(mended, { recursive: true })
})

/** The command lines of a skill, without those that only name a command and those that need a project. */
async function commandsOf(skill: string): Promise<string[]> {
  const text = await readFile(join(root, 'scripts/package', skill, 'SKILL.md'), 'utf8')
  return [...text.matchAll(/`(?:\.\/node_modules\/\.bin\/)?chartroom ([^`\n]+)`/g)]
    .map(([, command = '']) => command)
    .filter(command => command.includes(' ') && !command.startsWith('reports '))
}

const command = (args: readonly string[]) => runCommand(TRACE_COMMANDS, args)

/** Runs a command line, with `values` in place of the words that the skill leaves open. */
const run = (line: string, values: Readonly<Record<string, string>>): Promise<Ran> =>
  ran(
    command,
    ...line
      .split(/[\s[\]]+/)
      .filter(word => word !== '')
      .map(word => values[word] ?? word),
  )

test('report-to-test ends with a test that only the fixed machine passes', async () => {
  const values = {
    WHAT: join(TOUR, 'squall.json'),
    'bug.trace.gz': RECORDING,
    'small.trace.gz': at('small.trace.gz'),
    'fixed.trace.gz': at('fixed.trace.gz'),
    'bug.test.ts': at('bug.test.ts'),
  }
  const wrong = { ...values, MODULE: join(TOUR, 'watch.ts') }
  const right = { ...values, MODULE: join(mended, 'watch.ts') }
  const commands = await commandsOf('chartroom-devtools/skills/report-to-test')
  expect(commands.map(line => line.split(' ')[0])).toEqual([
    'explain',
    'minimize',
    'check',
    'replay',
    'check',
    'test',
  ])
  const [explain = '', minimize = '', before = '', whatIf = '', after = '', write = ''] = commands
  expect(await run(explain, wrong)).toMatchObject({ code: 0 })
  const { out } = await run(minimize, wrong)
  expect(out).toContain('fails with 4 of 39 inputs')
  expect(await run(before, wrong)).toMatchObject({ code: 1 })
  const differs = await run(whatIf, right)
  expect(differs.code).toBe(1)
  expect(differs.out).toContain('check the guard isRefused')
  expect(await run(after, right)).toMatchObject({ code: 0 })
  expect(await run(`${write} --force`, wrong)).toMatchObject({ code: 1 })
  expect(await run(`${write} --force`, right)).toMatchObject({ code: 0 })
  expect(await readFile(at('bug.test.ts'), 'utf8')).toContain('waiting')
})

test('find-out-why names the reason, its steps and the difference to another run', async () => {
  const good = at('good.trace.gz')
  const module = join(mended, 'watch.ts')
  await ran(command, 'replay', RECORDING, '--what-if', '--machines', module, '--out', good)
  const values = { FILE: RECORDING, MODULE: join(TOUR, 'watch.ts'), GOOD: good, BAD: RECORDING }
  const commands = await commandsOf('chartroom-devtools/skills/find-out-why')
  expect(commands).toHaveLength(4)
  const [info = '', explain = '', replay = '', diff = ''] = commands
  expect((await run(info, values)).out).toContain('watch')
  const { code, out } = await run(`${explain} --actor watch/session`, values)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ because: expect.any(Array) as unknown })
  expect((await run(replay, values)).out).toContain('EXACT')
  expect(await run(diff, values)).toMatchObject({ code: 1 })
})

test('machine-with-a-spec checks a machine without findings, and writes a test of its recording', async () => {
  const recording = record(checkout, { clock: createVirtualClock() })
  recording.start()
  recording.actor.send({ type: 'add', price: 42 })
  recording.stop()
  await writeFile(at('checkout.trace.gz'), await recording.file())
  const [lint = '', write = ''] = await commandsOf('chartroom-devtools/skills/machine-with-a-spec')
  // A machine of this repository, which follows the skill.
  const machine = join(root, 'src/machines/workbench/row-deletion')
  const own = { 'NAME.ts': `${machine}.ts`, 'NAME-spec.ts': `${machine}.spec.ts` }
  expect(await run(lint, own)).toMatchObject({ code: 0, err: '' })
  const example = { 'NAME.ts': join(root, 'examples/xstate/checkout.ts'), FILE: at('checkout.trace.gz') }
  const { code, out } = await run(write, example)
  expect(code).toBe(0)
  expect(out).toContain("stage.send({ type: 'add', price: 42 })")
  expect(checkoutSpec).toHandleEveryEvent()
  expect(checkoutSpec).toReachEveryState()
})

test('migrate-an-app shows the change, makes it, and then has nothing left to do', async () => {
  const app = at('app')
  await mkdir(app)
  await cp(join(root, 'examples/logbook/before.ts'), join(app, 'logbook.ts'))
  const [dryRun = ''] = await commandsOf('chartroom/skills/migrate-an-app')
  expect(dryRun).toBe('migrate --dry-run')
  const source = await readFile(join(app, 'logbook.ts'), 'utf8')
  expect((await run(`${dryRun} ${app}`, {})).out).toContain('+import { createChartroomClient }')
  expect(await readFile(join(app, 'logbook.ts'), 'utf8')).toBe(source)
  expect(await run(`migrate ${app}`, {})).toMatchObject({ code: 0 })
  const migrated = await readFile(join(app, 'logbook.ts'), 'utf8')
  expect(migrated).toContain('createChartroomClient')
  await run(`migrate ${app}`, {})
  expect(await readFile(join(app, 'logbook.ts'), 'utf8')).toBe(migrated)
})
