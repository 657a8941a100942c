// Allowed redirects: the allow-list with wildcards, and URLs that naive checks accept.
import { expect, test } from 'vitest'
import { compileGlob } from '../../../../backend/auth/mail/glob.ts'
import { allowRedirect, redirectOf } from '../../../../backend/auth/mail/redirects.ts'

const settings = {
  siteUrl: 'https://example.com',
  redirectUrls: [
    'http://localhost:*/*',
    'http://*.localhost:8000/*',
    'https://app.test/exact',
    'https://**.preview.test/**',
    'harbour://signed-in',
  ],
}

test.each([
  ['https://example.com/dashboard', true],
  ['http://example.com/dashboard', false],
  ['https://example.com:8443/dashboard', false],
  ['https://example.com.evil.test/', false],
  ['https://example.com@evil.test/', false],
  ['http://localhost:8000@evil/path', false],
  ['http://localhost:8000/path@elsewhere', true],
  ['http://who:ever@localhost:8000/path', false],
  ['http://localhost:8000/path', true],
  ['http://localhost:8000/path?param=1', true],
  ['http://localhost:8000/path#where', true],
  ['http://localhost:8000', false],
  ['http://localhost:8000/path/to/page', false],
  ['http://localhost:3000/', true],
  ['http://localhost:3000', false],
  ['http://a.localhost:8000/path', true],
  ['http://a.b.localhost:8000/path', false],
  ['https://app.test/exact', true],
  ['https://app.test/exact/not', false],
  ['https://one.two.preview.test/a/b?c=d', true],
  ['harbour://signed-in', true],
  ['harbour://elsewhere', false],
  ['http://127.0.0.1:12345/path', true],
  ['http://[::1]:12345/path', true],
  ['http://[0:0:0:0:0:0:0:1]:12345/path', true],
  ['http://10.0.0.1/', false],
  ['http://2130706433/', false],
  ['http://0x7f.1/', false],
  ['http://123.123.123.123?localhost:8000/path', false],
  ['http://123?.localhost:8000/path', false],
  ['https://evil.test\\.preview.test/', false],
  ['https://evil.test#.preview.test/', false],
  ['//evil.test', false],
  ['/path', false],
  ['javascript:alert(1)', false],
  ['', false],
])('redirect to %s allowed: %s', (address, allowed) => {
  expect(allowRedirect(settings, address)).toBe(allowed ? address : settings.siteUrl)
})

test.each([
  ['http://localhost:3000', 'http://localhost:8080/callback', true],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:8080/callback', true],
  ['http://localhost:3000', 'http://localhost/callback', true],
  ['https://localhost:3000', 'http://localhost:8080/callback', false],
  ['https://example.com:9000', 'https://example.com:9001/path', false],
])('with the site %s, redirect to %s allowed: %s', (siteUrl, address, allowed) => {
  expect(allowRedirect({ siteUrl, redirectUrls: [] }, address)).toBe(allowed ? address : siteUrl)
})

test.each([
  ['a*', 'abc', true],
  ['a*', 'a.b', false],
  ['a**', 'a.b/c', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['[ab]c', 'bc', true],
  ['[!ab]c', 'bc', false],
  ['[a-c]x', 'bx', true],
  ['{http,https}://x', 'https://x', true],
  ['{http,https}://x', 'ftp://x', false],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['a+(b)', 'a+(b)', true],
  ['{a', '{a', true],
  ['{a', 'a', false],
  ['[z-a]', '[z-a]', true],
])('the pattern %s matches %s: %s', (pattern, text, matches) => {
  expect(compileGlob(pattern)(text)).toBe(matches)
})

test('the header takes precedence over the query, an allowed page over the site', () => {
  const of = (url: string, headers: Record<string, string> = {}) =>
    redirectOf(settings, new Request(`http://127.0.0.1/auth/v1/otp${url}`, { headers }))
  expect([
    of(''),
    of('?redirect_to=https://app.test/exact'),
    of('?redirect_to=https://evil.test'),
    of('?redirect_to=https://app.test/exact', { redirect_to: 'harbour://signed-in' }),
    of('?redirect_to=https://evil.test', { referer: 'http://localhost:8000/here' }),
    of('', { referer: 'https://evil.test/' }),
  ]).toEqual([
    'https://example.com',
    'https://app.test/exact',
    'https://example.com',
    'harbour://signed-in',
    'http://localhost:8000/here',
    'https://example.com',
  ])
})
