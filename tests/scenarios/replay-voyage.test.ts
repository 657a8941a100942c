// A day at sea (sign-in, query, refresh, message, 401, outage, sign-out), recorded and replayed in another process.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Failure } from '../../src/machines/index.ts'
import { ReplayRun, readTrace, systems, type ReplayableTrace } from '../../src/public/devtools/replay.ts'
import { CLIENT_SYSTEM } from '../../src/services/client/index.ts'
import { recordedClient } from '../harness/recorded-run.ts'
import { token } from '../harness/scripted-ports.ts'
import { stepsOf } from '../harness/steps.ts'

const outage: Failure = { kind: 'network', message: 'The backend cannot be reached.' }

function voyage() {
  let calls = 0
  return recordedClient(clock => ({
    authenticate: n => [[20, { type: 'auth.succeeded', token: token(clock, n, 300) }]],
    refreshToken: n =>
      n === 3
        ? [[20, { type: 'refresh.failed', failure: outage }]]
        : [[20, { type: 'refresh.succeeded', token: token(clock, n + 100, 300) }]],
    send: () => [[15, { type: 'send.answered', status: ++calls === 2 ? 401 : 200 }]],
    socket: n => [
      [10, { type: 'socket.opened' }],
      ...(n === 1 ? ([[600_000, { type: 'socket.closed', code: 1006, reason: '' }]] as const) : []),
    ],
    topic: () => [
      [5, { type: 'topic.joined' }],
      [50, { type: 'broadcast.received', event: 'hail', payload: { text: 'ahoy' } }],
    ],
  }))
}

function sail({ clock, send }: ReturnType<typeof voyage>) {
  const query = (id: string) =>
    send({ type: 'request.start', info: { id, family: 'rest', method: 'GET', path: '/rest/v1/log_entries' } })
  clock.advance(10)
  send({ type: 'session.signIn', attempt: 'in' })
  clock.advance(100)
  query('first')
  send({ type: 'channel.join', topic: 'bridge', options: {} })
  clock.advance(250_000)
  query('refused-with-401')
  clock.advance(1_000)
  clock.advance(700_000)
  send({ type: 'session.signOut', attempt: 'out', scope: 'local' })
  clock.advance(1_000)
}

async function record(): Promise<Uint8Array> {
  const run = voyage()
  sail(run)
  run.recorder.stop()
  return run.recorder.file()
}

const types = (trace: ReplayableTrace) => new Set(trace.steps.map(({ event }) => event.type))

test('the recording contains the whole day', async () => {
  const read = await readTrace(await record())
  if (read.kind !== 'trace') throw new Error(read.message)
  const reported = [
    'auth.succeeded',
    'request.start',
    'token.rotated',
    'broadcast.received',
    'token.rejected',
    'token.delayed',
    'socket.closed',
    'session.ended',
  ]
  expect(reported.filter(type => !types(read.trace).has(type))).toEqual([])
})

test('every (actor path, event, snapshot) is reproduced, in order and completely', async () => {
  const read = await readTrace(await record())
  if (read.kind !== 'trace') throw new Error(read.message)
  const compose = systems[CLIENT_SYSTEM]
  if (!compose) throw new Error('the client is not registered')
  const run = new ReplayRun(read.trace, compose)
  run.start()
  for (const stimulus of read.trace.stimuli) run.step(stimulus)
  expect(run.problems).toEqual([])
  expect(stepsOf(run.trace)).toEqual(stepsOf(read.trace))
})

test('in another process, by the command line: exit 0, every step compared', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-voyage-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'voyage.trace.gz')
  await writeFile(file, await record())
  const main = join(import.meta.dirname, '../../src/cli/main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'replay', file, '--json'])
  const report = JSON.parse(stdout) as { outcome: string; steps: number; compared: number }
  expect(report).toMatchObject({ outcome: 'exact', file, damage: [], machines: [] })
  expect(report.steps).toBeGreaterThan(100)
  expect(report.compared).toBe(report.steps)
})

test('a recording restarted on the running client replays from its keyframe', async () => {
  const run = voyage()
  run.clock.advance(10)
  run.send({ type: 'session.signIn', attempt: 'in' })
  run.send({ type: 'channel.join', topic: 'bridge', options: {} })
  run.clock.advance(100_000)
  run.recorder.stopRecording()
  run.clock.advance(60_000)
  run.recorder.startRecording()
  run.clock.advance(500_000)
  run.send({ type: 'session.signOut', attempt: 'out', scope: 'global' })
  run.clock.advance(1_000)
  const read = await readTrace(await run.recorder.file())
  if (read.kind !== 'trace') throw new Error(read.message)
  const compose = systems[CLIENT_SYSTEM]
  if (!compose) throw new Error('the client is not registered')
  const again = new ReplayRun(read.trace, compose)
  again.start()
  for (const stimulus of read.trace.stimuli) again.step(stimulus)
  expect(again.problems).toEqual([])
  expect(read.trace.steps.length).toBeGreaterThan(30)
  expect(stepsOf(again.trace)).toEqual(stepsOf(read.trace))
})
