// Conversations about the server itself: health, settings, keys, unknown paths and methods; and where much is refused.
import { get, mailTo, patch, post, put, type Conversation } from '../conversation.ts'
import { PASSWORD, SIGNED_IN } from './accounts.ts'

export const GENERAL: readonly Conversation[] = [
  {
    name: 'the server',
    steps: [
      get('/health'),
      get('/settings'),
      get('/.well-known/jwks.json'),
      get('/.well-known/openid-configuration'),
      get('/.well-known/oauth-authorization-server'),
      get('/unknown'),
      get('/'),
      post('/health'),
      post('/settings', {}),
      patch('/user', {}),
      get('/signup'),
      get('/otp'),
      put('/token', {}),
      get('/admin/unknown', { as: 'service' }),
      get('/unknown', { headers: { 'x-supabase-api-version': '2024-01-01' } }),
      get('/user', { headers: { 'x-supabase-api-version': '2024-01-01' } }),
      get('/user', { headers: { 'x-supabase-api-version': 'yesterday' } }),
    ],
  },
]

/** Where sign-up is off, emails are rare, and passwords have rules. */
export const CLOSED: readonly Conversation[] = [
  {
    name: 'no sign-up',
    steps: [
      post('/signup', { email: '{{email}}', password: PASSWORD }),
      post('/signup', {}),
      post('/otp', { email: '{{email}}' }),
      post('/otp', { email: '{{email}}', create_user: false }),
      post('/magiclink', { email: '{{email}}' }),
      post('/invite', { email: '{{email}}' }, { as: 'service' }),
      mailTo('{{email}}'),
      get('{{link}}'),
    ],
  },
  {
    name: 'rules for passwords',
    steps: [
      ...SIGNED_IN,
      put('/user', { password: 'Ab1' }, { as: 'token' }),
      put('/user', { password: 'abcdefghi' }, { as: 'token' }),
      put('/user', { password: 'Abcdefghi' }, { as: 'token' }),
      put('/user', { password: 'Abcdefgh1' }, { as: 'token' }),
      put('/user', { password: 'Abcdefgh2', nonce: '000000' }, { as: 'token' }),
      post('/admin/users', { email: 'weak-{{email}}', password: 'abcdefghi' }, { as: 'service' }),
      put('/admin/users/{{id}}', { password: 'abcdefghi' }, { as: 'service' }),
      put('/admin/users/{{id}}', { password: 'abc' }, { as: 'service' }),
    ],
  },
  {
    name: 'emails too soon after another',
    steps: [
      ...SIGNED_IN,
      post('/recover', { email: '{{email}}' }),
      post('/recover', { email: '{{email}}' }),
      post('/otp', { email: '{{email}}', create_user: false }),
      get('/reauthenticate', { as: 'token' }),
      get('/reauthenticate', { as: 'token' }),
      put('/user', { email: 'new-{{email}}' }, { as: 'token' }),
      put('/user', { email: 'newer-{{email}}' }, { as: 'token' }),
      post('/resend', { type: 'email_change', email: 'new-{{email}}' }),
    ],
  },
  {
    name: 'one session for each user',
    steps: [
      ...SIGNED_IN,
      post(
        '/token?grant_type=password',
        { email: '{{email}}', password: PASSWORD },
        {
          save: { second: 'refresh_token' },
        },
      ),
      post('/token?grant_type=refresh_token', { refresh_token: '{{refresh}}' }),
      post('/token?grant_type=refresh_token', { refresh_token: '{{second}}' }),
    ],
  },
]
