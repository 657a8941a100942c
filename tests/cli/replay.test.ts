// `chartroom replay` for users: exit codes and output.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { replayCommand } from '../../src/cli/replay.ts'
import { runCommand, TRACE_COMMANDS } from '../../src/cli/program.ts'
import { composeClient, declaredPorts } from '../../src/services/client/index.ts'
import { createSeededEntropy } from '../../src/services/runtime/index.ts'
import { createRecorder } from '../../src/services/recording/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { ran } from '../harness/command.ts'
import { tellsTwice } from '../harness/mutants.ts'
import { createRandomRun } from '../harness/random-system.ts'
import { recordedClient } from '../harness/recorded-run.ts'

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

let folder = ''
let lines: string[] = []

const at = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartroom-cli-'))
  lines = recordClient()
  await writeFile(at('exact.jsonl'), text(lines))
  const changed = lines.map(line =>
    line.includes('"line":"step","seq":0,') ? line.replace('"status":"active"', '"status":"done"') : line,
  )
  await writeFile(at('diverged.jsonl'), text(changed))
  await writeFile(at('broken.jsonl'), text(recordMutant()))
  await writeFile(at('short.jsonl'), text(lines.slice(0, -3)))
  await writeFile(at('newer.jsonl'), text(lines).replace(/"format":\d/, '"format":7'))
  vi.spyOn(console, 'warn').mockReturnValue()
  const other = createRandomRun(1).recorder
  other.start()
  await writeFile(at('other.jsonl.gz'), await other.file())
})

afterAll(() => rm(folder, { recursive: true }))

const text = (of: readonly string[]) => `${of.join('\n')}\n`

/** A run of the client without any environment: every port is missing, which is a valid run. */
function recordClient(): string[] {
  const clock = createVirtualClock()
  const input = { timings: {}, seed: 1 }
  const recorder = createRecorder({
    system: 'chartroom',
    appVersion: 'test',
    clock,
    entropy: createSeededEntropy(1),
    compose: () => composeClient(declaredPorts),
    input,
  })
  recorder.actor.subscribe({ error: () => undefined })
  recorder.start()
  clock.advance(60_000)
  recorder.stop()
  return recorder.lines()
}

/** A client that receives every event twice, so that its replay diverges and an invariant fails. */
function recordMutant(): string[] {
  const { clock, recorder, send } = recordedClient(undefined, 1, tellsTwice)
  const info = { id: '1', family: 'rest', method: 'GET', path: '/rest/v1/vessels' } as const
  send({ type: 'request.start', info })
  clock.advance(60_000)
  recorder.stop()
  return recorder.lines()
}

const replay = (...args: readonly string[]) => ran(replayCommand, ...args)

function chartroom(...args: string[]): Promise<{ code: number | string; out: string; err: string }> {
  return new Promise(resolve => {
    execFile(process.execPath, [MAIN, ...args], (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    )
  })
}

describe('chartroom replay', () => {
  test('an exact trace exits with 0', async () => {
    const { code, out, err } = await replay(at('exact.jsonl'))
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^EXACT {4}.*exact\.jsonl\n {2}\d+ inputs, (\d+) recorded steps; \1 steps identical\n$/,
    )
  })

  test('a diverging trace exits with 1 and shows where', async () => {
    const { code, out } = await replay(at('diverged.jsonl'))
    expect(code).toBe(1)
    expect(out).toMatch(
      /^DIVERGED .*\n.*\n {2}first difference at step 0\n {4}recorded: .*\n {4}replayed: .*\n {4}\/status: "done" → "active"\n/,
    )
  })

  test('a failed invariant exits with 1 and is described', async () => {
    const { code, out } = await replay(at('broken.jsonl'))
    expect(code).toBe(1)
    expect(out).toMatch(
      /\n {2}failed: settlesOnce at step \d+, client: Request 1 settled without being open: .* \(Each request settles exactly once\.\)\n/,
    )
  })

  test.each([
    [
      'short.jsonl',
      /UNUSABLE .*short\.jsonl\n.*line \d+: the file is truncated: its last line is missing\n.* recorded steps; .*\n {2}the recorded part replays exactly\n/,
    ],
    [
      'newer.jsonl',
      /UNUSABLE .*newer\.jsonl\n {2}written by format 7; this build reads up to \d: update chartroom\n/,
    ],
    ['absent.jsonl', /UNUSABLE .*absent\.jsonl\n {2}cannot be read: no such file\n/],
    [
      'other.jsonl.gz',
      /UNUSABLE .*other\.jsonl\.gz\n {2}unknown system "random"; known here: (?:[^,]+, ){5}and \d+ more\n/,
    ],
    ['.', /UNUSABLE .*\n {2}cannot be read: it is a directory\n/],
  ])('%s exits with 2 and a reason', async (name, message) => {
    const { code, out } = await replay(at(name))
    expect(code).toBe(2)
    expect(out).toMatch(message)
  })

  test('for several files, the worst code wins; --json prints a line for each', async () => {
    const files = ['exact.jsonl', 'newer.jsonl', 'diverged.jsonl'].map(at)
    const { code, out } = await replay('--json', ...files)
    expect(code).toBe(2)
    const reports = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { file: string; outcome: string })
    expect(reports.map(({ file, outcome }) => [file, outcome])).toEqual([
      [files[0], 'exact'],
      [files[1], 'unusable'],
      [files[2], 'diverged'],
    ])
    expect((await replay(at('exact.jsonl'), at('diverged.jsonl'))).code).toBe(1)
  })

  test('wrong usage exits with 2 and prints the usage', async () => {
    for (const args of [[], ['--fast', 'x']]) {
      const { code, err } = await replay(...args)
      expect(code).toBe(2)
      expect(err).toContain('Usage: chartroom replay FILE...')
    }
  })
})

describe('chartroom', () => {
  test('--help lists the commands, and a command runs', async () => {
    const { code, out } = await chartroom('--help')
    expect([code, (await chartroom('replay', at('diverged.jsonl'))).code]).toEqual([0, 1])
    expect(out).toMatch(/\n {2}replay .*\n[^]*\n {2}backend /)
  })

  test('an unknown command exits with 2, a suggestion and the list', async () => {
    const run = (name: string) => ran(args => runCommand(TRACE_COMMANDS, args), name)
    const { code, err } = await run('sail')
    expect(code).toBe(2)
    expect(err).toMatch(/^Unknown command "sail"\.\n[^]*replay/)
    expect((await run('reply')).err).toMatch(/^Unknown command "reply"\. Did you mean "replay"\?\n/)
    expect((await run('--bogus')).err).toMatch(/^Unknown flag "--bogus"\.\n/)
    expect((await run('--hepl')).err).toMatch(/^Unknown flag "--hepl"\. Did you mean "--help"\?\n/)
  })

  test('a renamed command prints its new name', async () => {
    const { code, err } = await ran(args => runCommand(TRACE_COMMANDS, args), 'import', 'a.tar.gz')
    expect([code, err]).toEqual([2, '"import" is now `chartroom backend import`.\n'])
  })
})
