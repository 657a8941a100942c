// Conversations about other sign-ins: social providers, ID tokens, wallets, and other apps with the project's users.
import { del, get, post, put, type Conversation, type Request } from '../conversation.ts'
import { SIGNED_IN } from './accounts.ts'

const CLIENT = {
  client_name: 'App',
  redirect_uris: ['https://app.compare.test/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
}
const AUTHORIZE =
  '/oauth/authorize?response_type=code&client_id={{client}}&redirect_uri=https://app.compare.test/callback' +
  '&code_challenge={{challenge}}&code_challenge_method=S256&state=app-state&scope=openid%20email'

const form = (path: string, text: string, options: Partial<Request> = {}): Request =>
  post(path, undefined, {
    text,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    ...options,
  })

export const PROVIDERS: readonly Conversation[] = [
  {
    name: 'social providers: refusals',
    steps: [
      get('/authorize'),
      get('/authorize?provider=stone'),
      get('/authorize?provider=gitlab'),
      get('/authorize?provider=github&code_challenge=short&code_challenge_method=s256'),
      get('/authorize?provider=github&code_challenge_method=s256'),
      get('/authorize?provider=github&invite_token=unknown'),
      get('/callback'),
      get('/callback?state=abc'),
      get('/callback?state={{unknownId}}&code=abc'),
      get('/callback?error=access_denied&error_description=no&state={{unknownId}}'),
      post('/callback', {}),
    ],
  },
  {
    name: 'ID tokens: refusals',
    steps: [
      post('/token?grant_type=id_token', {}),
      post('/token?grant_type=id_token', { id_token: 'abc' }),
      post('/token?grant_type=id_token', { id_token: 'abc', provider: 'stone' }),
      post('/token?grant_type=id_token', { id_token: 'abc', provider: 'google' }),
      post('/token?grant_type=id_token', { id_token: '{{forged}}', provider: 'google' }),
      post('/token?grant_type=id_token', { provider: 'google' }),
      post('/token?grant_type=id_token', { id_token: 'abc', issuer: 'https://issuer.test' }),
    ],
  },
  {
    name: 'wallets: refusals',
    steps: [
      post('/token?grant_type=web3', {}),
      post('/token?grant_type=web3', { chain: 'stone', message: 'a', signature: 'b' }),
      post('/token?grant_type=web3', { chain: 'solana' }),
      post('/token?grant_type=web3', { chain: 'solana', message: 'a', signature: 'b' }),
      post('/token?grant_type=web3', { chain: 'solana', message: 'a'.repeat(70), signature: 'b'.repeat(88) }),
      post('/token?grant_type=web3', {
        chain: 'ethereum',
        message: 'a'.repeat(70),
        signature: `0x${'1'.repeat(130)}`,
      }),
      post('/token?grant_type=web3', { chain: 'ethereum', message: 'a', signature: 'b' }),
    ],
  },
  {
    name: 'other apps: clients',
    steps: [
      get('/admin/oauth/clients', { as: 'service' }),
      post('/admin/oauth/clients', CLIENT, {
        as: 'service',
        save: { client: 'client_id', clientSecret: 'client_secret' },
      }),
      get('/admin/oauth/clients/{{client}}', { as: 'service' }),
      put('/admin/oauth/clients/{{client}}', { client_name: 'Renamed' }, { as: 'service' }),
      put('/admin/oauth/clients/{{client}}', { redirect_uris: ['no url'] }, { as: 'service' }),
      put('/admin/oauth/clients/{{client}}', {}, { as: 'service' }),
      post('/admin/oauth/clients/{{client}}/regenerate_secret', {}, { as: 'service' }),
      del('/admin/oauth/clients/{{client}}', undefined, { as: 'service' }),
      get('/admin/oauth/clients/{{client}}', { as: 'service' }),
      get('/admin/oauth/clients/no-id', { as: 'service' }),
      post('/admin/oauth/clients', {}, { as: 'service' }),
      post('/admin/oauth/clients', { ...CLIENT, redirect_uris: [] }, { as: 'service' }),
      post('/admin/oauth/clients', { ...CLIENT, redirect_uris: ['no url'] }, { as: 'service' }),
      post('/admin/oauth/clients', { ...CLIENT, grant_types: ['stone'] }, { as: 'service' }),
      post('/admin/oauth/clients', { ...CLIENT, client_type: 'stone' }, { as: 'service' }),
      post('/admin/oauth/clients', { ...CLIENT, client_uri: 'no url' }, { as: 'service' }),
      post('/admin/oauth/clients', { ...CLIENT, client_name: '' }, { as: 'service' }),
      post('/admin/oauth/clients', CLIENT),
      post('/oauth/clients/register', { ...CLIENT, token_endpoint_auth_method: 'none' }),
      post('/oauth/clients/register', { ...CLIENT, token_endpoint_auth_method: 'stone' }),
      post('/oauth/clients/register', {}),
    ],
  },
  {
    name: 'other apps: a sign-in',
    steps: [
      ...SIGNED_IN,
      post(
        '/oauth/clients/register',
        { ...CLIENT, token_endpoint_auth_method: 'none' },
        { save: { client: 'client_id' } },
      ),
      get(AUTHORIZE, { save: { authorization: 'location:authorization_id' } }),
      get('/oauth/authorizations/{{authorization}}', { as: 'token' }),
      get('/oauth/authorizations/{{authorization}}'),
      get('/oauth/authorizations/unknown', { as: 'token' }),
      post('/oauth/authorizations/{{authorization}}/consent', { action: 'maybe' }, { as: 'token' }),
      post(
        '/oauth/authorizations/{{authorization}}/consent',
        { action: 'approve' },
        { as: 'token', save: { consent: 'redirect_url' } },
      ),
      post('/oauth/authorizations/{{authorization}}/consent', { action: 'approve' }, { as: 'token' }),
      get('/user/oauth/grants', { as: 'token' }),
      // The consent exists, so that the second time has the code in the redirect.
      get(AUTHORIZE, { save: { again: 'location:authorization_id' } }),
      get('/oauth/authorizations/{{again}}', { as: 'token' }),
      del('/user/oauth/grants?client_id={{client}}', undefined, { as: 'token' }),
      del('/user/oauth/grants?client_id={{client}}', undefined, { as: 'token' }),
      del('/user/oauth/grants', undefined, { as: 'token' }),
      get('/user/oauth/grants', { as: 'token' }),
    ],
  },
  {
    name: 'other apps: refusals',
    steps: [
      ...SIGNED_IN,
      post(
        '/oauth/clients/register',
        { ...CLIENT, token_endpoint_auth_method: 'none' },
        { save: { client: 'client_id' } },
      ),
      get('/oauth/authorize'),
      get('/oauth/authorize?client_id=no-id'),
      get('/oauth/authorize?client_id={{unknownId}}&redirect_uri=https://app.compare.test/callback'),
      get('/oauth/authorize?client_id={{client}}&redirect_uri=https://elsewhere.test/'),
      get(
        '/oauth/authorize?client_id={{client}}&redirect_uri=https://app.compare.test/callback&response_type=token',
      ),
      get(
        '/oauth/authorize?client_id={{client}}&redirect_uri=https://app.compare.test/callback&response_type=code',
      ),
      get(`${AUTHORIZE}&resource=no-url`),
      get(AUTHORIZE.replace('scope=openid', 'scope=stone')),
      get(AUTHORIZE, { save: { authorization: 'location:authorization_id' } }),
      get('/oauth/authorizations/{{authorization}}', { as: 'token' }),
      post('/oauth/authorizations/{{authorization}}/consent', { action: 'deny' }, { as: 'token' }),
      form('/oauth/token', 'grant_type=authorization_code'),
      form('/oauth/token', 'grant_type=authorization_code&client_id={{client}}'),
      form('/oauth/token', 'grant_type=authorization_code&client_id={{client}}&code=abc&code_verifier=abc'),
      form('/oauth/token', 'grant_type=stone&client_id={{client}}'),
      form('/oauth/token', 'grant_type=refresh_token&client_id={{client}}'),
      form('/oauth/token', 'grant_type=refresh_token&client_id={{client}}&refresh_token=abcdefghijkl'),
      form('/oauth/token', 'grant_type=refresh_token&client_id={{client}}&refresh_token={{refresh}}'),
      form('/oauth/token', 'client_id={{unknownId}}'),
      get('/oauth/userinfo', { as: 'token' }),
      get('/oauth/userinfo'),
    ],
  },
]
