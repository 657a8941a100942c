// Tests that cannot pass on an original auth server, and why.

export interface KnownFailure {
  readonly file: string
  /** Matches the test's title. */
  readonly test: RegExp
  readonly reason: string
}

const CLOCK = 'the test moves the clock of the embedded backend, and the original keeps its own'
const PROVIDERS = 'the embedded auth server simulates the social providers; the original asks the real ones'
const SESSION_FAULT = 'the fault ends a session in the tables of the embedded auth server'

export const KNOWN: readonly KnownFailure[] = [
  {
    file: 'tests/client/client-session-reasons.test.ts',
    test: /^(?:inactivity|timebox, despite activity|lowAal)$/,
    reason: CLOCK,
  },
  { file: 'tests/scenarios/refused-refresh.test.ts', test: /^(?:inactivity|timebox)$/, reason: CLOCK },
  {
    file: 'tests/client/client-session-backend.test.ts',
    test: /^a second factor: enrolled/,
    reason: CLOCK,
  },
  {
    file: 'tests/client/client-session-backend.test.ts',
    test: /^a provider(?:, there and back| is linked)/,
    reason: PROVIDERS,
  },
  {
    file: 'tests/browser/account.test.ts',
    test: /a provider in addition to a password$/,
    reason: PROVIDERS,
  },
  {
    file: 'tests/browser/tabs.test.ts',
    test: /^every tab recovers after two hours with a closed lid/,
    reason: CLOCK,
  },
  {
    file: 'tests/browser/lead-back.test.ts',
    test: /^a provider redirects back/,
    reason: PROVIDERS,
  },
  {
    file: 'tests/browser/faults.test.ts',
    test: /^a rejected refresh that ends the session/,
    reason: SESSION_FAULT,
  },
  {
    file: 'tests/browser/first-use.test.ts',
    test: /^a session that was ended elsewhere/,
    reason: SESSION_FAULT,
  },
]
