// Redaction: by key, by pattern and by known value; the same secret always gets the same pseudonym.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeValue, Opaque } from '../../src/trace/index.ts'
import { createRedactor } from '../../src/trace/redact/redact.ts'
import { assertProperty } from '../harness/volume.ts'

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

  test('`token` is treated as a secret when it looks like one', () => {
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

  test.each([0, 1, 2, 3, 4, 5, 6])(
    'JSON within JSON, %d times, with quotes and escapes in the secret',
    levels => {
      const escaped = JSON.stringify({
        'db-password': 'opaque "quoted" \\ opaque\nline, opaque \\',
        note: 'stays',
        pin: 4711,
        list: [{ apiKey: 'opaque' }],
      })
      let text = escaped
      for (let level = 0; level < levels; level++) text = JSON.stringify(text)
      let hidden: unknown = createRedactor().text(text)
      expect(hidden).not.toContain('opaque')
      for (let level = 0; level < levels; level++) hidden = JSON.parse(String(hidden))
      expect(hidden).toBe(
        '{"db-password":"[redacted:1]","note":"stays","pin":"[redacted:2]","list":[{"apiKey":"[redacted:3]"}]}',
      )
    },
  )

  test('event types are not redacted by a known value', () => {
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

test('a value without secrets is returned unchanged, as the same object', () => {
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
  assertProperty(
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

test('the value of a pair is hidden completely, also where a part of it matches a pattern', () => {
  for (const pair of [
    ['Cookie', 'opaque-1; token=opaque-2'],
    ['http://h/?token=abc12345', 'http://h/?token=abc12345'],
  ]) {
    const once = createRedactor().value(pair)
    expect(JSON.stringify(once)).not.toMatch(/opaque|abc/)
    expect(createRedactor().value(once)).toEqual(once)
  }
})

test('cycles do not hang it', () => {
  const loop: Record<string, unknown> = { password: 'abc-123-xyz' }
  loop['self'] = loop
  expect(JSON.stringify(createRedactor().value(loop))).toBe(
    '{"password":"[redacted:1]","self":{"kind":"cycle","name":""}}',
  )
})

describe('errors', () => {
  test('secrets inside `AggregateError.errors` are hidden, at any depth', () => {
    const inner = new AggregateError(
      [new Error('login failed: password=opaque-inner-1'), { refreshToken: 'opaque-inner-2' }],
      'inner',
    )
    const outer = new AggregateError([inner, `Bearer ${JWT}`, 'plain'], 'seen opaque-inner-2')
    const hidden = createRedactor().value(outer)
    const [first, second, third] = hidden.errors as [AggregateError, string, string]
    expect(first.errors).toEqual([
      new Error('login failed: password=[redacted:1]'),
      { refreshToken: '[redacted:2]' },
    ])
    expect([second, third]).toEqual(['Bearer [redacted:3]', 'plain'])
    expect(hidden.message).toBe('seen [redacted:2]')
    expect(JSON.stringify(encodeValue(hidden))).not.toMatch(/opaque|eyJ/)
  })

  const throwing = (message: string) => ({
    get broken(): string {
      throw new Error(message)
    },
  })

  test.each<[string, (message: string) => unknown]>([
    ['an object', throwing],
    ['an error', message => Object.defineProperties(new Error('x'), descriptorsOf(throwing(message)))],
    ['the cause of an error', message => new Error('x', { cause: throwing(message) })],
    [
      'the `cause` itself',
      message => Object.defineProperty(new Error('x'), 'cause', { get: () => throwing(message).broken }),
    ],
    ['a list', message => [throwing(message)]],
    [
      'a proxy',
      message =>
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error(message)
            },
          },
        ),
    ],
  ])('the reason that a getter of %s threw is redacted', (_, make) => {
    const text = (value: unknown) => JSON.stringify(encodeValue(createRedactor().value(value)))
    const byFormat = text(make(`no: sk_live_opaque0123456789 and password=opaque-1`))
    expect(byFormat).toContain('unwritable')
    expect(byFormat).not.toContain('opaque')
    // The key that registers it comes after the getter.
    const learnedLater = text({ first: make('no: opaque-later-2'), password: 'opaque-later-2' })
    expect(learnedLater).toContain('unwritable')
    expect(learnedLater).not.toContain('opaque')
  })

  test('the text of a marker that was made elsewhere is redacted', () => {
    const redactor = createRedactor()
    redactor.register('opaque-known-1')
    expect(redactor.value([new Opaque('unwritable', 'no: opaque-known-1'), new Opaque('cycle')])).toEqual([
      new Opaque('unwritable', 'no: [redacted:1]'),
      new Opaque('cycle'),
    ])
  })
})

test('a bigint under the name of a code is hidden, like a number', () => {
  expect(createRedactor().value({ pin: 471_100n, count: 471_100n })).toEqual({
    pin: '[redacted:1]',
    count: 471_100n,
  })
})

test.each([
  ['a symbol', Symbol('sk_live_opaque0123456789')],
  ['a function', { sk_live_opaque0123456789: () => 1 }['sk_live_opaque0123456789']],
])('the name of %s is redacted', (_, value) => {
  expect(JSON.stringify(encodeValue(createRedactor().value({ value })))).not.toContain('opaque')
})

function descriptorsOf(object: object) {
  return Object.getOwnPropertyDescriptors(object)
}
