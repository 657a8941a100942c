// The sign-in page and the form for a new password: forms, attempts, failures, second factor and recovery.
import { describe, expect, test } from 'vitest'
import { createActor, fromCallback, type EventObject } from 'xstate'
import type { Failure } from '../../src/machines/index.ts'
import { newPasswordMachine } from '../../src/machines/workbench/new-password.ts'
import {
  signInMachine,
  type SessionFacts,
  type SignInForm,
  type SignInMethod,
} from '../../src/machines/workbench/sign-in.ts'
import { newPasswordView, signInView } from '../../src/services/workbench/auth/index.ts'

const wrong: Failure = { kind: 'auth', code: 'invalid_credentials', message: 'Wrong email or password.' }
const weak: Failure = { kind: 'validation', code: 'weak_password', message: 'Too short.' }
const tooMany: Failure = { kind: 'rateLimit', status: 429, retryAfter: 30, message: 'slow' }
const coded = (code: string): Failure => ({ kind: 'auth', code, message: 'No.' })

const SIGNED_OUT: SessionFacts = { isAuthenticated: false, needsFactor: false, isRecovering: false }
const SIGNED_IN: SessionFacts = { ...SIGNED_OUT, isAuthenticated: true }

/** The page with ports that only note their start; the test answers with events. */
function start(session = SIGNED_OUT, methods: readonly SignInMethod[] = ['password', 'link']) {
  const started: unknown[] = []
  const note = (name: string) =>
    fromCallback<EventObject, object>(({ input }) => {
      started.push(input === undefined ? name : [name, input])
    })
  const actor = createActor(
    signInMachine.provide({
      actors: {
        watchSession: fromCallback(() => undefined),
        submitForm: note('submitForm') as never,
        resendCode: note('resendCode') as never,
        signInAsGuest: note('signInAsGuest') as never,
        signInWithPasskey: note('signInWithPasskey') as never,
        openProvider: note('openProvider') as never,
        loadFactors: note('loadFactors') as never,
        verifyFactor: note('verifyFactor') as never,
      },
    }),
    { input: { methods, acceptsNew: true, session } },
  ).start()
  const view = () => signInView(actor.getSnapshot())
  const submit = (form: SignInForm, at = 0) => actor.send({ type: 'form.submit', form, at })
  const fail = (failure: Failure, at = 0) => actor.send({ type: 'attempt.failed', failure, at })
  return { actor, view, started, submit, fail, send: actor.send }
}

describe('the forms', () => {
  test('start with the first method of the backend, and are chosen by name', () => {
    const { view, send } = start(SIGNED_OUT, ['phone', 'sso'])
    expect(view().page).toBe('phone')
    for (const form of ['sso', 'signUp', 'recovery', 'password', 'link', 'phone'] as const) {
      send({ type: 'form.choose', form })
      expect(view().page).toBe(form)
    }
    send({ type: 'form.choose', form: 'recovery' })
    send({ type: 'form.choose', form: 'signIn' })
    expect(view().page).toBe('phone')
  })

  test.each([
    ['password', ['phone'], 'phone'],
    ['password', ['link', 'password'], 'password'],
    ['signUp', ['phone'], 'signUp'],
    ['password', [], 'password'],
  ] as const)('%s, when the backend turns out to have %j, becomes %s', (form, methods, page) => {
    const { view, send } = start()
    send({ type: 'form.choose', form })
    send({ type: 'methods.changed', methods, acceptsNew: true })
    expect(view().page).toBe(page)
  })

  test('an email is sent, its code is expected, it is sent again, and there is a way back', () => {
    const { view, send, submit, started } = start()
    const code = { kind: 'email', to: 'a@b' } as const
    send({ type: 'form.choose', form: 'link' })
    submit('link')
    expect(view()).toMatchObject({ page: 'link', running: 'submitting' })
    send({ type: 'code.sent', code })
    expect(view()).toMatchObject({ page: 'code', running: undefined, code, resent: 0 })
    send({ type: 'code.resend', at: 0 })
    expect(view().running).toBe('resending')
    send({ type: 'code.sent', code })
    expect(view()).toMatchObject({ page: 'code', code, resent: 1 })
    send({ type: 'form.choose', form: 'signIn' })
    expect(view().page).toBe('password')
    expect(started).toEqual([
      ['submitForm', { form: 'link', code: undefined, acceptsNew: true }],
      ['resendCode', { code, acceptsNew: true }],
    ])
  })
})

describe('an attempt', () => {
  test('runs alone: nothing else starts and the form stays', () => {
    const { view, send, submit, started } = start()
    submit('password')
    const busy = view()
    send({ type: 'guest.signIn' })
    send({ type: 'passkey.signIn' })
    send({ type: 'form.choose', form: 'signUp' })
    submit('password')
    expect(view()).toEqual(busy)
    expect(started).toHaveLength(1)
  })

  test.each([
    ['guest.signIn', 'enteringAsGuest'],
    ['passkey.signIn', 'usingPasskey'],
    ['provider.open', 'openingProvider'],
  ] as const)('%s keeps the form if it fails', (type, running) => {
    const { view, send, fail } = start()
    send({ type: 'form.choose', form: 'link' })
    send(type === 'provider.open' ? { type, provider: 'github' } : { type })
    expect(view().running).toBe(running)
    fail(wrong)
    expect(view()).toMatchObject({ page: 'link', running: undefined, failed: { state: 'refused' } })
  })

  test.each([
    [tooMany, 'rateLimited', true],
    [weak, 'passwordWeak', true],
    [coded('captcha_failed'), 'captchaRequired', false],
    [coded('email_not_confirmed'), 'emailUnconfirmed', false],
    [coded('user_already_exists'), 'userExists', false],
    [{ kind: 'network', message: 'Gone.' }, 'unreachable', false],
    [{ kind: 'rateLimit', message: 'slow' }, 'refused', false],
    [wrong, 'refused', false],
  ] as const)('failed with %j is %s; survives an edit: %s', (failure, state, isLasting) => {
    const { view, send, submit, fail } = start()
    submit('password')
    fail(failure)
    expect(view().failed).toMatchObject({ state, failure })
    send({ type: 'form.changed' })
    expect(view().failed?.state).toBe(isLasting ? state : undefined)
    submit('password', 100_000)
    expect(view()).toMatchObject({ running: 'submitting', failed: undefined })
  })

  test('is not sent before the time that the server named, but another form is free', () => {
    const { view, send, submit, fail, started } = start()
    submit('password')
    fail(tooMany, 1_000)
    expect(view().failed?.waitUntil).toBe(31_000)
    submit('password', 30_999)
    send({ type: 'code.resend', at: 30_999 })
    send({ type: 'confirmation.resend', at: 30_999 })
    expect(started).toHaveLength(1)
    submit('password', 31_000)
    expect(started).toHaveLength(2)
    fail(tooMany, 31_000)
    send({ type: 'form.choose', form: 'recovery' })
    expect(view().failed).toBe(undefined)
    submit('recovery', 31_001)
    expect(started).toHaveLength(3)
  })

  test('that once required a captcha keeps its field', () => {
    const { view, send, submit, fail } = start()
    submit('password')
    fail(coded('captcha_failed'))
    send({ type: 'form.choose', form: 'link' })
    expect(view()).toMatchObject({ page: 'link', needsCaptcha: true, failed: undefined })
  })

  test('of an unconfirmed address has the confirmation sent again', () => {
    const { view, send, submit, fail, started } = start()
    submit('password')
    fail(coded('email_not_confirmed'))
    send({ type: 'confirmation.resend', at: 0 })
    expect(view().running).toBe('confirming')
    expect(started.at(-1)).toEqual(['resendCode', { code: undefined, acceptsNew: true }])
    send({ type: 'code.sent', code: { kind: 'signup', to: 'a@b' } })
    expect(view()).toMatchObject({ page: 'code', resent: 0 })
  })

  test('whose effect throws fails with the error', () => {
    const { view, send, submit } = start()
    submit('password')
    send({ type: 'port.broken', failure: { kind: 'bug', message: 'Oh.' } })
    expect(view().failed).toMatchObject({ state: 'refused', failure: { kind: 'bug' } })
  })
})

describe('a session', () => {
  const changed = (session: SessionFacts) => ({ type: 'session.changed', session }) as const

  test('that needs nothing completes the page', () => {
    const { view, send } = start()
    send(changed(SIGNED_IN))
    expect(view().page).toBe('complete')
  })

  test('with one factor of two asks for the second: wrong, too many, right', () => {
    const { view, send, fail, started } = start()
    send(changed({ ...SIGNED_IN, needsFactor: true }))
    expect(view()).toMatchObject({ page: 'secondFactor', running: 'loading' })
    const factors = [
      { id: 'f1', name: 'Phone' },
      { id: 'f2', name: 'Key' },
    ]
    send({ type: 'factors.loaded', factors })
    expect(view()).toMatchObject({ running: undefined, factors, factor: 'f1' })
    send({ type: 'factor.verify', at: 0 })
    fail(wrong)
    expect(view().failed?.state).toBe('refused')
    send({ type: 'factor.choose', factor: 'f2' })
    expect(view()).toMatchObject({ factor: 'f2', failed: undefined })
    send({ type: 'factor.verify', at: 0 })
    fail(tooMany, 0)
    send({ type: 'factor.verify', at: 29_999 })
    expect(view().failed?.state).toBe('rateLimited')
    send({ type: 'factor.verify', at: 30_000 })
    send({ type: 'attempt.succeeded' })
    expect(view()).toMatchObject({ page: 'secondFactor', running: 'verifying' })
    send(changed(SIGNED_IN))
    expect(view().page).toBe('complete')
    expect(started).toEqual([
      'loadFactors',
      ['verifyFactor', { factor: 'f1' }],
      ['verifyFactor', { factor: 'f2' }],
      ['verifyFactor', { factor: 'f2' }],
    ])
  })

  test('whose factors could not be loaded can try again, or go on without', () => {
    const { view, send } = start({ ...SIGNED_IN, needsFactor: true })
    const failure: Failure = { kind: 'network', message: 'Gone.' }
    send({ type: 'factors.failed', failure })
    expect(view().failed).toEqual({ state: 'unavailable', failure, waitUntil: undefined })
    send({ type: 'factor.retry' })
    expect(view()).toMatchObject({ running: 'loading', failed: undefined })
    send({ type: 'step.skip' })
    expect(view().page).toBe('complete')
  })

  test('for a new password asks for the second factor first, and for the password then', () => {
    const { view, send } = start({ isAuthenticated: true, needsFactor: true, isRecovering: true })
    expect(view().page).toBe('secondFactor')
    send({ type: 'step.skip' })
    expect(view().page).toBe('newPassword')
    send(changed({ isAuthenticated: true, needsFactor: true, isRecovering: true }))
    expect(view().page).toBe('newPassword')
    send(changed(SIGNED_IN))
    expect(view().page).toBe('complete')
  })

  test('that ends on the way shows the forms again', () => {
    for (const facts of [{ needsFactor: true }, { isRecovering: true }]) {
      const { view, send } = start({ ...SIGNED_IN, ...facts })
      send(changed(SIGNED_OUT))
      expect(view()).toMatchObject({ page: 'password', failed: undefined })
    }
  })
})

describe('a new password', () => {
  const open = () => {
    const started: string[] = []
    const announced: string[] = []
    const note = (name: string) => fromCallback<EventObject>(() => void started.push(name)) as never
    const actor = createActor(
      newPasswordMachine.provide({
        actors: { savePassword: note('savePassword'), requestCode: note('requestCode') },
      }),
    )
    actor.on('*', ({ type }) => announced.push(type))
    actor.start()
    return { actor, started, announced, view: () => newPasswordView(actor.getSnapshot()) }
  }

  test('is confirmed by an emailed code if the sign-in is too old', () => {
    const { actor, started, announced, view } = open()
    actor.send({ type: 'password.save', at: 0 })
    actor.send({ type: 'password.refused', failure: coded('reauthentication_needed'), at: 0 })
    expect(view()).toEqual({ running: 'requestingCode', failed: undefined, needsCode: true })
    actor.send({ type: 'code.requested' })
    actor.send({ type: 'password.save', at: 0 })
    actor.send({ type: 'password.saved' })
    expect(view()).toEqual({ running: undefined, failed: undefined, needsCode: false })
    expect(started).toEqual(['savePassword', 'requestCode', 'savePassword'])
    expect(announced).toEqual(['password.saved'])
  })

  test('is not sent again before the time that the server named', () => {
    const { actor, started, view } = open()
    actor.send({ type: 'password.save', at: 0 })
    actor.send({ type: 'password.refused', failure: tooMany, at: 0 })
    actor.send({ type: 'password.changed' })
    actor.send({ type: 'password.save', at: 29_999 })
    expect(view().failed).toEqual({ state: 'rateLimited', failure: tooMany, waitUntil: 30_000 })
    actor.send({ type: 'code.request', at: 30_000 })
    expect(started).toEqual(['savePassword', 'requestCode'])
  })

  test('that is too weak keeps its list of requirements while it is edited', () => {
    const { actor, view } = open()
    actor.send({ type: 'password.save', at: 0 })
    actor.send({ type: 'password.refused', failure: weak, at: 0 })
    actor.send({ type: 'password.changed' })
    expect(view().failed?.state).toBe('passwordWeak')
    actor.send({ type: 'password.save', at: 0 })
    actor.send({ type: 'password.refused', failure: wrong, at: 0 })
    actor.send({ type: 'password.changed' })
    expect(view().failed).toBe(undefined)
  })
})
