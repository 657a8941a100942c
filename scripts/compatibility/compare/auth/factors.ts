// Conversations about second factors, passkeys and identities.
import { del, get, patch, post, put, type Conversation } from '../conversation.ts'
import { SIGNED_IN } from './accounts.ts'

const ENROLL = post(
  '/factors',
  { factor_type: 'totp', friendly_name: 'phone', issuer: 'Harbour' },
  { as: 'token', save: { factor: 'id', secret: 'totp.secret' } },
)
const CHALLENGE = post('/factors/{{factor}}/challenge', {}, { as: 'token', save: { challengeId: 'id' } })

/** Both where they are on and off. */
export const OPTIONAL_FACTORS: readonly Conversation[] = [
  {
    name: 'passkeys',
    steps: [
      ...SIGNED_IN,
      get('/passkeys', { as: 'token' }),
      post('/passkeys/registration/options', {}, { as: 'token', save: { challengeId: 'challenge_id' } }),
      post(
        '/passkeys/registration/verify',
        { challenge_id: '{{challengeId}}', credential: {} },
        { as: 'token' },
      ),
      post(
        '/passkeys/registration/verify',
        { challenge_id: '{{unknownId}}', credential: {} },
        { as: 'token' },
      ),
      post('/passkeys/registration/verify', {}, { as: 'token' }),
      post('/passkeys/registration/options', {}),
      post('/passkeys/authentication/options', {}, { save: { challengeId: 'challenge_id' } }),
      post('/passkeys/authentication/verify', { challenge_id: '{{challengeId}}', credential: {} }),
      post('/passkeys/authentication/verify', { challenge_id: '{{unknownId}}', credential: { id: 'a' } }),
      post('/passkeys/authentication/verify', {}),
      patch('/passkeys/{{unknownId}}', { friendly_name: 'key' }, { as: 'token' }),
      patch('/passkeys/no-id', { friendly_name: 'key' }, { as: 'token' }),
      del('/passkeys/{{unknownId}}', undefined, { as: 'token' }),
      del('/passkeys/no-id', undefined, { as: 'token' }),
      get('/passkeys'),
      get('/admin/users/{{id}}/passkeys', { as: 'service' }),
      del('/admin/users/{{id}}/passkeys/{{unknownId}}', undefined, { as: 'service' }),
      del('/admin/users/{{id}}/passkeys/no-id', undefined, { as: 'service' }),
    ],
  },
  {
    name: 'a security key as a factor',
    steps: [
      ...SIGNED_IN,
      post(
        '/factors',
        { factor_type: 'webauthn', friendly_name: 'key' },
        { as: 'token', save: { factor: 'id' } },
      ),
      post('/factors/{{factor}}/challenge', {}, { as: 'token' }),
      post(
        '/factors/{{factor}}/challenge',
        { webauthn: { rp_id: 'localhost', rp_origins: ['http://localhost:3000'] } },
        { as: 'token', save: { challengeId: 'id' } },
      ),
      post(
        '/factors/{{factor}}/verify',
        { challenge_id: '{{challengeId}}', code: '123456' },
        { as: 'token' },
      ),
      post(
        '/factors/{{factor}}/verify',
        { challenge_id: '{{challengeId}}', webauthn: { type: 'create', credential_response: {} } },
        { as: 'token' },
      ),
      post('/factors', { factor_type: 'phone', friendly_name: 'phone', phone: '{{phone}}' }, { as: 'token' }),
    ],
  },
  {
    name: 'identities',
    steps: [
      ...SIGNED_IN,
      get('/user', { as: 'token', save: { identity: 'identities.0.identity_id' } }),
      get('/user/identities/authorize?provider=stone', { as: 'token' }),
      get('/user/identities/authorize', { as: 'token' }),
      get('/user/identities/authorize?provider=gitlab', { as: 'token' }),
      get('/user/identities/authorize?provider=github&skip_http_redirect=true&code_challenge=a', {
        as: 'token',
      }),
      del('/user/identities/{{identity}}', undefined, { as: 'token' }),
      del('/user/identities/{{unknownId}}', undefined, { as: 'token' }),
      del('/user/identities/no-id', undefined, { as: 'token' }),
    ],
  },
]

export const FACTORS: readonly Conversation[] = [
  {
    name: 'a second factor',
    steps: [
      ...SIGNED_IN,
      ENROLL,
      get('/user', { as: 'token' }),
      CHALLENGE,
      post(
        '/factors/{{factor}}/verify',
        { challenge_id: '{{challengeId}}', code: '000000' },
        { as: 'token' },
      ),
      post(
        '/factors/{{factor}}/verify',
        { challenge_id: '{{challengeId}}', code: '{{totp:secret}}' },
        { as: 'token', save: { strong: 'access_token', strongRefresh: 'refresh_token' } },
      ),
      post(
        '/factors/{{factor}}/verify',
        { challenge_id: '{{challengeId}}', code: '{{totp:secret}}' },
        { as: 'strong' },
      ),
      get('/user', { as: 'strong' }),
      post('/token?grant_type=refresh_token', { refresh_token: '{{strongRefresh}}' }),
      get('/admin/users/{{id}}/factors', { as: 'service' }),
      put('/admin/users/{{id}}/factors/{{factor}}', { friendly_name: 'renamed' }, { as: 'service' }),
      put('/admin/users/{{id}}/factors/{{factor}}', { factor_type: 'stone' }, { as: 'service' }),
      put('/admin/users/{{id}}/factors/{{unknownId}}', {}, { as: 'service' }),
      del('/factors/{{factor}}', undefined, { as: 'token' }),
      del('/factors/{{factor}}', undefined, { as: 'strong' }),
      del('/factors/{{factor}}', undefined, { as: 'strong' }),
      get('/user', { as: 'strong' }),
    ],
  },
  {
    name: 'a second factor: refusals',
    steps: [
      ...SIGNED_IN,
      post('/factors', {}, { as: 'token' }),
      post('/factors', { factor_type: 'stone' }, { as: 'token' }),
      post('/factors', { factor_type: 'totp', issuer: 'not a url' }, { as: 'token' }),
      post('/factors', { factor_type: 'phone', phone: '15550000020' }, { as: 'token' }),
      ENROLL,
      post('/factors', { factor_type: 'totp', friendly_name: 'phone' }, { as: 'token' }),
      post('/factors/{{factor}}/verify', { challenge_id: '{{unknownId}}', code: '000000' }, { as: 'token' }),
      post('/factors/{{factor}}/verify', { challenge_id: 'no-id', code: '000000' }, { as: 'token' }),
      post('/factors/{{factor}}/verify', {}, { as: 'token' }),
      post('/factors/{{unknownId}}/challenge', {}, { as: 'token' }),
      post('/factors/no-id/challenge', {}, { as: 'token' }),
      post('/factors/{{unknownId}}/verify', {}, { as: 'token' }),
      del('/factors/{{unknownId}}', undefined, { as: 'token' }),
      del('/factors/no-id', undefined, { as: 'token' }),
      CHALLENGE,
      post('/factors/{{factor}}/verify', { challenge_id: '{{challengeId}}' }, { as: 'token' }),
      del('/factors/{{factor}}', undefined, { as: 'token' }),
      post('/factors/{{factor}}/challenge', {}, { as: 'token' }),
      del('/admin/users/{{id}}/factors/{{factor}}', undefined, { as: 'service' }),
      del('/admin/users/{{id}}/factors/no-id', undefined, { as: 'service' }),
    ],
  },
]
