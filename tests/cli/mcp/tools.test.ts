// The tools of `chartroom mcp`, called by the official client.
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { doorApp } from '../../harness/door.ts'
import { type CallTool, connectMcp, startMcp, toolCaller } from '../../harness/mcp.ts'

let folder = ''
beforeAll(async () => {
  folder = await doorApp()
})

/** Without `--allow-control`. */
const READING: readonly string[] = [
  'recordings',
  'overview',
  'machine',
  'events',
  'state',
  'explain',
  'diff',
  'network',
  'replay',
  'drive',
  'minimize',
  'write_test',
  'coverage',
  'check',
]

/** The place of a line of the door, as its file has it. */
const source = readFileSync(new URL('../../harness/door-machine.ts', import.meta.url), 'utf8').split('\n')
const placeOf = (text: string) => `door-machine.ts:${source.findIndex(line => line.includes(text)) + 1}`
const [WEAK, COUNT, LOCKED] = ['isWeak: (', 'countForce: ', 'locked: {'].map(placeOf)

const BROKEN = '{"never":{"src":"door","entered":"broken"}}'
const DOOR = { recording: 'door.trace.gz' } as const

const ask = async (name: string, args: Record<string, unknown> = DOOR): Promise<string> => {
  const { text } = await caller().then(call => call(name, args))
  return text
}
const caller = async (): Promise<CallTool> =>
  toolCaller(await connectMcp({ roots: [folder], machines: join(folder, 'door-machine.ts') }))

test('a client on standard input lists the tools, and calls one', async () => {
  const client = await startMcp(folder)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(READING)
  expect(
    tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name),
  ).toEqual(['write_test'])
  const { text } = await toolCaller(client)('recordings', { kind: 'files' })
  expect(text).toBe(
    '1 recording; the first word is its name for other tools.\n<recorded-data>\ndoor.trace.gz file\n</recorded-data>\nNext: "overview" with a name.',
  )
})

test('tools that change an app are there with --allow-control only', async () => {
  const names = async (...args: readonly string[]) =>
    (await (await startMcp(folder, args)).listTools()).tools.map(({ name }) => name)
  const added = (await names('--allow-control')).filter(name => !READING.includes(name))
  expect(added).toEqual(['send', 'pause', 'faults', 'clock'])
  const refused = await (
    await caller()
  )('send', { app: 'live:1', event: '{}' }).catch((error: unknown) => String(error))
  expect(JSON.stringify(refused)).toContain('not found')
})

describe('looking into a recording', () => {
  test('overview: its size, its system and how it ends', async () => {
    const text = await ask('overview')
    expect(text).toMatch(/^14 steps, 13 inputs, \d+ ms; 1 machines; undamaged\.\n/)
    expect(text).toContain('\nsystem door of 20')
    expect(text).toContain('\n  door: broken (done) since #13\n')
  })

  test('machine: states and transitions, the whole chart or a part', async () => {
    expect(await ask('machine')).toContain('\ndoor: 4 states\n')
    const chart = await ask('machine', { ...DOOR, machine: 'door' })
    expect(chart).toContain(
      `\n    locked#0 force [isWeak (${WEAK})] → broken (${LOCKED})\n    locked#1 force / countForce (${COUNT}) (${LOCKED})\n`,
    )
    const part = await ask('machine', { ...DOOR, machine: 'door', state: 'locked' })
    expect(part).toContain('locked#1')
    expect(part).not.toContain('closed#0')
    expect(await ask('machine', { ...DOOR, machine: 'door', on_disk: true })).toContain(
      'As in the code on disk.',
    )
    expect(await ask('machine', { ...DOOR, machine: 'gate' })).toContain('There is no machine of that id.')
  })

  test('events: by the query language of the console', async () => {
    const text = await ask('events', { ...DOOR, query: 'type:force' })
    expect(text).toMatch(
      /^2 of 14 events match\.\n<recorded-data>\n#11 .* door: force → locked\n#13 .* door: force → broken \(done\)\n/,
    )
    expect(await ask('events', { ...DOOR, query: 'event:/note -type:open', values: true })).toContain(
      'door: knock → opened {"note":"someone pushed"}',
    )
    expect(await ask('events', { ...DOOR, query: 'actr:door' })).toContain('did you mean actor:?')
    expect(await ask('events', { ...DOOR, latest: true })).toMatch(/<recorded-data>\n#13 /)
  })

  test('state: of all actors, one actor and a part of its context', async () => {
    expect(await ask('state', { ...DOOR, at: 11 })).toContain('\ndoor: locked since #11\n')
    expect(await ask('state', { ...DOOR, at: 11, actor: 'door' })).toContain('\ncontext forced: 1\n')
    expect(await ask('state', { ...DOOR, actor: 'door', pointer: '/knocks' })).toContain(
      'context "/knocks": 4',
    )
    expect(await ask('state', { ...DOOR, at: 99 })).toContain(
      'There is no step 99: the recording has steps 0 to 13.',
    )
    expect(await ask('state', { ...DOOR, actor: 'gate' })).toContain('There is no such actor at this moment.')
  })

  test('explain: a sentence, and the transitions that were taken', async () => {
    const text = await ask('explain', { ...DOOR, actor: 'door' })
    expect(text).toContain('“door” finished in “broken” because the app sent “force”, as “isWeak” held.')
    expect(text).toContain(`    by locked#0 force [isWeak (${WEAK})] → broken (${LOCKED})`)
    expect(await ask('explain', { ...DOOR, step: 1, actor: 'door' })).toContain('different questions')
    expect(await ask('explain')).toContain('ends without a visible problem')
  })

  test('diff: of two moments, and of two recordings', async () => {
    const moments = await ask('diff', { ...DOOR, from: 3 })
    expect(moments).toContain('door: closed → broken (done), last by #13\n  context /knocks: 1 → 4\n')
    expect(await ask('diff', { ...DOOR, other: 'door.trace.gz' })).toContain('The recordings are the same.')
    expect(await ask('diff')).toContain('Give from, the number of a step, or other, a second recording.')
  })

  test('check: assertions as JSON, or the invariants', async () => {
    const text = await ask('check', { ...DOOR, assertions: BROKEN })
    expect(text).toContain('1 assertions, 1 failed.')
    expect(text).toContain('Must never happen: door enters broken.')
    expect(await ask('check', { ...DOOR, assertions: '{"nevr":{}}' })).toContain('never')
    // As clients pass it that read each argument as JSON.
    expect(await ask('check', { ...DOOR, assertions: JSON.parse(BROKEN) as object })).toBe(text)
    const page = await ask('events', { ...DOOR, max_tokens: 400 })
    const [, cursor = ''] = /cursor "(\d+)"/.exec(page) ?? []
    expect(await ask('events', { ...DOOR, max_tokens: '400', cursor: Number(cursor) })).not.toContain(
      'must be',
    )
    expect(await ask('check')).toContain(', 0 failed.')
  })
})

describe('with the code on disk', () => {
  test('replay, drive, minimize, write a test, and a fix', async () => {
    const call = await caller()
    expect((await call('replay', DOOR)).text).toContain('Outcome: exact.')
    expect((await call('drive', { ...DOOR, fails: BROKEN })).text).toContain(
      'FAILS: the failure still occurs',
    )
    const small = (await call('minimize', { ...DOOR, fails: BROKEN })).text
    expect(small).toMatch(
      /^3 of 13 inputs are enough; none can be removed \(\d+ runs\)\. The result is the recording "made:2"\./,
    )
    expect(small).toContain(`    by locked#0 force [isWeak (${WEAK})] → broken (${LOCKED})\n`)
    const written = (await call('write_test', { recording: 'made:2', fails: BROKEN, out: 'breaks.test.ts' }))
      .text
    expect(written).toContain('Written: 2 files.')
    const test = await readFile(join(folder, 'breaks.test.ts'), 'utf8')
    expect(test).toContain("import { door } from './door-machine.ts'")
    expect(test).toContain("never: { src: 'door', entered: 'broken' }")
    expect(
      (await call('write_test', { recording: 'made:2', fails: BROKEN, out: 'breaks.test.ts' })).text,
    ).toContain('exists, and no file is replaced.')
  })

  test('each call loads the current code', async () => {
    const app = await doorApp()
    const call = toolCaller(await connectMcp({ roots: [app], machines: join(app, 'door-machine.ts') }))
    expect((await call('drive', { ...DOOR, fails: BROKEN })).text).toContain('FAILS')
    const file = join(app, 'door-machine.ts')
    const source = await readFile(file, 'utf8')
    await writeFile(file, source.replace('context.forced > 0', 'context.forced > 8'))
    const { text } = await call('drive', { ...DOOR, fails: BROKEN })
    expect(text).toContain('PASSES')
    expect((await call('minimize', { ...DOOR, fails: BROKEN })).text).toContain(
      'does not fail with these inputs',
    )
  })

  test('coverage: shares, and what is missing', async () => {
    const text = await ask('coverage', { recordings: 'door.trace.gz' })
    expect(text).toContain('door: states 5/5, transitions 6/6, guards 2/2')
  })

  test('without the machines of another app, the error names the next step', async () => {
    const call = toolCaller(await connectMcp({ roots: [folder] }))
    const { text, isError } = await call('minimize', { ...DOOR, fails: BROKEN })
    expect(isError).toBe(true)
    expect(text).toContain('name the module with its machines')
    expect((await call('replay', { ...DOOR, machines: 'door-machine.ts' })).text).toContain('exact')
  })
})

test('arguments that are wrong are explained', async () => {
  const call = await caller()
  expect(await call('overview', { recordin: 'x' })).toEqual({
    isError: true,
    text: expect.stringContaining(
      'There is no argument "recordin". Did you mean "recording"?\nrecording is missing',
    ),
  })
  expect((await call('state', { ...DOOR, at: -1 })).text).toBe('at must be a whole number, 0 or more.')
  expect((await call('state', { ...DOOR, max_tokens: 5 })).text).toContain('from 400 to 20000')
  expect((await call('state', { ...DOOR, cursor: 'x' })).text).toContain('cursor must be')
  expect((await call('write_test', { ...DOOR, kind: 'other' })).text).toContain('failing, recorded')
})

describe('resources and prompts', () => {
  test('recordings and charts are resources', async () => {
    const client = await connectMcp({ roots: [folder] })
    const read = async (uri: string) => {
      const { contents } = await client.readResource({ uri })
      return contents.map(one => ('text' in one ? one.text : '')).join('')
    }
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['chartroom://recordings'])
    expect(await read('chartroom://recordings')).toContain('door.trace.gz file')
    expect(await read('chartroom://recording/door.trace.gz')).toContain('system door')
    expect(await read('chartroom://chart/door.trace.gz/door')).toContain('locked#0 force [isWeak] → broken')
  })

  test('prompts quote their argument', async () => {
    const client = await connectMcp({ roots: [folder] })
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['debug-report', 'explain-failure'])
    const { messages } = await client.getPrompt({ name: 'debug-report', arguments: { report: 'a"\nb' } })
    expect(messages[0]?.content).toEqual({
      type: 'text',
      text: expect.stringMatching(/^Debug the report "report:a\\"\\nb"\.\n/),
    })
  })
})

test('the same call returns the same text', async () => {
  for (const [name, args] of [
    ['overview', DOOR],
    ['events', { ...DOOR, values: true }],
    ['coverage', { recordings: 'door.trace.gz', missing: true }],
  ] as const)
    expect(await ask(name, args)).toBe(await ask(name, args))
})
