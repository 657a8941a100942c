// Tests written from recordings: short, about the app's events and states. They pass unchanged, and name what
// changed.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { root } from '../../scripts/tool.ts'
import { composeClient, declaredPorts } from '../../src/services/client/index.ts'
import { record } from '../../src/public/devtools/recording.ts'
import { recordedTest } from '../../src/public/devtools/replay.ts'
import { recordedStage } from '../../src/public/devtools/vitest.ts'
import { encodeFile } from '../../src/trace/write/encode.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { folderForTests, runVitest } from '../harness/child-vitest.ts'
import { form, light, yard } from '../harness/example-machines.ts'
import { PLANTED_BUGS, runWithBug } from '../harness/planted-bugs.ts'
import { plantedChanges } from '../harness/planted-changes.ts'
import { fiveSeconds } from '../harness/recorded-session.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const CLIENT = {
  import: "import { systems } from '@chartroom/devtools/replay'",
  name: "systems['chartroom']",
}
const client = () => composeClient(declaredPorts) as unknown as AnyStateMachine
const five = fiveSeconds()

describe('five seconds of the client', () => {
  const text = recordedTest(five, { system: CLIENT, recording: './five.trace.gz' })

  test('are at most 80 lines about what the app did and what the backend answered', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(80)
    expect(text.split('\n').filter(line => line.includes('stage.send('))).toEqual([
      "  stage.send({ type: 'session.signIn', attempt: 'first', method: 'password' })",
      "  stage.send({ type: 'session.signIn', attempt: 'second', method: 'password' })",
      "  stage.send({ type: 'request.start', info: { family: 'rest', method: 'GET', path: '/rest/v1/vessels?select=*' } })",
      "  stage.send({ type: 'channel.join', topic: 'harbour', use: 'page' })",
      "  stage.send({ type: 'broadcast.send', event: 'hail', payload: { from: 'skipper' } }, 'channel.harbour')",
      "  stage.send({ type: 'session.signOut', attempt: 'last', scope: 'local' })",
    ])
    expect(text).toContain("  stage.answer('send#2', { type: 'send.answered', status: 200 })\n")
    expect(text).toContain("  stage.reach('session', 'authenticated.token.fresh')\n")
    expect(text).toContain('payload: { berth: 4 } })\n')
  })

  test('leave out ticks, the environment, the election of a tab, ids, tokens and times', () => {
    expect(text).not.toMatch(/tick|environment|leadership|\btabs?\b|token-|receivedAt|heldSince|\d{5}/)
  })

  test('keep only the app, if there is too much to read', () => {
    const many = { ...five, header: five.header, stimuli: five.stimuli, steps: five.steps }
    const only = recordedTest(many, { system: CLIENT, recording: './five.trace.gz', only: ['session'] })
    expect(only).not.toContain("stage.reach('connection'")
    expect(only).toContain("stage.reach('session', 'signedOut.idle')")
  })
})

/** Recorded with unchanged machines. */
async function examples(): Promise<Readonly<Record<'light' | 'form' | 'yard', ReplayableTrace>>> {
  const clock = createVirtualClock()
  const [lights, forms, yards] = [
    record(light(), { clock }),
    record(form(), { clock }),
    record(yard(), { clock }),
  ]
  for (const { actor } of [lights, forms, yards]) actor.start()
  forms.actor.send({ type: 'type', name: 'Albatross' })
  forms.actor.send({ type: 'submit' })
  for (const at of [0, 1]) {
    yards.actor.send({ type: 'build' })
    yards.actor.send({ type: 'knock', at })
  }
  yards.actor.send({ type: 'knock', at: 1 })
  await clock.advanceAsync(2000)
  forms.actor.send({ type: 'retry' })
  await clock.advanceAsync(2000)
  return { light: lights.trace, form: forms.trace, yard: yards.trace }
}

const body = (text: string) => text.split('import.meta.url), ')[1]?.split('\n').slice(1, -2).join('\n')
const systemOf = (name: string) => ({ import: `import { ${name} } from './machines.ts'`, name })

describe("machines of XState's examples", () => {
  test('timers alone: the states that follow', async () => {
    const text = recordedTest((await examples()).light, { system: systemOf('light'), recording: './x' })
    expect(body(text)).toBe(`  stage.reach('light', 'green')
  stage.reach('light', 'yellow')
  stage.reach('light', 'red')
  stage.reach('light', 'green')
  stage.reach('light', 'yellow')

  stage.finish()
  expect(stage.states()).toMatchObject({ light: 'yellow' })`)
  })

  test('a form with a promise that fails once: what was typed, and what came back, without its id', async () => {
    const text = recordedTest((await examples()).form, { system: systemOf('form'), recording: './x' })
    expect(body(text)).toBe(`  stage.reach('form', 'editing')

  stage.send({ type: 'type', name: 'Albatross' })

  stage.send({ type: 'submit' })
  stage.reach('form', 'submitting')
  stage.answer('book', { rejects: new Error('The harbour is full.') })
  stage.reach('form', 'failed')

  stage.send({ type: 'retry' })
  stage.reach('form', 'submitting')
  stage.answer('book#2', { resolves: { berth: 'A 9' } })
  stage.reach('form', 'done')

  stage.finish()`)
  })

  test('a parent with spawned children: their states, and its context', async () => {
    const text = recordedTest((await examples()).yard, { system: systemOf('yard'), recording: './x' })
    expect(body(text)).toBe(`  stage.send({ type: 'build' })
  expect(stage.context()).toMatchObject({ built: 1, lost: 0 })
  stage.reach('keel-0', 'sound')

  stage.send({ type: 'knock', at: 0 })
  stage.reach('keel-0', 'cracked')

  stage.send({ type: 'build' })
  expect(stage.context()).toMatchObject({ built: 2, lost: 0 })
  stage.reach('keel-1', 'sound')

  stage.send({ type: 'knock', at: 1 })
  stage.reach('keel-1', 'cracked')

  stage.send({ type: 'knock', at: 1 })
  expect(stage.context()).toMatchObject({ built: 2, lost: 1 })
  stage.reach('keel-1', 'done')

  stage.finish()
  expect(stage.states()).toMatchObject({ 'yard/keel-0': 'cracked' })`)
  })
})

describe('in another project', () => {
  let folder = ''
  let output = ''
  const changed = [
    'a failed sign-in is no longer handled',
    'a signed-in user is treated as signed out',
    'a failed request is not retried',
  ].map(what => plantedChanges.findIndex(change => change.what === what))

  /** All in one file, since each file loads Chartroom again. */
  const add = async (file: string, cases: readonly (readonly [string, ReplayableTrace, string])[]) => {
    const texts = cases.map(([title, trace, name]) =>
      recordedTest(trace, { system: { import: '', name }, recording: `./${title}.trace.gz`, title }),
    )
    for (const [title, trace] of cases)
      await writeFile(join(folder, `${title}.trace.gz`), await encodeFile(trace))
    const tests = texts.map(text => text.slice(text.indexOf('\ntest(')))
    const names = [...new Set(cases.map(([, , name]) => name.split('[')[0]))]
    const imports = [
      "import { recordedStage } from '@chartroom/devtools/vitest'",
      "import { expect, test } from 'vitest'",
      `import { ${names.join(', ')} } from './machines.ts'`,
    ]
    await writeFile(join(folder, file), [...imports, ...tests].join('\n'))
  }

  beforeAll(async () => {
    folder = await folderForTests('recorded')
    await writeFile(
      join(folder, 'machines.ts'),
      `import { composeClient, declaredPorts } from '${root}/src/services/client/compose-client.ts'
import { form as forms, light as lights, yard as yards } from '${root}/tests/harness/example-machines.ts'
import { PLANTED_BUGS } from '${root}/tests/harness/planted-bugs.ts'
import { plantedChanges, withChange } from '${root}/tests/harness/planted-changes.ts'
export { systems } from '@chartroom/devtools/replay'
export const [light, form, yard] = [lights(), forms(), yards()]
export const [slowLight, stuckForm, weakYard] = [lights(900), forms('editing'), yards(1)]
export const bugs = PLANTED_BUGS.map(({ logic }) => logic())
export const planted = plantedChanges.map(change => () => withChange(composeClient(declaredPorts), change))
`,
    )
    const traces = await examples()
    await add('unchanged.test.ts', [
      ['client', five, CLIENT.name],
      ...(['light', 'form', 'yard'] as const).map(name => [name, traces[name], name] as const),
      ...PLANTED_BUGS.map((bug, at) => [`bug-${at}`, runWithBug(bug, 25, 3), `bugs[${at}]`] as const),
    ])
    await add('changed.test.ts', [
      ...changed.map(at => [`planted-${at}`, five, `planted[${at}]`] as const),
      ['slow-light', traces.light, 'slowLight'],
      ['stuck-form', traces.form, 'stuckForm'],
      ['weak-yard', traces.yard, 'weakYard'],
    ])
    output = (await runVitest(folder)).output
  }, 300_000)
  afterAll(() => rm(folder, { recursive: true }))

  test('the tests of unchanged machines pass, those of changed ones fail', () => {
    expect(output).toContain(`Tests  6 failed | ${4 + PLANTED_BUGS.length} passed`)
    expect(output).toMatch(/changed\.test\.ts \(6 tests \| 6 failed\)/)
  })

  test.each([
    'session is in authenticating after auth.failed of client/session/authenticate, where the recording has it in signedOut.idle',
    'most likely: session authenticating: transition removed',
    'refresh is in idle after auth.succeeded of client/session/authenticate#2',
    'most likely: session authenticating: targets of a transition',
    'request.r1 has ended: stopped in failed after send.failed of client/requests/request.r1/send',
    'light sets xstate.after.400.light.yellow to 900 ms; recorded: 400 ms',
    'form is in editing after retry to form, where the recording has it in submitting',
    'keel-0 has ended: done in lost after knock to yard, where the recording has it in cracked',
  ])('a change is named: %s', message => expect(output).toContain(message))
})

describe('a line of a test', () => {
  const stage = () => recordedStage(five, client())

  test('names what the recording has instead, if there is no such event or actor', async () => {
    const played = await stage()
    expect(() => played.send({ type: 'session.signIn', method: 'otp' })).toThrow(
      /no session.signIn to client with these values. It has:\n {2}\{"type":"session.signIn"/,
    )
    expect(() => played.reach('sail', 'up')).toThrow('The recording has no actor sail. It has: client, ')
    expect(() => played.reach('session', 'sunk')).toThrow('session is not in sunk from here on')
  })

  test('can be removed: the others still fit', async () => {
    const played = await stage()
    played.answer('send#2', { type: 'send.answered' })
    expect(played.now).toBeGreaterThan(1300)
    expect(played.states()).toMatchObject({ 'client/session': expect.stringMatching(/^authenticated/) })
    played.finish()
    expect(played.states()).toMatchObject({ 'client/session': 'signedOut.idle' })
  })
})
