// Conversations about accounts and sessions: sign-up, sign-in, refresh, the user, sign-out.
import { del, get, mailTo, post, put, type Conversation, type Step } from '../conversation.ts'

export const PASSWORD = 'Secret-123'

/** The service role creates a confirmed user with a password; the user signs in. */
export const SIGNED_IN: readonly Step[] = [
  post(
    '/admin/users',
    { email: '{{email}}', password: PASSWORD, email_confirm: true },
    { as: 'service', save: { id: 'id' } },
  ),
  post(
    '/token?grant_type=password',
    { email: '{{email}}', password: PASSWORD },
    { save: { token: 'access_token', refresh: 'refresh_token' } },
  ),
]

/** Both for `open` and `confirm`, whose responses differ. */
export const SIGN_UPS: readonly Conversation[] = [
  {
    name: 'sign-up with a password',
    steps: [
      post(
        '/signup',
        { email: '{{email}}', password: PASSWORD, data: { name: 'Ann', boats: [1, 2] } },
        { save: { token: 'access_token', refresh: 'refresh_token' } },
      ),
      post('/signup', { email: '{{email}}', password: PASSWORD }),
      get('/user', { as: 'token' }),
      post('/token?grant_type=password', { email: '{{email}}', password: PASSWORD }),
      post('/token?grant_type=refresh_token', { refresh_token: '{{refresh}}' }),
    ],
  },
  {
    name: 'sign-up: refusals',
    steps: [
      post('/signup', { email: '{{email}}', password: 'short' }),
      post('/signup', { email: '{{email}}', password: '' }),
      post('/signup', { email: '{{email}}' }),
      post('/signup', { email: 'no-address', password: PASSWORD }),
      post('/signup', { password: PASSWORD }),
      post('/signup', { email: '{{email}}', phone: '15550000020', password: PASSWORD }),
      post('/signup', { email: '{{email}}', password: 'a'.repeat(73) }),
      post('/signup', { email: 5, password: PASSWORD }),
      post('/signup', undefined, { text: '{"email":' }),
      post('/signup', undefined, { text: '' }),
      post('/signup', undefined, { text: '[]' }),
      post('/signup', {
        email: '{{email}}',
        password: PASSWORD,
        code_challenge: 'short',
        code_challenge_method: 's256',
      }),
      post('/signup', { email: '{{email}}', password: PASSWORD, code_challenge_method: 's256' }),
      post('/signup', { email: ' {{EMAIL}} ', password: PASSWORD }),
      post('/signup', { phone: '15550000020', password: PASSWORD, channel: 'pigeon' }),
      post('/signup', { phone: 'number', password: PASSWORD }),
    ],
  },
  {
    name: 'sign-up without an address',
    steps: [
      post('/signup', { data: { name: 'Nobody' } }, { save: { token: 'access_token' } }),
      get('/user', { as: 'token' }),
      put('/user', { data: { name: 'Somebody' } }, { as: 'token' }),
      put('/user', { password: PASSWORD }, { as: 'token' }),
      put('/user', { email: '{{email}}' }, { as: 'token' }),
      post('/factors', { factor_type: 'totp', friendly_name: 'phone' }, { as: 'token' }),
      post('/logout', undefined, { as: 'token' }),
    ],
  },
]

export const ACCOUNTS: readonly Conversation[] = [
  {
    name: 'sign-in with a password: refusals',
    steps: [
      ...SIGNED_IN,
      post('/token?grant_type=password', { email: '{{email}}', password: 'wrong-one' }),
      post('/token?grant_type=password', { email: 'unknown@compare.test', password: PASSWORD }),
      post('/token?grant_type=password', { email: '{{email}}' }),
      post('/token?grant_type=password', { password: PASSWORD }),
      post('/token?grant_type=password', { email: '{{email}}', phone: '15550000020', password: PASSWORD }),
      post('/token?grant_type=password', { phone: '15550000020', password: PASSWORD }),
      post('/token?grant_type=password', undefined, { text: 'no json' }),
      post('/token', { email: '{{email}}', password: PASSWORD }),
      post('/token?grant_type=stone', {}),
      post(
        '/token?grant_type=password',
        { email: '{{email}}', password: PASSWORD },
        {
          headers: { 'x-supabase-api-version': '2024-01-01' },
        },
      ),
      post(
        '/token?grant_type=password',
        { email: '{{email}}', password: 'wrong-one' },
        {
          headers: { 'x-supabase-api-version': '2024-01-01' },
        },
      ),
      get('/token?grant_type=password'),
    ],
  },
  {
    name: 'refresh tokens',
    steps: [
      ...SIGNED_IN,
      post(
        '/token?grant_type=refresh_token',
        { refresh_token: '{{refresh}}' },
        {
          save: { second: 'refresh_token', token: 'access_token' },
        },
      ),
      post('/token?grant_type=refresh_token', { refresh_token: '{{refresh}}' }),
      post(
        '/token?grant_type=refresh_token',
        { refresh_token: '{{second}}' },
        { save: { third: 'refresh_token' } },
      ),
      post('/token?grant_type=refresh_token', { refresh_token: 'abcdefghijkl' }),
      post('/token?grant_type=refresh_token', { refresh_token: '' }),
      post('/token?grant_type=refresh_token', { refresh_token: 'not a token at all' }),
      post('/token?grant_type=refresh_token', {}),
      post('/logout?scope=local', undefined, { as: 'token' }),
      post('/token?grant_type=refresh_token', { refresh_token: '{{third}}' }),
      get('/user', { as: 'token' }),
    ],
  },
  {
    name: 'the user',
    steps: [
      ...SIGNED_IN,
      get('/user', { as: 'token' }),
      put('/user', { data: { name: 'Ann', city: null, list: [1] } }, { as: 'token' }),
      put('/user', { data: { name: null, more: true } }, { as: 'token' }),
      put('/user', { password: PASSWORD }, { as: 'token' }),
      put('/user', { password: 'short' }, { as: 'token' }),
      put('/user', { password: 'Another-123' }, { as: 'token' }),
      put('/user', { email: 'no-address' }, { as: 'token' }),
      put('/user', { email: '{{email}}' }, { as: 'token' }),
      put('/user', { phone: 'letters' }, { as: 'token' }),
      put('/user', { app_metadata: { role: 'admin' } }, { as: 'token' }),
      put('/user', { nonce: '123456', password: 'Third-12345' }, { as: 'token' }),
      put('/user', {}, { as: 'token' }),
      put('/user', { data: 'text' }, { as: 'token' }),
      put('/user', undefined, { as: 'token', text: 'no json' }),
      put('/user', { channel: 'pigeon', phone: '15550000020' }, { as: 'token' }),
      put('/user', { current_password: 'Third-12345', password: 'Fourth-12345' }, { as: 'token' }),
    ],
  },
  {
    name: 'tokens that are refused',
    steps: [
      get('/user'),
      get('/user', { headers: { authorization: 'Bearer' } }),
      get('/user', { headers: { authorization: 'Bearer abc' } }),
      get('/user', { headers: { authorization: 'Basic abc' } }),
      get('/user', { as: 'service' }),
      get('/user', { as: 'expired' }),
      get('/user', { as: 'forged' }),
      get('/user', { as: 'unknownUser' }),
      get('/user', { as: 'unknownSession' }),
      get('/user', { as: 'unsigned' }),
      post('/logout'),
      get('/reauthenticate'),
      get('/factors'),
      post('/factors', {}),
      get('/user/identities/authorize?provider=github'),
      del('/user/identities/5'),
    ],
  },
  {
    name: 'sign-out',
    steps: [
      ...SIGNED_IN,
      post(
        '/token?grant_type=password',
        { email: '{{email}}', password: PASSWORD },
        {
          save: { other: 'access_token', otherRefresh: 'refresh_token' },
        },
      ),
      post('/logout?scope=nowhere', undefined, { as: 'token' }),
      post('/logout?scope=others', undefined, { as: 'token' }),
      get('/user', { as: 'other' }),
      post('/token?grant_type=refresh_token', { refresh_token: '{{otherRefresh}}' }),
      get('/user', { as: 'token' }),
      post('/logout', undefined, { as: 'token' }),
      post('/logout', undefined, { as: 'token' }),
      get('/user', { as: 'token' }),
      post('/token?grant_type=refresh_token', { refresh_token: '{{refresh}}' }),
    ],
  },
  {
    name: 'a deleted user',
    steps: [
      ...SIGNED_IN,
      del('/admin/users/{{id}}', undefined, { as: 'service' }),
      get('/user', { as: 'token' }),
      post('/token?grant_type=refresh_token', { refresh_token: '{{refresh}}' }),
      post('/token?grant_type=password', { email: '{{email}}', password: PASSWORD }),
      post('/logout', undefined, { as: 'token' }),
    ],
  },
]

/** Only where emails are confirmed. */
export const CONFIRMED_SIGN_UPS: readonly Conversation[] = [
  {
    name: 'sign-up with confirmation by code',
    steps: [
      post('/signup', { email: '{{email}}', password: PASSWORD }),
      mailTo('{{email}}'),
      post('/token?grant_type=password', { email: '{{email}}', password: PASSWORD }),
      post('/verify', { type: 'signup', email: '{{email}}', token: '000000' }),
      post('/verify', { type: 'email', email: 'unknown@compare.test', token: '{{code}}' }),
      post(
        '/verify',
        { type: 'signup', email: '{{email}}', token: '{{code}}' },
        { save: { token: 'access_token' } },
      ),
      post('/verify', { type: 'signup', email: '{{email}}', token: '{{code}}' }),
      get('/user', { as: 'token' }),
      post('/signup', { email: '{{email}}', password: PASSWORD }),
    ],
  },
  {
    name: 'sign-up with confirmation by link',
    steps: [
      post('/signup?redirect_to=http://localhost:3000/welcome', { email: '{{email}}', password: PASSWORD }),
      mailTo('{{email}}'),
      get('{{link}}', { save: { token: 'location:access_token' } }),
      get('{{link}}'),
      get('/user', { as: 'token' }),
    ],
  },
  {
    name: 'sign-up with PKCE',
    steps: [
      post('/signup', {
        email: '{{email}}',
        password: PASSWORD,
        code_challenge: '{{challenge}}',
        code_challenge_method: 's256',
      }),
      mailTo('{{email}}'),
      get('{{link}}', { save: { flow: 'location:code' } }),
      post('/token?grant_type=pkce', { auth_code: '{{flow}}', code_verifier: 'x'.repeat(43) }),
      post('/token?grant_type=pkce', { auth_code: '{{flow}}', code_verifier: '{{verifier}}' }),
      post('/token?grant_type=pkce', { auth_code: '{{flow}}', code_verifier: '{{verifier}}' }),
    ],
  },
  {
    name: 'sign-up with a phone number',
    steps: [
      post('/signup', { phone: '{{phone}}', password: PASSWORD }),
      post('/verify', { type: 'sms', phone: '{{phone}}', token: '000000' }),
      post(
        '/verify',
        { type: 'sms', phone: '{{phone}}', token: '123456' },
        { save: { token: 'access_token' } },
      ),
      get('/user', { as: 'token' }),
      post('/token?grant_type=password', { phone: '{{phone}}', password: PASSWORD }),
      post('/token?grant_type=password', { phone: '+{{phone}}', password: PASSWORD }),
      post('/otp', { phone: '{{phone}}' }),
      post('/verify', { type: 'sms', phone: '{{phone}}', token: '123456' }),
      put('/user', { phone: '15550000020' }, { as: 'token' }),
      post('/verify', { type: 'phone_change', phone: '15550000020', token: '123456' }),
      post('/resend', { type: 'sms', phone: '{{phone}}' }),
      get('/reauthenticate', { as: 'token' }),
    ],
  },
]
