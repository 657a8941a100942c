// Uploads and their user: other users do not see them, and a session end suspends them without losing them.
import { expect, test } from 'vitest'
import type { UploadsApi, UploadStatus } from '../../src/public/index.ts'
import {
  type SpeedSamples,
  speedText,
  withSample,
  OwnUploads,
} from '../../src/services/workbench/files/index.ts'

const upload = (id: string, phase: UploadStatus['phase'], code?: string): UploadStatus => ({
  id,
  bucket: 'charts',
  path: `${id}.bin`,
  bytes: 100,
  sent: 40,
  phase,
  attempts: 1,
  resumable: true,
  ...(code === undefined ? {} : { failure: { kind: 'aborted', code, message: 'It ended.' } }),
})

const file = (path: string) => ({ bucket: 'charts', path, content: new Blob(['x']) })

function begin() {
  const world = { list: [] as readonly UploadStatus[], user: 'skipper', next: 1 }
  const reported: string[] = []
  const listeners: (() => void)[] = []
  const uploads = {
    add: (files: readonly unknown[]) => Promise.resolve(files.map(() => String(world.next++))),
    list: () => world.list,
    pause: (id: string) => reported.push(`pause ${id}`),
    resume: (id: string) => reported.push(`resume ${id}`),
    retry: (id: string) => reported.push(`retry ${id}`),
  } as unknown as UploadsApi
  const of = (user: string) =>
    new OwnUploads({
      uploads,
      isTheirs: () => world.user === user,
      onUser: listener => listeners.push(listener),
    })
  const signIn = (user: string) => {
    world.user = user
    for (const listener of listeners) listener()
  }
  return { world, reported, of, signIn }
}

test('each user sees their own, as the same array until something changes', async () => {
  const { world, of } = begin()
  const [skipper, mate] = [of('skipper'), of('mate')]
  await skipper.add([file('1.bin')])
  await mate.add([file('2.bin')])
  world.list = [upload('1', 'sending'), upload('2', 'waiting')]
  expect(skipper.list().map(({ id }) => id)).toEqual(['1'])
  expect(skipper.list()).toBe(skipper.list())
  expect(mate.list().map(({ id }) => id)).toEqual(['2'])
})

test('running uploads wait for their user, and those interrupted by the session end continue', async () => {
  const { world, reported, of, signIn } = begin()
  const skipper = of('skipper')
  await skipper.add(['1', '2', '3', '4', '5'].map(file))
  world.list = [
    upload('1', 'failed', 'signed_out'),
    upload('2', 'waiting'),
    upload('3', 'paused'),
    upload('4', 'failed', 'too_large'),
    upload('5', 'done'),
  ]
  signIn('')
  signIn('mate')
  expect(reported).toEqual(['pause 2'])
  signIn('skipper')
  expect(reported).toEqual(['pause 2', 'retry 1', 'resume 2'])
  signIn('skipper')
  expect(reported).toHaveLength(3)
})

test('the speed is that of the last seconds, and a pause does not count', () => {
  const big = { ...upload('big', 'sending'), bytes: 100_000_000 }
  let samples: SpeedSamples = new Map()
  const send = (sent: number, at: number, phase: UploadStatus['phase'] = 'sending') => {
    const now = { ...big, sent, phase }
    samples = withSample(samples, [now], at)
    return speedText(samples, [now])
  }
  expect(send(0, 0)).toBeUndefined()
  expect(send(500_000, 500)).toBeUndefined()
  expect(send(2_000_000, 1_000)).toBe('2.0 MB/s, 0:49 left')
  // Only the last ten seconds count.
  for (let at = 2_000; at <= 20_000; at += 1_000) send(2_000_000 + (at - 1_000) * 1_000, at)
  expect(send(22_000_000, 21_000)).toBe('1.0 MB/s, 1:18 left')
  expect(send(22_000_000, 60_000, 'paused')).toBeUndefined()
  expect(send(22_000_000, 61_000)).toBeUndefined()
  expect(send(26_000_000, 63_000)).toBe('2.0 MB/s, 0:37 left')
  // A part that is sent again.
  expect(send(24_000_000, 64_000)).toBeUndefined()
  // Nothing moves.
  expect(send(24_000_000, 66_000)).toBeUndefined()
  const two = [
    { ...big, id: 'a', sent: 0 },
    { ...big, id: 'b', sent: 0 },
  ]
  const later = two.map(each => ({ ...each, sent: 10_000_000 }))
  const both = withSample(withSample(new Map(), two, 0), later, 10_000)
  expect(speedText(both, later)).toBe('2.0 MB/s, 1:30 left')
})
