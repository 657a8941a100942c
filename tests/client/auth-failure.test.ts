// Maps auth server responses to the failures that an app shows.
import { expect, test } from 'vitest'
import { authFailure } from '../../src/services/client/auth/auth-failure.ts'

test.each([
  ['invalid_credentials', 400, 'auth', 'Wrong email or password.'],
  ['email_not_confirmed', 400, 'auth', 'This email is not confirmed yet. Open the link that we emailed you.'],
  ['user_banned', 403, 'forbidden', 'This account is blocked. Contact the backend’s operator.'],
  ['user_already_exists', 422, 'conflict', 'An account with this email already exists. Sign in instead.'],
  ['email_exists', 422, 'conflict', 'An account with this email already exists. Sign in instead.'],
  ['signup_disabled', 422, 'forbidden', 'This backend does not accept new accounts.'],
  ['email_provider_disabled', 422, 'forbidden', 'This backend does not allow sign-in by email.'],
  ['weak_password', 422, 'validation', 'As the server said.'],
  ['otp_expired', 403, 'auth', 'This link or code has expired or was already used. Request a new one.'],
  ['a_code_of_tomorrow', 422, 'validation', 'As the server said.'],
] as const)('%s', (code, status, kind, message) => {
  expect(authFailure({ status, code, message: 'As the server said.' })).toEqual({
    kind,
    code,
    status,
    message,
  })
})

test('a network error has neither status nor code, and a Retry-After is passed on', () => {
  expect(authFailure({ status: 0, message: '' })).toEqual({
    kind: 'network',
    message: 'The backend cannot be reached.',
  })
  expect(authFailure({ status: 429, message: 'slow down', retryAfter: 7 })).toEqual({
    kind: 'rateLimit',
    status: 429,
    message: 'Too many attempts. Wait a moment and try again.',
    retryAfter: 7,
  })
})

test.each([
  ['Password should be at least 8 characters.', 'Password should be at least 8 characters.'],
  [
    'Password should contain at least one character of each: abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ, 0123456789.',
    'Password should contain a letter, a digit.',
  ],
  [
    'Password should contain at least one character of each: abcdefghijklmnopqrstuvwxyz, ABCDEFGHIJKLMNOPQRSTUVWXYZ, 0123456789, !@#$%^&*()_+-=[]{};\'\\:"|<>?,./`~.',
    'Password should contain a lower-case letter, an upper-case letter, a digit, a symbol.',
  ],
])('a weak password is explained: %s', (message, expected) => {
  expect(authFailure({ status: 422, code: 'weak_password', message }).message).toBe(expected)
})

test('the wait between two emails is taken from the message text', () => {
  const message = 'For security purposes, you can only request this after 58 seconds.'
  expect(authFailure({ status: 429, code: 'over_email_send_rate_limit', message })).toEqual({
    kind: 'rateLimit',
    code: 'over_email_send_rate_limit',
    status: 429,
    message: 'Too many attempts. Wait a moment and try again.',
    retryAfter: 58,
  })
})
