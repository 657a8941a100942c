// A streamed response whose code cannot be loaded: the app still gets the whole response.
import { expect, test, vi } from 'vitest'
import { readAnswer } from '../../src/services/client/requests/gated-fetch.ts'

vi.mock('../../src/services/client/requests/watched-body.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

const CALL = {
  family: 'functions',
  path: '/functions/v1/tide',
  isOwn: false,
  isOwnKey: false,
  isWithToken: true,
} as const

test('a stream is read completely when the code that watches it cannot be loaded', async () => {
  const report = vi.fn<() => void>()
  const answer = await readAnswer(new Response('tide: high'), CALL, () => 0, report)
  expect(await answer.response?.text()).toBe('tide: high')
  expect(answer.event).toEqual({ type: 'send.answered', status: 200, bytes: 10 })
  expect(answer.body).toBeUndefined()
  expect(report).not.toHaveBeenCalled()
})
