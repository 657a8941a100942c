// Tokens that are refused.
import type { Case } from './case.ts'

const TOKENS = 'auth: bearer tokens'

const refused = (token: string, message: string, rest: Partial<Case> = {}): Case => ({
  section: TOKENS,
  ...rest,
  request: { path: '/rpc/who', headers: { authorization: token } },
  expect: {
    status: 401,
    error: { code: 'PGRST301', message, hint: null },
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  },
})

export const AUTH: readonly Case[] = [
  refused('Bearer ', 'Empty JWT is sent in Authorization header'),
  refused('Bearer a.b', 'Expected 3 parts in JWT; got 2'),
  refused('Bearer a', 'Expected 3 parts in JWT; got 1'),
  {
    section: TOKENS,
    name: 'another scheme is ignored',
    request: { path: '/rpc/who', headers: { authorization: 'Basic abc' } },
    expect: { status: 200, json: 'anon' },
  },
]
