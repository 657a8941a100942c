// A client under control: requests wait while it is paused, injected faults are in its recording, and it
// replays.
import { expect, test } from 'vitest'
import { createControl } from '../../src/public/devtools/control.ts'
import { systems } from '../../src/public/devtools/replay.ts'
import { createBackendFaults } from '../../src/services/control/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json } from '../harness/fake-backend.ts'

test('requests wait while paused; a cut connection is a fault; everything replays exactly', async () => {
  const control = createControl()
  const { client, requests } = startClient(
    { ...signIn, 'GET /rest/v1/vessels?select=*': () => json([]) },
    { control },
  )
  await client.auth.signInWithPassword(credentials)
  const drive = await control.open()
  drive.hold()
  const before = requests.length
  const held = client.supabase
    .from('vessels')
    .select()
    .then(answer => answer.status)
  await expect.poll(() => drive.state().waiting.map(({ event: { type } }) => type)).toEqual(['request.start'])
  expect(requests.length).toBe(before)
  drive.release()
  expect(await held).toBe(200)
  drive.faults.set({ kind: 'fail', times: 1, path: '/rest/' })
  const { error } = await client.supabase.from('vessels').insert({ name: 'Fulmar' } as never)
  expect(error).not.toBe(null)
  const failures = client.recording.trace.stimuli.flatMap(({ event }) => {
    const { type, failure } = event as { type?: string; failure?: object }
    return type === 'send.failed' ? [failure] : []
  })
  expect(failures).toEqual([
    { kind: 'network', message: 'The backend cannot be reached.', faultId: 'local.fail#1' },
  ])
  const read = await readTrace(new Uint8Array(await (await client.recording.download()).arrayBuffer()))
  const outcome = 'trace' in read ? (verify(read.trace, systems) as { outcome?: string }).outcome : read
  expect(outcome).toBe('exact')
})

test('backend faults: none without a backend, its plan, and what is wrong with a fault', async () => {
  const page = 'https://app.example/vessels#here'
  const requests: unknown[] = []
  const elsewhere = (path: unknown) => {
    requests.push(path)
    return Promise.resolve(new Response('<html>'))
  }
  const nowhere = createBackendFaults(elsewhere, page)
  expect([await nowhere.plan(), await nowhere.plan(), requests]).toEqual([undefined, undefined, [page]])
  const calls: unknown[] = []
  const faults = createBackendFaults((path, init) => {
    if (path === page)
      return Promise.resolve(new Response('<html>', { headers: { 'X-Chartroom-Faults': '/' } }))
    calls.push([init?.method ?? 'GET', path, init?.body])
    const isBad = init?.method === 'POST'
    const plan = { plan: { faults: [{ id: 'busy', do: { status: 503 }, hits: 2 }] }, hits: [], held: [{}] }
    const wrong = { message: 'no', problems: [{ path: 'faults.0.do.statu', message: 'is not known here' }] }
    return Promise.resolve(json(isBad ? wrong : plan, isBad ? 400 : 200))
  }, page)
  expect(await faults.plan()).toEqual({
    faults: [{ id: 'busy', fault: { id: 'busy', do: { status: 503 } }, hits: 2 }],
    held: 1,
  })
  await expect(faults.add({ do: { statu: 3 } })).rejects.toThrow('faults.0.do.statu: is not known here')
  await faults.clear('squall')
  await faults.clear()
  expect(calls.slice(1)).toEqual([
    ['POST', '/_chartroom/faults', '{"do":{"statu":3}}'],
    ['DELETE', '/_chartroom/faults/squall', undefined],
    ['DELETE', '/_chartroom/faults', undefined],
  ])
})
