// A token with characters that no header can have is no session, at once, in every storage.
import { stringToBase64URL } from '@supabase/ssr'
import { expect, test } from 'vitest'
import { isSendable } from '../../src/services/runtime/index.ts'
import { createServerClient } from '../../src/public/ssr.ts'

const sessionOf = (token: string) => ({
  access_token: token,
  refresh_token: 'r',
  token_type: 'bearer',
  expires_in: 3_600,
  expires_at: Math.floor(Date.now() / 1000) + 3_600,
  user: { id: 'u' },
})

// The oracle is the platform's own Headers.
function isAccepted(token: string): boolean {
  try {
    return new Headers({ authorization: `Bearer ${token}` }).has('authorization')
  } catch {
    return false
  }
}

test('each character is judged as the platform does', () => {
  const wrong: number[] = []
  for (let code = 0; code <= 0x2100; code += 1) {
    const token = `a${String.fromCharCode(code)}b`
    const fits = isAccepted(token)
    // The platform also lets control characters through that servers refuse.
    if (isSendable(token) ? !fits : fits && code >= 0x20 && code !== 0x7f) wrong.push(code)
  }
  expect(wrong).toEqual([])
})

const TOKENS = ['a.b\r\n.c', 'a.b.c\r\nx-evil: 1', 'a.\0.c', 'a.b.ł', '\n', '', 'a.\u2028.c']

test.each(TOKENS)(
  'a server with the cookie of token %j has no session, and sends nothing for it',
  async token => {
    const sent: string[] = []
    const send: typeof fetch = async (input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      sent.push(`${new URL(url).pathname} ${new Headers(init?.headers).get('authorization')}`)
      return Response.json([])
    }
    const value = `base64-${stringToBase64URL(JSON.stringify(sessionOf(token)))}`
    const half = Math.ceil(value.length / 2)
    const forms = [
      [{ name: 'sb-127-auth-token', value }],
      [{ name: 'sb-127-auth-token', value: JSON.stringify(sessionOf(token)) }],
      [
        { name: 'sb-127-auth-token.0', value: value.slice(0, half) },
        { name: 'sb-127-auth-token.1', value: value.slice(half) },
      ],
    ]
    for (const cookies of forms) {
      const all = [...cookies, { name: 'theme', value: 'dark' }]
      const client = createServerClient('http://127.0.0.1:1', 'key', {
        cookies: { getAll: () => all },
        global: { fetch: send },
      })
      const since = Date.now()
      expect((await client.auth.getSession()).data.session).toBeNull()
      expect((await client.auth.getUser()).data.user).toBeNull()
      await client.from('vessels').select()
      expect(Date.now() - since).toBeLessThan(1_500)
    }
    expect(new Set(sent)).toEqual(new Set(['/rest/v1/vessels Bearer key']))
  },
)
