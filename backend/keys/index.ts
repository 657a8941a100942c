// API keys and tokens: who a caller is.
export { isAudience } from './claims.ts'
export { CLI_KEYS } from './cli-keys.ts'
export {
  type Claims,
  type Refusal,
  type Tokens,
  bearerOf,
  callerOf,
  credentialOf,
  createTokens,
  forBrowser,
  isFromBrowser,
} from './tokens.ts'
