// Signing in and the account, in texts and states: flows, passwords, claims, metadata.
import { describe, expect, test } from 'vitest'
import type { Failure } from '../../src/public/index.ts'
import { parseHostSettings } from '../../src/services/client/auth/host-settings.ts'
import { claimWords, headerWords, inOrder, lifeWords } from '../../src/ui/app/account/token/claims-table.tsx'
import { consentsOf } from '../../src/ui/app/account/user/email-card.tsx'
import {
  enrolment,
  claimsOf,
  headerOf,
  metadataChange,
  parseMetadata,
  RESTING,
  taskChart,
  type TaskEvent,
  type TaskState,
} from '../../src/services/workbench/accounts/index.ts'
import {
  checkForm,
  cleanDomain,
  NOTHING_TYPED,
  needsOf,
} from '../../src/services/workbench/auth/sign-in-fields.ts'
import { explainAuthFailure, providerName, methodsOf } from '../../src/services/workbench/auth/index.ts'

const tooMany: Failure = { kind: 'rateLimit', status: 429, message: 'slow', retryAfter: 30 }

describe('the sign-in page', () => {
  test.each([
    ['no captcha_token found', /^This backend requires a captcha/],
    ['timeout-or-duplicate', /^Turnstile reports that this token was already used or is older than five/],
    ['expired-input-response', /^hCaptcha reports that this token was already used or is older than two/],
    ['invalid-input-response', /^This token is incomplete/],
    ['invalid-input-secret', /^The captcha of this backend is misconfigured/],
  ])('for a captcha rejected with %s, the reason is shown', (text, words) => {
    const message = `captcha protection: request disallowed (${text})`
    expect(explainAuthFailure({ kind: 'auth', code: 'captcha_failed', message })).toMatch(words)
  })
})

describe('the options of a backend', () => {
  const external = { email: true, phone: true, anonymous_users: true, google: true, github: false }
  const settings = parseHostSettings({ external, saml_enabled: true, mailer_autoconfirm: false })

  test('are read from its settings', () => {
    expect(settings).toEqual({
      email: true,
      phone: true,
      anonymous: true,
      sso: true,
      passkeys: false,
      providers: ['google'],
      signUp: true,
      confirmsEmail: true,
    })
    expect(parseHostSettings({ message: 'no such route' })).toBe(undefined)
  })

  test('decide which methods are shown', () => {
    expect(methodsOf(settings)).toEqual(['password', 'link', 'phone', 'sso'])
    expect(methodsOf(undefined)).toEqual(['password'])
    expect(methodsOf(parseHostSettings({ external: { phone: true } }))).toEqual(['phone'])
  })

  test('include providers by their usual names', () => {
    expect(['google', 'github', 'azure', 'linkedin_oidc', 'kakao'].map(providerName)).toEqual([
      'Google',
      'GitHub',
      'Microsoft',
      'LinkedIn',
      'Kakao',
    ])
  })
})

test.each([
  ['password', { email: 'a@b.c' }, ['password']],
  ['signUp', { email: 'a@b.c', password: 'short' }, ['password']],
  ['phone', { phone: '+44 (0)20 7946-0000' }, []],
  ['phone', { phone: 'harbour' }, ['phone']],
  ['sso', { domain: 'Skipper@Example.com' }, []],
  ['sso', { domain: 'example' }, ['domain']],
  ['link', { email: 'nobody' }, ['email']],
  ['code', { code: ' 123456 ' }, []],
  ['code', { code: '' }, ['code']],
  ['recovery', { email: 'a@b.c' }, []],
  ['secondFactor', { code: '123 456' }, []],
  ['secondFactor', { code: '12345' }, ['code']],
] as const)('in the form %s with %j these are wrong: %j', (form, typed, fields) => {
  expect(Object.keys(checkForm(form, { ...NOTHING_TYPED, ...typed }))).toEqual(fields)
})

test('an email address is accepted as its domain', () => {
  expect(cleanDomain(' Skipper@Example.COM ')).toBe('example.com')
})

describe('a weak password', () => {
  const met = (message: string, password: string, refused = 'old') =>
    needsOf(message, refused).map(({ text, isMet }) => [text, isMet(password)])

  test('shows what it lacks, and what it has', () => {
    const message =
      'Password should be at least 10 characters. Password should contain a lower-case letter, an upper-case letter, a digit, a symbol.'
    expect(met(message, 'harbour7')).toEqual([
      ['At least 10 characters', false],
      ['A lower-case letter', true],
      ['An upper-case letter', false],
      ['A digit', true],
      ['A symbol, such as ! or #', false],
    ])
    expect(met('Password should contain a letter, a digit.', 'ABC')).toEqual([
      ['A letter', true],
      ['A digit', false],
    ])
  })

  test('that is known from a leak must be replaced by another', () => {
    const message = 'Password is known to be weak and easy to guess, please choose a different one.'
    expect(met(message, 'password1', 'password1')).toEqual([['Not known from a leak', false]])
    expect(met(message, 'another', 'password1')).toEqual([['Not known from a leak', true]])
    expect(met('Something else entirely.', 'x')).toEqual([])
  })
})

test('a task runs alone, and a late response changes nothing', () => {
  type State = TaskState<'save'>
  const step = (state: State, event: TaskEvent<'save'>): State => taskChart(state, event)
  const running = step(RESTING, { type: 'task.start', task: 'save' })
  expect(step(running, { type: 'task.start', task: 'save' })).toBe(running)
  expect(step(running, { type: 'task.refused', failure: tooMany, at: 5 })).toEqual({
    phase: 'refused',
    task: 'save',
    failure: tooMany,
    waitUntil: 30_005,
  })
  expect(step(running, { type: 'task.done' })).toEqual({ phase: 'done', task: 'save' })
  expect(step(RESTING, { type: 'task.done' })).toBe(RESTING)
})

test('a second factor is named, enrolled, tried and verified; a wrong code keeps the QR code', () => {
  const factor = { id: 'f', name: 'Phone', uri: 'otpauth://totp/x', secret: 'S' }
  const steps = [
    { type: 'enrolment.open' },
    { type: 'enrol.start' },
    { type: 'enrol.done', factor },
    { type: 'verify.start' },
    { type: 'task.refused', failure: tooMany, at: 5 },
  ] as const
  const tried = steps.reduce(enrolment, { at: 'closed' })
  expect(tried).toEqual({ at: 'scanning', factor, refused: { failure: tooMany, waitUntil: 30_005 } })
  expect(enrolment(enrolment(tried, { type: 'verify.start' }), { type: 'verify.done' })).toEqual({
    at: 'closed',
  })
})

describe('a token', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ plan: 'crew', exp: 7_200, sub: 'ü', iat: 3_600 })}.sig`

  test('shows its claims, in the usual order, as text', () => {
    expect(headerOf(token)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(inOrder(claimsOf(token))).toEqual([
      ['sub', 'ü'],
      ['exp', 7_200],
      ['iat', 3_600],
      ['plan', 'crew'],
    ])
    expect(lifeWords(claimsOf(token))).toBe('1:00:00')
    expect(claimWords('exp', 7_200, 'UTC')).toMatch(/^7200 · Jan 1, 1970, 2:00:00\sAM$/)
    expect(claimWords('amr', [{ method: 'totp', timestamp: 60 }, 'pwd'], 'UTC')).toMatch(
      /^totp, Jan 1, 1970, 12:01:00\sAM\npwd$/,
    )
    expect(claimWords('app_metadata', { a: 1 })).toBe('{\n  "a": 1\n}')
    expect(headerWords('alg', 'HS256')).toBe('HS256 · signed with a shared secret')
  })

  test('that is invalid shows nothing', () => {
    expect([claimsOf(''), claimsOf('a.b.c'), headerOf('%')]).toEqual([{}, {}, {}])
  })
})

describe('metadata', () => {
  test.each([
    ['{"a": 1}', { ok: true, value: { a: 1 } }],
    ['[1]', { ok: false, problem: 'Metadata must be a JSON object: { … }.' }],
    [
      '{"id": 9007199254740993}',
      {
        ok: false,
        problem:
          'Whole numbers with more than 15 digits would lose precision. Write them as text, in quotes.',
      },
    ],
    ['{\n  "a": 1,\n}', { ok: false, problem: 'Invalid JSON in line 3, column 1.' }],
    ['{"a"', { ok: false, problem: expect.stringMatching(/^Invalid JSON/) as string }],
  ])('%s', (text, result) => {
    expect(parseMetadata(text)).toEqual(result)
  })

  test('changes are sent, with null for removed keys', () => {
    const present = { name: 'Skipper', boat: { sails: 2 }, old: true, none: null }
    const wanted = { name: 'Skipper', boat: { sails: 3 }, rank: 1, none: null }
    expect(metadataChange(present, wanted)).toEqual({
      set: ['boat', 'rank'],
      removed: ['old'],
      data: { boat: { sails: 3 }, rank: 1, old: null },
    })
    expect(metadataChange(present, present)).toEqual({ set: [], removed: [], data: {} })
  })
})

test('an email change notifies both addresses; a guest has only one', () => {
  expect(consentsOf({ email: 'old@b', new_email: 'new@b' })).toEqual([
    { side: 'present', address: 'old@b' },
    { side: 'new', address: 'new@b' },
  ])
  expect(consentsOf({ email: '', new_email: 'new@b' })).toEqual([{ side: 'new', address: 'new@b' }])
  expect(consentsOf({ email: 'old@b' })).toEqual([])
})

test('server error codes are shown with the next step', () => {
  const text = (code: string) =>
    explainAuthFailure({ kind: 'validation', code, message: 'as the server put it' })
  expect(text('mfa_verification_failed')).toMatch(/^This code is wrong. Codes change every 30 s/)
  expect(text('single_identity_not_deletable')).toMatch(/Add another one first/)
  expect(text('something_new')).toBe('as the server put it')
})
