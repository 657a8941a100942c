// Usual mistakes in setting a client up: unset variables, a recorder that is not called, an old supabase-js.
import { afterEach, expect, test, vi } from 'vitest'
import { createChartroomClient } from '../../src/public/index.ts'
import { recordEverything } from '../../src/public/recording.ts'
import { KEY, URL_BASE } from '../harness/fake-backend.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.doUnmock('@supabase/supabase-js')
  vi.resetModules()
})

/** As JavaScript calls it. */
const create = createChartroomClient as (...args: readonly unknown[]) => unknown

const messageOf = (run: () => unknown): unknown => {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

test.each([[[undefined, undefined]], [[undefined]], [[]], [[null]]])(
  'unset variables, %j, give the sentence of an unset url',
  args => {
    const sentence = messageOf(() => create({ url: undefined, key: undefined }))
    expect(sentence).toMatch(/url/)
    expect(messageOf(() => create(...args))).toBe(sentence)
  },
)

test.each([[true], ['yes'], [{}], [null]])('`recording: %j` names what it must be', recording => {
  expect(messageOf(() => create({ url: URL_BASE, key: KEY, recording }))).toBe(
    '`recording` must be `recordEverything()` of chartroom/recording',
  )
})

test('a recorder that is not called is refused with the call', () => {
  expect(messageOf(() => create({ url: URL_BASE, key: KEY, recording: recordEverything }))).toBe(
    '`recording` must be called: `recording: recordEverything()`',
  )
})

test('an old supabase-js is refused with the command that updates it', async () => {
  vi.resetModules()
  // The old client starts its refreshes when it is created.
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  vi.doMock('@supabase/supabase-js', () => import('supabase-js-2-39'))
  const { createChartroomClient: createWithOld } = await import('../../src/public/index.ts')
  expect(messageOf(() => createWithOld({ url: URL_BASE, key: KEY }))).toMatch(
    /^chartroom needs @supabase\/supabase-js 2\.100 or newer, .* "npm install @supabase\/supabase-js@2"/,
  )
})
