// The parts of multi-factor sign-in that need no backend: codes, QR codes and encrypted secrets.
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { createSeal } from '../../../../backend/auth/mfa/seal.ts'
import { createTotpKey, isTotpCode } from '../../../../backend/auth/mfa/totp.ts'

// The secret of RFC 6238's appendix; its eight-digit codes end in these six digits.
const RFC_SECRET = Secret.fromUTF8('12345678901234567890').base32

describe('a code', () => {
  test.for([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const)('of RFC 6238 at %i s', ([seconds, code]) => {
    expect(isTotpCode(RFC_SECRET, code, seconds * 1000)).toBe(true)
  })

  // This code is valid for the seconds from …080 to …109.
  test.for([
    ['two periods early', '081804', 1_111_111_049, false],
    ['a period early', '081804', 1_111_111_050, true],
    ['a period late', '081804', 1_111_111_139, true],
    ['two periods late', '081804', 1_111_111_140, false],
    ['with spaces around it', ' 081804 ', 1_111_111_109, true],
    ['too short', '81804', 1_111_111_109, false],
    ['too long', '0081804', 1_111_111_109, false],
    ['in other digits', '０８１８０４', 1_111_111_109, false],
    ['empty', '', 1_111_111_109, false],
  ] as const)('%s', ([, code, seconds, valid]) => {
    expect(isTotpCode(RFC_SECRET, code, seconds * 1000)).toBe(valid)
  })
})

test('a new key has 160 bits, a complete URL, and a picture that fits into a data URL', () => {
  const key = createTotpKey('harbour', 'skipper@harbour.test')
  expect(Secret.fromBase32(key.secret).bytes).toHaveLength(20)
  const uri = new URL(key.uri)
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/harbour:skipper@harbour.test',
  ])
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'harbour',
    secret: key.secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
  expect(key.qrCode).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /)
  expect(key.qrCode).not.toMatch(/[#%]/)
  const now = 1_700_000_000_000
  expect(isTotpCode(key.secret, new TOTP({ secret: key.secret }).generate({ timestamp: now }), now)).toBe(
    true,
  )
})

test.each([
  ['127.0.0.1:3000', 'a+b@harbour.test', '127.0.0.1:3000:a+b@harbour.test'],
  ["Ann's (boat)", 'é@harbour.test', 'Ann%27s%20%28boat%29:%C3%A9@harbour.test'],
  ['a/b?c#d', 'm@harbour.test', 'a/b%3Fc%23d:m@harbour.test'],
])('the label of the issuer %s is escaped as by the official server', (issuer, account, label) => {
  expect(createTotpKey(issuer, account).uri).toContain(`otpauth://totp/${label}?`)
})

describe('a sealed text', () => {
  const seal = createSeal('a secret of the backend', 'totp')

  test('opens for its owner and looks different each time', () => {
    const sealed = seal.close('JBSWY3DP', 'factor-1')
    expect(seal.open(sealed, 'factor-1')).toBe('JBSWY3DP')
    expect(seal.close('JBSWY3DP', 'factor-1')).not.toBe(sealed)
    expect(sealed).not.toContain('JBSWY3DP')
  })

  test.for([
    ['another owner', seal, 'factor-2', (text: string) => text],
    ['another root', createSeal('another secret', 'totp'), 'factor-1', (text: string) => text],
    ['another purpose', createSeal('a secret of the backend', 'other'), 'factor-1', (text: string) => text],
    ['an altered text', seal, 'factor-1', (text: string) => text.slice(0, -2)],
    ['a cut text', seal, 'factor-1', (text: string) => text.slice(0, 20)],
  ] as const)('does not open for %s', ([, opener, owner, alter]) => {
    const sealed = alter(seal.close('JBSWY3DP', 'factor-1'))
    expect(() => opener.open(sealed, owner)).toThrow(/unable to authenticate data|authentication tag/)
  })
})
