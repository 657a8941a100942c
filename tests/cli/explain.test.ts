// `chartroom explain`: the sentence, its steps and the exit code, for a client and for a machine of other people.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { explainCommand } from '../../src/cli/explain.ts'
import { infoCommand } from '../../src/cli/info.ts'
import { ran } from '../harness/command.ts'
import { recordedClient } from '../harness/recorded-run.ts'
import { recordedKettle } from '../harness/kettle.ts'
import { encodeLines } from '../../src/trace/index.ts'
import { refused, renewals, stored } from '../harness/timeline.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-explain-'))
const [client, kettle] = [join(folder, 'client.jsonl'), join(folder, 'kettle.jsonl')]
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(async () => {
  const worlds = [stored(-5), renewals(refused('refresh_token_already_used'))]
  const run = recordedClient(clock => Object.assign({}, ...worlds.map(world => world(clock))) as object)
  run.clock.advance(2_000)
  writeFileSync(client, [...encodeLines(run.recorder.trace)].join('\n'))
  writeFileSync(kettle, [...encodeLines(await recordedKettle())].join('\n'))
})

test('without a flag, the problem with which the trace ends, and the steps from its reason on', async () => {
  const { code, out } = await ran(explainCommand, client)
  expect(code).toBe(0)
  expect(out).toContain('You were signed out because the server refused the refresh token')
  expect(out).toContain('refresh_token_already_used')
  expect(out).toMatch(/#\d+ 21 ms: client\/refresh\/attempt refresh\.failed/)
})

test('a step, an actor and a status, with --json', async () => {
  const { out } = await ran(explainCommand, kettle, '--actor', 'kettle', '--at', '8', '--json')
  expect(JSON.parse(out)).toMatchObject({
    because: [{ actor: 'kettle/water#2', event: 'xstate.promise.resolve' }, {}],
  })
  expect((await ran(explainCommand, kettle, '--step', '12')).out).toContain(
    'had been in “boiling” for 100 ms',
  )
  expect((await ran(explainCommand, client, '--status', 'signedOut')).code).toBe(0)
})

test('exit code 1 if the trace does not show it, 0 if it ends without a problem', async () => {
  expect((await ran(explainCommand, client, '--status', 'liveLost')).code).toBe(1)
  expect((await ran(explainCommand, kettle, '--status', 'signedOut')).code).toBe(1)
  expect(await ran(explainCommand, kettle)).toMatchObject({ code: 0 })
})

test.each([
  ['--at needs', ['--at', '3']],
  ['different questions', ['--step', '1', '--actor', 'kettle']],
  ['not "x"', ['--step', 'x']],
])('wrong flags are named: %s', async (text, flags) => {
  const { code, err } = await ran(explainCommand, kettle, ...flags)
  expect([code, err]).toEqual([2, expect.stringContaining(text)])
})

test('info names the problem', async () => {
  expect((await ran(infoCommand, client)).out).toContain('Problem    You were signed out because')
  expect((await ran(infoCommand, kettle)).out).not.toContain('Problem')
})
