// Redaction: by key, by pattern and by known value; the same secret always gets the same pseudonym.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/trace/redact.ts'

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl-_'

describe('by key', () => {
  test.each([
    'password',
    'access_token',
    'accessToken',
    'refresh_token',
    'apikey',
    'apiKey',
    'x-api-key',
    'Authorization',
    'token_hash',
    'otp',
    'client_secret',
    'code_verifier',
    'Set-Cookie',
  ])('a string under %s is hidden', key => {
    expect(createRedactor().value({ [key]: 'hunter2 of old', other: 1 })).toEqual({
      [key]: '[redacted:1]',
      other: 1,
    })
  })

  test('only strings are: a state or object of that name stays', () => {
    const value = { token: { state: 'fresh' }, password: null, secret: 3, otp: undefined, apikey: '' }
    expect(createRedactor().value(value)).toBe(value)
  })

  test('`token` is taken for a secret when it looks like one', () => {
    expect(createRedactor().value([{ token: '123456' }, { token: 'refreshing' }])).toEqual([
      { token: '[redacted:1]' },
      { token: 'refreshing' },
    ])
  })
})

describe('by value', () => {
  test.each([
    [`got ${JWT}.`, 'got [redacted:1].'],
    ['sb_secret_abc-DEF_123 and sb_publishable_xyz', '[redacted:1] and [redacted:2]'],
    ['Bearer abcdefgh12', 'Bearer [redacted:1]'],
    ['ws://h/realtime?apikey=abc123&vsn=1.0.0', 'ws://h/realtime?apikey=[redacted:1]&vsn=1.0.0'],
    [
      'http://h/cb#access_token=aaa&refresh_token=bbb',
      'http://h/cb#access_token=[redacted:1]&refresh_token=[redacted:2]',
    ],
    ['http://h/cb?code=xyz&state=1', 'http://h/cb?code=[redacted:1]&state=1'],
    ['the status is signedOut', 'the status is signedOut'],
  ])('%s', (text, hidden) => {
    const redactor = createRedactor()
    expect(redactor.text(text)).toBe(hidden)
    expect(redactor.text(hidden)).toBe(hidden)
  })

  test('a secret that was seen under a key, or registered, is found everywhere', () => {
    const redactor = createRedactor()
    redactor.register('registered+value')
    const error = new Error('refused: opaque-refresh-1', { cause: ['registered+value'] })
    const value = {
      error,
      nested: new Map([['opaque-refresh-1', new Set(['x registered%2Bvalue'])]]),
      'key opaque-refresh-1': 1,
      refresh_token: 'opaque-refresh-1',
    }
    const hidden = redactor.value(value)
    expect(hidden).toEqual({
      error: new Error('refused: [redacted:2]', { cause: ['[redacted:1]'] }),
      nested: new Map([['[redacted:2]', new Set(['x [redacted:1]'])]]),
      'key [redacted:2]': 1,
      refresh_token: '[redacted:2]',
    })
    expect(hidden.error.message).toBe('refused: [redacted:2]')
    expect(hidden.error.stack).not.toContain('opaque')
  })

  test('types of events are not touched by a known value', () => {
    const redactor = createRedactor()
    redactor.register('signIn.start')
    expect(redactor.value({ type: 'signIn.start', note: 'signIn.start' })).toEqual({
      type: 'signIn.start',
      note: '[redacted:1]',
    })
  })

  test('equal secrets stay equal, and a computed header matches the token in it', () => {
    const redactor = createRedactor()
    const { a, b, header } = redactor.value({
      a: JWT,
      b: { access_token: JWT },
      header: { authorization: `Bearer ${JWT}` },
    })
    expect([a, b.access_token, header.authorization]).toEqual([
      '[redacted:1]',
      '[redacted:1]',
      'Bearer [redacted:1]',
    ])
    expect(`Bearer ${a}`).toBe(header.authorization)
  })
})

test('without secrets the very same value comes back', () => {
  const value = {
    a: [1, { b: new Date(0) }],
    c: new Map([[1, new Set([2])]]),
    e: new Error('x'),
    f: new Uint8Array(2),
  }
  expect(createRedactor().value(value)).toBe(value)
})

test('redacting twice, also elsewhere, changes nothing more', () => {
  const key = fc.constantFrom('password', 'token', 'note', 'authorization', 'type', 'url')
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      JWT,
      `Bearer ${JWT}`,
      'sb_secret_0a1b2c',
      'http://h/?token=abc12345',
      'Basic YWxhZGRpbjpvcGVu',
      'longsecret99',
    ),
  )
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.array(tie('value')),
      fc.dictionary(key, tie('value')),
    ),
  }))
  fc.assert(
    fc.property(value, raw => {
      const redactor = createRedactor()
      redactor.register('longsecret99')
      const once = redactor.value(raw)
      expect(redactor.value(once)).toBe(once)
      expect(createRedactor().value(once)).toEqual(once)
    }),
    { numRuns: 500 },
  )
})

test('loops do not hang it', () => {
  const loop: Record<string, unknown> = { password: 'abc-123-xyz' }
  loop['self'] = loop
  expect(JSON.stringify(createRedactor().value(loop))).toBe(
    '{"password":"[redacted:1]","self":{"kind":"cycle","name":""}}',
  )
})
