// Ways to sign in, their calls, checks and explanations.
export type { CodeKind, SentCode, SignInEvent } from '../../../machines/index.ts'
export { callAuth, type Called } from './call.ts'
export {
  checkCode,
  checkEmail,
  checkPassword,
  checkPhone,
  checkForm,
  cleanPhone,
  type Credentials,
  type Typed,
} from './checks.ts'
export { explainAuthFailure, explainSignedOut } from './explain.ts'
export { factorName, factorType, verifiedFactors } from './factors.ts'
export { providerName } from './format-auth.ts'
export { METHOD_NAMES, methodsOf } from './methods.ts'
export { provideNewPassword } from './new-password-ports.ts'
export { hasPasskeys } from './passkeys.ts'
export { needsOf } from './password-needs.ts'
export { createSignInFields, type FieldValues } from './sign-in-fields.ts'
export { here, type OAuthProvider, provideSignIn, sessionFacts } from './sign-in-ports.ts'
export { type FailedAttempt, newPasswordView, type SignInView, signInView } from './sign-in-view.ts'
