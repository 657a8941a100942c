// API keys and tokens: who a caller is.
export { CLI_KEYS } from './cli-keys.ts'
export {
  type Claims,
  type Refusal,
  type Tokens,
  bearerOf,
  callerOf,
  createTokens,
  forBrowser,
  isFromBrowser,
} from './tokens.ts'
