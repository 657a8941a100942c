// Differences of the auth servers that stay, and why.
import type { KnownDifference } from '../report.ts'

const BUG = 'the original fails with status 500; here the request is refused'

/** The first that matches counts. */
export const KNOWN_OF_AUTH: readonly KnownDifference[] = [
  {
    pattern: /^auth-js: (?:26[7-9]|2[789]\d)\./,
    reason: 'a passkey signs the challenge of one server, so the other refuses it and what depends on it',
  },
  {
    pattern: /^auth-js: (?:200|217)\. GET \/admin\/users/,
    reason: 'the original keeps the user of a text message that could not be sent',
  },
  {
    pattern: /^auth-js: .* POST \/otp \| body\.message \| Error sending/,
    reason: 'the original adds why its provider of text messages failed',
  },
  {
    pattern: /^auth-js: (?:208|21\d)\. PUT \/admin\/users/,
    reason: 'the original describes a user before the change',
  },
  {
    pattern: /^auth-js: 15[2-4]\. POST \/token/,
    reason: 'social providers are simulated here; the original asks the real one for its keys',
  },
  {
    pattern: /header x-sb-error-code \| weak_password \| absent/,
    reason: 'the original leaves this header out for weak passwords only',
  },
  {
    pattern: /^auth-js: .*\| body\.message \| .* \| 400: /,
    reason: 'the original repeats the status in the message',
  },
  {
    pattern: /^other apps: (?:a sign-in|refusals)|oauth-authorization-server/,
    reason: 'apps can be registered, but not sign users in (guide/backend.md)',
  },
  {
    pattern: /\| (?:header location\S*|body)\.(?:\S*\.)?refresh_token \|/,
    reason: 'refresh tokens have another form; clients do not read it',
  },
  {
    pattern: /refresh_token_not_found \| validation_failed|Not Found \| Refresh token is not valid/,
    reason: 'a refresh token of another form is unknown, not invalid',
  },
  {
    pattern:
      /(?:GET \{\{link\}\}|GET \/verify|\/callback|\/authorize).* \| (?:header content-type|header cache-control|body) \|/,
    reason: 'a redirect has no body here, and is never cached; browsers do not show the body',
  },
  {
    pattern: /Could not parse request body as JSON|Bad Pagination Parameters/,
    reason: 'the original adds the message of its JSON or number parser',
  },
  {
    pattern: /signing method none is invalid/,
    reason: 'the original adds the message of its token parser',
  },
  { pattern: /\/health \| body\.version/, reason: 'the version of the server' },
  { pattern: /jwks\.json \| body\.keys/, reason: 'this backend also has an asymmetric key' },
  {
    pattern: /\/settings \| body\.sms_provider/,
    reason: 'there is no provider of text messages: codes are in the test inbox',
  },
  {
    pattern: /PATCH \/user|GET \/factors/,
    reason: 'the original asks for a token before it looks at the method',
  },
  {
    pattern: /(?:admin: who may|POST \/admin\/oauth\/clients \|).*(?:403 \| 401|not_admin|User not allowed)/,
    reason: 'in a project, the gateway adds the anonymous role to a request without a token, as here',
  },
  { pattern: /header retry-after/, reason: 'tells clients how long to wait' },
  {
    pattern:
      /emails to sign in: refusals: .*(?:400 \| 500|unexpected_failure|validation_failed \| absent|Unexpected failure)/,
    reason: BUG,
  },
  { pattern: /an address that another user has: 6\./, reason: BUG },
  { pattern: /admin: creating users: 13\./, reason: 'says why the hash is refused' },
  {
    pattern: /admin: creating users: 12\..*user_metadata/,
    reason: 'the original leaves the metadata of a user with a password hash unset until the next change',
  },
  {
    pattern: /admin: users: (?:[4-9]|1\d)\..*identities/,
    reason: 'the original lists identities in no order, and describes them before the change',
  },
  {
    pattern: /admin: users: 17\..* body\.(?:email|phone|new_email|new_phone) \|/,
    reason: 'hashes that hide the address of a deleted user; they contain the id',
  },
  {
    pattern: /\/admin\/audit \| header (?:link|x-total-count)/,
    reason: 'the log also has what was done before the comparison',
  },
  {
    pattern: /admin: pages of users: 7\./,
    reason: 'after page 0 the original links to page 1, whose users page 0 has already returned',
  },
  {
    pattern: /other apps: clients: .* \| body\.msg \| .* \| 400: /,
    reason: 'the original repeats the status in the message',
  },
  {
    pattern: /admin: single sign-on and own providers/,
    reason: 'single sign-on and own providers do not exist here; each request is refused',
  },
  {
    pattern: /ID tokens: refusals/,
    reason: 'social providers are simulated here; the original asks the real one for its keys',
  },
]
