// Ways to sign in, their calls, checks and explanations.
export { callAuth, type Called } from './call.ts'
export {
  checkCode,
  checkEmail,
  checkPassword,
  checkPhone,
  checkScreen,
  cleanPhone,
  type Credentials,
  NOTHING_TYPED,
  type Typed,
  type TypedErrors,
} from './checks.ts'
export { explainAuthFailure, explainSignedOut } from './explain.ts'
export {
  type AuthEvent,
  authFlow,
  type AuthFlow,
  type CodeKind,
  type Screen,
  showsSignOutReason,
  START,
  type Task,
  type Way,
} from './flow.ts'
export { providerName } from './format-auth.ts'
export { newPassword, type NewPassword, NO_PASSWORD } from './new-password.ts'
export { hasPasskeys } from './passkeys.ts'
export { needsOf } from './password-needs.ts'
export {
  enterAsGuest,
  enterByPasskey,
  here,
  leaveFor,
  type OAuthProvider,
  sendAgain,
  type Sending,
  submitScreen,
} from './submit.ts'
export { screenFor, WAY_NAMES, waysOf } from './ways.ts'
