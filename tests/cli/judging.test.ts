// The commands check, coverage and minimize, with user-defined machines.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMachine } from 'xstate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkCommand } from '../../src/cli/check.ts'
import { coverageCommand } from '../../src/cli/coverage.ts'
import { minimizeCommand } from '../../src/cli/minimize.ts'
import { replayCommand } from '../../src/cli/replay.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { record } from '../../src/services/recording/index.ts'
import { ran } from '../harness/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-judging-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const LOCK = {
  id: 'lock',
  initial: 'open',
  states: {
    open: { on: { close: 'closed', slam: 'broken' } },
    closed: { on: { open: 'open' }, after: { 1000: 'locked' } },
    locked: { on: { unlock: 'closed' } },
    broken: {},
  },
} as const

const moduleOf = (lock: unknown) =>
  `import { createMachine } from ${JSON.stringify(import.meta.resolve('xstate'))}
   export const lock = createMachine(${JSON.stringify(lock)})`

beforeAll(() => {
  const clock = createVirtualClock()
  const { actor, ...recording } = record(createMachine(LOCK), { clock })
  recording.start()
  for (const type of ['close', 'open', 'close', 'open', 'close']) {
    actor.send({ type })
    clock.advance(10)
  }
  clock.advance(1000)
  actor.send({ type: 'unlock' })
  recording.stop()
  writeFileSync(at('lock.jsonl'), `${[...recording.lines()].join('\n')}\n`)
  writeFileSync(at('lock.mjs'), moduleOf(LOCK))
  writeFileSync(
    at('assertions.mjs'),
    `export const locksSoon = { name: 'locksSoon', check: { responds: { state: 'locked' }, to: { event: 'close' }, within: '2 s', unless: { entered: 'open' } } }
     export const others = [{ name: 'staysWhole', says: 'It never breaks.', check: { never: { state: 'broken' } } }]`,
  )
  writeFileSync(
    at('seldom.json'),
    JSON.stringify([{ name: 'seldom', check: { count: { event: 'close' }, most: 2 } }]),
  )
})

describe('check', () => {
  test('checks assertions from modules and JSON, with one JUnit case for each', async () => {
    const flags = [
      '--assertions',
      at('assertions.mjs'),
      '--assertions',
      at('seldom.json'),
      '--junit',
      at('check.xml'),
    ]
    const { code, out, err } = await ran(checkCommand, at('lock.jsonl'), ...flags)
    expect([code, err]).toEqual([1, ''])
    expect(out.split('\n').slice(1, 5)).toEqual([
      '  3 assertions over 9 steps: 1 failed',
      '  passes   locksSoon',
      '  passes   staysWhole',
      '  fails    seldom',
    ])
    expect(out).toMatch(/^FAILS {4}.*lock\.jsonl\n/)
    const report = readFileSync(at('check.xml'), 'utf8')
    expect(report.match(/<testcase name="[^"]+"/g)).toEqual([
      '<testcase name="locksSoon"',
      '<testcase name="staysWhole"',
      '<testcase name="seldom"',
    ])
    expect(report).toContain('tests="3" failures="1" errors="0"')
  })

  test('defaults to the client invariants', async () => {
    const { code, out } = await ran(checkCommand, at('lock.jsonl'), '--json')
    const { outcome, results } = JSON.parse(out) as { outcome: string; results: { name: string }[] }
    expect([code, outcome, results.map(({ name }) => name)]).toEqual([
      0,
      'holds',
      ['oneRefresh', 'liveToken', 'settlesOnce', 'endsForAReason', 'nothingOutlives', 'comesToRest'],
    ])
  })

  test.each([
    ['none.json', undefined, /--assertions .*none\.json can't be read: no such file/],
    ['text.json', 'harbour', /--assertions .*text\.json: .*JSON/],
    [
      'wrong.json',
      '[{"name":"x","check":{"nver":{"event":"a"}}}]',
      /--assertions .*wrong\.json can't be used:\n.*never/,
    ],
    [
      'wrong.mjs',
      'export const x = { name: "x", check: { never: { evnt: "a" } } }, y = { name: "y", check: () => 1 }',
      /wrong\.mjs can't be used:\n {2}x\.check\.never\.evnt is not allowed in a step pattern; did you mean "event"\?\n/,
    ],
    ['empty.mjs', 'export const lock = 1', /empty\.mjs exports no assertion \(it exports lock\)\./],
  ])('%s exits with 2 and a reason', async (name, content, message) => {
    if (content !== undefined) writeFileSync(at(name), content)
    const { code, err } = await ran(checkCommand, at('lock.jsonl'), '--assertions', at(name))
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
  })
})

describe('coverage', () => {
  const cover = (...flags: string[]) =>
    ran(coverageCommand, at('lock.jsonl'), '--machines', at('lock.mjs'), ...flags)

  test('prints a table, and what is missing on request', async () => {
    expect(await cover('--missing')).toEqual({
      code: 0,
      err: '',
      out: [
        'machine            states       transitions            guards',
        'lock          4/5  80.0 %       4/5  80.0 %                 –',
        '  state broken',
        '  transition open#1 slam',
        'all           4/5  80.0 %       4/5  80.0 %                 –',
        '',
      ].join('\n'),
    })
  })

  test('exits with 1 and a failed case if coverage is below --min', async () => {
    const { code, out } = await cover('--min', 'states=90,transitions=80', '--junit', at('coverage.xml'))
    expect(code).toBe(1)
    expect(out).toMatch(/\nTOO LOW {2}4 of 5 states are 80 %, below the required 90 %\n$/)
    expect(readFileSync(at('coverage.xml'), 'utf8')).toContain('tests="2" failures="1" errors="0"')
  })

  test.each([
    ['lines=3', '--min must name states, transitions, guards, not "lines".'],
    ['state=3', 'Did you mean "states"?'],
    ['states=101', '--min states must be a percent from 0 to 100, not "101".'],
    ['states', '--min states must be a percent from 0 to 100, not "".'],
  ])('--min %s exits with 2 and a reason', async (min, message) => {
    const { code, err } = await cover('--min', min)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })

  test('rejects a machine that no trace contains', async () => {
    const { code, err } = await cover('--machine', 'lok', '--min', 'states=100')
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        '--machine lok: no trace contains this machine. Available: lock. Did you mean "lock"?',
      ),
    ])
  })

  test('without machines, explains how to name them', async () => {
    const { code, err } = await ran(coverageCommand, at('lock.jsonl'))
    expect([code, err]).toEqual([
      0,
      'To count by replay, name the module with its machines: --machines FILE.\n',
    ])
  })

  test('reports an unusable file next to the others', async () => {
    const { code, out, err } = await cover(at('lock.mjs'), '--json', '--junit', at('unusable.xml'))
    expect(code).toBe(2)
    expect(readFileSync(at('unusable.xml'), 'utf8')).toMatch(
      /<testcase name=".*lock\.mjs".*>\s*<error message="not a trace/,
    )
    expect(err).toMatch(/lock\.mjs: not a trace/)
    expect(JSON.parse(out)).toMatchObject({ totals: { states: { covered: 4, total: 5, percent: 80 } } })
  })
})

describe('minimize', () => {
  const smaller = (...flags: string[]) =>
    ran(minimizeCommand, at('lock.jsonl'), '--machines', at('lock.mjs'), ...flags)

  test('finds the fewest inputs for which an assertion fails, as a trace that replays and still fails', async () => {
    writeFileSync(at('never.json'), '[{"name":"neverLocks","check":{"never":{"state":"locked"}}}]')
    const { code, out, err } = await smaller('--fails', at('never.json'), '--out', at('least.gz'))
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^SMALLER {2}.*lock\.jsonl → .*least\.gz\n {2}neverLocks fails with 2 of 8 inputs; none can be removed \(\d+ runs\)\n/,
    )
    expect((await ran(replayCommand, at('least.gz'), '--machines', at('lock.mjs'))).out).toMatch(/^EXACT/)
    expect((await ran(checkCommand, at('least.gz'), '--assertions', at('never.json'))).code).toBe(1)
    const again = await smaller('--fails', at('never.json'), '--out', at('least.gz'))
    expect([again.code, again.err]).toEqual([
      2,
      expect.stringMatching(/least\.gz exists\. Add --force to replace it\./),
    ])
  })

  test('a script decides what fails; a trace that does not fail exits with 1', async () => {
    writeFileSync(
      at('script.mjs'),
      "export const fails = ({ actor }) => actor.getSnapshot().value === 'locked'",
    )
    const { code, out } = await smaller('--fails', at('script.mjs'), '--json')
    const { outcome, kept, stimuli } = JSON.parse(out) as Record<string, unknown>
    expect([code, outcome, (kept as number[]).length, stimuli]).toEqual([
      0,
      'minimized',
      2,
      [
        { t: 0, kind: 'external', to: 'lock', event: { type: 'close' } },
        { t: 0, kind: 'timer', to: 'lock', event: { type: 'xstate.after.1000.lock.closed' } },
      ],
    ])
    expect(await smaller('--fails', 'invariants')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^FINE/) as string,
    })
  })

  test('reports a script that throws and rejects one that returns a promise', async () => {
    writeFileSync(at('throws.mjs'), "export const fails = () => { throw new Error('no such child') }")
    expect(await smaller('--fails', at('throws.mjs'))).toEqual({
      code: 2,
      out: '',
      err: `${at('lock.jsonl')} does not fail, but --fails ${at('throws.mjs')} threw: no such child\n`,
    })
    writeFileSync(at('later.mjs'), 'export const fails = async () => true')
    expect((await smaller('--fails', at('later.mjs'))).err).toContain(
      'must return its result synchronously, not as a promise.',
    )
  })

  test('Ctrl-C ends the search and keeps what was found so far', async () => {
    writeFileSync(
      at('interrupted.mjs'),
      // Once: at a second Ctrl-C, listeners of libraries (signal-exit) would end this process.
      "let runs = 0; export const fails = ({ actor }) => { if (runs++ === 0) process.emit('SIGINT'); return actor.getSnapshot().value === 'locked' }",
    )
    const listeners = process.listenerCount('SIGINT')
    const { code, out } = await smaller('--fails', at('interrupted.mjs'), '--out', at('interrupted.gz'))
    expect([code, out]).toEqual([0, expect.stringContaining('; stopped early (1 runs)')])
    expect((await ran(replayCommand, at('interrupted.gz'), '--machines', at('lock.mjs'))).out).toMatch(
      /^EXACT/,
    )
    expect(process.listenerCount('SIGINT')).toBe(listeners)
  })

  test('shows only the first of many remaining inputs', async () => {
    const recording = record(createMachine(LOCK), { clock: createVirtualClock() })
    recording.start()
    for (let n = 0; n < 60; n++) recording.actor.send({ type: n % 2 === 0 ? 'close' : 'open' })
    recording.stop()
    writeFileSync(at('long.jsonl'), `${recording.lines().join('\n')}\n`)
    const fails = 'export const fails = ({ trace }) => trace.stimuli.length >= 60'
    writeFileSync(at('sixty.mjs'), fails)
    const given = ['--machines', at('lock.mjs'), '--fails', at('sixty.mjs')]
    const { out } = await ran(minimizeCommand, at('long.jsonl'), ...given)
    expect([out.split('\n').length, out.endsWith('  and 10 more\n')]).toEqual([2 + 50 + 2, true])
  })

  test.each([
    [
      [],
      '--fails is missing. Give the failure to preserve: "invariants" for any invariant, the name of one ("oneRefresh", "liveToken", ',
    ],
    [['--fails', 'setlesOnce'], 'Did you mean "settlesOnce"?'],
    [
      ['--fails', at('lock.mjs')],
      'exports neither a function called "fails" nor an assertion (it exports lock).',
    ],
    [['--fails', at('none.mjs')], "none.mjs can't be loaded: "],
  ])('%j exits with 2 and a reason', async (flags, message) => {
    const { code, err } = await smaller(...flags)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('replay --what-if', () => {
  const driven = (...flags: string[]) => ran(replayCommand, at('lock.jsonl'), '--what-if', ...flags)

  test('continues past the first difference and shows where everything ends', async () => {
    const states = { ...LOCK.states, closed: { on: { open: 'open' }, after: { 500: 'locked' } } }
    writeFileSync(at('quick.mjs'), moduleOf({ ...LOCK, states: { ...states, locked: {} } }))
    const { code, out } = await driven('--machines', at('quick.mjs'))
    expect(code).toBe(1)
    expect(out).toMatch(/^DIFFERS {2}.*\n {2}8 of 8 inputs applied\n {2}first difference at step 1\n/)
    expect(out).toMatch(/\n {2}states that differ\n {4}lock was closed, is locked, from input 6 to 7\n/)
    expect(out).toMatch(/\n {4}#5 lock xstate\.after\.1000\.lock\.closed: 1000 ms recorded, 500 ms now\n$/)
  })

  test('the same machines behave the same', async () => {
    const { code, out } = await driven('--machines', at('lock.mjs'))
    expect([code, out]).toEqual([0, `SAME     ${at('lock.jsonl')}\n  8 of 8 inputs applied\n`])
  })
})
