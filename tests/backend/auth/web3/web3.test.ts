// Sign-in with wallets: Ethereum and Solana, and every message and signature that must be refused.
import { generateKeyPairSync, sign } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 as keccak } from '@noble/hashes/sha3.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { decodeBase58 } from '../../../../backend/auth/web3/signatures.ts'
import { ask, refusal, type Answer } from '../../../harness/auth.ts'
import { officialClient, startTestBackend } from '../../../harness/backend.ts'

const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
const backend = await startTestBackend({
  clock,
  auth: {
    siteUrl: 'https://app.harbour.test',
    redirectUrls: ['https://other.harbour.test:8443/**'],
    web3: { solana: { enabled: true }, ethereum: { enabled: true } },
    rateLimit: { web3: 1_000 },
  },
})
const solanaOnly = await startTestBackend({
  clock,
  auth: { siteUrl: 'https://app.harbour.test', web3: { solana: { enabled: true } }, enableSignup: false },
})

const limited = await startTestBackend({
  auth: { web3: { ethereum: { enabled: true } }, rateLimit: { web3: 1 } },
})

/** Each test begins with a full burst. */
beforeEach(() => void (clock.ahead += 60_000))

interface Wallet {
  readonly chain: 'ethereum' | 'solana'
  readonly address: string
  sign(text: string): string
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

function ethereumWallet(): Wallet {
  const secret = secp256k1.utils.randomSecretKey()
  const address = `0x${hexOf(keccak(secp256k1.getPublicKey(secret, false).subarray(1)).subarray(12))}`
  return {
    chain: 'ethereum',
    address,
    sign(text) {
      const bytes = Buffer.from(text)
      const hash = keccak(
        Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]),
      )
      const [recovery = 0, ...rs] = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' })
      return `0x${hexOf(Uint8Array.from([...rs, recovery + 27]))}`
    },
  }
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function base58(bytes: Uint8Array): string {
  let number = BigInt(`0x${hexOf(bytes)}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = `${ALPHABET[Number(number % 58n)]}${text}`
  return `${'1'.repeat(bytes.findIndex(byte => byte !== 0))}${text}`
}

/** @param envelope what is signed instead of the text */
function solanaWallet(envelope: (text: Buffer, key: Buffer) => Buffer = text => text): Wallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  return {
    chain: 'solana',
    address: base58(key),
    sign: text => sign(null, envelope(Buffer.from(text), key), privateKey).toString('base64url'),
  }
}

const WALLETS = { ethereum: ethereumWallet, solana: solanaWallet }
const CHAINS = ['ethereum', 'solana'] as const

type Fields = Partial<Record<string, string | undefined>>

const at = (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString()
let nonces = 0

/** The message of a wallet; `undefined` removes a line. */
function messageOf(
  { chain, address }: Wallet,
  fields: Fields = {},
  { domain = 'app.harbour.test', statement = 'Welcome aboard' } = {},
): string {
  const title = chain === 'ethereum' ? 'Ethereum' : 'Solana'
  const all: Fields = {
    URI: 'https://app.harbour.test/login',
    Version: '1',
    'Chain ID': chain === 'ethereum' ? '1' : 'solana:mainnet',
    Nonce: `nonce${++nonces}`,
    'Issued At': at(0),
    ...fields,
  }
  return [
    `${domain} wants you to sign in with your ${title} account:`,
    address,
    '',
    ...(statement ? [statement, ''] : []),
    ...Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])),
  ].join('\n')
}

const send = (body: object, to = backend) => ask(to, 'POST', 'token?grant_type=web3', body)
const signIn = (wallet: Wallet, message = messageOf(wallet), to = backend) =>
  send({ chain: wallet.chain, message, signature: wallet.sign(message) }, to)

const grantRefusal = ({ status, body }: Answer) => [status, body['error'], body['error_description']]

describe.for(CHAINS)('%s', chain => {
  const title = chain === 'ethereum' ? 'Ethereum' : 'Solana'

  test('a signed message signs a wallet up, and in again', async () => {
    const wallet = WALLETS[chain]()
    const { auth } = officialClient(backend)
    const message = messageOf(wallet)
    const credentials =
      wallet.chain === 'ethereum'
        ? { chain: 'ethereum' as const, message, signature: wallet.sign(message) as `0x${string}` }
        : {
            chain: 'solana' as const,
            message,
            signature: new Uint8Array(Buffer.from(wallet.sign(message), 'base64url')),
          }
    const { data, error } = await auth.signInWithWeb3(credentials)
    expect(error).toBe(null)
    const sub = `web3:${chain}:${wallet.address}`
    expect(data.user).toMatchObject({
      email: '',
      app_metadata: { provider: 'web3', providers: ['web3'] },
      user_metadata: {
        sub,
        custom_claims: {
          address: wallet.address,
          chain,
          network: chain === 'ethereum' ? '1' : 'solana:mainnet',
          domain: 'app.harbour.test',
          statement: 'Welcome aboard',
        },
      },
      identities: [{ provider: 'web3', identity_data: { sub } }],
    })
    const { data: claims } = await auth.getClaims()
    expect(claims?.claims).toMatchObject({ aal: 'aal1', amr: [{ method: 'web3' }], is_anonymous: false })
    const again = await signIn(wallet)
    expect(again.body['user']).toMatchObject({ id: data.user?.id })
    const other = await signIn(WALLETS[chain]())
    expect(other.body['user']).not.toMatchObject({ id: data.user?.id })
  })

  test('a message is used once', async () => {
    const wallet = WALLETS[chain]()
    const message = messageOf(wallet)
    expect((await signIn(wallet, message)).status).toBe(200)
    expect(grantRefusal(await signIn(wallet, message))).toEqual([
      400,
      'invalid_grant',
      `Signed ${title} message was already used`,
    ])
    const twice = messageOf(wallet)
    const answers = await Promise.all([signIn(wallet, twice), signIn(wallet, twice)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  test('the signature of another wallet, or of another message, is refused', async () => {
    const wallet = WALLETS[chain]()
    const message = messageOf(wallet)
    const wrong = [WALLETS[chain]().sign(message), wallet.sign(`${message} `)]
    for (const signature of wrong)
      expect(grantRefusal(await send({ chain, message, signature }))).toEqual([
        400,
        'invalid_grant',
        'Signature does not match address in message',
      ])
    expect((await signIn(wallet, message)).status).toBe(200)
  })

  test.for<[string, () => Fields, string]>([
    [
      'an expired message',
      () => ({ 'Issued At': at(-60), 'Expiration Time': at(-1) }),
      'Signed T message is expired',
    ],
    ['a message for later', () => ({ 'Not Before': at(60) }), 'Signed T message becomes valid in the future'],
    ['an old message', () => ({ 'Issued At': at(-601) }), 'T message was issued too long ago'],
    [
      'a message of the future',
      () => ({ 'Issued At': at(660) }),
      'T message was issued too far in the future',
    ],
    [
      'plain HTTP',
      () => ({ URI: 'http://app.harbour.test/' }),
      'Signed T message is using URI which does not use HTTPS',
    ],
    [
      'another site',
      () => ({ URI: 'https://evil.test/' }),
      'Signed T message is using URI which is not allowed on this server, message was signed for another app',
    ],
    [
      'a URI of another domain',
      () => ({ URI: 'https://other.harbour.test:8443/x' }),
      'Signed T message is using a Domain that does not match the one in URI which is not allowed on this server',
    ],
  ])('refuses %s', async ([, fields, message]) => {
    const wallet = WALLETS[chain]()
    expect(grantRefusal(await signIn(wallet, messageOf(wallet, fields())))).toEqual([
      400,
      'invalid_grant',
      message.replace('T', title),
    ])
  })

  test('an allowed site with its port may sign in, and a local page only if it is allowed', async () => {
    const wallet = WALLETS[chain]()
    const allowed = { domain: 'other.harbour.test:8443' }
    const other = messageOf(wallet, { URI: 'https://other.harbour.test:8443/x' }, allowed)
    expect((await signIn(wallet, other)).status).toBe(200)
    const denied = messageOf(wallet, { URI: 'http://localhost:3000/' }, { domain: 'localhost:3000' })
    expect(grantRefusal(await signIn(wallet, denied))[2]).toContain('message was signed for another app')
  })

  const name = chain === 'ethereum' ? 'siwe' : 'siws'
  test.for<[string, (text: string) => string, string]>([
    [
      'too few lines',
      text => text.split('\n').slice(0, 5).join('\n').padEnd(80),
      'message needs at least 6 lines',
    ],
    [
      'another first line',
      text => text.replace('wants you', 'asks you'),
      `message first line does not end in " wants you to sign in with your ${title} account:"`,
    ],
    [
      'a wrong domain',
      text => text.replace('app.harbour.test wants', 'app..test wants'),
      'domain in first line of message is not valid',
    ],
    ['text in the third line', text => text.replace('\n\n', '\nx\n'), 'third line must be empty'],
    [
      'another version',
      text => text.replace('Version: 1', 'Version: 2'),
      'Version value is not supported, expected 1 got "2"',
    ],
    [
      'no version',
      text => text.replace('Version: 1\n', ''),
      'Version value is not supported, expected 1 got ""',
    ],
    ['no time', text => text.replace(/\nIssued At: .*/, ''), 'Issued At is not specified'],
    [
      'a wrong time',
      text => text.replace(/Issued At: .*/, 'Issued At: today'),
      'Issued At is not a valid ISO8601 timestamp',
    ],
    ['no URI', text => text.replace(/URI: .*\n/, ''), 'URI is not specified'],
    ['a wrong URI', text => text.replace(/URI: .*/, 'URI: app'), 'URI is not valid'],
    ['a wrong chain', text => text.replace(/Chain ID: .*/, 'Chain ID: x'), 'Chain ID is not valid'],
    ['a line without a name', text => `${text}\nx`, 'encountered unparsable line at index 10'],
    [
      'a wrong resource',
      text => `${text}\nResources:\n- ipfs://a\n- x`,
      'Resource at position 1 has invalid URI',
    ],
    [
      'an expiration before its time',
      text => `${text}\nExpiration Time: 2020-01-01T00:00:00Z`,
      'Issued At is after Expiration Time',
    ],
  ])('refuses %s', async ([, change, problem]) => {
    const wallet = WALLETS[chain]()
    expect(refusal(await signIn(wallet, change(messageOf(wallet))))).toEqual([
      400,
      'validation_failed',
      `${name}: ${problem}`,
    ])
  })

  test.for([
    ['too short', 'x'.repeat(63), 'message is too short'],
    ['too long', 'x'.repeat(20 * 1024 + 1), 'message must not exceed 20KB'],
  ] as const)('refuses a message that is %s', async ([, message, problem]) => {
    expect(refusal(await send({ chain, message, signature: 'x' }))).toEqual([
      400,
      'validation_failed',
      problem,
    ])
  })

  test('refuses a banned user', async () => {
    const wallet = WALLETS[chain]()
    const user = (await signIn(wallet)).body['user'] as { id: string }
    const { admin } = officialClient(backend, backend.secretKey).auth
    await admin.updateUserById(user.id, { ban_duration: '1h' })
    expect((await signIn(wallet)).body['error_code']).toBe('user_banned')
  })
})

test('signatures that are not of the chain’s form are refused', async () => {
  const ethereum = messageOf(ethereumWallet())
  const solana = messageOf(solanaWallet())
  const problems = [
    [{ chain: 'ethereum', message: ethereum, signature: '0x00' }, /^signature must be 65 bytes long/],
    [{ chain: 'solana', message: solana, signature: 'AA' }, /^signature must be 64 bytes/],
    [{ chain: 'solana', message: solana, signature: '!'.repeat(86) }, /valid base64 characters$/],
  ] as const
  for (const [body, problem] of problems) expect(refusal(await send(body))[2]).toMatch(problem)
  const signature = `0x${'zz'.repeat(65)}`
  expect(grantRefusal(await send({ chain: 'ethereum', message: ethereum, signature }))[1]).toBe(
    'invalid_grant',
  )
})

test('a known signature of Ethereum is accepted, and only with its recovery bit', async () => {
  const wallet = ethereumWallet()
  const message = messageOf(wallet)
  const signature = wallet.sign(message)
  const bit = Number.parseInt(signature.slice(-2), 16)
  const other = `${signature.slice(0, -2)}${(bit === 27 ? 28 : 27).toString(16)}`
  expect((await send({ chain: 'ethereum', message, signature: other })).status).toBe(400)
  for (const wrong of ['1f', 'ff', '05'])
    expect(
      (await send({ chain: 'ethereum', message, signature: `${signature.slice(0, -2)}${wrong}` })).status,
    ).toBe(400)
  const bare = `${signature.slice(0, -2)}0${bit - 27}`
  expect((await send({ chain: 'ethereum', message, signature: bare })).status).toBe(200)
})

test('a Ledger signs Solana’s message in an envelope', async () => {
  const wallet = solanaWallet((text, key) => {
    const domain = Buffer.alloc(32)
    domain.write('app.harbour.test')
    const length = Buffer.from([text.length & 255, text.length >> 8])
    const start = Buffer.from('\u00ffsolana offchain\0', 'latin1')
    return Buffer.concat([start, domain, Buffer.from([0, 1]), key, length, text])
  })
  expect((await signIn(wallet)).status).toBe(200)
})

test('a message without a statement is accepted', async () => {
  for (const wallet of [ethereumWallet(), solanaWallet()]) {
    const message = messageOf(wallet, {}, { statement: '' })
    expect((await signIn(wallet, message)).status).toBe(200)
  }
})

test('chains are enabled one by one, and sign-up may be off', async () => {
  const ethereum = ethereumWallet()
  expect(refusal(await signIn(ethereum, messageOf(ethereum), solanaOnly))).toEqual([
    422,
    'web3_provider_disabled',
    'Ethereum Web3 provider is disabled',
  ])
  const bitcoin = await send({ chain: 'bitcoin' })
  expect(refusal(bitcoin)).toEqual([400, 'web3_unsupported_chain', 'Unsupported chain'])
  const solana = solanaWallet()
  expect((await signIn(solana, messageOf(solana), solanaOnly)).body['error_code']).toBe('signup_disabled')
})

test('sign-ins with wallets are limited', async () => {
  const codes = []
  for (let count = 0; count < 31; count++)
    codes.push((await send({ chain: 'ethereum', message: '' }, limited)).body['error_code'])
  expect(codes.slice(-2)).toEqual(['validation_failed', 'over_request_rate_limit'])
})

test.for<[string, string]>([
  ['', ''],
  ['1', '00'],
  ['2', '01'],
  ['5Q', 'ff'],
  ['2NEpo7TZRRrLZSi2U', '48656c6c6f20576f726c6421'],
  ['11233QC4', '0000287fb4cd'],
])('base 58: %j is %j', ([text, hex]) => {
  expect(hexOf(decodeBase58(text) ?? new Uint8Array([1, 2, 3, 4, 5]))).toBe(hex)
})

test('base 58 has no 0, O, I and l', () => {
  expect(['0', 'O', 'I', 'l'].map(letter => decodeBase58(letter))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
