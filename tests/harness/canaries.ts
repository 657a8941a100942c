// Secrets that are easy to find again: a hundred kinds, by name and by form, and the forms in which they
// arrive.

/** Names whose values are secrets, in the spellings of keys, columns, headers and variables. */
export const NAMES = (
  'password passwd pwd pass passphrase userPassword password_confirmation oldPassword newpassword DB_PASSWORD secret ' +
  'clientSecret client_secret apiSecret webhookSecret signing_secret totp_secret jwt_secret SECRET_KEY secretKey ' +
  'aws_secret_access_key accessKey private_key privateKey ssh_key encryption-key apikey apiKey X-Api-Key access_token ' +
  'refreshToken provider_token id_token auth_token sessionToken csrfToken api_token bearerToken x-auth-token private-token ' +
  'x-amz-security-token x-webhook-secret stripe-signature x-hub-signature-256 Authorization Proxy-Authorization Cookie ' +
  'Set-Cookie session_key sessionKey token_hash code_verifier captcha_token recovery_code backupCode mfa_code otpCode ' +
  'mnemonic seed_phrase connectionString DATABASE_URL credentials nonce ticket token jwt signature sig auth'
).split(' ')

const x = (length: number) => 'c4nary7Sings'.repeat(9).slice(0, length)
const X = (length: number) => 'C4NARY7SINGS'.repeat(9).slice(0, length)
/** Secrets that are recognized by their form. */
export const FORMATS = [
  `eyJ${x(20)}.${x(20)}.${x(20)}`,
  ...['sb_secret_', 'sb_publishable_', 'sbp_', 'sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'].map(
    prefix => prefix + x(32),
  ),
  ...[
    'ghp_',
    'gho_',
    'ghu_',
    'ghs_',
    'ghr_',
    'github_pat_',
    'glpat-',
    'glptt-',
    'npm_',
    'dckr_pat_',
    'hf_',
    'gsk_',
  ].map(prefix => prefix + x(36)),
  ...['AKIA', 'ASIA'].map(prefix => prefix + X(16)),
  ...[
    'xoxb-',
    'xoxp-',
    'xoxa-',
    'xapp-',
    'sk-proj-',
    'sk-ant-',
    'xai-',
    'hvs.',
    'ya29.',
    'PMAK-',
    'GOCSPX-',
    'pypi-',
  ].map(prefix => prefix + x(32)),
  `AIza${x(35)}`,
  `SG.${x(22)}.${x(43)}`,
  `AGE-SECRET-KEY-1${X(58)}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${x(60)}\n-----END RSA PRIVATE KEY-----`,
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${x(60)}`,
  `postgresql://user:${x(12)}@db.test/postgres`,
  `https://me:${x(9)}@git.test/repo`,
  `otpauth://totp/me?secret=${X(32)}&issuer=test`,
  `Bearer ${x(30)}`,
  `Basic ${x(30)}`,
  `$2b$10$${x(53)}`,
  `$argon2id$v=19$m=65536,t=3,p=4$${x(40)}`,
]

/** Every secret of these tests contains this. */
export const CANARY = /c4nary/i
export const named = (name: string, kind: string) => `c4nary-${name}-${kind}-1`

/** Every form in which a secret arrives. */
export const INPUTS: Readonly<Record<string, (name: string) => unknown>> = {
  key: name => ({ [name]: named(name, 'key') }),
  nested: name => ({ deep: [{ [name]: [named(name, 'list'), named(name, 'list2')] }] }),
  map: name => new Map([[name, named(name, 'map')]]),
  pair: name => [[name, named(name, 'pair')]],
  field: name => ({ name, value: named(name, 'field') }),
  address: name => `https://h.test/x?a=1&${name}=${named(name, 'query')}&b=2`,
  url: name => new URL(`https://h.test/x?${name}=${named(name, 'url')}`),
  fragment: name => `https://h.test/#${name}=${named(name, 'fragment')}`,
  redirect: name =>
    `/authorize?redirect_to=${encodeURIComponent(`https://h.test/?${name}=${named(name, 'inner')}`)}`,
  filter: name =>
    `/rest/v1/t?select=id&${name}=eq.${named(name, 'filter')}&or=(${name}.eq.${named(name, 'or')},id.eq.1)`,
  json: name => JSON.stringify({ a: 1, [name]: named(name, 'json') }),
  twice: name => JSON.stringify(JSON.stringify({ [name]: named(name, 'twice') })),
  header: name =>
    /-|^(?:cookie|authorization)$/i.test(name) ? `400 for\n${name}: ${named(name, 'header')}` : '',
}
