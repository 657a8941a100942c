// Uploads and their user: other users do not see them, and a session end suspends them without losing them.
import { expect, test } from 'vitest'
import type { UploadsApi, UploadStatus } from '../../src/public/index.ts'
import { OwnUploads } from '../../src/services/workbench/files/uploads.ts'

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
