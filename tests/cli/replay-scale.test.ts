// `chartroom replay` in CI: workers, shards and their merged results, annotations, and the page with all results.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AnyStateMachine } from 'xstate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { checkCommand } from '../../src/cli/check.ts'
import { mergeCommand } from '../../src/cli/merge.ts'
import { replayCommand } from '../../src/cli/replay.ts'
import { record } from '../../src/services/recording/index.ts'
import { ran } from '../harness/command.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-scale-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

/** Replays run assignments, but no other actions: in workers, these crash or print. */
const MACHINES = `import { assign, createMachine } from ${JSON.stringify(import.meta.resolve('xstate'))}
const isWorker = /replay-worker/.test(process.argv[1])
export const lamp = createMachine({
  id: 'lamp',
  context: { count: 0 },
  initial: 'dark',
  states: { dark: { on: { press: 'lit' } }, lit: { on: { press: 'dark' } } },
  on: {
    count: { actions: assign({ count: ({ context }) => context.count + 1 }) },
    exit: { actions: assign(() => (isWorker && process.exit(7), {})) },
    kill: { actions: assign(() => (isWorker && process.kill(process.pid, 'SIGKILL'), {})) },
    print: { actions: assign(() => (isWorker && console.log('printed by the machine'), {})) },
  },
})
`

let machine: AnyStateMachine

function write(name: string, ...events: readonly string[]): string {
  const recording = record(machine, { clock: createVirtualClock() })
  recording.start()
  for (const type of events) recording.actor.send({ type })
  recording.stop()
  writeFileSync(at(name), `${recording.lines().join('\n')}\n`)
  return at(name)
}

/** Recorded with another count than the machine makes. */
function writeWrong(name: string, before: readonly string[], text = '"count":9'): string {
  const file = write(name, ...before, 'count')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"count":1', text))
  return file
}

let files: string[] = []

beforeAll(async () => {
  writeFileSync(at('machines.mjs'), MACHINES)
  machine = ((await import(pathToFileURL(at('machines.mjs')).href)) as { lamp: AnyStateMachine }).lamp
  files = [
    // The first file is by far the slowest.
    write('0.jsonl', ...Array<string>(400).fill('count')),
    write('1.jsonl', 'press'),
    writeWrong('2.jsonl', ['press']),
    write('3.jsonl', 'print', 'press'),
    at('4-absent.jsonl'),
    writeWrong('5.jsonl', ['press', 'press']),
    write('6.jsonl', 'press', 'count'),
  ]
})

const replay = (...args: readonly string[]) => ran(replayCommand, ...args, '--machines', at('machines.mjs'))

const outcomes = (out: string) =>
  [...out.matchAll(/^([A-Z]+) +.*?([^/\n]+)$/gm)].map(([, outcome, name]) => `${outcome} ${name}`)

describe('workers', () => {
  test('print what one process prints, in the order of the files', async () => {
    const alone = await replay(...files)
    expect(outcomes(alone.out)).toEqual([
      'EXACT 0.jsonl',
      'EXACT 1.jsonl',
      'DIVERGED 2.jsonl',
      'EXACT 3.jsonl',
      'UNUSABLE 4-absent.jsonl',
      'DIVERGED 5.jsonl',
      'EXACT 6.jsonl',
    ])
    for (const workers of ['1', '3']) expect(await replay(...files, '--workers', workers)).toEqual(alone)
    const json = await replay(...files, '--json')
    expect(await replay(...files, '--json', '--workers', '2')).toEqual(json)
    const driven = await replay(...files, '--what-if')
    expect(await replay(...files, '--what-if', '--workers', '2')).toEqual(driven)
  })

  test('a crash is the result of its file, and the others are still replayed', async () => {
    const crashing = [write('exit.jsonl', 'exit'), write('kill.jsonl', 'press', 'kill')]
    const { code, out } = await replay(...crashing, ...files.slice(0, 2), '--workers', '1')
    expect(code).toBe(2)
    expect(outcomes(out)).toEqual([
      'UNUSABLE exit.jsonl',
      'UNUSABLE kill.jsonl',
      'EXACT 0.jsonl',
      'EXACT 1.jsonl',
    ])
    expect(out).toContain('crashed while it replayed this file: it exited with code 7;')
    expect(out).toContain('crashed while it replayed this file: it was ended by SIGKILL;')
  })

  test('more files than can wait for a slow one', async () => {
    const many = [files[0] ?? '', ...Array<string>(150).fill(files[1] ?? '')]
    const { code, out } = await replay(...many, '--workers', '2')
    expect([code, out.match(/^EXACT/gm)?.length]).toEqual([0, 151])
  })

  test('machines that cannot be loaded are a usage error', async () => {
    writeFileSync(at('broken.mjs'), 'throw new Error("no harbor")')
    const args = [files[1] ?? '', '--machines', at('broken.mjs')]
    const alone = await ran(replayCommand, ...args)
    expect(alone.err).toMatch(/no harbor/)
    expect(await ran(replayCommand, ...args, '--workers', '2')).toEqual(alone)
  })

  test.each([
    [['--workers', '0'], '--workers must be a whole number from 1 to 256, not "0".'],
    [['--workers', 'two'], '--workers must be a whole number from 1 to 256, not "two".'],
    [['--workers', '1.5'], '--workers must be a whole number from 1 to 256, not "1.5".'],
    [['-', '--workers', '2'], '--workers needs files: a worker cannot read standard input ("-").'],
    [
      ['--what-if', '--out', 'x.gz', '--workers', '2'],
      '--out takes a single trace, for which --workers has no effect.',
    ],
    [['--shard', '5/4'], '--shard 5/4 does not exist: the parts are 1/4 to 4/4.'],
    [['--shard', '0/4'], '--shard 0/4 does not exist: the parts are 1/4 to 4/4.'],
    [['--shard', '1'], '--shard must be a part such as 1/4, of at most 10,000, not "1".'],
    [['--shard', '1/0'], '--shard must be a part such as 1/4, of at most 10,000, not "1/0".'],
    [['--shard', '1/4/2'], '--shard must be a part such as 1/4, of at most 10,000, not "1/4/2".'],
    [
      ['--annotations', 'gitlab'],
      '--annotations must be "github" or "none", not "gitlab". Did you mean "github"?',
    ],
  ])('%j is refused', async (args, message) => {
    const { code, err } = await replay(...(args.includes('-') ? [] : files.slice(0, 1)), ...args)
    expect([code, err.split('\n')[0]]).toEqual([2, message])
  })
})

describe('shards', () => {
  const shard = (part: string, ...args: readonly string[]) =>
    replay(...files, '--shard', part, '--results', at(`${part.replace('/', '-')}.json`), ...args)
  const results = ['1-3', '2-3', '3-3'].map(name => at(`${name}.json`))

  test('have all files once, and their merged report is that of one run', async () => {
    const parts = [await shard('1/3'), await shard('2/3'), await shard('3/3')]
    expect(parts.map(({ out }) => outcomes(out).map(line => line.slice(-7)))).toEqual([
      ['0.jsonl', '3.jsonl', '6.jsonl'],
      ['1.jsonl', 't.jsonl'],
      ['2.jsonl', '5.jsonl'],
    ])
    expect(parts.map(({ code }) => code)).toEqual([0, 2, 1])
    const whole = await replay(...files, '--junit', at('whole.xml'), '--html', at('whole.html'))
    const reversed = results.toReversed()
    expect(
      await ran(mergeCommand, ...reversed, '--junit', at('merged.xml'), '--html', at('merged.html')),
    ).toEqual(whole)
    const timeless = (name: string) => readFileSync(at(name), 'utf8').replaceAll(/\d+\.\d+/g, 'TIME')
    expect(timeless('merged.xml')).toBe(timeless('whole.xml'))
    expect(timeless('merged.html')).toBe(timeless('whole.html'))
  })

  test('more shards than files leave some without work', async () => {
    const { code, out } = await shard('9/9')
    expect([code, out]).toEqual([0, ''])
  })

  test('a missing shard and an unusable file are errors of the merged report', async () => {
    await shard('1/2')
    writeFileSync(
      at('damaged.json'),
      readFileSync(results[0] ?? '', 'utf8').replace('"outcome":"exact",', ''),
    )
    writeFileSync(
      at('newer.json'),
      readFileSync(results[0] ?? '', 'utf8').replace('"version":1', '"version":2'),
    )
    writeFileSync(at('fewer.json'), readFileSync(results[0] ?? '', 'utf8').replace('"files":7', '"files":8'))
    writeFileSync(at('other.json'), '{}')
    const wrong = ['1-2', 'damaged', 'newer', 'fewer', 'other', '1-3', 'none'].map(name => at(`${name}.json`))
    const { code, out } = await ran(
      mergeCommand,
      results[0] ?? '',
      results[2] ?? '',
      ...wrong,
      at('machines.mjs'),
    )
    expect(code).toBe(2)
    expect(out.replaceAll(`${folder}/`, '').split('\n').slice(-19)).toEqual([
      'UNUSABLE 1-2.json',
      '  has shard 1/2, but 1-3.json is one of 3: they belong to different runs',
      'UNUSABLE damaged.json',
      '  is damaged: fields are missing',
      'UNUSABLE newer.json',
      '  has results of version 2, this build reads 1: use the same version of chartroom everywhere',
      'UNUSABLE fewer.json',
      '  is a part of 8 files, but 1-3.json one of 7: give every shard the same list',
      'UNUSABLE other.json',
      '  has no results: give files that `chartroom replay --results` wrote',
      'UNUSABLE 1-3.json',
      '  has shard 1/3, as 1-3.json does: give each shard once',
      'UNUSABLE none.json',
      '  cannot be read: no such file',
      'UNUSABLE machines.mjs',
      '  is not JSON: give files that `chartroom replay --results` wrote',
      'UNUSABLE shard 2/3',
      '  its results are missing: the shard did not finish, or its file was not given',
      '',
    ])
  })
})

describe('annotations', () => {
  test('name the file, once per problem', async () => {
    const { code, err } = await replay(...files, '--annotations', 'github')
    expect(code).toBe(2)
    const [diverged = '', absent, ...rest] = err.split('\n')
    expect(rest).toEqual([''])
    expect(diverged.replaceAll(folder, 'FOLDER')).toMatch(
      /^::error file=FOLDER\/2\.jsonl,title=chartroom replay%3A diverged::.*%0Afirst difference at step 2%0A.*%0Aand 1 more with this problem$/,
    )
    expect(absent).toBe(
      `::error file=${at('4-absent.jsonl')},title=chartroom replay%3A unusable::cannot be read: no such file`,
    )
  })

  test('are the default in GitHub Actions, with paths from the root of the repository', async () => {
    vi.stubEnv('GITHUB_ACTIONS', 'true')
    vi.stubEnv('GITHUB_WORKSPACE', folder)
    try {
      const { err } = await ran(checkCommand, at('4-absent.jsonl'))
      expect(err).toMatch(/^::error file=4-absent\.jsonl,title=chartroom check%3A unusable::/)
      expect((await ran(checkCommand, at('4-absent.jsonl'), '--annotations', 'none')).err).toBe('')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('at most ten, the last of which counts the others', async () => {
    const many = Array.from({ length: 14 }, (_, n) => {
      const file = write(`many-${n}.jsonl`, 'press')
      writeFileSync(file, readFileSync(file, 'utf8').replace('"system":"lamp"', `"system":"lamp${n}"`))
      return file
    })
    const lines = (await replay(...many, '--annotations', 'github')).err.trim().split('\n')
    expect(lines).toHaveLength(10)
    expect(lines.at(-1)).toBe(
      '::error title=chartroom replay::5 more files with 5 other problems: see the report',
    )
  })

  test('no text of a trace becomes a command of the workflow', async () => {
    const hostile = write('hostile.jsonl', 'press')
    const system = '"system":"x\\n::add-mask::y ##[error]z"'
    writeFileSync(hostile, readFileSync(hostile, 'utf8').replace('"system":"lamp"', system))
    mkdirSync(at('::error::'))
    const named = join('::error::', 'x.jsonl')
    const json = (await replay(hostile, '--json', '--annotations', 'github')).out
    expect((JSON.parse(json) as { reason: string }).reason).toContain('##[error]')
    for (const args of [[hostile], [hostile, '--json'], [join(folder, named)]]) {
      const { out, err } = await replay(...args, '--annotations', 'github')
      expect(out).not.toMatch(/^\s*::|##\[/m)
      expect(err.split('\n').filter(line => !line.startsWith('::error file='))).toEqual([''])
      expect(err).not.toMatch(/add-mask::y\n|^::add-mask/m)
    }
  })
})

test('the page lists equal problems together, and contains nothing that runs', async () => {
  const hostile = writeWrong('page.jsonl', [], '"count":"<script>alert(1)</script><img src=x>"')
  await replay(...files, hostile, '--html', at('page.html'))
  const page = readFileSync(at('page.html'), 'utf8')
  expect(page).toContain('<h1>4 of 8 files failed</h1>')
  expect(page.match(/<article>/g)).toHaveLength(2)
  expect(page).toContain('took count: /context/count differs</h3>\n<p>3 files</p>')
  expect(page).not.toMatch(/<script|<img|<link|https?:/)
  expect(page).toContain('&lt;script&gt;')
})

test('from a terminal: the program ends with the code of the worst file, and no worker stays', async () => {
  const program = join(import.meta.dirname, '../../src/cli/main.ts')
  const args = [program, 'replay', ...files, '--workers', '2', '--machines', at('machines.mjs')]
  const done = await new Promise<{ code: unknown; out: string; err: string }>(resolve => {
    execFile(process.execPath, args, (error, out, err) => resolve({ code: error?.code, out, err }))
  })
  // The streams close when the last process that has them ends.
  expect([done.code, done.err]).toEqual([2, 'printed by the machine\n'])
  expect(outcomes(done.out)).toHaveLength(7)
})
