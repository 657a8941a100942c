// What a refusal is about, as its words say: bodies of other projects' servers, each with its source.
import { createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { classifyRefusal } from '../../src/services/client/requests/classify-refusal.ts'
import { describeFailure } from '../../src/services/client/index.ts'
import { OBSERVED, type RealRefusal, REFUSALS } from './refusals.ts'

const textOf = ({ body }: RealRefusal) => (typeof body === 'string' ? body : JSON.stringify(body))

test('the table has at least 60 bodies with a source', () => {
  expect(REFUSALS.length).toBeGreaterThan(100)
  expect(REFUSALS.filter(({ source }) => source !== OBSERVED).length).toBeGreaterThan(60)
})

test.each(
  REFUSALS.map(each => [each.family, each.status, textOf(each).slice(0, 90), each.expected, each] as const),
)('%s %s %s: %s', (family, status, _text, expected, each) => {
  const { path = '', headers, bearer = 'token' } = each
  const response = {
    family,
    status,
    path,
    text: textOf(each),
    headers: new Headers(headers),
    bearer,
  } as const
  expect(classifyRefusal(response)).toBe(expected)
})

test.each(
  REFUSALS.filter(({ family }) => family === 'rest' || family === 'storage').map(
    each => [textOf(each), each] as const,
  ),
)(
  'an error of supabase-js is a failure of the key exactly if the key was refused: %s',
  async (text, { family, status, body, bearer, headers, expected }) => {
    // Without headers and without what was sent, an error can only say so in its body.
    if (typeof body === 'string' || bearer !== undefined || headers !== undefined) return
    const client = createClient('http://localhost', 'any', {
      auth: { persistSession: false, autoRefreshToken: false },
      db: { retry: false },
      global: { fetch: () => Promise.resolve(new Response(text, { status })) },
    })
    const { error } = await (family === 'rest'
      ? client.from('vessels').select()
      : client.storage.listBuckets())
    const { kind } = await describeFailure(error, status)
    expect(kind === 'apiKey').toBe(['keyMissing', 'keyRejected', 'keyDisabled'].includes(expected ?? ''))
  },
)
