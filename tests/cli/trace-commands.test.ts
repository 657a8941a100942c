// Commands that read traces without replaying them: info, diff, redact and export; also with user-defined
// machines.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { assign, setup } from 'xstate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { diffCommand } from '../../src/cli/diff.ts'
import { exportCommand } from '../../src/cli/export.ts'
import { infoCommand } from '../../src/cli/info.ts'
import { redactCommand } from '../../src/cli/redact.ts'
import { replayCommand } from '../../src/cli/replay.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { EXPORT_FORMATS } from '../../src/trace/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { record } from '../../src/services/recording/index.ts'
import { ran } from '../harness/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-commands-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

/** A till that stores more than it should; `step` is the increment. */
const till = (step: number) =>
  setup({ types: { context: {} as { sum: number; drawer: string; note: string } } }).createMachine({
    id: 'till',
    context: { sum: 0, drawer: '1234', note: '' },
    initial: 'open',
    states: {
      open: {
        on: {
          add: { actions: assign({ sum: ({ context }) => context.sum + step }) },
          note: { actions: assign({ note: ({ event }) => String(event.text) }) },
          close: 'closed',
        },
      },
      closed: {},
    },
  })

const CARD = 'card/4929 1234&5678'

function recorded(step: number, events: readonly { type: string; [key: string]: unknown }[]): string {
  const clock = createVirtualClock()
  const recording = record(till(step), { clock, appVersion: '1.0.0' })
  recording.start()
  for (const event of events) {
    clock.advance(10)
    recording.actor.send(event)
  }
  recording.stop()
  return `${[...recording.lines()].join('\n')}\n`
}

const EVENTS = [
  { type: 'add' },
  { type: 'note', text: `paid by ${CARD}`, url: `https://shop.example/?c=${encodeURIComponent(CARD)}` },
  { type: 'close', slipNumber: CARD, amount: 12 },
]

beforeAll(() => {
  writeFileSync(at('a.jsonl'), recorded(1, EVENTS))
  writeFileSync(at('b.jsonl'), recorded(2, EVENTS))
  writeFileSync(at('short.jsonl'), recorded(1, EVENTS).split('\n').slice(0, -2).join('\n'))
  writeFileSync(
    at('machines.mjs'),
    `import { assign, createMachine } from ${JSON.stringify(import.meta.resolve('xstate'))}
     export const till = createMachine(${JSON.stringify({ id: 'till', initial: 'open', states: { open: {} } })})`,
  )
})

describe('info', () => {
  test('describes a trace', async () => {
    const { code, out } = await ran(infoCommand, at('a.jsonl'), '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      file: at('a.jsonl'),
      system: 'till',
      seconds: 0.03,
      versions: { app: '1.0.0', xstate: expect.stringMatching(/^5\./) as string },
      actors: { machine: 1 },
      stimuli: { external: 3, stop: 1 },
      steps: 5,
      keyframes: 0,
      isClosed: true,
      damage: [],
    })
  })

  test('a truncated file exits with 1, a file that is not a trace with 2; JUnit has both', async () => {
    const { code, out } = await ran(
      infoCommand,
      at('short.jsonl'),
      at('machines.mjs'),
      '--junit',
      at('info.xml'),
    )
    expect(code).toBe(2)
    expect(out).toMatch(
      /^DAMAGED [^]*\n {2}Damage {5}line \d+: .*truncated.*\nUNUSABLE .*machines\.mjs\n {2}not a trace/,
    )
    expect(readFileSync(at('info.xml'), 'utf8')).toContain('tests="2" failures="1" errors="1"')
  })
})

describe('diff', () => {
  test('finds no difference between a trace and itself', async () => {
    expect(await ran(diffCommand, at('a.jsonl'), at('a.jsonl'))).toEqual({
      code: 0,
      out: `SAME     ${at('a.jsonl')} ${at('a.jsonl')}\n  5 identical steps\n`,
      err: '',
    })
  })

  test('shows the first differing step, by actor', async () => {
    const { code, out } = await ran(diffCommand, at('a.jsonl'), at('b.jsonl'), '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toEqual({
      a: at('a.jsonl'),
      b: at('b.jsonl'),
      isSame: false,
      header: [],
      machines: [],
      actors: { onlyA: [], onlyB: [] },
      steps: { a: 5, b: 5 },
      first: {
        actor: 'till',
        after: 1,
        a: { seq: 1, t: 10, event: 'add', status: 'active', state: 'open' },
        b: { seq: 1, t: 10, event: 'add', status: 'active', state: 'open' },
        changes: [{ path: '/context/sum', a: 1, b: 2 }],
        because: ['an event from outside', 'till took add'],
      },
      parting: ['till'],
    })
  })

  test('--behavior compares events and states, but no data', async () => {
    expect(await ran(diffCommand, at('a.jsonl'), at('b.jsonl'), '--behavior')).toMatchObject({ code: 0 })
    writeFileSync(at('early.jsonl'), recorded(1, [{ type: 'add' }, { type: 'close' }, { type: 'note' }]))
    const { code, out } = await ran(diffCommand, at('a.jsonl'), at('early.jsonl'), '--behavior')
    expect([code, out.split('\n').slice(1)]).toEqual([
      1,
      [
        '  till diverges after 2 identical steps',
        '    A: step 2, 20 ms: took note → "open"',
        '    B: step 2, 20 ms: took close → "closed"',
        '    /event/type: "note" → "close"',
        '    /value: "open" → "closed"',
        '    because of an event from outside → till took close',
        '',
      ],
    ])
  })

  test('an unusable file exits with 2', async () => {
    expect(await ran(diffCommand, at('a.jsonl'), at('none'))).toEqual({
      code: 2,
      out: '',
      err: `${at('none')}: cannot be read: no such file\n`,
    })
  })
})

describe('redact', () => {
  test('removes the values of a key everywhere, and values of environment variables', async () => {
    vi.stubEnv('SHOP', 'shop.example')
    const out = at('clean.gz')
    const flags = ['--key', 'slip_number', '--key', 'drawer', '--value-env', 'SHOP', '--out', out]
    const { code, out: message } = await ran(redactCommand, at('a.jsonl'), ...flags)
    vi.unstubAllEnvs()
    expect([code, message]).toEqual([
      0,
      `${out}: 3 values redacted; 1 too short or too common to search for outside their key; none of them remain in the file.\n`,
    ])
    const text = gunzipSync(readFileSync(out)).toString()
    for (const secret of [CARD, encodeURIComponent(CARD), '4929', '1234', 'shop.example'])
      expect([secret, text.includes(secret)]).toEqual([secret, false])
    expect(text).toContain('"text":"paid by [redacted:3]"')
    expect((await ran(infoCommand, out)).code).toBe(0)
    expect((await ran(redactCommand, at('a.jsonl'), ...flags)).err).toBe(
      `--value-env SHOP: this environment variable is not set.\n\nUsage: chartroom redact FILE --out FILE [flags]\n\`chartroom redact --help\` shows all flags.\n`,
    )
    const again = await ran(redactCommand, at('a.jsonl'), '--key', 'drawer', '--out', out)
    expect(again).toEqual({ code: 2, out: '', err: `${out} exists. Add --force to replace it.\n` })
  })

  test('a compound value is hidden together with its parts, including numbers; values of the trace format stay', async () => {
    const { actor, ...recording } = record(till(1), { clock: createVirtualClock() })
    recording.start()
    const card = { number: 4_929_123_456_789_012n, holder: ['Jo Smith'], since: 20_301_231 }
    actor.send({ type: 'note', text: 'paid by Jo Smith', card, list: new Map([['Card', 1_234_567]]) })
    actor.send({
      type: 'note',
      text: 'again 4929123456789012',
      number: card.number,
      at: 1_234_567,
      since: '20301231',
    })
    recording.stop()
    writeFileSync(at('parts.jsonl'), `${recording.lines().join('\n')}\n`)
    const out = at('parts.gz')
    expect((await ran(redactCommand, at('parts.jsonl'), '--key', 'card', '--out', out)).err).toBe('')
    const lines = gunzipSync(readFileSync(out)).toString()
    expect(['4929123456789012', 'Smith', '20301231', '1234567'].filter(part => lines.includes(part))).toEqual(
      [],
    )
    const read = await readTrace(readFileSync(out))
    if (read.kind !== 'trace') throw new Error(read.message)
    expect(read.trace.stimuli.slice(0, 2).map(({ event }) => event)).toEqual([
      {
        type: 'note',
        text: 'paid by [redacted:2]',
        card: '[redacted:4]',
        list: new Map([['Card', '[redacted:5]']]),
      },
      {
        type: 'note',
        text: 'again [redacted:1]',
        number: '[redacted:1]',
        at: '[redacted:5]',
        since: '[redacted:3]',
      },
    ])
  })
})

describe('export', () => {
  test('writes every machine to a folder, and a run to standard output', async () => {
    const { code, out } = await ran(exportCommand, at('a.jsonl'), '--to', 'scxml', '--out', at('charts/'))
    expect([code, out, readdirSync(at('charts'))]).toEqual([
      0,
      `${at('charts/till.scxml')}\n`,
      ['till.scxml'],
    ])
    const run = await ran(exportCommand, at('a.jsonl'), '--to', 'mermaid', '--from', '1', '--until', '1')
    expect(run.out).toBe(
      'sequenceDiagram\n  participant outside as outside\n  participant a0 as till\n' +
        '  Note over outside: 0.01 s\n  outside->>a0: add\n  Note over a0: open\n',
    )
  })

  test('writes the same to a file as to standard output; a wrong request leaves no file', async () => {
    const written = await ran(exportCommand, at('a.jsonl'), '--to', 'perfetto', '--out', at('a.json'))
    expect(written).toEqual({ code: 0, out: `${at('a.json')}\n`, err: '' })
    const { out } = await ran(exportCommand, at('a.jsonl'), '--to', 'perfetto')
    expect(readFileSync(at('a.json'), 'utf8')).toBe(out)
    const flags = ['--to', 'scxml', '--machine', 'x', '--out', at('x.scxml')]
    const wrong = await ran(exportCommand, at('a.jsonl'), ...flags)
    expect([wrong.code, existsSync(at('x.scxml'))]).toEqual([2, false])
  })

  test.each([
    [
      ['--to', 'hra'],
      '--to must be "perfetto", "har", "otlp", "mermaid", "scxml" or "html", not "hra". Did you mean "har"?',
    ],
    [[], '--to is missing. Give perfetto, har, otlp, mermaid, scxml, html.'],
    [['--to', 'har', '--from', 'x'], '--from must be a whole number'],
    [['--to', 'har', '--out', folder], 'is a folder, but har is a single file. Give a file.'],
    [['--to', 'scxml', '--machine', 'bell'], 'there is no machine "bell" in the trace; it has till'],
    [['--to', 'har', '--out', at('none/a.har')], "can't be written: its folder does not exist"],
    [['--to', 'har', '--machine', 'till'], '--machine has no effect with --to har.'],
    [
      ['--to', 'mermaid', '--diagram', 'state', '--from', '1'],
      '--from has no effect with --to mermaid --diagram state.',
    ],
    [['--to', 'har', '--base-url', 'harbour'], '--base-url must be a URL such as https://'],
    [['--data', 'x'], "To export a backend's data, use `chartroom backend export`."],
  ])('%j gives 2 and says why', async (flags, message) => {
    const { code, err } = await ran(exportCommand, at('a.jsonl'), ...flags)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('--machines', () => {
  test.each([
    ['export const till = 1', 'exports no machine, and no registry called "systems" (it exports till).'],
    ['syntax error', "can't be loaded: "],
    ["throw new Error('no harbour')", "can't be loaded: no harbour"],
  ])('%s exits with 2 and a reason', async (code, message) => {
    writeFileSync(at('wrong.mjs'), code)
    const file = at(`wrong.mjs?${encodeURIComponent(code)}`)
    writeFileSync(file, code)
    const { code: exit, err } = await ran(replayCommand, at('a.jsonl'), '--machines', file)
    expect([exit, err]).toEqual([2, expect.stringContaining(message)])
  })

  test('a changed machine diverges', async () => {
    const { code, out } = await ran(replayCommand, at('a.jsonl'), '--machines', at('machines.mjs'))
    expect(code).toBe(1)
    expect(out).toMatch(/^DIVERGED .*\n[^]*machine till differs from the recorded one/)
  })
})

test('no command prints a secret', async () => {
  const { actor, ...recording } = record(till(1), { clock: createVirtualClock() })
  recording.start()
  const [password, token] = ['correct-horse-battery', 'eyJhbGciOi.eyJzdWIiOiJ.c2lnbmF0dXJl']
  actor.send({ type: 'note', text: `Bearer ${token}`, password, url: `https://x.example/?token=${token}` })
  actor.send({ type: 'note', text: `it is ${password}` })
  recording.stop()
  writeFileSync(at('secret.jsonl'), `${[...recording.lines()].join('\n')}\n`)
  const file = at('secret.jsonl')
  const runs = [
    await ran(infoCommand, file, '--json'),
    await ran(diffCommand, file, at('a.jsonl')),
    await ran(replayCommand, file, '--machines', at('machines.mjs')),
  ]
  for (const format of EXPORT_FORMATS) runs.push(await ran(exportCommand, file, '--to', format))
  for (const { out, err } of runs) {
    expect((out + err).length).toBeGreaterThan(100)
    expect([password, token].filter(secret => (out + err).includes(secret))).toEqual([])
  }
})
